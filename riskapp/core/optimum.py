"""MinRisk: the best of the evaluated rules under one of three questions.

- `least_utility` c: the least risk with utility at least c;
- `most_risk` c: the most utility with risk at most c;
- `trade_off` λ: the least R − λU.

Ties go to less risk, then more utility, then the smaller id. A bound is met when it is met to twelve digits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import BadSetting, check_amount
from riskapp.core.digits import rounded, told_apart
from riskapp.core.evaluation import Evaluation
from riskapp.core.extended import INFINITE, Numbers

Places = npt.NDArray[np.intp]

QUESTIONS = ("least_utility", "most_risk", "trade_off")


@dataclass(frozen=True)
class Question:
    """What is asked, and its bound c or price λ.

    >>> Question.asked(least_utility=7)
    Question(kind='least_utility', bound=7.0)
    >>> Question.asked() is None
    True
    """

    kind: str
    bound: float

    def __post_init__(self) -> None:
        key = f"search.{self.kind}"
        if self.kind not in QUESTIONS:
            raise BadSetting(key, f"There is no such question. Known are {', '.join(QUESTIONS)}.")
        if self.kind != "least_utility":
            check_amount(key, self.bound, finite=self.kind == "trade_off")
        elif not math.isfinite(self.bound):
            raise BadSetting(key, "Give a finite number.")

    @classmethod
    def asked(
        cls, *, least_utility: float | None = None, most_risk: float | None = None, trade_off: float | None = None
    ) -> "Question | None":
        """The one question that is asked, if any.

        Raises
        ------
        BadSetting
            If there are two, or a bound is impossible.
        """
        given = [
            (kind, bound)
            for kind, bound in zip(QUESTIONS, (least_utility, most_risk, trade_off), strict=True)
            if bound is not None
        ]
        if len(given) > 1:
            raise BadSetting("search", f"Ask one question, not {' and '.join(kind for kind, _ in given)} at once.")
        return cls(given[0][0], float(given[0][1])) if given else None


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules to choose from.

    Parameters
    ----------
    ids, risks, utilities : of every rule
    worst_risks, worst_utilities : the largest risk and the smallest utility of a single record, where the bound is
        to hold for each record and not for the table
    broken : for every rule the names of the limits it breaks; none are broken where it is not given
    """

    ids: Sequence[str]
    risks: Numbers
    utilities: Numbers
    worst_risks: Numbers | None = None
    worst_utilities: Numbers | None = None
    broken: Sequence[Sequence[str]] = field(default=())

    @classmethod
    def of(cls, figures: Sequence[Evaluation], *, each: bool) -> "Rules":
        """Rules that were measured, named by their places; `each` where the bound is to hold for each record."""
        return cls(
            [str(place).zfill(9) for place in range(len(figures))],
            np.array([one.risk_that_counts for one in figures]),
            np.array([one.utility for one in figures]),
            np.array([one.worst_risk for one in figures], dtype=np.float64) if each else None,
            np.array([one.worst_utility for one in figures], dtype=np.float64) if each else None,
            [one.broken for one in figures],
        )

    def __post_init__(self) -> None:
        given = [self.risks, self.utilities, self.worst_risks, self.worst_utilities, self.broken or None]
        if not len(self.ids) or any(len(some) != len(self.ids) for some in given if some is not None):
            raise ValueError("There is at least one rule, and every rule has a risk and a utility.")


@dataclass(frozen=True)
class Best:
    """The place of the best rule."""

    place: int


@dataclass(frozen=True)
class Infeasible:
    """No rule will do: what the nearest one misses, limits or the question itself, and its place.

    The nearest breaks the fewest limits, and of those misses the bound by the least.
    """

    missed: tuple[str, ...]
    nearest: int


def optimum(rules: Rules, question: Question) -> Best | Infeasible:
    """The best rule under a question among those that break no limit.

    >>> rules = Rules(("a", "b", "c"), np.array([0.0, 1.0, 3.0]), np.array([0.0, 5.0, 8.0]))
    >>> optimum(rules, Question("least_utility", 4)), optimum(rules, Question("least_utility", 9))
    (Best(place=1), Infeasible(missed=('least_utility',), nearest=2))
    >>> optimum(rules, Question("most_risk", 3)), optimum(rules, Question("trade_off", 0.25))
    (Best(place=2), Best(place=1))
    """
    limits = np.array([len(some) for some in rules.broken] or [0] * len(rules.ids))
    short = shortfalls(rules, question)
    possible = np.flatnonzero((limits == 0) & (short == 0))
    if len(possible):
        return Best(_first(rules, possible, [_objectives(rules, question)]))
    far = np.where(short > 0, _bounded(rules, question), 0.0) if short.any() else short
    nearest = _first(rules, np.arange(len(rules.ids)), [limits.astype(np.float64), short, far])
    missed = tuple(rules.broken[nearest]) if rules.broken else ()
    return Infeasible(missed or (question.kind,), nearest)


def shortfalls(rules: Rules, question: Question) -> Numbers:
    """By how much every rule misses the question's bound; 0 where it is met."""
    bound = told_apart([question.bound])[0]
    if question.kind == "trade_off" or bound == INFINITE:
        return np.zeros(len(rules.ids))
    sign = -1.0 if question.kind == "least_utility" else 1.0
    short: Numbers = np.maximum(0.0, _bounded(rules, question) - sign * bound)
    return short


def _bounded(rules: Rules, question: Question) -> Numbers:
    """What the bound is about, the smaller the better; it tells rules apart that all miss the bound by far."""
    if question.kind == "least_utility":
        return -told_apart(rules.utilities if rules.worst_utilities is None else rules.worst_utilities)
    return told_apart(rules.risks if rules.worst_risks is None else rules.worst_risks)


def _objectives(rules: Rules, question: Question) -> Numbers:
    """What the question makes as small as it can: R, −U, or R − λU."""
    if question.kind == "least_utility":
        return told_apart(rules.risks)
    if question.kind == "most_risk":
        return -told_apart(rules.utilities)
    gains = question.bound * rules.utilities
    pairs = zip(rules.risks.tolist(), gains.tolist(), strict=True)
    return np.array([rounded(risk - gain, max(abs(risk), abs(gain))) for risk, gain in pairs])


def _first(rules: Rules, places: Places, keys: Sequence[Numbers]) -> int:
    """The place that is first by the keys, then by less risk, more utility and the smaller id."""
    for key in (*keys, told_apart(rules.risks), -told_apart(rules.utilities)):
        places = places[key[places] == key[places].min()]
    return int(min(places, key=lambda place: rules.ids[place]))
