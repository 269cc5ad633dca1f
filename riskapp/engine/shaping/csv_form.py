"""Hierarchies as CSV, one row per value from leaf to top, as ARX and sdcMicro have them: spec ↔ text."""

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.build_file import DELIMITERS, MARK, from_text, rows_in
from riskapp.core.table.hierarchy import TOP
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.shaping.opened import KEY, THIS, RowsSpec, evened, rows_of


def read(
    text: str,
    *,
    column: str = "",
    header: bool | None = None,
    known: Collection[str] = (),
    delimiter: str | None = None,
) -> RowsSpec:
    """The spec that a CSV file writes out.

    Parameters
    ----------
    text : the file; cells apart by `;`, tab or comma, in quotes where they need it
    column : the name of the column that it is for
    header : whether the first line names the levels; found out where it is None
    known : values of the column, which help to tell a header from a value
    delimiter : what keeps cells apart; found out where it is None

    Raises
    ------
    BadSetting
        If it is no hierarchy: with the line, and nothing that stands in it.

    >>> read("Lafayette,Indiana,*\\nChicago,Illinois,*\\n")["rows"]
    [['Lafayette', 'Indiana', '*'], ['Chicago', 'Illinois', '*']]
    """
    with told_by(KEY):
        if header is None:
            header = _has_header(rows_in(column or THIS, text, delimiter)[1], column, known)
        return rows_of(from_text(column or THIS, text, header=header, delimiter=delimiter))


def _has_header(rows: Sequence[Sequence[str]], column: str, known: Collection[str]) -> bool:
    """Whether the first row names levels.

    It does if it begins with the name of the column. Otherwise it shares no cell with the rows below, and these share
    their top or are all about values of the column, and it is not.
    """
    if len(rows) < 2 or rows[0][0] in known:
        return False
    first, others = rows[0], rows[1:]
    if column and first[0].strip().casefold() == column.strip().casefold():
        return True
    tops = {row[-1] for row in others}
    alone = not any(cell == row[level] for row in others for level, cell in enumerate(first[: len(row)]))
    return alone and (tops == {TOP} or (bool(known) and all(row[0] in known for row in others)))


def write(spec: Mapping[str, Any], *, delimiter: str = ";", header: bool = True) -> str:
    """The CSV file of a spec of rows; names of levels come first if it has any and they are wanted.

    Raises
    ------
    BadSetting
        If the spec is no hierarchy of rows, or if cells cannot be kept apart in this way.

    >>> write({"rows": [["Lafayette", "Indiana"]], "header": ["city", "state"]})
    'city;state;\\r\\nLafayette;Indiana;*\\r\\n'
    """
    if delimiter not in DELIMITERS:
        raise BadSetting(KEY, "Cells are kept apart by semicolon, tab or comma. Choose one of them.")
    even = evened(spec)
    text = io.StringIO(newline="")
    rows = csv.writer(text, delimiter=delimiter)
    if header and even["header"]:
        rows.writerow(even["header"])
    rows.writerows(even["rows"])
    written = text.getvalue()
    # A first value that begins with the mark would lose it when the file is read.
    return MARK + written if written.startswith(MARK) else written
