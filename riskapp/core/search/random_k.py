"""Random k-anonymous rules: for each k ten nodes drawn from those that the best one was chosen from.

With them Fouad compares a rule that minds the risk: they keep the same k, whatever their risk and utility are. Nodes
that break a limit are drawn again; only where all do are they taken as they come, and say so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.measure import Measuring
from riskapp.core.search.allowed import allowed
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.k_anonymity import FEW, candidate
from riskapp.core.search.log import Log
from riskapp.core.search.ruled_out import RuledOut
from riskapp.core.search.suppressions import Figures, Suppressions
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Progress, Share, Stop, never, silent

MANY = 10


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
    """For each k ten allowed nodes within the limits, all different, each as likely as any other; or all there are.

    Parameters
    ----------
    problem, k, suppression_limit, progress, stop, log : as `k_anonymity.candidates` takes them
    seed : which nodes are drawn for a k depends on it and on that k alone

    Raises
    ------
    BadSetting, Stopped
        As it does.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> zips = problem({"zip": ["47906", "47901", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> [(found.id, found.node) for found in candidates(zips, [2], 0.0, 7)]
    [('random-k:2:0', (5,)), ('random-k:2:1', (4,))]
    """
    measuring, share, parts = Measuring(problem), Share(progress), 1 + len(set(k))
    found = allowed(problem, k, suppression_limit, "random-k", progress=share.part(0, parts), stop=stop, log=log)
    for number, some in enumerate(found, start=1):
        if isinstance(some, Unmet):
            share.part(number, parts)(1, 1)
            yield some
            continue
        drawing = Drawing(measuring, some.k, some.nodes, stop, share.part(number, parts))
        for place, one in enumerate(drawing.within_limits(permuted(some.places, some.k, seed))):
            yield replace(one, id=f"random-k:{some.k}:{place}")
        share.part(number, parts)(1, 1)


def permuted(places: Places, k: int, seed: int) -> Places:
    """The places in the order in which they are drawn."""
    return np.random.default_rng([seed % 2**64, k]).permutation(places)


@dataclass(frozen=True, eq=False)
class Drawing:
    """Takes nodes as they are drawn.

    Parameters
    ----------
    measuring, k, nodes, stop, progress : as `k_anonymity.Choice` has them
    """

    measuring: Measuring
    k: int
    nodes: Suppressions
    stop: Stop
    progress: Progress = silent

    def within_limits(self, places: Places) -> list[Candidate]:
        """The first ten that break no limit; where all do, the first ten as they are."""
        kept: list[Candidate] = []
        left, missed = places, 0
        while len(left) and len(kept) < MANY:
            found, left = self._candidate(int(left[0])), left[1:]
            if not found.evaluation.broken:
                kept.append(found)
                continue
            missed += 1
            if missed == FEW:
                problem = self.measuring.problem
                left = left[~RuledOut(problem, self.k, self.nodes, self.stop, self.progress).of(left)]
        return kept or list(map(self._candidate, places[:MANY].tolist()))

    def _candidate(self, place: int) -> Candidate:
        if self.stop():
            raise Stopped
        problem = self.measuring.problem
        return candidate(self.measuring, problem.lattice.node(place), self.k, f"random-k:{self.k}", "random-k")
