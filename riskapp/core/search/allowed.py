"""The nodes that keep k, l, t and the suppression limit, for each k; or what stands in the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.measure import grouped
from riskapp.core.search.each_group import compared
from riskapp.core.search.log import Log
from riskapp.core.search.reach import nearest_k, reachable_l
from riskapp.core.search.suppressing import check, within_share
from riskapp.core.search.suppressions import Figures, Suppressions, suppressions
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.watching import Progress, Stop


@dataclass(frozen=True, eq=False)
class Allowed:
    """The nodes that are allowed for a k.

    Attributes
    ----------
    k : the least people of a group
    nodes : what every node suppresses
    places : the numbers of those that are allowed, at least one
    """

    k: int
    nodes: Suppressions
    places: Places


def allowed(
    problem: Problem,
    k: Sequence[int],
    suppression_limit: float,
    family: str,
    *,
    progress: Progress,
    stop: Stop,
    log: Log[Figures] | None,
) -> Iterator[Allowed | Unmet]:
    """For each different k its nodes, or why the family has none; the other parameters as the families take them."""
    different = check(k, suppression_limit)
    most = within_share(suppression_limit, len(problem))
    found = suppressions(problem, different, most, progress=progress, stop=stop, log=log)
    for people, nodes in zip(different, found, strict=True):
        places = _allowed(problem, nodes, most)
        yield Allowed(people, nodes, places) if len(places) else _unmet(problem, nodes, people, most, family, stop)


def _releasing(problem: Problem, nodes: Suppressions, most: int) -> Places:
    """The nodes that release anybody and suppress no more than may be."""
    return np.flatnonzero((nodes.suppressed < len(problem)) & (nodes.suppressed <= most))


def _allowed(problem: Problem, nodes: Suppressions, most: int) -> Places:
    places = _releasing(problem, nodes, most)
    if problem.limits.t is None:
        return places
    return places[compared(nodes.distances[places], problem.limits.t) <= 0]


def _unmet(problem: Problem, nodes: Suppressions, k: int, most: int, family: str, stop: Stop) -> Unmet:
    name, records = f"{family}:{k}", len(problem)
    least = int(nodes.suppressed.min())
    if least == records:
        if _largest_group(problem) >= k:
            return Unmet.of(name, family, "search.require.l", reachable_l(problem, k, most, stop=stop))
        return Unmet.of(name, family, "search.k", nearest_k(problem, most, stop=stop))
    if least > most:
        nearest = problem.lattice.node(int(nodes.suppressed.argmin()))
        return Unmet(name, family, "search.suppression_limit", least / records, nearest)
    within = _releasing(problem, nodes, most)
    closest = int(within[nodes.distances[within].argmin()])
    return Unmet(name, family, "search.require.t", float(nodes.distances[closest]), problem.lattice.node(closest))


def _largest_group(problem: Problem) -> int:
    """The people of the largest group of any node: groups only grow under generalisation."""
    return int(grouped(problem, Released.at(problem.records, problem.lattice.top)).people.max())
