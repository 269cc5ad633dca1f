"""Which character divides the cells of a text, and which one quotes them."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from riskapp.engine.reading.wishes import NO_QUOTE

USUAL = (",", ";", "\t", "|")
RARE = ("^", "~", "\x1f", "\x01")
QUOTES = ('"', "'")
SAMPLE_CHARACTERS = 64 << 10
SAMPLE_RECORDS = 200
RARE_SHARE = 0.9
LONGEST_CELL = 1 << 30
SAID = re.compile(r"\A\ufeff?\s*sep=(.)\r?\n", re.IGNORECASE)
SPOKEN = {"\t": "The tab", ",": "The comma", ";": "The semicolon", "|": "The vertical bar"}


@dataclass(frozen=True)
class Dialect:
    """The delimiter and the quote character of a text, and why they are thought to be these."""

    delimiter: str
    quote: str
    delimiter_reason: str = ""
    quote_reason: str = ""


def records(lines: Iterable[str], dialect: Dialect) -> Iterator[list[str]]:
    """The records of a text by Python's own reader, which splits exactly as Arrow does; blank lines are left out."""
    return (record for record in reader(lines, dialect) if record)


def reader(lines: Iterable[str], dialect: Dialect) -> Iterator[list[str]]:
    """Python's own reader for a dialect; how long a cell may be is checked elsewhere."""
    csv.field_size_limit(LONGEST_CELL)
    if dialect.quote == NO_QUOTE:
        return csv.reader(lines, delimiter=dialect.delimiter, quotechar=None, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote)


def split_lines(text: str) -> io.StringIO:
    """The lines of a text with their ends kept, divided at LF, CRLF and CR."""
    return io.StringIO(text, newline="")


def sample_records(text: str, dialect: Dialect, *, complete: bool) -> list[list[str]]:
    """The first records of a text, without the last one if it may be cut short."""
    found = list(islice(records(split_lines(text[:SAMPLE_CHARACTERS]), dialect), SAMPLE_RECORDS))
    cut = len(found) < SAMPLE_RECORDS and not (complete and len(text) <= SAMPLE_CHARACTERS)
    return found[:-1] if cut and len(found) > 1 else found


def detect(text: str, *, tabs_first: bool, complete: bool, delimiter: str | None, quote: str | None) -> Dialect:
    """The dialect of a text by its beginning; what is given is taken as it is."""
    quote_reason = "Chosen by hand."
    if quote is None:
        quote, quote_reason = _detect_quote(text[:SAMPLE_CHARACTERS], delimiter)
    if delimiter is not None:
        return Dialect(delimiter, quote, "Chosen by hand.", quote_reason)
    if said := SAID.match(text):
        return Dialect(said[1], quote, "The first line of the file says so.", quote_reason)
    delimiter, reason = _detect_delimiter(text, quote, tabs_first=tabs_first, complete=complete)
    return Dialect(delimiter, quote, reason, quote_reason)


def _detect_quote(text: str, delimiter: str | None) -> tuple[str, str]:
    marks = re.escape(delimiter or "".join(USUAL))
    counts = {
        quote: len(re.findall(rf"(?:^|[{marks}]){quote}[^{quote}\r\n]*{quote}(?=[{marks}\r\n]|$)", text, re.MULTILINE))
        for quote in QUOTES
        if quote != delimiter
    }
    if counts.get('"', 0) == 0 and counts.get("'", 0) > 1:
        return "'", "Cells are wrapped in it, and none in double quotes."
    if counts.get('"', 0):
        return '"', "Cells are wrapped in it."
    if delimiter == '"':
        return "'", "The usual one is the delimiter."
    return '"', "The usual one; none is used so far."


def _detect_delimiter(text: str, quote: str, *, tabs_first: bool, complete: bool) -> tuple[str, str]:
    scores = {mark: _score(text, Dialect(mark, quote), complete) for mark in (*USUAL, *RARE) if mark != quote}
    if tabs_first and scores["\t"][1] > 1:
        return "\t", "The file is named .tsv and its first line has tabs."
    usual = [mark for mark in USUAL if mark in scores and scores[mark][1] > 1]
    rare = [mark for mark in RARE if scores[mark][1] > 1 and scores[mark][0] >= RARE_SHARE]
    for marks in (usual, rare):
        if marks:
            best = max(marks, key=scores.__getitem__)
            return best, f"{SPOKEN.get(best, 'It')} divides the first line into {scores[best][1]} cells."
    return _unused(text, quote), "No usual delimiter divides the first line: a single column."


def _score(text: str, dialect: Dialect, complete: bool) -> tuple[float, int]:
    """The share of records with as many cells as the first, and that number."""
    counts = [len(record) for record in sample_records(text, dialect, complete=complete)]
    return (counts.count(counts[0]) / len(counts), counts[0]) if counts else (0.0, 0)


def _unused(text: str, quote: str) -> str:
    sample = text[:SAMPLE_CHARACTERS]
    return next((mark for mark in (*USUAL, *RARE) if mark not in sample and mark != quote), ",")


def letters(dialect: Dialect) -> tuple[str, str]:
    """Two letters that mean nothing in a dialect.

    >>> letters(Dialect(",", '"'))
    ('x', 'y')
    """
    first, second, *_ = (letter for letter in "xyzw" if letter not in (dialect.delimiter, dialect.quote))
    return first, second
