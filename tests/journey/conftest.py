"""What the journeys share: real servers, and the browser to visit them with."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.journey.album import Album
from tests.journey.deadly import DeadlyServer
from tests.journey.keyboard import Keys
from tests.journey.serving import ROOT, Server, manage, wait_until
from tests.journey.steps import set_up, sign_in

StartServer = Callable[..., Server]
NewVar = Callable[..., Path]
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
expect.set_options(timeout=30_000)

NO_FAULT = ("the server responded with a status of", "htmx:afterRequest", "htmx:sendAbort", "htmx:sendError")
"""What the console says of refusals, and of requests that end because somebody leaves the page; of those that fail
otherwise the browser complains itself."""


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as migrations leave it; they run once for all the processes that test."""
    own = tmp_path_factory.getbasetemp()
    var = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "migrated"
    var.mkdir(mode=0o700, exist_ok=True)
    with (var / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (var / "done").exists():
            made = manage("migrate", "--skip-checks", RISKAPP_VAR=str(var))
            assert made.returncode == 0, made.stderr
            (var / "done").touch()
    return var / "riskapp.sqlite3"


@pytest.fixture(scope="session")
def new_var(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> NewVar:
    """Makes folders for servers, in which the database is not to be made anew."""

    def make(name: str = "server") -> Path:
        var = tmp_path_factory.mktemp(name) / "var"
        var.mkdir(mode=0o700)
        shutil.copyfile(migrated, var / migrated.name)
        return var

    return make


@pytest.fixture
def start_server(new_var: NewVar) -> Iterator[StartServer]:
    """Starts servers, each on a fresh folder or on the one given; ends them all after the test, however it went."""
    started: list[Server] = []

    def start(var: Path | None = None, **wishes: str) -> Server:
        server = Server(var or new_var(), **wishes)
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="module")
def deadly(new_var: NewVar) -> Iterator[DeadlyServer]:
    """A server whose processes are killed, shared by the tests of one file."""
    running = DeadlyServer(new_var())
    try:
        yield running.ready()
    finally:
        running.kill()


@pytest.fixture
def deadly_server(deadly: DeadlyServer) -> Iterator[DeadlyServer]:
    """The same, recovered from earlier deaths; no killing outlives the test that has armed it."""
    wait_until(lambda: deadly.get("/readyz")[0] == 200, "the server is well", seconds=120)
    yield deadly
    deadly.disarm()


@pytest.fixture(scope="module")
def server(new_var: NewVar) -> Iterator[Server]:
    """A ready server on a fresh folder, shared by the tests of one file."""
    running = Server(new_var())
    try:
        yield running.ready()
    finally:
        running.kill()


@pytest.fixture(scope="session")
def office(new_var: NewVar, browser: Browser) -> Iterator[Server]:
    """A server with Ada's account, and with the sample project, which the workers get ready meanwhile."""
    running = Server(new_var("office")).ready()
    try:
        page = browser.new_page()
        set_up(page, running.setup_link(), sample=True)
        page.close()
        yield running
    finally:
        running.kill()


@pytest.fixture
def officer(office: Server, visit: Callable[..., Page]) -> Page:
    """Ada, signed in."""
    page = visit()
    sign_in(page, office, "ada@example.org")
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    return page


@pytest.fixture
def keys(officer: Page) -> Keys:
    """Ada, signed in, without a mouse."""
    return Keys(officer)


@pytest.fixture
def album() -> Iterator[Album]:
    """What is looked at on the way has no serious fault."""
    one = Album()
    yield one
    assert one.faults == {}


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; found or installed as `make test` does it."""
    found = subprocess.run([sys.executable, "scripts/chromium.py"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert found.returncode == 0, "no Chromium: see above"
    return found.stdout.strip()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A browser window; at the end it must not have complained about anything."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in NO_FAULT):
            complaints.append(f"{message.text} {message.location}")

    def open_window(**wishes: object) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | wishes))  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert complaints == []
