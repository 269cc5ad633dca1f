"""What a family answers when none of its rules keeps what is required."""

from dataclasses import dataclass

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
    reachable : the least of that setting that could be met, where there is such a number
    nearest : the node that comes nearest, where there is one

    Examples
    --------
    >>> print(Unmet("k-anonymity:5", "k-anonymity", "search.suppression_limit", 0.25))
    k-anonymity:5: too many records would have to be suppressed; search.suppression_limit would have to be 0.25.
    """

    id: str
    family: str
    missed: str
    reachable: float | None = None
    nearest: Node | None = None

    def __str__(self) -> str:
        told = f"{self.id}: {REASONS[self.missed]}"
        return f"{told}." if self.reachable is None else f"{told}; {self.missed} would have to be {self.reachable:.6g}."
