"""The best node of every record among those looked at so far, exactly as one search for each would choose it.

Numbers count as equal when they agree to twelve digits. Most pairs differ in the first eleven or not at all, so only
the few in between are rounded one by one.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.digits import rounded, told_apart
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.frontier import Flags
from riskapp.core.search.looking import Look
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.table.keys import Places

NEAR = 1.1e-11
"""Numbers further apart than this, relatively, differ in twelve digits too."""
NOT_YET = -1
UNSURE = 2

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Best:
    """For every record the best node so far, and what stood in the way of any.

    Attributes
    ----------
    number : of the best node in the order of ids as text; −1 where none will do
    levels : the node itself
    objective, size : what the question makes small, and how large the numbers are that it is the sum of
    risk, utility : of the record there
    chance : the least chance of being identified at any node
    bound : among the nodes within the limit, the nearest that the record comes to the question's bound
    least : for each dictionary the least that the question could make of it alone; nothing where that is not asked
    """

    number: Whole
    levels: npt.NDArray[np.int16]
    objective: Numbers
    size: Numbers
    risk: Numbers
    utility: Numbers
    chance: Numbers
    bound: Numbers
    least: tuple[Numbers, ...] = field(default=())

    @classmethod
    def none(cls, records: int, attributes: int, dictionaries: int) -> "Best":
        """Nothing was looked at yet."""
        return cls(
            number=np.full(records, NOT_YET, dtype=np.int64),
            levels=np.zeros((records, attributes), dtype=np.int16),
            **{name: np.zeros(records) for name in ("objective", "size", "risk", "utility")},
            **{name: np.full(records, INFINITE) for name in ("chance", "bound")},
            least=tuple(np.full(records, INFINITE) for _ in range(dictionaries)),
        )

    @classmethod
    def joined(cls, parts: "list[Best]") -> "Best":
        """Those of several parts of the records, one after the other."""
        names = ("number", "levels", "objective", "size", "risk", "utility", "chance", "bound")
        together = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        least = zip(*(part.least for part in parts), strict=True)
        return cls(**together, least=tuple(np.concatenate(some) for some in least))

    def look(self, look: Look, question: Asked, limit: float | None) -> None:
        """Take one more node into account, for all records."""
        usable, near = _meets(look, question), _nearness(look, question)
        if limit is not None:
            within = within_limit(look.chance, limit)
            usable, near = usable & within, np.where(within, near, INFINITE)
            np.minimum(self.chance, look.chance, out=self.chance)
        np.minimum(self.bound, near, out=self.bound)
        if usable.any():
            self._improve(look, question, usable)

    def _improve(self, look: Look, question: Asked, usable: Flags) -> None:
        one, other = _objectives(look, question)
        first = one if other is None else one + other
        size = np.abs(one) if other is None else np.maximum(np.abs(one), np.abs(other))
        for least, loss in zip(self.least, look.losses, strict=False):
            against = np.where(usable, _against(loss, question, look.utility), INFINITE)
            np.minimum(least, against, out=least)
        kept = (self.objective, self.size, self.risk, self.utility, self.number)
        verdicts = np.zeros(len(usable), dtype=np.int8)
        _judge(first, size, look.risk, look.utility, look.number, usable, *kept, verdicts)
        for row in np.flatnonzero(verdicts == UNSURE):
            new = _key(first[row], size[row], look.risk[row], look.utility[row], look.number)
            verdicts[row] = new < self._key(int(row))
        better = np.flatnonzero(verdicts)
        self.number[better], self.levels[better] = look.number, look.node
        for mine, its in zip(kept[:4], (first, size, look.risk, look.utility), strict=True):
            mine[better] = its[better]

    def _key(self, row: int) -> tuple[float, float, float, int]:
        own = [float(some[row]) for some in (self.objective, self.size, self.risk, self.utility)]
        return _key(own[0], own[1], own[2], own[3], int(self.number[row]))


def _key(first: float, size: float, risk: float, utility: float, number: int) -> tuple[float, float, float, int]:
    return rounded(first, size), rounded(risk, risk), -rounded(utility, utility), number


@compiled
def _compared(one: float, size: float, other: float, its: float) -> int:
    """−1, 0 or 1 as one number is less, equal or more in twelve digits; 2 where only rounding can tell."""
    if one == other:
        return 0 if size == its or one == 0 else 2
    if np.isinf(one) or np.isinf(other) or abs(one - other) > NEAR * max(size, its):
        return -1 if one < other else 1
    return 2


@compiled
def _judge(first, size, risk, utility, number, usable, own, own_size, own_risk, own_utility, own_number, verdicts):  # type: ignore[no-untyped-def]
    """For every record 1 where the node is better than the best so far, 2 where only rounding can tell."""
    for row in range(len(usable)):
        if not usable[row]:
            continue
        if own_number[row] < 0:
            verdicts[row] = 1
            continue
        told = _compared(first[row], size[row], own[row], own_size[row])
        if told == 0:
            told = _compared(risk[row], abs(risk[row]), own_risk[row], abs(own_risk[row]))
        if told == 0:
            told = _compared(own_utility[row], abs(own_utility[row]), utility[row], abs(utility[row]))
        if told == 0:
            told = -1 if number < own_number[row] else 1
        if told == 2:
            verdicts[row] = 2
        elif told == -1:
            verdicts[row] = 1


def within_limit(chances: Numbers, limit: float) -> Flags:
    """Which chances of being identified are within the limit.

    >>> within_limit(np.array([0.25, 0.1 + 0.2, 0.5]), 0.3)
    array([ True,  True, False])
    """
    return _at_most(chances, limit)


def _at_most(numbers: Numbers, bound: float) -> Flags:
    """Which numbers are at most the bound in twelve digits."""
    small: Flags = numbers <= bound
    if np.isfinite(bound):
        near = np.flatnonzero((numbers != bound) & (np.abs(numbers - bound) <= 2 * NEAR * abs(bound)))
        if len(near):
            small[near] = _told(numbers, near) <= told_apart([bound])[0]
    return small


def _told(numbers: Numbers, places: Places) -> Numbers:
    different, place = np.unique(numbers[places], return_inverse=True)
    return told_apart(different)[place]


def _meets(look: Look, question: Asked) -> Flags:
    """Which records may be at this node, limits apart."""
    if isinstance(question, Aggregate):
        return look.inverse < INFINITE
    if question.kind == "least_utility":
        return _at_most(-look.utility, -question.bound)
    if question.kind == "most_risk":
        return _at_most(look.risk, question.bound)
    return np.ones(len(look.utility), dtype=np.bool_)


def _nearness(look: Look, question: Asked) -> Numbers:
    """What the question's bound is about, the smaller the better: the utility's negative, or the risk."""
    return -look.utility if question.kind == "least_utility" else look.risk


def _objectives(look: Look, question: Asked) -> tuple[Numbers, Numbers | None]:
    """What the question makes as small as it can, as numbers to be added."""
    if isinstance(question, Aggregate):
        least = min(0.0, look.problem.utility.of_nothing)
        hidden = np.where(look.inverse < INFINITE, look.inverse, 0.0)
        return -question.price * hidden, -(np.maximum(look.utility - least, 0.0) ** question.power)
    if question.kind == "trade_off":
        return look.risk, -question.bound * look.utility
    return (look.risk if question.kind == "least_utility" else -look.utility), None


def _against(loss: Numbers, question: Asked, utility: Numbers) -> Numbers:
    """What the question makes small for the table, against one dictionary."""
    price = question.bound if not isinstance(question, Aggregate) and question.kind == "trade_off" else 0.0
    return loss - price * utility
