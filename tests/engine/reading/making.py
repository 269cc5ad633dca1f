"""What the files of the corpus are made with, and what is known about each."""

import csv
import io
import random
from dataclasses import dataclass, field

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from riskapp.engine.reading import Limits, Wishes

CANARY = "Kanarienvogel"
SMALL = Limits(max_line_bytes=10_000, block_bytes=10_000)
ALL_DETECTED = Wishes()
USUAL = Limits()
TIGHT = Limits(ratio_from_bytes=1 << 20, max_ratio=50)


@dataclass(frozen=True)
class Bad:
    """A file that must be refused: by which code, and at which line."""

    title: str
    name: str
    content: bytes
    code: str
    line: int | None = None
    wishes: Wishes = ALL_DETECTED
    limits: Limits = USUAL
    says: str = ""


@dataclass(frozen=True)
class Good:
    """A file that must be read: into these names and rows, and with these things detected."""

    title: str
    name: str
    content: bytes
    names: list[str]
    rows: list[list[str]]
    wishes: Wishes = ALL_DETECTED
    found: dict[str, object] = field(default_factory=dict)
    left_out: int = 0


def table(rows: int = 20, first: str = "name,town,born") -> str:
    """A plain table of so many rows, the canary in every one."""
    return first + "\n" + "".join(f"{CANARY} {row},Town {row % 3},{1950 + row}\n" for row in range(rows))


def with_line(number: int, line: str, rows: int = 20) -> str:
    """The plain table with one of its lines replaced (the header is line 1)."""
    lines = table(rows).splitlines(keepends=True)
    lines[number - 1] = line
    return "".join(lines)


def xlsx(rows: list[list[object]], *, sheets: dict[str, list[list[object]]] | None = None, hidden: str = "") -> bytes:
    """An .xlsx file by openpyxl."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, content in (sheets or {"Sheet1": rows}).items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
        for row in content:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet(columns: dict[str, object], **options: object) -> bytes:
    """A Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def junk(length: int) -> bytes:
    """Bytes without any meaning."""
    return random.Random(7).randbytes(length)


def written(rows: list[list[str]], **dialect: object) -> str:
    """Rows as CSV by Python's own writer."""
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue()


def wide(columns: int) -> str:
    """A table of so many columns and three rows."""
    first = ",".join(f"c{number}" for number in range(columns))
    return first + ("\n" + ",".join(str(number) for number in range(columns))) * 3
