"""Excel as a source: one sheet, every cell as the text that a CSV file would show."""

import datetime
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import islice
from pathlib import Path

import pyarrow as pa
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from riskapp.engine.coded import MISSING
from riskapp.engine.reading import header
from riskapp.engine.reading.faults import counted, fault
from riskapp.engine.reading.limits import Limits
from riskapp.engine.reading.patience import Result, while_waiting
from riskapp.engine.reading.source import Columns
from riskapp.engine.reading.wishes import Reading, Wishes
from riskapp.engine.reading.workbook import check_xls, check_xlsx

BATCH_ROWS = 5_000
HEAD_ROWS = 100
WHOLE_UP_TO = 1e15

Cell = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta


class ExcelSource:
    """One sheet of an Excel file as batches of text columns."""

    def __init__(self, path: Path, kind: str, wishes: Wishes, limits: Limits, at: Callable[[float], None]) -> None:
        self._path, self._limits, self._at = path, limits, at
        if kind == "xlsx":
            check_xlsx(path, limits, lambda fraction: at(fraction / 4))
        else:
            check_xls(path, limits)
        book = self._called(lambda: CalamineWorkbook.from_path(path))
        self._sheet, reason = self._choose(book, wishes.sheet)
        self._seen = 0
        self.left_out = 0
        self._resolve(book, kind, wishes, reason)

    def _called(self, call: Callable[[], Result]) -> Result:
        try:
            return while_waiting(call, lambda: self._at(0.25), self._limits.report_seconds)
        except PasswordError:
            raise fault("excel-password") from None
        except (CalamineError, OSError):
            raise fault("excel-corrupt") from None
        except BaseException as error:
            # The library is in Rust; where it gives up in a panic, Python sees an exception outside Exception.
            if type(error).__name__ == "PanicException":
                raise fault("excel-corrupt") from None
            raise

    def _choose(self, book: CalamineWorkbook, wished: str | None) -> tuple[CalamineSheet, str]:
        if wished is not None:
            if wished not in book.sheet_names:
                raise fault("excel-no-sheet", count=counted(len(book.sheet_names)))
            sheet = self._called(lambda: book.get_sheet_by_name(wished))
            if not sheet.height:
                raise fault("excel-empty")
            return sheet, "Chosen by hand."
        for name in _visible(book):
            sheet = self._called(lambda: book.get_sheet_by_name(name))  # noqa: B023
            if sheet.height:
                return sheet, "The first visible sheet that is not empty."
        raise fault("excel-empty")

    def _resolve(self, book: CalamineWorkbook, kind: str, wishes: Wishes, reason: str) -> None:
        self._check_size()
        head = list(islice(self._rows(), HEAD_ROWS))
        if not head:
            raise fault("excel-empty")
        way, why = (wishes.header, "Chosen by hand.") if wishes.header else header.detect(head)
        self.names = header.names(head[0], way, self._limits)
        self.reading = Reading(
            format=kind,
            header=way,
            sheet=self._sheet.name,
            sheets=tuple(book.sheet_names),
            missing=MISSING if wishes.missing is None else wishes.missing,
            reasons={"sheet": reason, "header": why},
        )

    def _check_size(self) -> None:
        if self._sheet.width > self._limits.max_columns:
            limit = counted(self._limits.max_columns)
            raise fault("too-many-columns", count=counted(self._sheet.width), limit=limit)

    def _rows(self) -> Iterator[list[str]]:
        """The rows of the sheet as text, blank ones left out."""
        for row in self._sheet.iter_rows():
            texts = [as_text(cell) for cell in row]
            if any(texts):
                yield texts

    def fraction(self) -> float:
        """How much of the file has been read; opening it counts for a quarter."""
        return 0.25 + 0.75 * self._seen / max(self._sheet.height, 1)

    def batches(self) -> Generator[Columns]:
        """The rows of the sheet below the header."""
        rows = islice(self._rows(), 0 if self.reading.header == "none" else 1, None)
        while batch := list(islice(rows, BATCH_ROWS)):
            self._seen += len(batch)
            yield _columns(batch)


def _visible(book: CalamineWorkbook) -> list[str]:
    return [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
    ]


def _columns(rows: Sequence[Sequence[str]]) -> Columns:
    return [pa.array(cells, pa.string()) for cells in zip(*rows, strict=True)]


def as_text(cell: Cell) -> str:
    """A cell as a CSV file would show it: whole numbers without a point, dates by ISO 8601.

    >>> as_text(3.0), as_text(0.1), as_text(True), as_text(datetime.date(2024, 1, 31))
    ('3', '0.1', 'TRUE', '2024-01-31')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < WHOLE_UP_TO else repr(cell)
    if isinstance(cell, datetime.timedelta):
        return _clock(cell)
    return str(cell) if isinstance(cell, int) else cell.isoformat()


def _clock(span: datetime.timedelta) -> str:
    """A span of time as hours, minutes and seconds."""
    seconds = round(span.total_seconds())
    return f"{'-' * (seconds < 0)}{abs(seconds) // 3600:02d}:{abs(seconds) // 60 % 60:02d}:{abs(seconds) % 60:02d}"
