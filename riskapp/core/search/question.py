"""What is asked of one record, and how answers to it are compared.

Besides the three questions of `riskapp.core.optimum` there is a fourth for one record: `Aggregate`, the most
λ/r + u^κ. Everything is compared to twelve digits, ties go to less risk, more utility, and the smaller node as text.
"""

from dataclasses import dataclass
from typing import NamedTuple

from riskapp.core.bad_setting import BadSetting, check_amount
from riskapp.core.digits import rounded
from riskapp.core.extended import INFINITE
from riskapp.core.optimum import Question
from riskapp.core.table.lattice import Node

LIMIT = "largest_chance"


@dataclass(frozen=True)
class Aggregate:
    """The most λ/r + u^κ, where r is not 0.

    1/r is |ρ|/Φ in model I. With r = 0 it would be infinite and suppressing everything would always win, so such nodes
    are left out. Utilities that are negatives of losses are counted from that of ⊥ up.

    >>> Aggregate(2, 1)
    Aggregate(price=2, power=1)
    """

    price: float
    power: float

    def __post_init__(self) -> None:
        check_amount("search.aggregate.lambda", self.price, finite=True)
        check_amount("search.aggregate.kappa", self.power, finite=True)

    @property
    def kind(self) -> str:
        """The key of the question."""
        return "aggregate"


Asked = Question | Aggregate


class Point(NamedTuple):
    """One node with its figures."""

    node: Node
    risk: float
    utility: float
    chance: float
    inverse: float
    least: float
    limit: float | None

    @property
    def text(self) -> str:
        """The node as ids have it."""
        return ".".join(map(str, self.node))


Key = tuple[float, float, float, str]


def told(number: float) -> float:
    """The number in twelve digits."""
    return rounded(number, number)


def allowed(point: Point) -> bool:
    """Whether the chance of being identified is within the limit."""
    return point.limit is None or told(point.chance) <= told(point.limit)


def shortfall(question: Asked, point: Point) -> float:
    """By how much the node misses the question's bound; 0 where it is met."""
    if isinstance(question, Aggregate):
        return 0.0 if point.inverse < INFINITE else 1.0
    if question.kind == "least_utility":
        return max(0.0, told(question.bound) - told(point.utility))
    if question.kind == "trade_off" or question.bound == INFINITE:
        return 0.0
    return max(0.0, told(point.risk) - told(question.bound))


def misses(question: Asked, utility: float) -> bool:
    """Whether a node with this utility says less than is asked for."""
    return (
        not isinstance(question, Aggregate)
        and question.kind == "least_utility"
        and (told(utility) < told(question.bound))
    )


def feasible(question: Asked, point: Point) -> bool:
    """Whether the node may be an answer: it meets the bound and keeps the limit."""
    return shortfall(question, point) == 0 and allowed(point)


def missed(question: Asked, point: Point) -> tuple[str, ...]:
    """What the node misses: the limit, else the question itself."""
    return (question.kind,) if allowed(point) else (LIMIT,)


def parts(question: Asked, point: Point) -> tuple[float, float]:
    """What is to be as small as it can be, as two numbers to be added.

    >>> parts(Question("trade_off", 0.5), Point((0,), 3.0, 4.0, 1.0, 1 / 3, 0.0, None))
    (3.0, -2.0)
    """
    if isinstance(question, Aggregate):
        return -question.price * point.inverse, -(max(point.utility - point.least, 0.0) ** question.power)
    if question.kind == "trade_off":
        return point.risk, -question.bound * point.utility
    return (point.risk, 0.0) if question.kind == "least_utility" else (-point.utility, 0.0)


def objective(question: Asked, point: Point) -> float:
    """The sum of the parts, in twelve digits of the larger one."""
    one, other = parts(question, point)
    return rounded(one + other, max(abs(one), abs(other)))


def key(question: Asked, point: Point) -> Key:
    """Of two feasible nodes the one with the smaller key is the better answer."""
    return objective(question, point), told(point.risk), -told(point.utility), point.text


def nearness(question: Asked, point: Point) -> tuple[bool, float, float, float, float, str]:
    """Of nodes that will not do the one for which this is smallest is the nearest.

    Those that all miss the bound by far are told apart by what they say.
    """
    said = -told(point.utility) if misses(question, point.utility) else 0.0
    return (not allowed(point), shortfall(question, point), said, *_ties(point))


def _ties(point: Point) -> tuple[float, float, str]:
    return told(point.risk), -told(point.utility), point.text


def refuse(question: Asked, method: str, *kinds: str) -> None:
    """Raise `BadSetting` when a method does not answer this question.

    >>> refuse(Question("trade_off", 1), "btda", "least_utility")
    Traceback (most recent call last):
    riskapp.core.bad_setting.BadSetting: search.methods: btda answers least_utility, not trade_off. Choose exhaustive...
    """
    if question.kind not in kinds:
        said = f"{method} answers {' and '.join(kinds)}, not {question.kind}."
        raise BadSetting("search.methods", f"{said} Choose exhaustive or branch-and-bound.")
