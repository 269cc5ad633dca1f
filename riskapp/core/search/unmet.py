"""What a search answers when no rule keeps what is required or asked for."""

from dataclasses import dataclass

from riskapp.core.digits import in_six
from riskapp.core.search.reach import Reached
from riskapp.core.table.lattice import Node

REASONS = {
    "search.k": "no group of so many people can be formed",
    "search.require.l": "no group has values as different as is required",
    "search.suppression_limit": "too many records would have to be suppressed",
    "search.require.t": "some group is farther from the table than is allowed",
}


@dataclass(frozen=True)
class Unmet:
    """No rule of a family does what is required.

    Attributes
    ----------
    id : of the rule that there is none of, such as `k-anonymity:5`
    family : as `Candidate` has it
    missed : the key of the setting that stands in the way
    reachable : what could be met of that setting and comes nearest to it, where there is such a number; c and l of
        recursive (c, l)-diversity
    nearest : the node that comes nearest, where there is one

    Examples
    --------
    >>> print(Unmet("k-anonymity:5", "k-anonymity", "search.suppression_limit", 0.25))
    k-anonymity:5: too many records would have to be suppressed; search.suppression_limit would have to be 0.25.
    >>> print(Unmet("mondrian:5", "mondrian", "search.require.l.recursive", (1.5, 2)))
    mondrian:5: no group has values as different as is required; search.require.l.recursive would have to be [1.5, 2].
    """

    id: str
    family: str
    missed: str
    reachable: float | tuple[float, int] | None = None
    nearest: Node | None = None

    @classmethod
    def of(cls, name: str, family: str, missed: str, reached: Reached | None) -> "Unmet":
        """With what could be asked for instead, if anything can."""
        if reached is None:
            return cls(name, family, missed)
        return cls(name, family, reached.key, reached.value, reached.node)

    def __str__(self) -> str:
        reason = next(reason for key, reason in REASONS.items() if self.missed.startswith(key))
        if self.reachable is None:
            return f"{self.id}: {reason}."
        return f"{self.id}: {reason}; {self.missed} would have to be {self._written(self.reachable)}."

    def _written(self, reachable: float | tuple[float, int]) -> str:
        """What could be met in six digits, rounded so that it still can: k and l are lower bounds, the others upper."""
        if isinstance(reachable, tuple):
            return f"[{reachable[0]:g}, {reachable[1]}]"
        return in_six(reachable, up=not self.missed.startswith(("search.k", "search.require.l")))


@dataclass(frozen=True)
class NotMet:
    """No rule will do, for there are records that no node is good enough for.

    Attributes
    ----------
    id : of the rule that was looked for
    records : how many of the table's records these are
    missed : the limit, or the question
    nearest : the nearest bound that every record could meet: of the limit or of the question; None where none is known
    proved : whether there is certainly no such rule; a heuristic only has not found one

    Examples
    --------
    >>> print(NotMet("per-record:btda", 1, ("least_utility",), 5.0))
    least_utility cannot be met by 1 record; the nearest bound that all can meet is 5
    >>> print(NotMet("per-record:genetic", 6, ("largest_chance",), 0.5, proved=False))
    largest_chance was not met by 6 records; the nearest bound that all have met is 0.5
    """

    id: str
    records: int
    missed: tuple[str, ...]
    nearest: float | None
    proved: bool = True

    def __str__(self) -> str:
        records = "1 record" if self.records == 1 else f"{self.records} records"
        tried, met = ("cannot be", "can meet") if self.proved else ("was not", "have met")
        what = f"{', '.join(self.missed)} {tried} met by {records}"
        return what if self.nearest is None else f"{what}; the nearest bound that all {met} is {self.nearest:.12g}"
