"""The nodes that no other node looked at beats: the least risk that is known for every utility.

One node *beats* another when it has no more risk and no less utility, and is better in one of the two. Of nodes that
are alike in both the one with the smaller name is held. Risks and utilities that agree to twelve digits are equal.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.search.anytime_rows import Figures
from riskapp.core.table.lattice import Node

Key = tuple[float, float, float, float, float, str]


@dataclass(frozen=True)
class Seen:
    """A node that was looked at; of two the one with the smaller key is the better answer.

    The key is: limits broken, by how much the question's bound is missed, what the question makes small, risk,
    −utility, and the node as ids have it. `whole` is whether all limits were looked at.
    """

    node: Node
    figures: Figures
    utility: float
    key: Key
    whole: bool = True

    @property
    def will_do(self) -> bool:
        """Whether it keeps all limits and meets the bound."""
        return self.key[:2] == (0, 0)

    @property
    def objective(self) -> float:
        """What the question makes small."""
        return self.key[2]

    @property
    def keeps_limits(self) -> bool:
        """Whether it is known to keep all limits."""
        return self.whole and not self.figures.broken


@dataclass(eq=False)
class Front:
    """Nodes of which none beats another: risk and utility both rise from each to the next.

    >>> front = Front()
    >>> for name, risk, utility in [("0", 9.0, 4.0), ("1", 1.0, 2.0), ("2", 3.0, 2.0), ("3", 2.0, 4.0)]:
    ...     front.add(Seen((), Figures(risk, (), ()), utility, (0.0, 0.0, risk, risk, -utility, name)))
    >>> front.risks, front.utilities, front.least_risk(3.0).key[-1], front.least_risk(5.0)
    ([1.0, 2.0], [2.0, 4.0], '3', None)
    """

    risks: list[float] = field(default_factory=list)
    utilities: list[float] = field(default_factory=list)
    held: list[Seen] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.held)

    def add(self, seen: Seen) -> None:
        """Take a node in, unless one that is held beats it, and leave those out that it beats."""
        *_, risk, less, name = seen.key
        utility, at = -less + 0.0, bisect_right(self.risks, risk)
        if at and self.utilities[at - 1] >= utility:
            alike = (self.risks[at - 1], self.utilities[at - 1]) == (risk, utility)
            if alike and name < self.held[at - 1].key[-1]:
                self.held[at - 1] = seen
            return
        beaten = slice(bisect_left(self.risks, risk), bisect_right(self.utilities, utility))
        self.risks[beaten], self.utilities[beaten], self.held[beaten] = [risk], [utility], [seen]

    def least_risk(self, utility: float) -> Seen | None:
        """Of the nodes with so much utility the one with the least risk; None when there is none."""
        at = bisect_left(self.utilities, utility)
        return self.held[at] if at < len(self) else None

    def most_utility(self, risk: float) -> Seen | None:
        """Of the nodes with no more risk the one with the most utility; None when there is none."""
        at = bisect_right(self.risks, risk)
        return self.held[at - 1] if at else None

    def spread(self, most: int) -> list[Seen]:
        """At most so many by rising risk: those of the least risk at utilities that are as far apart as each other."""
        if len(self) <= most:
            return list(self.held)
        low, high = self.utilities[0], self.utilities[-1]
        wanted: Numbers = np.linspace(low, high, most)
        return list(dict.fromkeys(filter(None, map(self.least_risk, wanted.tolist()))))


@dataclass(frozen=True, eq=False)
class Archive:
    """The fronts of all nodes that were looked at, and of those that keep the limits."""

    every: Front = field(default_factory=Front)
    within: Front = field(default_factory=Front)

    def add(self, seen: Seen) -> None:
        self.every.add(seen)
        if seen.keeps_limits:
            self.within.add(seen)
