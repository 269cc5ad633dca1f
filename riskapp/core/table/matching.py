"""Matching: which rows of a table that knows some attributes are consistent with which rows of cells.

Two values are consistent when they are equal at the coarser of their levels; what says nothing is consistent with
everything. A value that is matched by likeness is consistent when one of its labels is, and with nothing when it has
none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riskapp.core.table.cells import Cells, Levels, kinds
from riskapp.core.table.dictionary import Alike, Known, Places
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Keys, folded

Flags = npt.NDArray[np.bool_]
Pairs = tuple[Places, Places]

AT_ONCE = 1 << 20
"""About so many pairs are held at a time."""


def ranges(first: Places, many: Places) -> Places:
    """The whole numbers from each `first`, so `many` of them, one range after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3]))
    array([5, 6, 0, 1, 2])
    """
    ends = np.cumsum(many)
    found: Places = np.arange(int(many.sum())) + np.repeat(first - ends + many, many)
    return found


def parts(many: Places, most: int = AT_ONCE) -> Iterator[slice]:
    """Consecutive places, as many at a time as have no more than the most in all; at least one.

    >>> list(parts(np.array([2, 2, 9, 1]), most=4))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    ends, start = np.cumsum(many), 0
    while start < len(many):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + most, "right")))
        yield slice(start, stop)
        start = stop


def consistent(known: Sequence[Known], cells: Cells, rows: Places, entries: Places) -> Flags:
    """For pairs of a row of cells and an entry, whether they are consistent in all attributes that the entry knows.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> asian = Known(0, race, 1, np.array([2, 1, 0], dtype=np.int32))
    >>> cells = Cells((race,), (np.array([0]),), (np.array([3], dtype=np.int32),))
    >>> consistent([asian], cells, np.zeros(3, dtype=np.intp), np.arange(3))
    array([ True, False,  True])
    """
    fits = np.ones(len(rows), dtype=np.bool_)
    for column in known:
        fits &= _fits(column, cells.levels[column.place][rows], cells.codes[column.place][rows], column.codes[entries])
    return fits


def _fits(column: Known, levels: Levels, codes: Codes, values: Codes) -> Flags:
    """In one attribute."""
    fits: Flags = (values == 0) | ((levels == column.hierarchy.height) & _stands_for_something(column)[values])
    for level in np.unique(levels[~fits]):
        if level < column.hierarchy.height:
            rows = np.flatnonzero(~fits & (levels == level))
            fits[rows] = _meet(column, int(level), codes[rows], values[rows])
    return fits


def _stands_for_something(column: Known) -> Flags:
    if column.alike is None:
        return np.ones(column.hierarchy.groups[column.level] + 1, dtype=np.bool_)
    return np.diff(column.alike.starts) > 0


def _meet(column: Known, level: int, codes: Codes, values: Codes) -> Flags:
    """Whether values meet codes of one level, below the top, none of them missing."""
    coarser = max(level, column.level)
    mine, theirs = column.hierarchy.up(column.level, coarser), column.hierarchy.up(level, coarser)[codes]
    if column.alike is None:
        equal: Flags = mine[values] == theirs
        return equal
    size, alike = column.hierarchy.groups[coarser] + 1, column.alike
    owner = np.repeat(np.arange(alike.values + 1, dtype=np.int64), np.diff(alike.starts))
    return np.isin(values.astype(np.int64) * size + theirs, owner * size + mine[alike.codes])


@dataclass(frozen=True, eq=False)
class _Compared:
    """Rows and entries that are compared in the same attributes, each at one level."""

    rows: Places
    entries: Places
    levels: dict[int, int]


def pairs(known: Sequence[Known], cells: Cells, most: int = AT_ONCE) -> Iterator[Pairs]:
    """Every row of cells with every entry that is consistent with it, some pairs at a time.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> asian = Known(0, race, 1, np.array([2, 1, 0], dtype=np.int32))
    >>> cells = Cells((race,), (np.array([0, 2]),), (np.array([3, 0], dtype=np.int32),))
    >>> sorted((int(row), int(entry)) for rows, found in pairs([asian], cells) for row, entry in zip(rows, found))
    [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    exact = [column for column in known if column.alike is None]
    fuzzy = [column for column in known if column.alike is not None]
    entries = len(known[0].codes)
    for compared in _compared(exact, cells, entries):
        for rows, found in _joined(exact, cells, compared, most):
            fits = consistent(fuzzy, cells, rows, found)
            yield rows[fits], found[fits]


def _compared(exact: Sequence[Known], cells: Cells, entries: int) -> Iterator[_Compared]:
    """Rows with the same levels, against entries that know the same attributes."""
    levels = [cells.levels[column.place].astype(np.int32) for column in exact]
    filled = [(column.codes > 0).astype(np.int32) for column in exact]
    nodes = _apart(levels, [column.hierarchy.height + 1 for column in exact], len(cells))
    patterns = _apart(filled, [2] * len(exact), entries)
    for rows in nodes:
        for some in patterns:
            at = {place: int(levels[place][rows[0]]) for place in range(len(exact))}
            both = {p: at[p] for p in at if at[p] < exact[p].hierarchy.height and filled[p][some[0]]}
            yield _Compared(rows, some, both)


def _apart(columns: Sequence[Codes], sizes: Sequence[int], length: int) -> list[Places]:
    """The places of equal rows, for each kind of row."""
    if not columns or not length:
        return [np.arange(length)] if length else []
    found = kinds(columns, sizes)
    order = np.argsort(found.kind, kind="stable")
    return np.split(order, np.cumsum(found.times)[:-1])


def _joined(exact: Sequence[Known], cells: Cells, compared: _Compared, most: int) -> Iterator[Pairs]:
    """Rows and entries with equal keys."""
    keys = _keys(exact, cells, compared)
    order = np.argsort(keys.tables[1], kind="stable")
    ordered = keys.tables[1][order]
    first = np.searchsorted(ordered, keys.tables[0], "left")
    many = np.searchsorted(ordered, keys.tables[0], "right") - first
    for part in parts(many, most):
        rows = np.repeat(compared.rows[part], many[part])
        yield rows, compared.entries[order[ranges(first[part], many[part])]]


def _keys(exact: Sequence[Known], cells: Cells, compared: _Compared) -> Keys:
    """Of the rows and of the entries, at the coarser of their levels in what both say."""
    mine: list[Codes] = [np.zeros(len(compared.rows), dtype=np.int32)]
    theirs: list[Codes] = [np.zeros(len(compared.entries), dtype=np.int32)]
    sizes = [1]
    for place, level in compared.levels.items():
        column, coarser = exact[place], max(level, exact[place].level)
        codes = cells.codes[column.place][compared.rows]
        mine.append(column.hierarchy.up(level, coarser)[codes])
        theirs.append(column.hierarchy.up(column.level, coarser)[column.codes[compared.entries]])
        sizes.append(column.hierarchy.groups[coarser] + 1)
    return folded([mine, theirs], sizes)


def labels_of(column: Known) -> Alike:
    """For every value of a column the labels it may stand for: one, unless it is matched by likeness."""
    if column.alike is not None:
        return column.alike
    size = column.hierarchy.groups[column.level] + 1
    starts = np.append(0, np.arange(size))
    return Alike(starts, np.arange(1, size, dtype=np.int32))
