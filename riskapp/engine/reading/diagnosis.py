"""The slow and exact way through a text, taken only when the fast one stumbled: which line, what, how often."""

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

from riskapp.core.errors import Unreadable
from riskapp.engine.reading import dialect as dialects
from riskapp.engine.reading.faults import counted, fault, size
from riskapp.engine.reading.limits import Limits

UNDECODABLE = "\udc00"  # no decoder yields a lone surrogate, so it can stand for what is not in the encoding
codecs.register_error("riskapp.undecodable", lambda error: (UNDECODABLE, _end(error)))
PULSE = 5_000


def _end(error: UnicodeError) -> int:
    return error.end if isinstance(error, UnicodeDecodeError) else 0


@dataclass(frozen=True)
class Suspect:
    """A text that did not go through: where it is, how it was read, how many cells its rows should have."""

    path: Path
    encoding: str
    dialect: dialects.Dialect
    skip_lines: int
    expected: int
    has_header: bool
    keep_ragged: bool


class Lines:
    """The lines of a text one by one, without its mark, each checked; it stops with the fault at the first bad one."""

    def __init__(self, path: Path, encoding: str, limits: Limits, at: Callable[[float], None]) -> None:
        self._path, self._encoding, self._limits, self._at = path, encoding, limits, at
        self.number = 0
        self.record_start = 1
        self._record_bytes = 0

    def begin_record(self) -> None:
        """The next line begins a record."""
        self.record_start, self._record_bytes = self.number + 1, 0

    def __iter__(self) -> Iterator[str]:
        total = max(self._path.stat().st_size, 1)
        raw = self._path.open("rb")
        with TextIOWrapper(raw, self._encoding, errors="riskapp.undecodable", newline="") as text:
            while line := text.readline(self._limits.max_line_bytes + 1):
                self.number += 1
                line = line.removeprefix("\ufeff") if self.number == 1 else line
                self._check(line)
                if self.number % PULSE == 0:
                    self._at(raw.tell() / total)
                yield line

    def _check(self, line: str) -> None:
        if UNDECODABLE in line:
            raise fault("wrong-encoding", line=self.number, encoding=self._encoding.upper())
        if "\0" in line:
            raise fault("nul-bytes", line=self.number)
        length = len(line.encode())
        self._record_bytes += length
        limit = self._limits.max_line_bytes
        if length > limit:
            raise fault("line-too-long", line=self.number, limit=size(limit))
        if self._record_bytes > limit:
            raise fault("unclosed-quote", line=self.record_start)


def first_bad_line(path: Path, encoding: str, limits: Limits, at: Callable[[float], None]) -> Unreadable | None:
    """What is wrong with the lines of a text, without looking into them."""
    lines = Lines(path, encoding, limits, at)
    try:
        for _ in lines:
            lines.begin_record()
    except Unreadable as found:
        return found
    return None


def diagnose(suspect: Suspect, limits: Limits, at: Callable[[float], None]) -> Unreadable | None:
    """What is wrong with the text, or None when nothing is."""
    lines = Lines(suspect.path, suspect.encoding, limits, at)
    try:
        return _walk(suspect, lines)
    except Unreadable as found:
        return found


def _walk(suspect: Suspect, lines: Lines) -> Unreadable | None:
    source = iter(lines)
    for _ in range(suspect.skip_lines):
        next(source, "")
    lines.begin_record()
    # A quote left open swallows the line that is added at the end, so the last record is no longer that line.
    end = [dialects.letters(suspect.dialect)[0]] * suspect.expected
    closing = "\r\n" + suspect.dialect.delimiter.join(end) + "\r\n"
    ragged: list[tuple[int, int]] = []
    bad, last, start = 0, [""], lines.record_start
    for record in dialects.reader(_with_end(source, closing), suspect.dialect):
        last, start = record, lines.record_start
        if record and len(record) != suspect.expected:
            bad += 1
            ragged = ragged or [(lines.record_start, len(record))]
        lines.begin_record()
    if last != end:
        return fault("unclosed-quote", line=start)
    return None if suspect.keep_ragged or not ragged else _ragged(suspect, *ragged[0], bad - 1)


def _with_end(source: Iterator[str], closing: str) -> Iterator[str]:
    yield from source
    yield from dialects.split_lines(closing)


def _ragged(suspect: Suspect, line: int, cells: int, others: int) -> Unreadable:
    return fault(
        "ragged",
        line=line,
        cells=counted(cells, "cell"),
        first="header" if suspect.has_header else "first row",
        expected=counted(suspect.expected),
        more=f"; {counted(others, 'more line')} like it" if others else "",
    )
