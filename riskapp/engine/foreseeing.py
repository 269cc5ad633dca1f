"""What a run will cost, told before it: time and memory for all full-domain rules, and the time of rules by region."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.measure import Measuring
from riskapp.core.rolled.pace import slowdown
from riskapp.core.search import full_domain
from riskapp.core.search.plan import planned
from riskapp.core.search.region_pass import Pass
from riskapp.core.search.region_tree import finest
from riskapp.core.table.problem import Problem
from riskapp.engine import memory
from riskapp.engine.full_domain import MOST_NODES
from riskapp.engine.rule_ids import CHOSEN_BY_ITSELF

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
    seconds, at_most : how long full-domain rules take with the machine to itself, and if it stays as busy as it is now;
        None where there are too many rules to measure each, so that the run ends when the officer says
    bytes : the most memory, with what the tables take
    by_records : whether each rule is measured from its records, because they cannot be counted by groups
    regional : how long rules by region take at most; None where they cannot be searched
    """

    nodes: int
    seconds: float | None = None
    at_most: float | None = None
    bytes: int | None = None
    by_records: bool = False
    regional: float | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def foreseen(problem: Problem) -> Foreseen:
    """What all full-domain rules of a problem will cost, and rules by regions that are chosen by themselves."""
    nodes = problem.lattice.size
    if nodes > MOST_NODES:
        return Foreseen(nodes)
    plan = planned(problem)
    if plan is None:
        cost, busy = full_domain.measuring_cost(Measuring(problem)), slowdown(1, MOMENT)
        # Some nodes were measured just now, while others used the machine too.
        told = Foreseen(nodes, cost.seconds / busy, cost.seconds * UNSURE, by_records=True)
    else:
        cost, busy = plan.forecast(THREADS), slowdown(THREADS, MOMENT)
        told = Foreseen(nodes, cost.seconds, cost.seconds * busy * UNSURE)
    return replace(told, regional=_regional(problem), bytes=cost.bytes + memory.held())


def _regional(problem: Problem) -> float | None:
    """Measured from records, whatever full-domain rules are; the tree is grown from what that has found."""
    try:
        return Pass(problem, finest(problem, CHOSEN_BY_ITSELF)).seconds() * UNSURE
    except BadSetting:
        return None
