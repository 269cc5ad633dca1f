"""What the journeys share: real servers, and the browser to visit them with."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journey.serving import ROOT, Server

StartServer = Callable[..., Server]


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
def chromium() -> str:
    """The path of a Chromium; found or installed as `make test` does it."""
    found = subprocess.run([sys.executable, "scripts/chromium.py"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert found.returncode == 0, "no Chromium: see above"
    return found.stdout.strip()
