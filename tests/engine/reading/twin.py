"""The slow obvious twin: a coded table taken apart again, cell by cell, and files read by other libraries."""

import csv
import io
from pathlib import Path

from riskapp.engine.coded import CodedTable
from riskapp.engine.reading import Limits, Reading, Wishes, read

ALL_DETECTED = Wishes()
USUAL = Limits()
Rows = list[list[str | None]]


def read_bytes(
    folder: Path, name: str, content: bytes, wishes: Wishes = ALL_DETECTED, limits: Limits = USUAL
) -> tuple[Reading, CodedTable]:
    """Store the bytes, read them, and open the table."""
    stored = folder / "stored"
    stored.write_bytes(content)
    into = folder / "table"
    reading = read(stored, name, wishes, into, limits=limits)
    return reading, CodedTable.open(into)


def rows_of(table: CodedTable) -> Rows:
    """The rows of a coded table, None where a cell is missing."""
    columns = [_cells(table, position) for position in range(len(table.names))]
    return [list(row) for row in zip(*columns, strict=True)]


def _cells(table: CodedTable, position: int) -> list[str | None]:
    values = table.values(position).to_pylist()
    return [values[code] for code in table.codes(position).tolist()]


def with_missing(rows: list[list[str]], missing: tuple[str, ...] = ("", "NA")) -> Rows:
    """The same rows, None for every cell that means missing."""
    return [[None if cell in missing else cell for cell in row] for row in rows]


def by_csv_module(text: str, **dialect: object) -> list[list[str]]:
    """The records of a text by Python's csv module, blank ones left out."""
    csv.field_size_limit(1 << 30)
    return [row for row in csv.reader(io.StringIO(text, newline=""), **dialect) if row]  # type: ignore[arg-type]


def is_sound(table: CodedTable) -> None:
    """The promises of the format: null first, all values distinct and used, no missing among them, counts right."""
    for position in range(len(table.names)):
        values, codes = table.values(position).to_pylist(), table.codes(position)
        assert codes.dtype == "int32"
        assert len(codes) == table.rows
        assert values[0] is None
        assert None not in values[1:]
        assert len(set(values)) == len(values) == table.distinct[position] + 1
        assert set(codes.tolist()) | {0} == set(range(len(values)))
        assert int((codes == 0).sum()) == table.missing[position]
        assert not set(values[1:]) & set(table.reading["missing"])
