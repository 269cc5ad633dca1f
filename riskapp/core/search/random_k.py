"""Random k-anonymous rules: for each k ten nodes drawn from those that the best one was chosen from.

With them Fouad compares a rule that minds the risk: they keep the same k, whatever their risk and utility are.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.measure import Measuring
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.full_domain import Progress, Stop
from riskapp.core.search.k_anonymity import allowed, candidate, unmet
from riskapp.core.search.suppressing import check, most_suppressed
from riskapp.core.search.suppressions import suppressions
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem

MANY = 10


def candidates(
    problem: Problem,
    k: Sequence[int],
    suppression_limit: float,
    seed: int,
    *,
    progress: Progress = lambda done, total: None,
    stop: Stop = lambda: False,
) -> Iterator[Candidate | Unmet]:
    """For each k ten allowed nodes, all different, each as likely as any other; all of them where they are fewer.

    Parameters
    ----------
    problem, k, suppression_limit, progress, stop : as `k_anonymity.candidates` takes them
    seed : which nodes are drawn for a k depends on it and on that k alone

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
    >>> [(found.id, found.node) for found in candidates(zips, [2], 0.0, 7)]
    [('random-k:2:0', (5,)), ('random-k:2:1', (4,))]
    """
    different = check(k, suppression_limit)
    measuring = Measuring(problem)
    most = most_suppressed(suppression_limit, len(problem))
    found = suppressions(problem, different, most, progress=progress, stop=stop)
    for people, nodes in zip(different, found, strict=True):
        places = allowed(problem, nodes, suppression_limit)
        if not len(places):
            yield unmet(problem, nodes, people, suppression_limit, "random-k")
        for place, number in enumerate(drawn(places, people, seed)):
            if stop():
                raise Stopped
            node = problem.lattice.node(int(number))
            yield candidate(measuring, node, people, f"random-k:{people}:{place}", "random-k")


def drawn(places: Places, k: int, seed: int) -> Places:
    """Up to ten of the places, in the order in which they are drawn."""
    return np.random.default_rng([seed % 2**64, k]).permutation(places)[:MANY]
