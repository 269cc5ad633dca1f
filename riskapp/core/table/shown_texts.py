"""Shown texts: what released rows look like to a reader, numbered so that equal rows are found by their number.

A missing cell is empty below the top level and `*` at the top: to a reader these are two things.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.table.cells import Levels, kinds
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.keys import Places, folded
from riskapp.core.table.released import shown_codes


@dataclass(frozen=True, eq=False)
class ShownTexts:
    """What some rows show.

    Attributes
    ----------
    tables : for each attribute a number for what each leaf code shows at each level
    looked_at : the attributes in which rows are compared; in the others only whether there is a `*`
    columns : what the rows show, attribute by attribute
    of_row : for each row the number of what it shows

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> rows = np.array([2, 3, 1, 0], dtype=np.int32)
    >>> texts = ShownTexts.of([race], [rows], np.array([[1], [1], [0], [0]]), [0])
    >>> texts.of_row
    array([1, 1, 0, 2])
    >>> texts.found([rows], np.array([[0], [1], [0], [2]]))
    array([-1,  1,  0, -1])
    """

    tables: tuple[Codes, ...]
    looked_at: Collection[int]
    columns: tuple[Codes, ...]
    of_row: Places

    @classmethod
    def of(
        cls, hierarchies: Sequence[Hierarchy], leaves: Sequence[Codes], levels: Levels, looked_at: Collection[int]
    ) -> "ShownTexts":
        """The texts of rows that are given by their leaf codes and a row of levels for each."""
        tables = tuple(
            _numbered(hierarchy) if place in looked_at else _whether_shown(hierarchy)
            for place, hierarchy in enumerate(hierarchies)
        )
        columns = _looked_up(tables, leaves, levels)
        return cls(tables, looked_at, columns, kinds(columns, _sizes(tables)).kind)

    def found(self, leaves: Sequence[Codes], levels: Levels) -> Places:
        """For other rows the number of the text that they show; −1 for what none of the rows shows."""
        keys = folded([self.columns, _looked_up(self.tables, leaves, levels)], _sizes(self.tables))
        mine, theirs = keys.tables
        order = np.argsort(mine, kind="stable")
        row = order[np.searchsorted(mine, theirs, sorter=order).clip(max=len(order) - 1)]
        return np.where(mine[row] == theirs, self.of_row[row], -1)


def _looked_up(tables: Sequence[Codes], leaves: Sequence[Codes], levels: Levels) -> tuple[Codes, ...]:
    columns = zip(tables, levels.T, leaves, strict=True)
    return tuple(table[level, codes] for table, level, codes in columns)


def _sizes(tables: Sequence[Codes]) -> list[int]:
    return [int(table.max()) + 1 for table in tables]


def _numbered(hierarchy: Hierarchy) -> Codes:
    shown = shown_codes(hierarchy)
    shown[:-1, 0] = shown.max() + 1
    return shown


def _whether_shown(hierarchy: Hierarchy) -> Codes:
    shown: Codes = np.ones_like(hierarchy.ancestors)
    shown[-1] = 0
    return shown
