"""A visitor's connection that does not wait for ever: neither for a byte, nor for a whole request that drips in."""

import errno
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from riskapp import environment as env

SILENCE = env.number("RISKAPP_SILENCE_SECONDS", 30, least=1)
# More than any form of ours; only uploads are larger, and those are read by whoever answers them.
SMALL = 64 << 10
LENGTH = re.compile(rb"^content-length:[ \t]*([0-9]{1,15})[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
TO_BE_READ_LATER = re.compile(rb"^(?:transfer-encoding|expect):", re.IGNORECASE | re.MULTILINE)


class Line(socket.socket):
    """A socket on which a silence of SILENCE seconds, either way, counts as the end of the connection.

    A request must be here as a whole in the same time, or one byte now and then would hold a thread for ever. Only
    who sends a large file, and may, is given `time_to_send`: then silence alone counts.
    """

    _early = b""
    _until: float | None = None
    whole = False

    def setblocking(self, flag: bool) -> None:
        """A server that asks for waiting without an end gets the longest silence instead."""
        self.settimeout(SILENCE if flag else 0)

    def gather(self) -> bool:
        """Take what is here already; whether it is time for a thread to read on. `whole` says if it need not wait."""
        try:
            block = super().recv(SMALL)
        except BlockingIOError:
            return False
        except OSError:
            block = b""
        self._early += block
        missing = _missing(self._early) if block else 0
        self.whole = missing == 0
        return missing is None or self.whole

    def expect_request(self) -> None:
        self.whole = False
        self._until = time.monotonic() + SILENCE

    def time_to_send(self) -> None:
        self._until = None
        self.setblocking(True)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        if self._early:
            block, self._early = self._early[:bufsize], self._early[bufsize:]
            return block
        with _given_up():
            if self._until is not None:
                self.settimeout(_shorter(self.gettimeout(), self._until - time.monotonic()))
            return super().recv(bufsize, flags)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Every piece may take its time; the socket's own `sendall` would count them together."""
        self.setblocking(True)
        left = memoryview(data)
        with _given_up():
            while left:
                left = left[self.send(left, flags) :]

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        with _given_up():
            return super().sendfile(file, offset, count)


def _missing(early: bytes) -> int | None:
    """How many bytes of the request are still to come, at least; None when it is too large to be waited for.

    A guess that decides when a thread begins to read, and nothing else: what the bytes mean is the server's to say.
    """
    head, end, body = early.partition(b"\r\n\r\n")
    if not end:
        return 1 if len(early) < SMALL else None
    length = LENGTH.search(head + b"\r\n")
    size = int(length[1]) if length else 0
    if size > SMALL or TO_BE_READ_LATER.search(head):
        return None
    return max(0, size - len(body))


def _shorter(patience: float | None, left: float) -> float:
    if left <= 0:
        raise TimeoutError
    return left if patience is None else min(patience, left)


@contextmanager
def _given_up() -> Iterator[None]:
    """Told as what the server and the pages know already: the other side is gone."""
    try:
        yield
    except TimeoutError:
        raise ConnectionResetError(errno.ECONNRESET, "silent for too long") from None
