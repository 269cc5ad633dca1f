"""A file of any encoding as a stream of UTF-8, checked for NUL characters and endless lines on the way."""

import codecs
import io
from pathlib import Path


class BadText(ValueError):
    """The text holds a NUL character or a line that is too long; which, and where, is found out elsewhere."""


class Utf8Stream(io.RawIOBase):
    """The text of a file as UTF-8, from a place on, with a line before and after it.

    `skip` counts bytes of UTF-8. `done` is how many bytes of the file were read, for the bar on the page.
    """

    def __init__(self, path: Path, encoding: str, longest: int, *, skip: int, before: bytes, after: bytes) -> None:
        self._file = path.open("rb")
        self._decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)("strict")
        self._ready = [before]
        self._ready_bytes = len(before)
        self._longest = longest
        self._line = 0
        self._skip = skip
        self._after = after
        self.done = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """So many bytes of UTF-8, fewer only at the end."""
        while self._after and (size < 0 or self._ready_bytes < size):
            self._fill(max(size - self._ready_bytes, 1 << 16))
        return self._take(size if size >= 0 else self._ready_bytes)

    def _take(self, size: int) -> bytes:
        """Join what is ready up to a size; what is left over is kept."""
        pieces = b"".join(self._ready)
        self._ready = [pieces[size:]] if len(pieces) > size else []
        self._ready_bytes = max(len(pieces) - size, 0)
        return pieces[:size] if len(pieces) > size else pieces

    def _add(self, piece: bytes) -> None:
        self._ready.append(piece)
        self._ready_bytes += len(piece)

    def _fill(self, size: int) -> None:
        raw = self._file.read(size)
        self.done += len(raw)
        piece = self._decoder.decode(raw, final=not raw).encode() if self._decoder else raw
        if b"\0" in piece or self._measure(piece) > self._longest:
            raise BadText
        skipped = min(self._skip, len(piece))
        self._skip -= skipped
        self._add(piece[skipped:])
        if not raw:
            self._add(self._after)
            self._after = b""

    def _measure(self, piece: bytes) -> int:
        """The length of the line that was open before the piece, as far as it is known; lines within it are short."""
        end = b"\n" if b"\n" in piece else b"\r"
        first = piece.find(end)
        length = self._line + (len(piece) if first < 0 else first)
        self._line = length if first < 0 else len(piece) - piece.rfind(end) - 1
        return length

    def close(self) -> None:
        self._file.close()
        super().close()
