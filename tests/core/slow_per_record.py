"""The slow twin of rules for each record: every record at every node, one by one, each figure as it is defined."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf

import numpy as np

from riskapp.core.digits import rounded
from riskapp.core.measure import sensitivities
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.table.identification import Identification
from riskapp.core.table.linkage import linked_losses
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

Node = tuple[int, ...]


@dataclass(frozen=True)
class At:
    """One record at one node."""

    node: Node
    losses: dict[str, float]
    risk: float
    utility: float
    chance: float
    inverse: float

    @property
    def text(self) -> str:
        return ".".join(map(str, self.node))


def told(number: float) -> float:
    return rounded(number, number)


class Slow:
    """All figures of all records at all nodes."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.found = {one.name: Identification(one, problem.records.columns) for one in problem.dictionaries}

    @cached_property
    def table(self) -> list[list[At]]:
        """For each record its nodes."""
        by_node = [self._at(node) for node in self.problem.lattice]
        return [[some[row] for some in by_node] for row in range(len(self.problem))]

    def _at(self, node: Node) -> list[At]:
        problem, released = self.problem, Released.at(self.problem.records, node)
        phi = sensitivities(problem, released)
        people = {name: found.of(released) for name, found in self.found.items()}
        losses = {one.name: problem.loss.of(phi, people[one.name], one.everybody) for one in problem.dictionaries}
        if problem.linkage is not None:
            count = {name: self._count(found) for name, found in self.found.items()}
            losses = linked_losses(problem, released, losses, count)
        utility = problem.utility.each(released.only(problem.generalised))
        chances = {name: problem.loss.chances(some) for name, some in people.items()}
        return [
            self._record(
                node,
                float(phi[row]),
                {name: int(some[row]) for name, some in people.items()},
                {name: float(some[row]) for name, some in losses.items()},
                float(utility[row]),
                max(float(some[row]) for some in chances.values()),
            )
            for row in range(len(problem))
        ]

    @staticmethod
    def _count(found: Identification):  # type: ignore[no-untyped-def]
        return lambda rows, cells: found.of_cells(cells.levels, cells.codes)

    def _record(
        self, node: Node, phi: float, people: dict[str, int], losses: dict[str, float], utility: float, chance: float
    ) -> At:
        over = self.problem.risk.over_dictionaries
        named = list(losses) if over in ("worst", "bayes") else [over]
        priors = {name: self.problem.risk.priors.get(name, 1.0) for name in named}
        if over == "bayes":
            shares = {name: prior / sum(priors.values()) for name, prior in priors.items()}
            risk = sum(shares[name] * losses[name] for name in named if shares[name] and losses[name])
        else:
            risk = max(losses[name] for name in named)
        counted = [name for name in named if over != "bayes" or priors[name] > 0]
        nobody = all(people[name] == 0 for name in counted)
        shown = self.problem.loss.model == "anonymity" or phi > 0
        inverse = (0.0 if nobody and shown else inf) if risk == 0 else 1 / risk
        return At(node, {name: losses[name] for name in named}, risk, utility, chance, inverse)

    def allowed(self, at: At) -> bool:
        limit = self.problem.limits.largest_chance
        return limit is None or told(at.chance) <= told(limit)

    def meets(self, at: At, question: Asked) -> bool:
        if isinstance(question, Aggregate):
            return at.inverse < inf
        if question.kind == "least_utility":
            return told(at.utility) >= told(question.bound)
        return question.kind == "trade_off" or told(at.risk) <= told(question.bound)

    def objective(self, at: At, question: Asked) -> float:
        if isinstance(question, Aggregate):
            least = min(0.0, self.problem.utility.of_nothing)
            one, other = -question.price * at.inverse, -(max(at.utility - least, 0.0) ** question.power)
        elif question.kind == "trade_off":
            one, other = at.risk, -question.bound * at.utility
        else:
            one, other = (at.risk if question.kind == "least_utility" else -at.utility), 0.0
        return rounded(one + other, max(abs(one), abs(other)))

    def good(self, row: int, question: Asked) -> list[At]:
        return [at for at in self.table[row] if self.allowed(at) and self.meets(at, question)]

    def best(self, row: int, question: Asked) -> At | None:
        """The best node of a record; None when none will do."""
        ties = lambda at: (self.objective(at, question), told(at.risk), -told(at.utility), at.text)  # noqa: E731
        return min(self.good(row, question), key=ties, default=None)

    def points(self, row: int) -> list[At]:
        """Those that a hull is made of; a record that counts for nothing may have any risk."""
        idle = self.problem.risk.weights is not None and not self.problem.risk.weights[row]
        return [at for at in self.table[row] if self.allowed(at) and (at.risk < inf or idle)]

    def means(self, chosen: list[At]) -> tuple[float, float]:
        """The mean utility and the mean risk of a rule, by the risk of single records."""
        weights = self.problem.risk.weights
        counts = np.ones(len(chosen)) if weights is None else weights
        risks = sum(weight * at.risk for weight, at in zip(counts, chosen, strict=True) if weight)
        return sum(at.utility for at in chosen) / len(chosen), risks / counts.sum()

    def risk(self, chosen: list[At]) -> float:
        """The risk of a rule: over records first, then the worst of the dictionaries."""
        weights = self.problem.risk.weights
        counts = np.ones(len(chosen)) if weights is None else weights
        names = chosen[0].losses
        return max(
            sum(weight * at.losses[name] for weight, at in zip(counts, chosen, strict=True) if weight) / counts.sum()
            for name in names
        )

    def assignments(self, kinds: list[int], choices: list[list[At]]) -> list[list[At]]:
        """Every way to give each kind of records one of its nodes, written out for all records."""
        return [[some[kind] for kind in kinds] for some in product(*choices)]
