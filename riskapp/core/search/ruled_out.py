"""Nodes that certainly break a limit when their weak groups are suppressed: told of all at once, none is measured.

Whoever is not suppressed has the chance that the node gives everybody. So of the people above a chance at the node, at
most as many are below it in the released table as records are suppressed. And a released group is below the smallest
one allowed just when more would be suppressed if that were k.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.risk import Risk
from riskapp.core.search.each_group import betrayals, compared
from riskapp.core.search.plan import planned
from riskapp.core.search.suppressions import Suppressions, by_classes, suppressions
from riskapp.core.table.keys import Places
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask
from riskapp.core.watching import Stop, silent

EVERYBODY, ANY_DISTANCE = 1.0, 1.0
"""Limits that nothing breaks."""
NEAR = 1e-11
"""The largest chance is compared in twelve decimals, chances that are counted in twelve digits."""
THREADS = 2


@dataclass(frozen=True, eq=False)
class RuledOut:
    """Tells which nodes are out of the question.

    Parameters
    ----------
    problem : with the limits
    k : the least people of a group
    nodes : what every node suppresses for this k
    stop : asked often whether to stop
    """

    problem: Problem
    k: int
    nodes: Suppressions
    stop: Stop

    def of(self, places: Places) -> Mask:
        """Which of these nodes certainly break a limit; those that are not told may break one all the same."""
        found = np.zeros(len(places), dtype=np.bool_)
        for broken in (self._by_groups(places), self._by_inference(places), *self._by_chances(places)):
            found |= broken
        return found

    def _by_groups(self, places: Places) -> Mask:
        smallest = self.problem.limits.smallest_group
        if smallest is None or smallest <= self.k:
            return np.zeros(len(places), dtype=np.bool_)
        most = int(self.nodes.suppressed[places].max(initial=0))
        (larger,) = suppressions(self.problem, [smallest], most, progress=silent, stop=self.stop)
        more: Mask = larger.suppressed[places] > self.nodes.suppressed[places]
        return more

    def _by_inference(self, places: Places) -> Mask:
        most = self.problem.limits.inference
        nothing = np.zeros(len(places), dtype=np.bool_)
        if most is None or not self.problem.sensitive:
            return nothing
        by_values = replace(self.problem, limits=replace(self.problem.limits, t=ANY_DISTANCE))
        rolled = by_classes(by_values, [self.k])
        if rolled is None:
            return nothing
        (worst,) = rolled.measuring(betrayals).run(silent, self.stop, THREADS)
        broken: Mask = compared(worst.distances[places], most) > 0
        return broken

    def _by_chances(self, places: Places) -> Iterator[Mask]:
        for chance, share in _chances(self.problem.limits):
            for people in self._above(chance):
                left = np.maximum(people[places] - self.nodes.suppressed[places], 0)
                yield compared(left / self.problem.persons, share) > 0

    def _above(self, chance: float) -> Iterator[Numbers]:
        """For each dictionary the people above a chance at every node where nobody is suppressed."""
        limits = Limits(share_above=ShareAbove(chance, EVERYBODY))
        plain = replace(self.problem, limits=limits, risk=Risk(), linkage=None, sensitive=())
        plan = planned(plain)
        if plan is None:
            return
        for people in plan.run(silent, self.stop).people.values():
            assert people.share_above is not None
            yield np.rint(people.share_above * self.problem.persons)


def _chances(limits: Limits) -> Iterator[tuple[float, float]]:
    """Chances, and the share of people that may be above each."""
    if limits.largest_chance is not None:
        yield min(limits.largest_chance + NEAR, 1.0), 0.0
    if limits.share_above is not None:
        yield limits.share_above.chance, limits.share_above.share
