"""What the journeys share: real servers, and the browser to visit them with."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.journey.serving import ROOT, Server
from tests.journey.steps import set_up, sign_in

StartServer = Callable[..., Server]
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
expect.set_options(timeout=30_000)


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Starts servers, each on a fresh folder or on the one given; ends them all after the test, however it went."""
    started: list[Server] = []

    def start(var: Path | None = None, **wishes: str) -> Server:
        server = Server(var or tmp_path / f"var{len(started)}", **wishes)
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A ready server on a fresh folder, shared by the tests of one file."""
    running = Server(tmp_path_factory.mktemp("server") / "var")
    try:
        yield running.ready()
    finally:
        running.kill()


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Server]:
    """A server with Ada's account, and with the sample project, which the workers get ready meanwhile."""
    running = Server(tmp_path_factory.mktemp("office") / "var").ready()
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
        if message.type == "error" and "the server responded with a status of" not in message.text:
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
