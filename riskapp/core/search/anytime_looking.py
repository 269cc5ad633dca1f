"""Nodes looked at: each once, by what the question asks, with the best of them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from riskapp.core.digits import rounded, told_apart
from riskapp.core.evaluation import Evaluation
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question, Rules, shortfalls
from riskapp.core.search.anytime_archive import Archive, Key, Seen
from riskapp.core.search.anytime_rows import Figures, Rows
from riskapp.core.table.lattice import Node
from riskapp.core.table.limits import Limits
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

REMEMBERED = 200_000
COUNTED = ("largest_chance", "share_above", "smallest_group")
"""The limits that are never broken by generalising what keeps them."""


@dataclass(eq=False)
class Looking:
    """Looks at nodes of a problem and keeps the best.

    `spent` is how many nodes were counted, `best` the best answer or None, `nearest` the best whether it will do or
    not, `archive` what no other beats whatever is asked. `better` is told of every new best.
    """

    problem: Problem
    rows: Rows | None
    question: Question
    better: Callable[[Seen], None] = lambda seen: None
    archive: Archive = field(default_factory=Archive)
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
        self.limited = not limits.none
        self.uncounted = limits != Limits(limits.largest_chance, limits.smallest_group, limits.share_above)

    def utility(self, node: Node) -> float:
        """The mean utility at a node; no record is looked at."""
        return sum(own[node[place]] for place, own in self.means)

    @property
    def everything(self) -> bool:
        """Whether every node was looked at, by all limits."""
        return len(self.seen) == self.problem.lattice.size and not self.uncounted

    def at(self, node: Node) -> Seen:
        """A node with its figures."""
        known = self.seen.get(node)
        if known is None:
            self.spent += 1
            known = self._looked(node)
            if len(self.seen) >= REMEMBERED:
                self.seen.clear()
            self._remember(known)
        return known

    def whole(self, seen: Seen) -> Seen:
        """The same node with all limits looked at."""
        if seen.whole:
            return seen
        seen = self._measured(seen)
        self._remember(seen)
        return seen

    def _remember(self, seen: Seen) -> None:
        self.seen[seen.node] = seen
        self.archive.add(seen)
        self._compare(seen)

    def around(self, base: Node) -> None:
        """Prepare for many nodes that generalise this one: their classes are found faster from those that are there."""
        if self.rows is not None and base != self.base:
            self.base, self.near = base, self.rows.rolled(base)

    def measured(self, node: Node) -> Evaluation:
        """Every figure of a node."""
        counted = None if self.rows is None else self.rows.counted(node)
        return self.measuring.of(Released.at(self.problem.records, node), counted=counted)

    def _looked(self, node: Node) -> Seen:
        if self.rows is None:
            found = self.measured(node)
            figures = Figures(found.risk_that_counts, tuple(found.risk_by_dictionary.values()), found.broken)
            return self._keyed(node, figures)
        close = all(low <= level for low, level in zip(self.base, node, strict=True))
        figures = (self.near if close and self.near is not None else self.rows).at(node)
        seen = self._keyed(node, figures, whole=not self.uncounted)
        # The other limits take longer to look at, so that is left out where it cannot matter.
        return self._measured(seen) if self.nearest is None or seen.key < self.nearest.key else seen

    def _measured(self, seen: Seen) -> Seen:
        if seen.whole:
            return seen
        found = self.measured(seen.node)
        return self._keyed(seen.node, seen.figures._replace(broken=found.broken))

    def _keyed(self, node: Node, figures: Figures, *, whole: bool = True) -> Seen:
        utility = self.utility(node)
        text = ".".join(map(str, self.problem.chosen(node)))
        rules = Rules([text], np.array([figures.risk]), np.array([utility]))
        short = float(shortfalls(rules, self.question)[0])
        told = told_apart([figures.risk, -utility]).tolist()
        key: Key = (float(len(figures.broken)), short, objective(self.question, figures.risk, utility), *told, text)
        return Seen(node, figures, utility, key, whole)

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
