"""Comparing the rules of an assessment: the frontier, and the answer to its question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from riskapp.core.evaluation import Evaluation
from riskapp.core.extended import Numbers
from riskapp.core.frontier import frontier
from riskapp.core.optimum import Infeasible, Question, Rules, optimum


@dataclass(frozen=True, eq=False)
class Compared:
    """What rules are compared by; the risk is the larger of that by definition and that by replay.

    Parameters
    ----------
    ids, risks, utilities : of every rule
    worst_risks, worst_utilities : of a single record; NaN where nobody asked for them
    broken : the limits that each rule breaks
    """

    ids: Sequence[str]
    risks: Numbers
    utilities: Numbers
    worst_risks: Numbers
    worst_utilities: Numbers
    broken: Sequence[tuple[str, ...]]

    @classmethod
    def of(cls, ids: Sequence[str], evaluations: Iterable[Evaluation]) -> "Compared":
        """The rules with these figures, each looked at once."""
        risks, utilities, worst_risks, worst_utilities, broken = zip(*map(_figures, evaluations), strict=True)
        return cls(ids, _numbers(risks), _numbers(utilities), _numbers(worst_risks), _numbers(worst_utilities), broken)

    def frontier(self) -> list[int]:
        """The places of the rules that nothing beats, and of the first and the last: both ends of the lattice."""
        places: list[int] = frontier(self.risks, self.utilities, ends=[0, len(self.ids) - 1]).tolist()
        return places

    def answer(self, question: Question | None, *, per_record: bool) -> dict[str, Any] | None:
        """The optimum as RESULT.json tells it; None without a question.

        Parameters
        ----------
        question : what is asked
        per_record : whether the bound is to hold for each record and not for the table
        """
        if question is None:
            return None
        found = optimum(self._rules(per_record=per_record), question)
        if isinstance(found, Infeasible):
            return {"infeasible": _words(found.missed), "nearest": self.ids[found.nearest]}
        best = found.place
        return {"rule": self.ids[best], "risk": float(self.risks[best]), "utility": float(self.utilities[best])}

    def _rules(self, *, per_record: bool) -> Rules:
        return Rules(
            self.ids,
            self.risks,
            self.utilities,
            worst_risks=self.worst_risks if per_record else None,
            worst_utilities=self.worst_utilities if per_record else None,
            broken=self.broken,
        )


def _figures(one: Evaluation) -> tuple[float, float, float | None, float | None, tuple[str, ...]]:
    return one.risk_that_counts, one.utility, one.worst_risk, one.worst_utility, one.broken


def _numbers(values: Sequence[float | None]) -> Numbers:
    return np.array(values, dtype=np.float64)


def _words(missed: Sequence[str]) -> str:
    """What even the nearest rule misses.

    >>> _words(("smallest_group", "t"))
    'No rule will do. The nearest misses: smallest_group, t.'
    """
    return f"No rule will do. The nearest misses: {', '.join(missed)}."
