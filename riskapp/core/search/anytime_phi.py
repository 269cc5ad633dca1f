"""Φ of some rows at a node, from their leaf codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers, plus
from riskapp.core.search.anytime_classes import Kinds
from riskapp.core.search.anytime_keys import weighed
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem


@dataclass(frozen=True, eq=False)
class Phi:
    """What rows weigh.

    What an attribute weighs alike in all rows at a level is added once; the rest is looked up.

    Attributes
    ----------
    codes, record : the leaf codes of every row, and one of its records
    """

    problem: Problem
    codes: Codes
    record: Places

    def at(self, node: Sequence[int], rows: Kinds) -> Numbers:
        """Φ of some rows at a node."""
        sensitivity, columns = self.problem.sensitivity, self.problem.columns
        starts = np.array([own[level] for own, level in zip(self._starts, node, strict=True)])
        sums = np.full(len(rows), sum(own[level] for own, level in zip(self._common, node, strict=True)))
        weighed(self.codes, rows, self._tables, starts, sums)
        for column, level in zip(columns, node, strict=True):
            if column.personal is not None:
                sums = plus(sums, column.at(level)[self.record[rows]])
        return sensitivity.of_sums(self._brought(plus(sums, *self._pairs(node, rows)), rows))

    def _brought(self, sums: Numbers, rows: Kinds) -> Numbers:
        if self.problem.sensitivity.totals is None:
            return sums
        leaves, most = self.problem.sensitivity.totals
        return sums / leaves[self.record[rows]] * most[self.record[rows]]

    def _pairs(self, node: Sequence[int], rows: Kinds) -> list[Numbers]:
        names, found = self.problem.names, []
        for pair in self.problem.sensitivity.pairs:
            both = [names.index(pair.one), names.index(pair.other)]
            if all(node[place] < self.problem.hierarchies[place].height for place in both):
                found.append(np.where(self.codes[rows][:, both].all(axis=1), pair.weight, 0.0))
        return found

    @cached_property
    def _alike(self) -> list[list[float | None]]:
        """For each attribute and level what it weighs for all rows; None where that differs."""
        found: list[list[float | None]] = []
        for place, column in enumerate(self.problem.columns):
            seen = self.values(place)
            levels = [own[seen] for own in column.weights.levels]
            found.append([float(own[0]) if (own == own[0]).all() else None for own in levels])
            if column.personal is not None:
                found[-1] = [0.0] * len(levels)
        return found

    def values(self, place: int) -> Places:
        """The leaf codes of an attribute that occur."""
        return np.flatnonzero(np.bincount(self.codes[:, place]))

    @cached_property
    def _common(self) -> list[list[float]]:
        return [[weight or 0.0 for weight in own] for own in self._alike]

    @cached_property
    def _starts(self) -> list[list[int]]:
        """Where the weights of each attribute and level begin in `_tables`; −1 where all weigh alike."""
        sizes = [len(own) for column in self.problem.columns for own in column.weights.levels]
        begin = iter(np.cumsum([0, *sizes]).tolist())
        pairs = [[(next(begin), weight) for weight in own] for own in self._alike]
        return [[start if weight is None else -1 for start, weight in own] for own in pairs]

    @cached_property
    def _tables(self) -> Numbers:
        return np.concatenate([own for column in self.problem.columns for own in column.weights.levels])
