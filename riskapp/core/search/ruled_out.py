"""Nodes that certainly break a limit when their weak groups are suppressed: told of all at once, none is measured.

Whoever is not suppressed has the chance that the node gives everybody. So of the people above a chance at the node, at
most as many are below it in the released table as records are suppressed. And a released group is below the smallest
one allowed just when more would be suppressed if that were k.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

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
from riskapp.core.watching import Progress, Share, Stop, silent

EVERYBODY, ANY_DISTANCE = 1.0, 1.0
"""Limits that nothing breaks."""
NEAR = 1e-11
"""The largest chance is compared in twelve decimals, chances that are counted in twelve digits."""
THREADS = 2
Way = Callable[[Places, Progress], Mask]


@dataclass(frozen=True, eq=False)
class RuledOut:
    """Tells which nodes are out of the question.

    Parameters
    ----------
    problem : with the limits
    k : the least people of a group
    nodes : what every node suppresses for this k
    stop : asked often whether to stop
    progress : told how much of the work is done
    """

    problem: Problem
    k: int
    nodes: Suppressions
    stop: Stop
    progress: Progress = silent

    def of(self, places: Places) -> Mask:
        """Which of these nodes certainly break a limit; those that are not told may break one all the same."""
        found = np.zeros(len(places), dtype=np.bool_)
        chances = [partial(self._by_chance, *limit) for limit in _chances(self.problem.limits)]
        ways: list[Way] = [self._by_groups, self._by_inference, *chances]
        share = Share(self.progress)
        for number, broken in enumerate(ways):
            found |= broken(places, share.part(number, len(ways)))
        share.part(0, 1)(1, 1)
        return found

    def _by_groups(self, places: Places, progress: Progress) -> Mask:
        smallest = self.problem.limits.smallest_group
        if smallest is None or smallest <= self.k:
            return np.zeros(len(places), dtype=np.bool_)
        most = int(self.nodes.suppressed[places].max(initial=0))
        (larger,) = suppressions(self.problem, [smallest], most, progress=progress, stop=self.stop)
        more: Mask = larger.suppressed[places] > self.nodes.suppressed[places]
        return more

    def _by_inference(self, places: Places, progress: Progress) -> Mask:
        most = self.problem.limits.inference
        nothing = np.zeros(len(places), dtype=np.bool_)
        if most is None or not self.problem.sensitive:
            return nothing
        by_values = replace(self.problem, limits=replace(self.problem.limits, t=ANY_DISTANCE))
        rolled = by_classes(by_values, [self.k])
        if rolled is None:
            return nothing
        (worst,) = rolled.measuring(betrayals).run(progress, self.stop, THREADS)
        broken: Mask = compared(worst.distances[places], most) > 0
        return broken

    def _by_chance(self, chance: float, share: float, places: Places, progress: Progress) -> Mask:
        found = np.zeros(len(places), dtype=np.bool_)
        for people in self._above(chance, progress):
            left = np.maximum(people[places] - self.nodes.suppressed[places], 0)
            found |= compared(left / self.problem.persons, share) > 0
        return found

    def _above(self, chance: float, progress: Progress) -> Iterator[Numbers]:
        """For each dictionary the people above a chance at every node where nobody is suppressed."""
        limits = Limits(share_above=ShareAbove(chance, EVERYBODY))
        plain = replace(self.problem, limits=limits, risk=Risk(), linkage=None, sensitive=())
        plan = planned(plain)
        if plan is None:
            return
        for people in plan.run(progress, self.stop).people.values():
            assert people.share_above is not None
            yield np.rint(people.share_above * self.problem.persons)


def _chances(limits: Limits) -> Iterator[tuple[float, float]]:
    """Chances, and the share of people that may be above each."""
    if limits.largest_chance is not None:
        yield min(limits.largest_chance + NEAR, 1.0), 0.0
    if limits.share_above is not None:
        yield limits.share_above.chance, limits.share_above.share
