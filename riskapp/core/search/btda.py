"""BTDA, the basic top-down algorithm (Fouad, Alg. 2): a queue by risk from ⊥; the first feasible node is the best.

Where risk never falls from step to step, a node leaves the queue only after every node of less risk has left it.
"""

import heapq

from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record
from riskapp.core.search.scope import check_monotone
from riskapp.core.search.steps import Steps
from riskapp.core.table.lattice import Node


def btda(record: Record, question: Asked, options: Options) -> Answer:
    """The best node under a least utility or a most risk.

    Raises
    ------
    BadSetting
        If another question is asked, or risk may rise under generalisation.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> found = btda(record, Question("least_utility", 1), Options())
    >>> found.node, found.visited
    ((1, 0), 4)
    """
    check_monotone(record, "btda")
    oracle = Oracle(record)
    steps = Steps(oracle, question, "btda")
    best = _first(steps)
    return oracle.unmet(question) if best is None else oracle.found(question, steps.point(best))


def _first(steps: Steps) -> Node | None:
    """The first feasible place to leave the queue; of those with the same cost the best."""
    queue, seen = [(steps.cost(steps.start), steps.start)], {steps.start}
    best: list[Node] = []
    while queue and not (best and queue[0][0] > steps.cost(best[0])):
        _, place = heapq.heappop(queue)
        if not steps.kept(place):
            continue
        if steps.open(place):
            best.append(place)
        for further in steps.onward(place):
            # Past a feasible place only its equals are of interest.
            if further not in seen and not (best and steps.cost(further) > steps.cost(best[0])):
                seen.add(further)
                heapq.heappush(queue, (steps.cost(further), further))
    return min(best, key=steps.key, default=None)
