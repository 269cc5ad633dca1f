"""What measuring every full-domain rule will cost, told before a run: a range of time, and the most memory."""

from dataclasses import asdict, dataclass
from typing import Any

from riskapp.core.measure import Measuring
from riskapp.core.rolled.pace import slowdown
from riskapp.core.search import full_domain
from riskapp.core.search.plan import planned
from riskapp.core.table.problem import Problem
from riskapp.engine.full_domain import MOST_NODES

THREADS = 2
MOMENT = 0.4
"""For how many seconds it is tried how busy the machine is."""
UNSURE = 1.5
"""How far the work itself may be underestimated: classes are counted from a sample, nodes from three of them."""


@dataclass(frozen=True)
class Foreseen:
    """What is to be expected.

    Attributes
    ----------
    nodes : how many rules there are
    seconds, at_most : how long it takes with the machine to itself, and if it stays as busy as it is now; None where
        there are too many rules to measure each, so that the run ends when the officer says
    bytes : the most memory
    by_records : whether each rule is measured from its records, because they cannot be counted by groups
    """

    nodes: int
    seconds: float | None = None
    at_most: float | None = None
    bytes: int | None = None
    by_records: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def foreseen(problem: Problem) -> Foreseen:
    """What all full-domain rules of a problem will cost."""
    nodes = problem.lattice.size
    if nodes > MOST_NODES:
        return Foreseen(nodes)
    plan = planned(problem)
    if plan is None:
        cost, busy = full_domain.measuring_cost(Measuring(problem)), slowdown(1, MOMENT)
        # Some nodes were measured just now, while others used the machine too.
        return Foreseen(nodes, cost.seconds / busy, cost.seconds * UNSURE, cost.bytes, by_records=True)
    cost, busy = plan.forecast(THREADS), slowdown(THREADS, MOMENT)
    return Foreseen(nodes, cost.seconds, cost.seconds * busy * UNSURE, cost.bytes)
