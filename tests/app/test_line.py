"""The connection of a visitor: what is gathered before a thread begins, and when waiting ends."""

import socket
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.serving import line
from riskapp.serving.line import Line

Pair = tuple[socket.socket, Line]


def pair() -> Pair:
    theirs, ours = socket.socketpair()
    return theirs, Line(fileno=ours.detach())


@pytest.fixture
def ends() -> Iterator[Pair]:
    theirs, ours = pair()
    with theirs, ours:
        yield theirs, ours


def gather(ours: Line) -> bool:
    ours.setblocking(False)
    return ours.gather()


def request(size: int, *more: str) -> bytes:
    head = ["POST / HTTP/1.1", "Host: here", *more, f"content-LENGTH: {size}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + b"x" * min(size, 1000)


@given(size=st.integers(0, 1000), cuts=st.sets(st.integers(1, 1100), max_size=8))
def test_a_small_request_is_whole_with_its_last_byte_and_not_before(size: int, cuts: set[int]) -> None:
    told, (theirs, ours) = request(size), pair()
    places = [0, *sorted(cut for cut in cuts if cut < len(told)), len(told)]
    with theirs, ours:
        for start, end in pairwise(places):
            assert not gather(ours)
            theirs.sendall(told[start:end])
            assert (gather(ours), ours.whole) == (end == len(told), end == len(told))
        assert b"".join(ours.recv(100) for _ in range(0, len(told), 100)) == told


@pytest.mark.parametrize(
    "told", [request(line.SMALL + 1), request(5, "Transfer-Encoding: chunked"), request(5, "Expect: 100-continue")]
)
def test_a_large_or_open_one_is_read_as_it_comes(ends: Pair, told: bytes) -> None:
    theirs, ours = ends
    theirs.sendall(told[: told.index(b"\r\n\r\n") + 4])
    assert (gather(ours), ours.whole) == (True, False)


def test_a_head_without_an_end_is_not_gathered_for_ever(ends: Pair) -> None:
    theirs, ours = ends
    sent = 0
    while not gather(ours):
        sent += theirs.send(b"a" * 4096)
    assert line.SMALL <= sent < 2 * line.SMALL
    assert not ours.whole


def test_who_hangs_up_needs_no_waiting(ends: Pair) -> None:
    theirs, ours = ends
    theirs.close()
    assert (gather(ours), ours.whole, ours.recv(10)) == (True, True, b"")


def test_silence_either_way_ends_the_connection(ends: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "SILENCE", 0.05)
    _, ours = ends
    ours.setblocking(True)
    with pytest.raises(ConnectionResetError):
        ours.recv(10)
    with pytest.raises(ConnectionResetError):
        ours.sendall(bytes(50_000_000))


def test_a_request_has_an_end_and_an_upload_none_but_silence(ends: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = ends
    theirs.sendall(b"ab")
    ours.setblocking(True)
    monkeypatch.setattr(line, "SILENCE", 0)
    ours.expect_request()
    monkeypatch.undo()
    with pytest.raises(ConnectionResetError):
        ours.recv(1)
    ours.time_to_send()
    assert ours.recv(2) == b"ab"
