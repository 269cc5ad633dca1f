"""The beginning of a text, decoded: where everything is detected."""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from riskapp.core.errors import Unreadable
from riskapp.engine.reading import dialect as dialects
from riskapp.engine.reading import encodings
from riskapp.engine.reading.diagnosis import first_bad_line
from riskapp.engine.reading.faults import fault
from riskapp.engine.reading.limits import Limits

CONTROL = re.compile(r"[\x02-\x08\x0e-\x1a\x7f-\x84\x86-\x9f]")
LINE_END = re.compile(r"\r\n|\n|\r")
LINE_ENDINGS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
BINARY_SHARE = 0.04
BINARY_COUNT = 4


@dataclass(frozen=True)
class Head:
    """The first characters of a text, whether they are all of it, and the encoding they were read by."""

    text: str
    complete: bool
    encoding: str
    reason: str

    @property
    def line_ending(self) -> str:
        """How the first line ends."""
        found = LINE_END.search(self.text)
        return LINE_ENDINGS[found[0]] if found else "LF"

    @property
    def start(self) -> int:
        """Where the table begins: behind the byte order mark, and behind a line that only names the delimiter."""
        said = dialects.SAID.match(self.text)
        return said.end() if said else len(self.text) - len(self.text.removeprefix("\ufeff"))

    @property
    def lines_before(self) -> int:
        """How many lines stand before the table."""
        return 1 if dialects.SAID.match(self.text) else 0

    def bytes_to(self, character: int) -> int:
        """How many bytes of UTF-8 stand before a character."""
        return len(self.text[:character].encode())


@dataclass(frozen=True)
class FirstRecord:
    """The cells of the first record, the line it begins in, and the character behind it."""

    cells: list[str]
    line: int
    end: int


def read_head(
    path: Path, wished: str | None, guess: encodings.Guess | None, limits: Limits, at: Callable[[float], None]
) -> Head:
    """The beginning of a text, in the wished, guessed or detected encoding."""
    with path.open("rb") as file:
        raw = file.read(limits.max_line_bytes + 1)
        complete = not file.read(1)
    found = _encoding(path, raw, complete, wished, guess, limits, at)
    try:
        text = codecs.getincrementaldecoder(found.encoding)("strict").decode(raw, final=complete)
    except UnicodeDecodeError as error:
        raise (first_bad_line(path, found.encoding, limits, at) or error) from None
    _check(text, certainly_text=wished is not None)
    return Head(text, complete, found.encoding, found.reason)


def _encoding(
    path: Path,
    raw: bytes,
    complete: bool,
    wished: str | None,
    guess: encodings.Guess | None,
    limits: Limits,
    at: Callable[[float], None],
) -> encodings.Guess:
    if wished is not None:
        return encodings.Guess(wished, "Chosen by hand.")
    try:
        return guess or encodings.detect(raw, complete=complete)
    except encodings.Mixed:
        raise mixed(first_bad_line(path, "utf-8", limits, at)) from None


def mixed(found: Unreadable | None) -> Unreadable:
    """The fault of a text that is UTF-8 in most places: where the first other place is."""
    return fault("mixed-encoding", line=(found.line if found else None) or 1)


def _check(text: str, *, certainly_text: bool) -> None:
    if not text.strip("\ufeff \t\r\n\f\v"):
        raise fault("only-blank")
    odd = len(CONTROL.findall(text[: 64 << 10]))
    if not certainly_text and odd >= BINARY_COUNT and odd > BINARY_SHARE * min(len(text), 64 << 10):
        raise fault("binary")
    if "\0" in text:
        raise fault("nul-bytes", line=1 + len(LINE_END.findall(text[: text.index("\0")])))


def first_record(head: Head, dialect: dialects.Dialect) -> FirstRecord | None:
    """The first record that is not blank; None when it does not end within the head."""
    table = head.text[head.start :]
    blank = len(table) - len(table.lstrip("\r\n"))
    line = 1 + head.lines_before + len(LINE_END.findall(table[:blank]))
    lines = dialects.split_lines(table[blank:])
    cells = next(dialects.records(iter(lines.readline, ""), dialect), [])
    end = head.start + blank + lines.tell()
    return FirstRecord(cells, line, end) if head.complete or end < len(head.text) else None
