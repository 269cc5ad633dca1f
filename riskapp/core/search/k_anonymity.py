"""k-anonymity: for each k the node that releases most, when groups of fewer than k people are suppressed.

Every node of the lattice is looked at. One is *allowed* when it releases anything at all, suppresses no larger share of
the records than the limit, and, where t is required, no released group is farther from the whole table. Of the allowed
nodes the best has the most utility, measured from the released table with suppressed records at ⊥; ties go to less
risk, and then to the smaller id. Where that one breaks a limit, the next ones are measured until one does not; after a
few, those that certainly break one are left out. Where every node does, the first stays, and says so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from riskapp.core.digits import told_apart
from riskapp.core.errors import Stopped
from riskapp.core.evaluations import Evaluations
from riskapp.core.measure import Measuring
from riskapp.core.search.allowed import allowed
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.log import Log
from riskapp.core.search.plan import planned
from riskapp.core.search.ruled_out import RuledOut
from riskapp.core.search.suppressing import replayed, suppressed_at
from riskapp.core.search.suppressions import Figures, Suppressions
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.keys import Places
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Progress, Share, Stop, never, silent

NEAR = 1e-9
"""Utilities summed up in another order differ by less, in parts of the larger one."""
FEW = 4
"""After so many nodes that break a limit it is worth telling of all others at once which do."""
SEVERAL = 8
"""From so many tied nodes on, all nodes at once cost less than measuring each of these."""


def candidates(
    problem: Problem,
    k: Sequence[int],
    suppression_limit: float,
    seed: int,
    *,
    progress: Progress = silent,
    stop: Stop = never,
    log: Log[Figures] | None = None,
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
    log : as `suppressions` takes it

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
    ['k-anonymity:5: no group of so many people can be formed; search.k would have to be 4.']
    """
    measuring, share, parts = Measuring(problem), Share(progress), 1 + len(set(k))
    found = allowed(problem, k, suppression_limit, "k-anonymity", progress=share.part(0, parts), stop=stop, log=log)
    for number, some in enumerate(found, start=1):
        if isinstance(some, Unmet):
            share.part(number, parts)(1, 1)
            yield some
            continue
        choice = Choice(measuring, some.k, some.nodes, stop, share.part(number, parts))
        best, tried = choice.within_limits(some.places)
        share.part(number, parts)(1, 1)
        told = {"nodes": problem.lattice.size, "allowed": len(some.places)}
        yield replace(best, told=told if tried == 1 else {**told, "tried_for_limits": tried})


@dataclass(frozen=True, eq=False)
class Choice:
    """Chooses among allowed nodes.

    Parameters
    ----------
    measuring : measures released tables
    k : the least people of a group
    nodes : what every node suppresses
    stop : asked often whether to stop
    progress : told how much is done of what is worked out for all nodes at once
    utilities : of the nodes for which it was worked out from the released table
    broken : the nodes that are known to break a limit
    """

    measuring: Measuring
    k: int
    nodes: Suppressions
    stop: Stop
    progress: Progress = silent
    utilities: dict[int, float] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)

    def within_limits(self, places: Places) -> tuple[Candidate, int]:
        """The best of these nodes that breaks no limit, and how many were measured for it; else the best."""
        first = found = self._candidate(self.best(places))
        tried = 1
        while found.evaluation.broken:
            assert found.node is not None
            self.broken.add(self.measuring.problem.lattice.number(found.node))
            places = places[~np.isin(places, list(self.broken))]
            if tried == FEW:
                problem = self.measuring.problem
                ruled_out = RuledOut(problem, self.k, self.nodes, self.stop, self._share.part(1, 3))
                places = places[~ruled_out.of(places)]
            if not len(places):
                return first, tried
            found, tried = self._candidate(self.best(places)), tried + 1
        return found, tried

    def _candidate(self, node: Node) -> Candidate:
        if self.stop():
            raise Stopped
        name = f"k-anonymity:{self.k}:{written(self.measuring.problem, node)}"
        return candidate(self.measuring, node, self.k, name, "k-anonymity")

    def best(self, places: Places) -> Node:
        """Of these nodes the one with the most utility, then with the least risk, then with the smallest id."""
        utilities = self.nodes.utilities[places]
        most = float(utilities.max())
        near = places[utilities >= most - NEAR * max(1.0, abs(most))]
        exact = told_apart(map(self._known_utility, near.tolist()))
        tied = near[exact == exact.max()]
        if len(tied) > 1:
            risks = told_apart(self._risks(tied))
            tied = tied[risks == risks.min()]
        problem = self.measuring.problem
        return min(map(problem.lattice.node, tied.tolist()), key=lambda node: written(problem, node))

    def _known_utility(self, place: int) -> float:
        if place not in self.utilities:
            self.utilities[place] = self._utility(place)
        return self.utilities[place]

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
        whole = places[self.nodes.suppressed[places] == 0].tolist()
        found = self._full_domain if len(whole) >= SEVERAL else None
        if found is None:
            return list(map(self._risk, places.tolist()))
        self.broken.update(place for place in whole if found.broken and found.broken[place])
        known = {place: float(found.risks[place]) for place in whole}
        return [known[place] if place in known else self._risk(place) for place in places.tolist()]

    @cached_property
    def _full_domain(self) -> Evaluations | None:
        """Every node as it is when nobody is suppressed; None where that is not told of all nodes at once."""
        plan = planned(self.measuring.problem)
        if plan is None:
            return None
        # It may be needed before nodes are ruled out, or only of those that are left.
        return plan.run(self._share.part(2 if self._share.told >= 0 else 0, 3), self.stop)

    @cached_property
    def _share(self) -> Share:
        return Share(self.progress)

    def _risk(self, place: int) -> float:
        if self.stop():
            raise Stopped
        problem = self.measuring.problem
        node = problem.lattice.node(place)
        released = suppressed_at(problem, node, self.k)
        found = self.measuring.of(released, replayed(problem, node, released))
        if found.broken:
            self.broken.add(place)
        return found.risk_that_counts


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
