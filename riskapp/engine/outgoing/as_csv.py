"""A released table as CSV: UTF-8, commas, `\\n` at the end of every line, quotes where a cell needs them (RFC 4180)."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.value_list import TEXT, Texts, side_by_side, texts
from riskapp.engine.outgoing.shown import Shown, has_empty_text
from riskapp.engine.outgoing.stacked import Formed, Numbers, Stacked

NEEDS_QUOTES = r'[",\r\n]'


class Cells(NamedTuple):
    """A column of a file.

    Attributes
    ----------
    name : in the header
    labels : the different cells, null for an empty one
    numbers : for some rows which of them they hold
    form : what becomes of each cell before it is written
    """

    name: str
    labels: Stacked
    numbers: Callable[[slice], Numbers]
    form: Callable[[Texts], Texts] = lambda cells: cells


def write_csv(shown: Shown, path: Path) -> None:
    """Write the table.

    Raises
    ------
    BadSetting
        If a cell is an empty text and yet not missing: in CSV nobody could tell.
    """
    columns = [
        Cells(name, labels, partial(shown.numbers, place))
        for place, (name, labels) in enumerate(zip(shown.names, shown.labels, strict=True))
    ]
    write_cells(columns, list(shown.parts()), path)


def write_cells(columns: Sequence[Cells], parts: Sequence[slice], path: Path) -> None:
    """Write columns, some rows at a time; raises what `write_csv` raises."""
    for column in columns:
        if has_empty_text(column.labels, column.numbers, parts):
            told = f"Column {column.name} has empty cells that are not missing, which CSV cannot tell apart."
            raise BadSetting("--to", f'{told} Name a .parquet file, or list "" in dataset.missing.')
    # A line with nothing in it would be no row.
    empty = '""' if len(columns) == 1 else ""
    cells = [Formed(column.labels, partial(_written, column.form, empty)) for column in columns]
    with path.open("wb") as file:
        file.write(",".join(quoted(texts([column.name for column in columns])).to_pylist()).encode() + b"\n")
        for rows in parts:
            taken = [some.take(column.numbers(rows)) for column, some in zip(columns, cells, strict=True)]
            file.write(_lines(taken))


def _written(form: Callable[[Texts], Texts], empty: str, cells: Texts) -> Texts:
    return quoted(form(cells)).fill_null(empty)


def _lines(columns: Sequence[Texts]) -> memoryview:
    """The rows as bytes: Arrow keeps the texts of an array one after the other."""
    lines = side_by_side(pc.binary_join_element_wise(*columns, pa.scalar(",", TEXT)), "\n")
    return memoryview(lines.buffers()[2])[: pc.sum(pc.binary_length(lines)).as_py()]


def quoted(cells: Texts) -> Texts:
    """The cells with quotes around those that need them.

    >>> quoted(texts(["plain", "a, b", 'say "no" now', None])).to_pylist()
    ['plain', '"a, b"', '"say ""no"" now"', None]
    """
    inside = pc.replace_substring(cells, '"', '""')
    return pc.if_else(pc.match_substring_regex(cells, NEEDS_QUOTES), side_by_side('"', inside, '"'), cells)
