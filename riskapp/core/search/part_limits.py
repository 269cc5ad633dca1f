"""Which new parts of a table would break a limit: too few people, too large a chance, or a value betrayed.

A part shows what its values have in common, and those it is split into show more: so fewer people of a dictionary fit,
and splitting on does not mend what is broken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.measure import Measuring
from riskapp.core.search.each_group import betrayals, compared
from riskapp.core.search.parts import Ordered, Parts
from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Level, Mask


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

    def broken(self, groups: Groups, records: Places) -> Mask:
        """Which groups of some of the records break a limit, each shown as what its values have in common.

        A chance that only a share of the people may be above is nobody's in a new part: who may be above it is not
        drawn up here.
        """
        found: Mask = groups.people < (self._problem.limits.smallest_group or 0)
        found |= self._betrayed(groups)
        chances = self._chances
        if chances:
            found |= self._too_likely(Parts.of(groups.group, records), min(chances))
        return found

    @property
    def _problem(self) -> Problem:
        return self.measuring.problem

    @property
    def _chances(self) -> list[float]:
        limits = self._problem.limits
        asked = (limits.largest_chance, limits.share_above.chance if limits.share_above else None)
        return [chance for chance in asked if chance is not None]

    def _betrayed(self, groups: Groups) -> Mask:
        found = np.zeros(len(groups), dtype=np.bool_)
        most = self._problem.limits.inference
        if most is not None and len(groups):
            for column in self._problem.sensitive:
                counts, table = value_counts(groups, column.codes), table_counts(groups, column.codes)
                found |= compared(betrayals(counts, table, column.ordered), most) > 0
        return found

    def _too_likely(self, parts: Parts, most: float) -> Mask:
        levels, codes = self._shown(parts)
        found = np.zeros(len(parts), dtype=np.bool_)
        for identification in self.measuring.identifications.values():
            chances = self._problem.loss.chances(identification.of_cells(levels, codes))
            found |= compared(chances, most) > 0
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
