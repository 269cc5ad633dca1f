"""A hierarchy from the text of a file: one row per leaf (leaf;level 1;…;top), cells apart by `;`, tab or comma."""

import csv
import io
import re

from riskapp.core.table.build_rows import from_rows
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import Hierarchy

DELIMITERS = (";", "\t", ",")
QUOTED = re.compile(r'"[^"]*"')
ENOUGH = 1_000_000
"""So many signs are enough to tell the delimiter by."""
MARK = "\ufeff"
"""Some programs begin a file with it to say that it is UTF-8."""


def from_text(attribute: str, text: str, *, header: bool = False, delimiter: str | None = None) -> Hierarchy:
    """The hierarchy in a file.

    Parameters
    ----------
    attribute : the name of the attribute
    text : what the file says; empty lines and empty cells at the end of a row count as not there
    header : whether the first line names the levels
    delimiter : what keeps cells apart; found out where it is None

    Raises
    ------
    BadHierarchy
        If a cell inside a row is empty, if quotes are not closed, or for what `from_rows` refuses, with the line.

    Examples
    --------
    >>> city = from_text("city", "city;county\\nLafayette;Tippecanoe\\nDayton;Tippecanoe\\n", header=True)
    >>> city.names, city.level("county")
    (('city', 'county', '2'), 1)
    >>> city.labels[1].to_pylist(), city.leaves
    ([None, 'Tippecanoe'], 2)
    """
    lines, rows = rows_in(attribute, text, delimiter)
    names: list[str] = []
    if header and rows:
        names, lines, rows = rows[0], lines[1:], rows[1:]
    _check_filled(attribute, lines, rows)
    return from_rows(attribute, rows, names=names, lines=lines)


def rows_in(attribute: str, text: str, delimiter: str | None = None) -> tuple[list[int], list[list[str]]]:
    """The rows of a file that say something, the header too, each with the line in which it begins.

    Raises
    ------
    BadHierarchy
        If quotes are not closed, with the line.
    """
    text = text.removeprefix(MARK)
    return _rows(attribute, text, delimiter or delimiter_of(text))


def delimiter_of(text: str) -> str:
    """The delimiter that stands in the most lines, outside quotes; of equals `;` before tab before comma.

    >>> delimiter_of("52;[50,55)\\n57;[55,60)")
    ';'
    """
    lines = QUOTED.sub("", text[:ENOUGH]).splitlines()
    return max(DELIMITERS, key=lambda sign: sum(sign in line for line in lines))


def _rows(attribute: str, text: str, delimiter: str) -> tuple[list[int], list[list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    lines, rows, line = [], [], 1
    try:
        for row in reader:
            while row and not row[-1]:
                row.pop()
            if row:
                lines.append(line)
                rows.append(row)
            line = reader.line_num + 1
    except csv.Error:
        raise BadHierarchy(attribute, "The quotes in this row do not match. Mend them.", line=line) from None
    return lines, rows


def _check_filled(attribute: str, lines: list[int], rows: list[list[str]]) -> None:
    for line, row in zip(lines, rows, strict=True):
        if "" in row:
            raise BadHierarchy(attribute, "The cell is empty. Name the group.", level=row.index(""), line=line)
