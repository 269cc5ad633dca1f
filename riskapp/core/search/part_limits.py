"""Which new parts of a table would break a limit: too few people, too large a chance, or a value betrayed.

A part shows what its values have in common, and those it is split into show more: so fewer people of a dictionary fit,
and splitting on does not mend what is broken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.measure import Measuring
from riskapp.core.search.each_group import betrayals, compared
from riskapp.core.search.parts import Ordered, Parts
from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Level, Mask, Released


@dataclass(frozen=True, eq=False)
class PartLimits:
    """Looks at parts that might be formed.

    Parameters
    ----------
    measuring : knows how the dictionaries' people are counted
    ordered : the attributes that have a level to choose
    """

    measuring: Measuring
    ordered: dict[int, Ordered]

    def broken(self, groups: Groups, chances: Numbers) -> Mask:
        """Which groups break a limit that nobody may break, given the chances of their people."""
        found: Mask = groups.people < (self._problem.limits.smallest_group or 0)
        found |= self._betrayed(groups)
        most = self._problem.limits.largest_chance
        if most is not None:
            found |= np.any([compared(some, most) > 0 for some in chances], axis=0)
        return found

    def chances(self, groups: Groups, records: Places) -> Numbers:
        """By dictionaries, the chances of groups of some of the records, each shown as what its values have in common.

        No dictionary where no limit is about chances.
        """
        limits = self._problem.limits
        if limits.largest_chance is None and limits.share_above is None:
            return np.zeros((0, len(groups)))
        levels, codes = self._shown(Parts.of(groups.group, records))
        found = self.measuring.identifications.values()
        return np.stack([self._problem.loss.chances(one.of_cells(levels, codes)) for one in found])

    @cached_property
    def chances_of_hidden(self) -> Numbers:
        """By dictionaries, the chance of somebody who is suppressed."""
        problem = self._problem
        levels, everybody = np.zeros((len(problem), len(problem.columns)), np.intp), np.ones(len(problem), np.bool_)
        nothing = Released.each(problem.records, levels, everybody)
        found = self.measuring.identifications.values()
        return np.stack([problem.loss.chances(one.of(nothing)[:1]) for one in found])

    @property
    def _problem(self) -> Problem:
        return self.measuring.problem

    def _betrayed(self, groups: Groups) -> Mask:
        found = np.zeros(len(groups), dtype=np.bool_)
        most = self._problem.limits.inference
        if most is not None and len(groups):
            for column in self._problem.sensitive:
                counts, table = value_counts(groups, column.codes), table_counts(groups, column.codes)
                found |= compared(betrayals(counts, table, column.ordered), most) > 0
        return found

    def _shown(self, parts: Parts) -> tuple[Sequence[Level], Sequence[Codes]]:
        """For each attribute the level and the code of every part; kept columns are the same all over a part."""
        first = parts.records[parts.starts]
        levels: list[Level] = []
        codes: list[Codes] = []
        for place in range(len(self._problem.columns)):
            leaves = self._problem.column(place).codes
            if place in self.ordered:
                level, code = parts.common(self.ordered[place], leaves)
            else:
                level, code = np.zeros(len(parts), dtype=np.intp), leaves[first]
            levels.append(level)
            codes.append(code)
        return levels, codes
