"""Which rules nothing else beats, and which is best."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracle.arithmetic import comparable, number


@dataclass
class Point:
    """A rule in the plane: its risk (the larger of definition and replay) and its utility.

    `each_risk` and `each_utility` are the largest risk and the smallest utility of a single record.
    """

    id: str
    risk: float
    utility: float
    each_risk: float = 0.0
    each_utility: float = 0.0
    broken: list[str] = field(default_factory=list)

    def order(self) -> tuple[float, float, str]:
        """Ties: less risk, then more utility, then the smaller id."""
        return (comparable(self.risk), -comparable(self.utility), self.id)


def dominates(one: Point, other: Point) -> bool:
    """No more risk and no less utility, and better in one of the two."""
    less_risk = comparable(other.risk) - comparable(one.risk) if one.risk != other.risk else 0.0
    more_utility = comparable(one.utility) - comparable(other.utility)
    return less_risk >= 0 and more_utility >= 0 and (less_risk > 0 or more_utility > 0)


def frontier(points: list[Point], always: set[str]) -> list[str]:
    """The ids of the points that no other dominates, and of those that are always listed."""
    return [point.id for point in points if point.id in always or not any(dominates(other, point) for other in points)]


def optimum(points: list[Point], search: dict[str, Any]) -> dict[str, Any] | None:
    """The best rule under the question among those within the limits; None without a question.

    Where none will do, the nearest: fewest limits broken, then the smallest shortfall.
    """
    question = next((key for key in ("least_utility", "most_risk", "trade_off") if key in search), None)
    if question is None:
        return None
    bound, each = number(search[question]), bool(search.get("per_record", False))
    feasible = [point for point in points if not point.broken and not shortfall(point, question, bound, each)]
    if feasible:
        best = min(feasible, key=lambda point: (objective(point, question, bound), *point.order()))
        return {"rule": best.id, "risk": best.risk, "utility": best.utility}
    nearest = min(
        points, key=lambda point: (len(point.broken), shortfall(point, question, bound, each), *point.order())
    )
    return {"infeasible": ", ".join(nearest.broken) or question, "nearest": nearest.id}


def objective(point: Point, question: str, bound: float) -> float:
    """What the question makes as small as it can: R, −U, or R − λU."""
    if question == "least_utility":
        return comparable(point.risk)
    if question == "most_risk":
        return -comparable(point.utility)
    gain = bound * point.utility
    return comparable(point.risk - gain, max(abs(point.risk), abs(gain)))


def shortfall(point: Point, question: str, bound: float, each: bool) -> float | Fraction:
    """By how much a rule misses the question's constraint, of the table or of each record; 0 if it does not."""
    if question == "least_utility":
        said = comparable(point.each_utility if each else point.utility)
        return max(Fraction(), Fraction(comparable(bound)) - Fraction(said))
    if question == "most_risk":
        risk = comparable(point.each_risk if each else point.risk)
        return 0.0 if risk <= comparable(bound) else risk - comparable(bound)
    return 0.0
