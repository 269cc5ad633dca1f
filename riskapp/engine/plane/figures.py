"""The figures of every rule that the plane shows, as columns."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.engine.rule_ids import FULL_DOMAIN
from riskapp.engine.standing import keeps


class Figures(NamedTuple):
    """One rule.

    Attributes
    ----------
    risk : by definition or by replay, whichever is larger
    utility, share : and its share of the unchanged table's
    chance, found, singled : the worst person's chance, the people expected to be found and those found with
        certainty, with the dictionary that is worst in it, by definition or by replay
    group : the people in the smallest group; 0 where there is none
    within : whether it keeps the limits; not where they are about chances and its replay could not be counted
    frontier : whether nothing beats it
    """

    risk: float
    utility: float
    share: float
    chance: float
    found: float
    singled: float
    group: float
    within: bool
    frontier: bool


MEASURES = ("risk", "chance", "found")
"""What can be drawn against the utility."""


def figures(rule: Mapping[str, Any], limits: Mapping[str, Any]) -> Figures:
    """The figures of a rule as RESULT.json lists it.

    Parameters
    ----------
    limits : of the assessment, as its file names them
    """
    again = [each["by_replay"] for each in rule["people"].values() if each["by_replay"]]
    people = [*rule["people"].values(), *again]
    risks = [rule["risk"], rule["risk_replay"]]
    return Figures(
        max(float(risk) for risk in risks if risk is not None),
        float(rule["utility"]),
        float(rule["utility_share"]),
        max(float(each["largest_chance"]) for each in people),
        max(float(each["expected_found"]) for each in people),
        max(each["singled_out"] for each in people),
        rule["smallest_group"] or 0,
        keeps(rule, limits),
        rule["on_frontier"],
    )


class Regions(NamedTuple):
    """What a rule by region does, in short.

    Attributes
    ----------
    many : how many regions
    by : the names of the attributes that tell them apart
    finest, coarsest : for each attribute the levels between which the regions differ
    """

    many: int
    by: tuple[str, ...]
    finest: tuple[int, ...]
    coarsest: tuple[int, ...]

    @classmethod
    def of(cls, rule: Mapping[str, Any]) -> "Regions | None":
        """From a rule as RESULT.json lists it; None where it does the same to everybody, or is by nothing.

        >>> one = {"where": {"town": "A"}, "node": {"town": 0, "born": 1}}
        >>> other = {"where": {"town": "B"}, "node": {"town": 1, "born": 1}}
        >>> Regions.of({"node": None, "search": {"patterns": [one, other]}})
        Regions(many=2, by=('town',), finest=(0, 1), coarsest=(1, 1))
        """
        patterns = rule.get("search", {}).get("patterns", [])
        by = sorted({name for pattern in patterns for name in pattern["where"]})
        if rule["node"] or not by:
            return None
        levels = list(zip(*(pattern["node"].values() for pattern in patterns), strict=True))
        return cls(len(patterns), tuple(by), tuple(map(min, levels)), tuple(map(max, levels)))


class Other(NamedTuple):
    """A rule's name where it does not follow from its number.

    Attributes
    ----------
    id, family : of the rule
    levels : of the attributes in their order, where all records have the same; else None
    regions : of a rule by region
    withheld : how many rows are suppressed
    parts : into how many parts the table is cut, where it is
    """

    id: str
    family: str
    levels: tuple[int, ...] | None
    regions: Regions | None = None
    withheld: int = 0
    parts: int | None = None

    @classmethod
    def of(cls, rule: Mapping[str, Any], levels: tuple[int, ...] | None) -> "Other":
        """From a rule as RESULT.json lists it."""
        parts = rule.get("search", {}).get("parts")
        return cls(rule["id"], rule["family"], levels, Regions.of(rule), rule["suppressed"], parts)

    def besides(self) -> list[Any]:
        """What is told of it besides its levels and figures, as far as there is anything.

        >>> Other("mondrian:5", "mondrian", None, parts=3).besides(), Other("exact:0", "exact", None).besides()
        ([None, 0, 3], [])
        """
        told = [self.regions and list(self.regions), self.withheld, self.parts]
        while told and not told[-1]:
            told.pop()
        return told


MOST_NAMED = 4_096
"""Where a lattice cannot be listed there are some hundred rules: the best that were found, and neighbours of one."""


@dataclass(frozen=True, eq=False)
class Rules:
    """All rules of a result.

    Attributes
    ----------
    columns : a row of figures for every rule
    others : the names of the rules that do not follow from the lattice, by their number
    attributes : that have a level to choose
    first, heights : the number of the first full-domain rule, and the heights of the lattice
    whole : whether all full-domain rules are there, not only both ends and what was found in a time
    ends : the numbers of the unchanged table and of nothing
    """

    columns: Numbers
    others: Mapping[int, Other]
    attributes: tuple[str, ...]
    first: int
    heights: tuple[int, ...]
    whole: bool
    ends: tuple[int, int]

    @classmethod
    def of(cls, rules: Iterable[Mapping[str, Any]], limits: Mapping[str, Any]) -> "Rules":
        """The rules as RESULT.json lists them; full-domain rules stand side by side, the unchanged table first.

        Parameters
        ----------
        limits : of the assessment, as its file names them
        """
        rows, nodes, others, last = list[Figures](), list[int](), dict[int, Other](), dict[str, int]()
        some = dict[int, Other]()
        for number, rule in enumerate(rules):
            rows.append(figures(rule, limits))
            levels = rule["node"] and tuple(rule["node"].values())
            if rule["family"] != FULL_DOMAIN:
                others[number] = Other.of(rule, levels)
                continue
            nodes.append(number)
            last = rule["node"]
            if len(nodes) <= MOST_NAMED:
                some[number] = Other(rule["id"], FULL_DOMAIN, levels)
        size = math.prod(level + 1 for level in last.values())
        columns = np.array(rows, dtype=np.float64)
        ends = nodes[0], nodes[-1]
        if len(nodes) < size:  # between the ends stand those that were found in a time
            others |= {number: one for number, one in some.items() if number not in ends}
        return cls(columns, others, tuple(last), nodes[0], tuple(last.values()), len(nodes) == size, ends)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, figure: str) -> Numbers:
        """One figure of every rule."""
        column: Numbers = self.columns[:, Figures._fields.index(figure)]
        return column

    def flags(self, figure: str) -> npt.NDArray[np.bool_]:
        """One yes or no of every rule."""
        return self[figure] > 0

    @property
    def lattice(self) -> slice:
        """The full-domain rules."""
        return slice(self.first, self.ends[1] + 1)

    def levels(self, number: int) -> tuple[int, ...] | None:
        """The levels of a rule, where all records have the same."""
        if number in self.others:
            return self.others[number].levels
        if not self.whole:
            return (0,) * len(self.heights) if number == self.ends[0] else self.heights
        sizes = [height + 1 for height in self.heights]
        return tuple(int(level) for level in np.unravel_index(number - self.first, sizes))
