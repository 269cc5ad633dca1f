"""CSV and TSV as a source: Arrow parses, Python's own reader explains when Arrow stumbles."""

import random
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as arrow_csv

from riskapp.engine.coded import MISSING
from riskapp.engine.reading import dialect as dialects
from riskapp.engine.reading import encodings, header
from riskapp.engine.reading.diagnosis import Suspect, diagnose
from riskapp.engine.reading.faults import fault
from riskapp.engine.reading.head import Head, first_record, mixed, read_head
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.source import Columns
from riskapp.engine.reading.utf8 import BadText, Utf8Stream
from riskapp.engine.reading.wishes import NO_QUOTE, Reading, Wishes

# Arrow drops a byte order mark at the start of what it is given, also where it belongs to a cell: a line goes before.
BEFORE = b"#\n"


class OtherEncoding(Exception):
    """The beginning looked like UTF-8, the rest shows that it is something else: read again so."""

    def __init__(self, guess: encodings.Guess) -> None:
        super().__init__(guess.encoding)
        self.guess = guess


@dataclass(frozen=True)
class Place:
    """Where a text is, and with what it is read."""

    path: Path
    limits: Limits
    at: Callable[[float], None]


class TextSource:
    """A CSV or TSV file as batches of text columns."""

    def __init__(
        self, path: Path, kind: str, wishes: Wishes, limits: Limits, at: Callable[[float], None],
        guess: encodings.Guess | None = None,
    ) -> None:  # fmt: skip
        self._place = Place(path, limits, at)
        self._head = read_head(path, wishes.encoding, guess, limits, at)
        self._dialect = _dialect(self._head, kind, wishes)
        self._may_guess_again = wishes.encoding is None and guess is None and self._head.encoding == "utf-8"
        self.left_out = 0
        self.reading = Reading(format=kind)
        self._expected = 0
        self._resolve(kind, wishes)

    def _resolve(self, kind: str, wishes: Wishes) -> None:
        first = first_record(self._head, self._dialect)
        if first is None:
            raise self._explained(fault("line-too-long", line=1, limit="the longest that can be read"))
        self._expected = len(first.cells)
        head = dialects.sample_records(self._table_text(), self._dialect, complete=self._head.complete)
        way, reason = (wishes.header, "Chosen by hand.") if wishes.header else header.detect(head)
        self.reading = self._as_reading(kind, wishes, way, reason)
        self.names = header.names(first.cells, way, self._place.limits, line=first.line)
        self._skip = self._head.bytes_to(self._head.start if way == "none" else first.end)
        self._size = max(self._place.path.stat().st_size, 1)
        self._stream: Utf8Stream | None = None

    def _table_text(self) -> str:
        return self._head.text[self._head.start :][: dialects.SAMPLE_CHARACTERS + 1]

    def _as_reading(self, kind: str, wishes: Wishes, way: str, reason: str) -> Reading:
        return Reading(
            format=kind,
            encoding=self._head.encoding,
            delimiter=self._dialect.delimiter,
            quote=self._dialect.quote,
            line_ending=self._head.line_ending,
            header=way,
            ragged=wishes.ragged or "refuse",
            missing=MISSING if wishes.missing is None else wishes.missing,
            reasons={
                "encoding": self._head.reason,
                "delimiter": self._dialect.delimiter_reason,
                "quote": self._dialect.quote_reason,
                "header": reason,
            },
        )

    def fraction(self) -> float:
        """How much of the file has been read."""
        return self._stream.done / self._size if self._stream else 0.0

    def batches(self) -> Generator[Columns]:
        """The rows of the file; a bad one is refused with its line, or counted in `left_out`."""
        end = _end_record(self._dialect, self._expected)
        after = "\n" + self._dialect.delimiter.join(end) + "\n"
        self._stream = Utf8Stream(
            self._place.path,
            self._head.encoding,
            self._place.limits.max_line_bytes,
            skip=self._skip,
            before=BEFORE,
            after=after.encode(),
        )
        rows = 0
        with self._stream:
            try:
                with self._parsed(self._stream, len(after) + 2) as parsed:
                    for columns in _up_to(end, parsed):
                        rows += len(columns[0])
                        yield columns
            except (pa.ArrowInvalid, UnicodeDecodeError, BadText, Unended) as stumble:
                raise self._explained(stumble) from None
        if not rows:  # all may have been swallowed by a quote left open in the header
            raise self._explained(fault("header-only"))

    def _parsed(self, stream: Utf8Stream, at_least: int) -> pa.RecordBatchReader:
        names = [str(position) for position in range(self._expected)]
        limits = self._place.limits
        block = max(limits.block_bytes, limits.max_line_bytes + 2, at_least)
        return arrow_csv.open_csv(
            stream,
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=1, block_size=block),
            parse_options=arrow_csv.ParseOptions(
                delimiter=self._dialect.delimiter,
                quote_char=False if self._dialect.quote == NO_QUOTE else self._dialect.quote,
                newlines_in_values=True,
                invalid_row_handler=self._leave_out if self.reading.ragged == "leave-out" else None,
            ),
            convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )

    def _leave_out(self, row: object) -> str:
        self.left_out += 1
        return "skip"

    def _explained(self, stumble: Exception) -> Exception:
        """The fault behind a stumble; the stumble itself when the slow way finds none."""
        found = diagnose(self._suspect(), self._place.limits, self._place.at)
        if found is None or found.code != "wrong-encoding" or not self._may_guess_again:
            return found or stumble
        try:
            return OtherEncoding(encodings.detect_again(self._place.path))
        except encodings.Mixed:
            return mixed(found)

    def _suspect(self) -> Suspect:
        return Suspect(
            path=self._place.path,
            encoding=self._head.encoding,
            dialect=self._dialect,
            skip_lines=self._head.lines_before,
            expected=self._expected or 1,
            has_header=self.reading.header != "none",
            keep_ragged=self.reading.ragged == "leave-out" or not self._expected,
        )


def _dialect(head: Head, kind: str, wishes: Wishes) -> dialects.Dialect:
    return dialects.detect(
        head.text.removeprefix("\ufeff"),
        tabs_first=kind == "tsv",
        complete=head.complete,
        delimiter=wishes.delimiter,
        quote=wishes.quote,
    )


class Unended(Exception):
    """The record added at the end did not come out: a quote before it was never closed."""


def _end_record(dialect: dialects.Dialect, cells: int) -> list[str]:
    """A record that no file holds, put behind its end."""
    letters = dialects.letters(dialect)
    return ["".join(random.SystemRandom().choices(letters, k=32)), *[letters[0]] * (cells - 1)]


def _up_to(end: list[str], batches: Iterator[pa.RecordBatch]) -> Iterator[Columns]:
    """The batches without the record at the end, which must be there and whole."""
    held: pa.RecordBatch | None = None
    for batch in (batch for batch in batches if batch.num_rows):
        if held is not None:
            yield held.columns
        held = batch
    if held is None or [column[-1].as_py() for column in held.columns] != end:
        raise Unended
    yield held.slice(0, held.num_rows - 1).columns
