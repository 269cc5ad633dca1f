"""The best rule so far, told while others are still searched."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from riskapp.core.optimum import Best, Rules, optimum
from riskapp.engine.answers import Measured
from riskapp.engine.assessment.settings import SearchKey
from riskapp.engine.comparing import Compared


@dataclass
class SoFar:
    """What is told of the best rule of the blocks that are finished, and of what the one at work has heard of.

    Where nothing is asked, or nothing will do yet, nothing is told.
    """

    search: SearchKey
    leaders: list[Measured] = field(default_factory=list)
    words: str = ""

    def add(self, rules: Sequence[Measured]) -> None:
        """The rules of a finished block: only the best of them can be the best of all."""
        leader = self._best(rules)
        if leader is not None:
            self.leaders.append(leader)
        best = self._best(self.leaders)
        self.words = "" if best is None else _told(best.id, best.evaluation.risk_that_counts, best.evaluation.utility)

    def _best(self, rules: Sequence[Measured]) -> Measured | None:
        if not rules:
            return None
        answer = Compared.of(rules).answer(self.search)
        name = None if answer is None else answer.get("rule")
        return None if name is None else next(rule for rule in rules if rule.id == name)

    def hear(self, risk: float, utility: float) -> None:
        """The block at work has found something better than it had before; it may not be better than all others."""
        before = self._best(self.leaders)
        if before is None or self._better(risk, utility, before):
            self.words = _told("a rule", risk, utility)

    def _better(self, risk: float, utility: float, before: Measured) -> bool:
        """Both will do, so that only what the question makes small tells."""
        asked, other = self.search.question, before.evaluation
        if asked is None:
            return False
        rules = Rules(("0", "1"), np.array([other.risk_that_counts, risk]), np.array([other.utility, utility]))
        found = optimum(rules, asked)
        return isinstance(found, Best) and found.place == 1

    def __str__(self) -> str:
        return self.words


def _told(name: str, risk: float, utility: float) -> str:
    """
    >>> _told("mondrian:5", 0.110512, 4.2083)
    '; best so far: mondrian:5 with risk 0.1105 and utility 4.208'
    """
    return f"; best so far: {name} with risk {risk:.4g} and utility {utility:.4g}"
