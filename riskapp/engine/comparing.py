"""Comparing the rules of an assessment: the frontier, and the answer to its question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.frontier import frontier
from riskapp.core.optimum import Infeasible, Rules, optimum
from riskapp.core.search.candidate import Tag
from riskapp.engine.answers import Measured
from riskapp.engine.assessment.settings import SearchKey
from riskapp.engine.rule_ids import FULL_DOMAIN

NOT_ONE = "No rule for each record was found; not_found says why."


@dataclass(frozen=True, eq=False)
class Compared:
    """What rules are compared by; the risk is the larger of that by definition and that by replay.

    Parameters
    ----------
    ids, families : of every rule
    risks, utilities : of every rule
    worst_risks, worst_utilities : of a single record; NaN where nobody asked for them
    broken : the limits that each rule breaks
    numbers : how its figures were got
    """

    ids: Sequence[str]
    families: Sequence[str]
    risks: Numbers
    utilities: Numbers
    worst_risks: Numbers
    worst_utilities: Numbers
    broken: Sequence[tuple[str, ...]]
    numbers: Sequence[Tag]

    @classmethod
    def of(cls, rules: Iterable[Measured]) -> "Compared":
        """The rules with these figures, each looked at once."""
        ids, families, risks, utilities, worst_risks, worst_utilities, broken, numbers = zip(
            *map(_figures, rules), strict=True
        )
        worst = _numbers(worst_risks), _numbers(worst_utilities)
        return cls(ids, families, _numbers(risks), _numbers(utilities), *worst, broken, numbers)

    def frontier(self) -> list[int]:
        """The places of the rules that nothing beats, and of both ends of the lattice."""
        nodes = [place for place, family in enumerate(self.families) if family == FULL_DOMAIN]
        places: list[int] = frontier(self.risks, self.utilities, ends=[nodes[0], nodes[-1]]).tolist()
        return places

    def answer(self, search: SearchKey, *, certain: bool = True) -> dict[str, Any] | None:
        """The optimum as RESULT.json tells it; None without a question.

        Parameters
        ----------
        certain : whether no search was over before it found something, so that nothing found means nothing there
        """
        if search.aggregate is not None:
            return self._most_aggregate()
        if search.question is None:
            return None
        found = optimum(self._rules(per_record=search.per_record), search.question)
        if isinstance(found, Infeasible):
            words = _words(found.missed, certain=certain)
            return {"infeasible": words, "nearest": self.ids[found.nearest]}
        return self._told(found.place)

    def _most_aggregate(self) -> dict[str, Any]:
        """Of the rules for each record the one that is best for each, or comes nearest.

        What is made the most there has no meaning for a table, so no other rule is compared with them.
        """
        places = [place for place, family in enumerate(self.families) if family == "per-record"]
        if not places:
            return {"infeasible": NOT_ONE, "nearest": None}
        best = min(places, key=self._how_near)
        if self.broken[best]:
            return {"infeasible": _words(self.broken[best]), "nearest": self.ids[best]}
        return self._told(best)

    def _how_near(self, place: int) -> tuple[int, float, float, float, str]:
        number = self.numbers[place]
        gap = 0.0 if number.how == "exact" else INFINITE if number.gap is None else number.gap
        return len(self.broken[place]), gap, self.risks[place], -self.utilities[place], self.ids[place]

    def _told(self, best: int) -> dict[str, Any]:
        told = {"rule": self.ids[best], "risk": float(self.risks[best]), "utility": float(self.utilities[best])}
        number, on_exact = self.numbers[best], self.ids[best].startswith("exact:")
        if number.how == "exact":
            return {**told, "gap": 0.0} if on_exact else told
        return {**told, "gap": number.gap}

    def _rules(self, *, per_record: bool) -> Rules:
        return Rules(
            self.ids,
            self.risks,
            self.utilities,
            worst_risks=self.worst_risks if per_record else None,
            worst_utilities=self.worst_utilities if per_record else None,
            broken=self.broken,
        )


def _figures(rule: Measured) -> tuple[str, str, float, float, float | None, float | None, tuple[str, ...], Tag]:
    one = rule.evaluation
    risks = one.risk_that_counts, one.utility, one.worst_risk, one.worst_utility
    return rule.id, rule.family, *risks, one.broken, rule.number


def _numbers(values: Sequence[float | None]) -> Numbers:
    return np.array(values, dtype=np.float64)


def _words(missed: Sequence[str], *, certain: bool = True) -> str:
    """What even the nearest rule misses.

    >>> _words(("smallest_group", "t"))
    'No rule will do. The nearest misses: smallest_group, t.'
    """
    none = "No rule will do." if certain else "No rule that will do was found in the time."
    return f"{none} The nearest misses: {', '.join(missed)}."
