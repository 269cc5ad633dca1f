"""Cells as the mathematics sees them: a level and a code there. What says nothing, missing or `*`, is at the top."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.keys import Once, Places, folded, once
from riskapp.core.table.released import Released

Levels = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows of cells.

    Attributes
    ----------
    hierarchies : one for each attribute
    levels : for each attribute the level of every row's cell
    codes : for each attribute the code of every row's cell at its level; 0 at the top

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 0, 1], dtype=np.int32))])
    >>> cells = Cells.of(Released.each(records, np.array([[1], [1], [2]])))
    >>> cells.levels[0], cells.codes[0]
    (array([1, 2, 2]), array([2, 0, 0], dtype=int32))
    """

    hierarchies: tuple[Hierarchy, ...]
    levels: tuple[Levels, ...]
    codes: tuple[Codes, ...]

    @classmethod
    def of(cls, released: Released) -> "Cells":
        """The cells of a released table."""
        levels, codes = [], []
        for place, hierarchy in enumerate(released.hierarchies):
            own = np.broadcast_to(released.levels[place], len(released.records))
            nothing = (own == hierarchy.height) | (released.records.columns[place].codes == 0) | released.suppressed
            levels.append(np.where(nothing, hierarchy.height, own).astype(np.intp))
            codes.append(np.where(nothing, 0, released.looked_up(place, hierarchy.ancestors)).astype(np.int32))
        return cls(tuple(released.hierarchies), tuple(levels), tuple(codes))

    def __len__(self) -> int:
        return len(self.codes[0])

    def taken(self, rows: Places) -> "Cells":
        """Some of the rows, any of them more than once."""
        return Cells(
            self.hierarchies,
            tuple(levels[rows] for levels in self.levels),
            tuple(codes[rows] for codes in self.codes),
        )


def matrix(released: Released) -> Levels:
    """The level of every cell: a row for each record, in which a suppressed one is at the top everywhere."""
    columns = [np.broadcast_to(level, len(released.records)) for level in released.levels]
    tops = [hierarchy.height for hierarchy in released.hierarchies]
    return np.where(released.suppressed[:, None], tops, np.stack(columns, axis=1)).astype(np.intp)


def row_kinds(released: Released) -> Once:
    """Which rows are released alike: the same cells, and the same of them missing."""
    columns, sizes = [], []
    for place, levels in enumerate(matrix(released).T):
        table = _numbered(released.hierarchies[place])
        columns.append(table[levels, released.records.columns[place].codes])
        sizes.append(int(table.max()) + 1)
    return kinds(columns, sizes)


def kinds(columns: Sequence[Codes], sizes: Sequence[int]) -> Once:
    """Equal rows found once."""
    keys = folded([columns], sizes)
    return once(keys.numbers, keys.size)


def _numbered(hierarchy: Hierarchy) -> Codes:
    """A number for the cell of each leaf code at each level: 0 for `*`, 1 for missing below it."""
    starts = np.cumsum([1, *hierarchy.groups[:-1]])
    numbers: Codes = (hierarchy.ancestors + starts[:, None]).astype(np.int32)
    numbers[:, 0], numbers[-1] = 1, 0
    return numbers
