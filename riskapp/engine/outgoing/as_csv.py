"""A released table as CSV: UTF-8, commas, `\\n` at the end of every line, quotes where a cell needs them (RFC 4180)."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.value_list import TEXT, Texts, side_by_side, texts
from riskapp.engine.outgoing.shown import Shown

NEEDS_QUOTES = r'[",\r\n]'


def write_csv(shown: Shown, path: Path) -> None:
    """Write the table.

    Raises
    ------
    BadSetting
        If a cell is an empty text and yet not missing: in CSV nobody could tell.
    """
    for place, name in enumerate(shown.names):
        if shown.has_empty_text(place):
            told = f"Column {name} has empty cells that are not missing, which CSV cannot tell apart."
            raise BadSetting("--to", f'{told} Name a .parquet file, or list "" in dataset.missing.')
    # A line with nothing in it would be no row.
    empty = '""' if len(shown.names) == 1 else ""
    cells = [quoted(labels).fill_null(empty) for labels in shown.labels]
    with path.open("wb") as file:
        file.write(",".join(quoted(texts(shown.names)).to_pylist()).encode() + b"\n")
        for rows in shown.parts():
            columns = [some.take(pa.array(shown.numbers(place, rows))) for place, some in enumerate(cells)]
            file.write("".join(_lines(columns)).encode())


def _lines(columns: list[Texts]) -> list[str]:
    ends: Texts = pc.binary_join_element_wise(*columns, pa.scalar(",", TEXT))
    lines: list[str] = side_by_side(ends, "\n").to_pylist()
    return lines


def quoted(cells: Texts) -> Texts:
    """The cells with quotes around those that need them.

    >>> quoted(texts(["plain", "a, b", 'say "no" now', None])).to_pylist()
    ['plain', '"a, b"', '"say ""no"" now"', None]
    """
    inside = pc.replace_substring(cells, '"', '""')
    return pc.if_else(pc.match_substring_regex(cells, NEEDS_QUOTES), side_by_side('"', inside, '"'), cells)
