"""k-anonymity: for each k the node that releases most, when groups of fewer than k people are suppressed.

Every node of the lattice is looked at. One is *allowed* when it releases anything at all, suppresses no larger share of
the records than the limit, and, where t is required, no released group is farther from the whole table. Of the allowed
nodes the best has the most utility, measured from the released table with suppressed records at ⊥; ties go to less
risk, and then to the smaller id. Where that one breaks a limit, the next ones are measured until one does not; where
none of the first few does, it stays, and says that it breaks the limit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riskapp.core.digits import told_apart
from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.measure import Measuring, grouped
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.full_domain import Plan, Progress, Stop, planned
from riskapp.core.search.suppressing import check, most_suppressed, replayed, suppressed_at
from riskapp.core.search.suppressions import Suppressions, suppressions
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.breaking import above
from riskapp.core.table.keys import Places
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

NEAR = 1e-9
"""Utilities summed up in another order differ by less, in parts of the larger one."""
MOST_TRIED = 12
"""So many nodes are measured to find one within the limits."""
SEVERAL = 8
"""From so many tied nodes on, all nodes at once cost less than measuring each of these."""


def candidates(
    problem: Problem,
    k: Sequence[int],
    suppression_limit: float,
    seed: int,
    *,
    progress: Progress = lambda done, total: None,
    stop: Stop = lambda: False,
) -> Iterator[Candidate | Unmet]:
    """For each k its best node, or what stands in the way.

    Parameters
    ----------
    problem : what rules are measured by; its `limits` hold what is required of sensitive columns
    k : the least people of a group
    suppression_limit : the largest share of the records that may be suppressed
    seed : nothing is drawn here
    progress : told how much of the work is done
    stop : asked often whether to stop

    Raises
    ------
    BadSetting
        If a k or the limit is impossible.
    Stopped
        If `stop` said so.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> zips = problem({"zip": ["47906", "47901", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> [found.id for found in candidates(zips, [2], 0.0, 0)]
    ['k-anonymity:2:4']
    >>> [(found.id, found.evaluation.suppressed) for found in candidates(zips, [2], 0.25, 0)]
    [('k-anonymity:2:1', 1)]
    >>> [str(found) for found in candidates(zips, [5], 0.0, 0)]
    ['k-anonymity:5: no group of so many people can be formed.']
    """
    different = check(k, suppression_limit)
    measuring = Measuring(problem)
    most = most_suppressed(suppression_limit, len(problem))
    found = suppressions(problem, different, most, progress=progress, stop=stop)
    for people, nodes in zip(different, found, strict=True):
        places = allowed(problem, nodes, suppression_limit)
        if not len(places):
            yield unmet(problem, nodes, people, suppression_limit, "k-anonymity")
            continue
        best, tried = Choice(measuring, people, nodes, stop).within_limits(places)
        told = {"nodes": problem.lattice.size, "allowed": len(places)}
        yield replace(best, told=told if tried == 1 else {**told, "tried_for_limits": tried})


def allowed(problem: Problem, nodes: Suppressions, suppression_limit: float) -> Places:
    """The numbers of the nodes that keep k, l, t and the limit."""
    released = nodes.suppressed < len(problem)
    within = released & (nodes.suppressed <= most_suppressed(suppression_limit, len(problem)))
    places = np.flatnonzero(within)
    if problem.limits.t is None:
        return places
    return np.array([place for place in places if not above(nodes.distances[place], problem.limits.t)], dtype=np.intp)


def unmet(problem: Problem, nodes: Suppressions, k: int, suppression_limit: float, family: str) -> Unmet:
    """Why no node is allowed."""
    name, records = f"{family}:{k}", len(problem)
    least = int(nodes.suppressed.min())
    nearest = problem.lattice.node(int(nodes.suppressed.argmin()))
    if least == records:
        return Unmet(name, family, "search.require.l" if _largest_group(problem) >= k else "search.k")
    if least > most_suppressed(suppression_limit, records):
        return Unmet(name, family, "search.suppression_limit", least / records, nearest)
    within = np.flatnonzero(nodes.suppressed <= most_suppressed(suppression_limit, records))
    closest = int(within[nodes.distances[within].argmin()])
    return Unmet(name, family, "search.require.t", float(nodes.distances[closest]), problem.lattice.node(closest))


def _largest_group(problem: Problem) -> int:
    """The people of the largest group of any node: groups only grow under generalisation."""
    return int(grouped(problem, Released.at(problem.records, problem.lattice.top)).people.max())


@dataclass(frozen=True, eq=False)
class Choice:
    """Chooses among allowed nodes.

    Parameters
    ----------
    measuring : measures released tables
    k : the least people of a group
    nodes : what every node suppresses
    stop : asked often whether to stop
    """

    measuring: Measuring
    k: int
    nodes: Suppressions
    stop: Stop

    def within_limits(self, places: Places) -> tuple[Candidate, int]:
        """The best of these nodes that breaks no limit, and how many were measured for it; else the best."""
        first = found = self._candidate(self.best(places))
        tried = 1
        while found.evaluation.broken and len(places) > 1 and tried < MOST_TRIED:
            assert found.node is not None
            places = places[places != self.measuring.problem.lattice.number(found.node)]
            found, tried = self._candidate(self.best(places)), tried + 1
        return (first if found.evaluation.broken else found), tried

    def _candidate(self, node: Node) -> Candidate:
        name = f"k-anonymity:{self.k}:{written(self.measuring.problem, node)}"
        return candidate(self.measuring, node, self.k, name, "k-anonymity")

    def best(self, places: Places) -> Node:
        """Of these nodes the one with the most utility, then with the least risk, then with the smallest id."""
        utilities = self.nodes.utilities[places]
        most = float(utilities.max())
        near = places[utilities >= most - NEAR * max(1.0, abs(most))]
        exact = told_apart(map(self._utility, near.tolist()))
        tied = near[exact == exact.max()]
        if len(tied) > 1:
            risks = told_apart(self._risks(tied))
            tied = tied[risks == risks.min()]
        problem = self.measuring.problem
        return min(map(problem.lattice.node, tied.tolist()), key=lambda node: written(problem, node))

    def _utility(self, place: int) -> float:
        if self.stop():
            raise Stopped
        problem = self.measuring.problem
        node = problem.lattice.node(place)
        if not self.nodes.suppressed[place]:
            return problem.utility.at(problem.chosen(node))
        return problem.utility.of(suppressed_at(problem, node, self.k).only(problem.generalised))

    def _risks(self, places: Places) -> list[float]:
        """The risk of every one of these nodes; those that suppress nobody are full-domain rules."""
        whole = places[self.nodes.suppressed[places] == 0]
        plan = planned(self.measuring.problem) if len(whole) >= SEVERAL else None
        known = {} if plan is None else dict(zip(whole.tolist(), self._all_risks(plan)[whole].tolist(), strict=True))
        return [known[place] if place in known else self._risk(place) for place in places.tolist()]

    def _all_risks(self, plan: Plan) -> Numbers:
        return plan.run(lambda done, total: None, self.stop).risks

    def _risk(self, place: int) -> float:
        if self.stop():
            raise Stopped
        problem = self.measuring.problem
        node = problem.lattice.node(place)
        released = suppressed_at(problem, node, self.k)
        return self.measuring.of(released, replayed(problem, node, released)).risk_that_counts


def candidate(measuring: Measuring, node: Node, k: int, name: str, family: str) -> Candidate:
    """The rule of a node that suppresses its weak groups, measured; its k is verified from the released table."""
    problem = measuring.problem
    released = suppressed_at(problem, node, k)
    rule = replayed(problem, node, released)
    found = Candidate(name, family, released, measuring.of(released, rule), rule, node)
    verify(found, k)
    return found


def verify(found: Candidate, k: int) -> None:
    """Raise unless the released table has groups, none of fewer than k people."""
    smallest = found.evaluation.smallest_group
    if smallest is None or smallest < k:
        raise RuntimeError(f"{found.id} does not release groups of {k} people.")


def written(problem: Problem, node: Node) -> str:
    """A node as ids have it."""
    return ".".join(map(str, problem.chosen(node)))
