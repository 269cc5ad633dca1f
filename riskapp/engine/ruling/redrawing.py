"""Risks again under other weights: every weight of an attribute multiplied by one factor.

Both falls are proportional to the weights. So where Φ is a sum and the risk a mean, the risk of a rule is a sum too: of
a part for each attribute, multiplied by its factor, and a part that no factor changes (pairs, and harm without
identification). Those parts are worked out once for each rule. Otherwise records are gone through again in each draw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers, plus, times
from riskapp.core.loss import Loss
from riskapp.core.measure import Measuring
from riskapp.core.risk import over_dictionaries
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.lattice import Node
from riskapp.core.table.linkage import linked_losses
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity import Sensitivity, Weighed

Factors = npt.NDArray[np.float64]
"""A row for each draw, a column for each attribute."""


def adds_up(problem: Problem) -> bool:
    """Whether the risk is a sum over attributes."""
    harm = problem.sensitivity
    plain = harm.family == "linear" and harm.person_total is None and problem.linkage is None
    return plain and problem.risk.over_records == "mean"


def spread(problem: Problem) -> float | None:
    """The most that a risk is multiplied or divided by when weights are at most doubled or halved; None: any amount."""
    if problem.sensitivity.family != "linear":
        return None
    return 2.0 if problem.sensitivity.person_total is None else 4.0


@dataclass(frozen=True, eq=False)
class Redrawing:
    """Risks of nodes under several draws of the weights."""

    measuring: Measuring
    factors: Factors

    @property
    def problem(self) -> Problem:
        """Whose weights are drawn again."""
        return self.measuring.problem

    def risks(self, node: Node) -> Numbers:
        """The risk of one node in every draw."""
        people = {name: found.at(node) for name, found in self.measuring.identifications.items()}
        if not adds_up(self.problem):
            return np.array([self._again(node, people, factors) for factors in self.factors])
        each = {one.name: self._summed(node, people[one.name], one.everybody) for one in self.problem.dictionaries}
        return np.array(
            [self._together({name: float(own[draw]) for name, own in each.items()}) for draw in self._draws]
        )

    @property
    def _draws(self) -> range:
        return range(len(self.factors))

    def _together(self, risks: dict[str, float]) -> float:
        return over_dictionaries(risks, self.problem.risk.over_dictionaries, self.problem.risk.priors)

    def _summed(self, node: Node, people: Counts, everybody: int) -> Numbers:
        """The mean loss against one dictionary in every draw, from its parts."""
        loss, columns = self.problem.loss, self.problem.columns
        rest = self._mean(loss.of(_pairs(self.problem.sensitivity, node), people, everybody))
        found = np.full(len(self.factors), rest)
        if loss.model == "anonymity":
            return found
        plain = Loss(loss.model, loss.uncovered)
        for weighed, level, factors in zip(columns, node, self.factors.T, strict=True):
            own = self._mean(plain.of(weighed.at(level), people, everybody))
            found = plus(found, times(factors, own))
        return found

    def _mean(self, losses: Numbers) -> float:
        return self.problem.risk.by_dictionary({"": losses})[""]

    def _again(self, node: Node, people: dict[str, Counts], factors: Numbers) -> float:
        """The risk of one node in one draw, from its records."""
        problem = replace(self.problem, sensitivity=scaled(self.problem.sensitivity, factors.tolist()))
        phi = problem.sensitivity.at(node)
        losses = {one.name: problem.loss.of(phi, people[one.name], one.everybody) for one in problem.dictionaries}
        if problem.linkage is not None:
            counts = {
                name: lambda rows, cells, found=found: found.of_cells(cells.levels, cells.codes)
                for name, found in self.measuring.identifications.items()
            }
            losses = linked_losses(problem, Released.at(problem.records, node), losses, counts)
        return problem.risk.of(losses)


def _pairs(sensitivity: Sensitivity, node: Node) -> Numbers:
    """What the pairs alone weigh in every record: Φ of attributes that weigh nothing."""
    return scaled(sensitivity, [0.0] * len(sensitivity.columns)).at(node)


def scaled(sensitivity: Sensitivity, factors: Sequence[float]) -> Sensitivity:
    """Φ with every weight of each attribute multiplied by a factor; 0·∞ = 0."""
    return replace(sensitivity, columns=tuple(_scaled(sensitivity.columns, factors)))


def _scaled(columns: Sequence[Weighed], factors: Sequence[float]) -> Iterator[Weighed]:
    for weighed, factor in zip(columns, factors, strict=True):
        levels = tuple(times(factor, level) for level in weighed.weights.levels)
        weights = replace(weighed.weights, levels=levels, own=float(times(factor, weighed.weights.own)))
        own = weighed.personal
        yield replace(weighed, weights=weights, personal=None if own is None else times(factor, own))
