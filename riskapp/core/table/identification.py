"""Identification: how many people of a dictionary may be the person of a released record.

An entry t of θ is *consistent* with a released record y when in every attribute both know, the two values are equal at
the coarser of their levels; what says nothing, missing or `*`, is consistent with everything. ρ(y, θ) holds the people
of the consistent entries, and 1/|ρ| is the chance of identification.

At one node both tables are codes at one level in each column, so entries and records that meet have the same key.
Rows with missing cells are compared in the columns that both have.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.entries import Patterns, entries
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.keys import folded, once
from riskapp.core.table.lattice import Node
from riskapp.core.table.meeting import Cells, met
from riskapp.core.table.released import Level, Released

REMEMBERED = 8
"""So many of the last projections keep their counts: nodes that agree in the dictionary's columns are asked in turn."""


class Identification:
    """|ρ(y, θ)| for released records y of a table.

    Parameters
    ----------
    dictionary : θ
    columns : the attributes of the table's records, all of them in the order of the release

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([1, 2, 3, 3, 0], dtype=np.int32))
    >>> found = Identification(Dictionary.itself("self", [column], [0]), [column])
    >>> found.at((0,)), found.at((1,)), found.at((2,))
    (array([2, 2, 3, 3, 5]), array([2, 4, 4, 4, 5]), array([5, 5, 5, 5, 5]))
    """

    def __init__(self, dictionary: Dictionary, columns: Sequence[CodedColumn]) -> None:
        self._known = dictionary.known
        self._entries = entries(dictionary)
        self._columns = [columns[place] for place in dictionary.places]
        distinct = CodedRecords.of(self._columns).once()
        self._records, self._kind = distinct.records, distinct.kind
        self._counted_at = lru_cache(REMEMBERED)(self._count_at)

    def at(self, node: Node) -> Counts:
        """|ρ| of every record when all are at one node."""
        levels = [max(node[known.place], known.level) for known in self._known]
        counts: Counts = self._counted_at(tuple(levels))[self._kind]
        return counts

    def of(self, released: Released) -> Counts:
        """|ρ| of every record of a released table; a suppressed record is at the top everywhere."""
        if self._is_at_one_node(released):
            return self.at(tuple(int(level) for level in released.levels))
        levels: list[Level] = list(released.levels)
        codes: list[Codes] = [column.codes for column in released.records.columns]
        for known in self._known:
            at_top = np.where(released.suppressed, known.hierarchy.height, levels[known.place])
            levels[known.place] = at_top.astype(np.intp)
            codes[known.place] = known.hierarchy.ancestors[at_top, codes[known.place]]
        return self.of_cells(levels, codes)

    def of_cells(self, levels: Sequence[Level], codes: Sequence[Codes]) -> Counts:
        """|ρ| of rows that need not be records of the table.

        Parameters
        ----------
        levels : for each attribute of the table the level of all rows, or of each
        codes : for each attribute the rows' codes at that level
        """
        rows = len(codes[0])
        given = [np.broadcast_to(np.asarray(levels[known.place]), rows) for known in self._known]
        lifted = [np.maximum(level, known.level) for known, level in zip(self._known, given, strict=True)]
        cells = [
            _lifted(k.hierarchy, codes[k.place], level, k.level) for k, level in zip(self._known, given, strict=True)
        ]
        return self._count_each(lifted, cells)

    def _is_at_one_node(self, released: Released) -> bool:
        columns = [released.records.columns[known.place] for known in self._known]
        own = all(one.codes is other.codes for one, other in zip(columns, self._columns, strict=True))
        return own and not released.suppressed.any() and all(np.ndim(level) == 0 for level in released.levels)

    def _count_at(self, levels: Node) -> Counts:
        return self._count(levels, self._records.at(levels))

    def _count_each(self, levels: Sequence[Codes], cells: Cells) -> Counts:
        """Rows of one node in the dictionary's columns are counted together."""
        keys = folded([levels], [known.hierarchy.height + 1 for known in self._known])
        found = once(keys.numbers, keys.size)
        counts = np.zeros(len(keys.numbers), dtype=np.int64)
        for number, first in enumerate(found.first):
            rows = np.flatnonzero(found.kind == number)
            counts[rows] = self._count(tuple(int(level[first]) for level in levels), [codes[rows] for codes in cells])
        return counts

    def _count(self, levels: Node, cells: Cells) -> Counts:
        """For each pattern of missing cells, the people who are met in the columns that say something."""
        below_top = [place for place, known in enumerate(self._known) if levels[place] < known.hierarchy.height]
        rows = len(cells[0])
        patterns = Patterns.of([cells[place] for place in below_top], rows)
        counts = np.zeros(rows, dtype=np.int64)
        for number, missing in enumerate(patterns.missing):
            chosen = patterns.at(number)
            said = {place: cells[place][chosen] for place, out in zip(below_top, missing, strict=True) if not out}
            counts[chosen] = sum(met(some, levels, said, len(chosen)) for some in self._entries)
        return counts


def _lifted(hierarchy: Hierarchy, codes: Codes, levels: Codes, least: int) -> Codes:
    """Codes of several levels, those below a level taken up to it."""
    cells = codes.astype(np.int32)
    for level in range(least):
        here = levels == level
        cells[here] = hierarchy.up(level, least)[cells[here]]
    return cells
