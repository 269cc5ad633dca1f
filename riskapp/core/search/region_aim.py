"""What regions are chosen for: one number for how good the frontier of some regions is, the smaller the better."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.optimum import Question
from riskapp.core.search.region_hull import SLACK, Chosen, Merged, Part
from riskapp.core.search.region_sums import Points

TARGETS = 33
"""Without a question the frontier is looked at in so many places."""


@dataclass(frozen=True, eq=False)
class Aim:
    """A question, or the whole frontier.

    Parameters
    ----------
    question : what is asked; None for the whole frontier
    each : whether the bound holds for each record; then nodes that miss it are no points, and it is met
    mix : the shares of the dictionaries in the risk
    targets : without a question, the utilities at which the frontier is looked at
    """

    question: Question | None
    each: bool
    mix: Numbers
    targets: Numbers

    @classmethod
    def of(cls, question: Question | None, each: bool, mix: Numbers, whole: Points) -> "Aim":
        """With the utilities that the unsplit rules reach as targets."""
        targets = np.linspace(whole.utilities.min(), whole.utilities.max(), TARGETS)
        return cls(question, each, mix, targets)

    def part(self, points: Points) -> Part:
        """A region's points as what they gain and cost under the question."""
        risks = points.risks(self.mix)
        if self.question is None or self.question.kind == "least_utility":
            return Part(points.utilities, risks)
        if self.question.kind == "most_risk":
            return Part(-risks, -points.utilities)
        return Part(-risks, risks - self.question.bound * points.utilities)

    @property
    def bound(self) -> float:
        """What must be gained."""
        if self.question is None or self.each or self.question.kind == "trade_off":
            return -INFINITE
        return self.question.bound if self.question.kind == "least_utility" else -self.question.bound

    def worth(self, parts: Sequence[Part]) -> tuple[float, float]:
        """By how much the bound is missed, and the least cost; or the mean of the frontier."""
        merged = Merged(parts)
        if self.question is None:
            return 0.0, float(np.interp(self.targets, merged.gains, merged.costs).mean())
        missed = self.bound - float(merged.gains[-1])
        if missed > SLACK * abs(self.bound):
            return missed, INFINITE
        return 0.0, float(np.interp(self.bound, merged.gains, merged.costs))

    def best(self, parts: Sequence[Part]) -> Chosen:
        """The best choice under the question."""
        return Merged(parts).best(self.bound)
