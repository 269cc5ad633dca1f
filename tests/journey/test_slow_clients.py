"""Visitors who are silent, drip or dawdle: none of them keeps the pages from the others."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.journey.conftest import NewVar
from tests.journey.serving import Server, wait_until
from tests.journey.visitor import Visitor, files, rows

SILENCE = 2
THREADS = 4
PROCESSES = 2
KEPT = 5  # seconds for which an idle connection is kept
SIGN_IN = (
    b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=" + b"a" * 32 + b"\r\nContent-Length: %d\r\n\r\na"
)
SILENT = {
    "no byte": b"",
    "half a line": b"GET /sign-in/ HT",
    "the first byte of a small body": SIGN_IN % 100,
    "the first byte of a large body": SIGN_IN % 1_000_000,
    "the beginning of a second request": b"GET /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET",
    "an answer that nobody reads": b"GET /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
}
BROKEN_OFF = {"error": "The connection broke off. Nothing of the file was kept.", "advice": "Send it again."}


@pytest.fixture(scope="module")
def server(new_var: NewVar) -> Iterator[Server]:
    """A server with few threads and little patience."""
    wishes = {"RISKAPP_SILENCE_SECONDS": str(SILENCE), "RISKAPP_WEB_THREADS": str(THREADS)}
    running = Server(new_var("slow"), **wishes)
    try:
        yield running.ready()
    finally:
        running.kill()


@pytest.fixture(scope="module")
def visitor(server: Server) -> Visitor:
    return Visitor.of(server)


@pytest.fixture
def lines(server: Server) -> Iterator["Lines"]:
    with ExitStack() as stack:
        yield Lines(server, stack)


class Lines:
    """Connections to the server, closed after the test."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def open(self, words: bytes = b"") -> socket.socket:
        line = self._stack.enter_context(socket.create_connection(("127.0.0.1", self._server.port), timeout=60))
        line.sendall(words)
        return line


def announced(visitor: Visitor, size: int) -> bytes:
    """The beginning of an upload of `size` bytes, all of it but the file's own."""
    head = b'--border\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    headers = visitor._headers() | {
        "Host": "127.0.0.1",
        "Content-Type": "multipart/form-data; boundary=border",
        "Content-Length": str(len(head) + size + len(TAIL)),
    }
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /projects/{visitor.project}/uploads/ HTTP/1.1\r\n{told}\r\n".encode() + head


TAIL = b"\r\n--border--\r\n"


def until_the_end(line: socket.socket) -> bytes:
    """All that the server says before it hangs up."""
    said = b""
    while block := _heard(line):
        said += block
    return said


def _heard(line: socket.socket) -> bytes:
    try:
        return line.recv(65536)
    except ConnectionResetError:
        return b""


def answer(line: socket.socket) -> tuple[int, Any]:
    head, _, body = until_the_end(line).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def log(server: Server) -> str:
    return (server.var / "log" / "web.log").read_text()


def uploads(server: Server) -> int:
    return int(rows(server.var, "SELECT count(*) FROM riskapp_upload")[0][0])


def parts(var: Path) -> list[Path]:
    return [path for path in files(var) if path.suffix == ".part"]


@pytest.mark.parametrize("words", SILENT.values(), ids=SILENT.keys())
def test_more_silent_connections_than_threads_do_not_stop_the_pages(server: Server, lines: Lines, words: bytes) -> None:
    held = [lines.open(words) for _ in range(5 * THREADS * PROCESSES)]
    asked = time.monotonic()
    assert server.visit(f"{server.base_url}/sign-in/") == 200
    assert time.monotonic() - asked < SILENCE
    for line in held:
        until_the_end(line)
    assert time.monotonic() - asked < 3 * SILENCE + KEPT


def test_a_request_that_drips_in_is_given_up_as_a_whole(server: Server, lines: Lines) -> None:
    line = lines.open(b"POST /sign-in/ HTTP/1.1\r\nX-Slow: ")
    began = time.monotonic()
    with pytest.raises(OSError):  # noqa: PT011  (a broken pipe or a reset, as it happens)
        for _ in range(20 * SILENCE):
            line.sendall(b"a")
            time.sleep(0.25)
    assert time.monotonic() - began < 4 * SILENCE


def test_a_slow_upload_that_keeps_moving_arrives(server: Server, visitor: Visitor) -> None:
    began, before = time.monotonic(), uploads(server)
    text = b"name,town\n" + b"Ann,Aldersee\n" * 10_000

    def slowly() -> Iterator[bytes]:
        for start in range(0, len(text), len(text) // 10):
            time.sleep(SILENCE / 4)
            yield text[start : start + len(text) // 10]

    status, _ = visitor.send(slowly(), "slow.csv", len(text))
    assert status == 201
    assert time.monotonic() - began > 2 * SILENCE
    assert uploads(server) == before + 1


def test_an_upload_that_falls_silent_is_broken_off_and_leaves_nothing(
    server: Server, visitor: Visitor, lines: Lines
) -> None:
    before = uploads(server)
    line = lines.open(announced(visitor, 1_000_000) + b"name,town\n" * 1000)
    wait_until(lambda: parts(server.var), "it has begun to arrive")
    assert answer(line) == (400, BROKEN_OFF)
    assert (uploads(server), parts(server.var)) == (before, [])


def test_an_upload_whose_sender_hangs_up_in_the_middle_leaves_nothing(
    server: Server, visitor: Visitor, lines: Lines
) -> None:
    before = uploads(server)
    line = lines.open(announced(visitor, 1_000_000) + b"name,town\n" * 1000)
    line.shutdown(socket.SHUT_WR)
    assert answer(line) == (400, BROKEN_OFF)
    assert (uploads(server), parts(server.var)) == (before, [])


def test_an_upload_whose_connection_breaks_leaves_nothing(server: Server, visitor: Visitor) -> None:
    before, arrived = uploads(server), []
    text = b"name,town\n" * 500_000

    def breaking() -> Iterator[bytes]:
        yield text[: 1 << 20]
        arrived.append(wait_until(lambda: parts(server.var), "the first bytes are on the disk"))
        raise ConnectionError

    assert visitor.send(breaking(), "broken.csv", len(text)) == (0, None)
    assert arrived
    wait_until(lambda: parts(server.var) == [], "the half-written file is gone")
    assert uploads(server) == before


def test_uploads_leave_threads_for_the_pages(server: Server, visitor: Visitor, lines: Lines) -> None:
    held = [lines.open(announced(visitor, 1_000_000)) for _ in range(5 * THREADS * PROCESSES)]
    asked = time.monotonic()
    assert server.visit(f"{server.base_url}/sign-in/") == 200
    assert time.monotonic() - asked < SILENCE
    answers = [answer(line) for line in held]
    assert {(status, *said) for status, said in answers} == {(400, "error", "advice"), (503, "error", "advice")}
    assert 1 <= sum(status == 400 for status, _ in answers) <= PROCESSES * THREADS // 2
    assert visitor.send(b"name\nAnn\n", "after.csv", 9)[0] == 201


def test_the_silent_leave_no_trace_in_the_log(server: Server, lines: Lines) -> None:
    until_the_end(lines.open(SIGN_IN % 1_000_000))
    assert "Traceback" not in log(server)
    assert "reference" not in log(server)
