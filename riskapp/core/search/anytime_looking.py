"""Nodes looked at: each once, by what the question asks, with the best of them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from riskapp.core.digits import rounded, told_apart
from riskapp.core.evaluation import Evaluation
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question, Rules, shortfalls
from riskapp.core.search.anytime_rows import Figures, Rows
from riskapp.core.table.lattice import Node
from riskapp.core.table.limits import Limits
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

REMEMBERED = 200_000
COUNTED = ("largest_chance", "share_above", "smallest_group")
"""The limits that are never broken by generalising what keeps them."""

Key = tuple[float, float, float, float, float, str]


@dataclass(frozen=True)
class Seen:
    """A node that was looked at; of two the one with the smaller key is the better answer.

    The key is: limits broken, by how much the question's bound is missed, what the question makes small, risk,
    −utility, and the node as ids have it.
    """

    node: Node
    figures: Figures
    utility: float
    key: Key

    @property
    def will_do(self) -> bool:
        """Whether it keeps all limits and meets the bound."""
        return self.key[:2] == (0, 0)

    @property
    def objective(self) -> float:
        """What the question makes small."""
        return self.key[2]


@dataclass(eq=False)
class Looking:
    """Looks at nodes of a problem and keeps the best.

    `spent` is how many nodes were counted, `best` the best answer or None, `nearest` the best whether it will do or
    not. `better` is told of every new best.
    """

    problem: Problem
    rows: Rows | None
    question: Question
    better: Callable[[Seen], None] = lambda seen: None
    spent: int = 0
    best: Seen | None = None
    nearest: Seen | None = None
    seen: dict[Node, Seen] = field(default_factory=dict)
    base: Node = ()
    near: Rows | None = None

    def __post_init__(self) -> None:
        self.base = self.problem.lattice.bottom
        self.measuring = Measuring(self.problem)
        means = [own.tolist() for own in self.problem.utility.means]
        self.means: list[tuple[int, list[float]]] = list(zip(self.problem.generalised, means, strict=True))
        limits = self.problem.limits
        self.uncounted = limits != Limits(limits.largest_chance, limits.smallest_group, limits.share_above)

    def utility(self, node: Node) -> float:
        """The mean utility at a node; no record is looked at."""
        return sum(own[node[place]] for place, own in self.means)

    def at(self, node: Node) -> Seen:
        """A node with its figures."""
        known = self.seen.get(node)
        if known is None:
            self.spent += 1
            known = self._looked(node)
            if len(self.seen) >= REMEMBERED:
                self.seen.clear()
            self.seen[node] = known
            self._compare(known)
        return known

    def around(self, base: Node) -> None:
        """Prepare for many nodes that generalise this one: their classes are found faster from those that are there."""
        if self.rows is not None and base != self.base:
            self.base, self.near = base, self.rows.rolled(base)

    def measured(self, node: Node) -> Evaluation:
        """Every figure of a node."""
        return self.measuring.of(Released.at(self.problem.records, node))

    def _looked(self, node: Node) -> Seen:
        if self.rows is None:
            found = self.measured(node)
            figures = Figures(found.risk_that_counts, tuple(found.risk_by_dictionary.values()), found.broken)
            return self._keyed(node, figures)
        close = all(low <= level for low, level in zip(self.base, node, strict=True))
        seen = self._keyed(node, (self.near if close and self.near is not None else self.rows).at(node))
        if self.uncounted and (self.nearest is None or seen.key < self.nearest.key):
            # The other limits take longer to look at, so that is left out where it cannot matter.
            found = self.measured(node)
            seen = self._keyed(node, seen.figures._replace(broken=found.broken))
        return seen

    def _keyed(self, node: Node, figures: Figures) -> Seen:
        utility = self.utility(node)
        text = ".".join(map(str, self.problem.chosen(node)))
        rules = Rules([text], np.array([figures.risk]), np.array([utility]))
        short = float(shortfalls(rules, self.question)[0])
        told = told_apart([figures.risk, -utility]).tolist()
        key = (float(len(figures.broken)), short, objective(self.question, figures.risk, utility), *told, text)
        return Seen(node, figures, utility, key)

    def _compare(self, seen: Seen) -> None:
        if self.nearest is None or seen.key < self.nearest.key:
            self.nearest = seen
            if seen.will_do:
                self.best = seen
                self.better(seen)


def objective(question: Question, risk: float, utility: float) -> float:
    """What the question makes as small as it can: R, −U, or R − λU, in twelve digits.

    >>> objective(Question("trade_off", 0.5), 3.0, 4.0), objective(Question("most_risk", 9), 3.0, 4.0)
    (1.0, -4.0)
    """
    if question.kind == "least_utility":
        return rounded(risk, risk)
    if question.kind == "most_risk":
        return rounded(-utility, utility)
    gain = question.bound * utility
    return rounded(risk - gain, max(abs(risk), abs(gain)))
