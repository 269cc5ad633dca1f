"""The names of the columns: whether the first row holds them, and what is wrong with them."""

import re
from collections import Counter
from collections.abc import Sequence

from riskapp.engine.reading.faults import counted, fault
from riskapp.engine.reading.limits import Limits

NUMBER = re.compile(r"[+-]?[\d.,  ]*\d[\d.,]*%?")
DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}([T ].*)?")
YEARS = range(1800, 2101)
MOSTLY = 0.8


def detect(rows: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Whether the first of these rows holds names: ("names" or "none", the reason).

    >>> detect([["name", "born"], ["Anna", "1987"]])[0], detect([["Jan", "1990"], ["Anna", "1987"]])[0]
    ('names', 'none')
    """
    first, rest = rows[0], rows[1:]
    for column, cell in enumerate(first):
        below = [row[column].strip() for row in rest if column < len(row) and row[column].strip()]
        if _is_like(cell.strip(), below):
            return "none", f"Column {column + 1} has a number or date in the first line, as in the lines below."
    return "names", "The first line looks like names."


def _is_like(cell: str, below: Sequence[str]) -> bool:
    for pattern in (DATE, NUMBER):
        if pattern.fullmatch(cell):
            alike = sum(pattern.fullmatch(other) is not None for other in below)
            return bool(below) and alike >= MOSTLY * len(below) and not _names_a_year(cell, below)
    return False


def _names_a_year(cell: str, below: Sequence[str]) -> bool:
    """A year above numbers that are no years is a name, as in a table with one column per year."""
    return _is_year(cell) and sum(map(_is_year, below)) < MOSTLY * len(below)


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and cell.isascii() and cell.isdigit() and int(cell) in YEARS


def names(cells: Sequence[str], header: str, limits: Limits, *, line: int | None = None) -> list[str]:
    """The names of the columns from the cells of the first row, by the chosen way; `line` is where that row stands.

    >>> names(["a", "", "a"], "repair", Limits())
    ['a', 'column_2', 'a_2']
    """
    if len(cells) > limits.max_columns:
        raise fault("too-many-columns", line=line, count=counted(len(cells)), limit=counted(limits.max_columns))
    if header == "none":
        return [f"column_{position}" for position in range(1, len(cells) + 1)]
    plain = [" ".join(cell.split()) for cell in cells]
    _check_length(plain, limits.max_name_length, line)
    if header == "repair":
        return _repaired(plain)
    _check_empty(plain, line)
    _check_duplicate(plain, line)
    return plain


def _check_length(plain: Sequence[str], longest: int, line: int | None) -> None:
    for position, name in enumerate(plain, 1):
        if len(name) > longest:
            raise fault("long-header", line=line, first=counted(position), limit=counted(longest))


def _check_empty(plain: Sequence[str], line: int | None) -> None:
    empty = [position for position, name in enumerate(plain, 1) if not name]
    if empty:
        raise fault("empty-header", line=line, first=counted(empty[0]), more=_more(len(empty) - 1))


def _check_duplicate(plain: Sequence[str], line: int | None) -> None:
    again = {name for name, times in Counter(plain).items() if times > 1}
    if not again:
        return
    first = next(position for position, name in enumerate(plain) if name in again)
    second = plain.index(plain[first], first + 1)
    extra = sum(name in again for name in plain) - len(again) - 1
    raise fault("duplicate-header", line=line, first=counted(first + 1), second=counted(second + 1), more=_more(extra))


def _more(count: int) -> str:
    return f"; {counted(count, 'more column')} like it" if count else ""


def _repaired(plain: Sequence[str]) -> list[str]:
    given = [name or f"column_{position}" for position, name in enumerate(plain, 1)]
    taken: set[str] = set()
    reserved = set(given)
    result = []
    for name in given:
        free = name if name not in taken else _free(name, taken | reserved)
        taken.add(free)
        result.append(free)
    return result


def _free(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
