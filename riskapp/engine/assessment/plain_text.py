"""Files that are read as plain text, packed or not: hierarchies, whose rows may differ in length."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from riskapp.core.errors import Unreadable
from riskapp.engine.reading import Limits, kinds
from riskapp.engine.reading.unpack import ungzip, unzip

LARGEST = 256 << 20


def unpacked(path: Path, scratch: Path) -> tuple[Path, str]:
    """The plain file, and its format by its name: csv, tsv, xlsx, xls, parquet, or any other ending, which is text.

    Raises
    ------
    Unreadable
        If it cannot be unpacked.
    """
    plain, ending = scratch / "unpacked", path.suffix.lower()
    if ending == ".gz":
        form = kinds.by_name(path.name).format or ""
        ungzip(path, plain, Limits(), _silent)
        return plain, form
    if ending == ".zip":
        return plain, unzip(path, plain, Limits(), _silent)
    return path, ending[1:]


def _silent(fraction: float) -> None:
    """Tell nobody."""


def decoded(path: Path) -> str:
    """The text of a file in UTF-8.

    Raises
    ------
    Unreadable
        If it is too large or not UTF-8; with the line.
    """
    if path.stat().st_size > LARGEST:
        raise Unreadable("too-big", f"The file is larger than {LARGEST >> 20} MB.", advice="Make it smaller.")
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable("encoding", f"Line {line} is not UTF-8.", advice="Save it as UTF-8.", line=line) from None


def as_text(rows: Iterable[Sequence[str | None]]) -> str:
    """Rows as text with everything in quotes, so that only the semicolon can be the delimiter.

    >>> as_text([["52", "[50,55)"]])
    '"52";"[50,55)"\\r\\n'
    """
    lines = io.StringIO()
    csv.writer(lines, delimiter=";", quoting=csv.QUOTE_ALL).writerows([cell or "" for cell in row] for row in rows)
    return lines.getvalue()
