"""The two sides of a match: an attribute with the labels of its hierarchy, and a column of a dictionary."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import Counts, Hierarchy
from riskapp.core.table.value_list import Flags, Texts
from riskapp.engine.adversaries.described import Described, distinct, spread
from riskapp.engine.adversaries.names import Likeness, likeness
from riskapp.engine.coded import CodedTable

MOST_LOOKED = 20_000
"""So many of a column's distinct values are looked at, evenly spread."""
ORDERED = frozenset({"dates", "intervals"})


@dataclass(frozen=True, eq=False)
class Labels:
    """An attribute with its hierarchy over what the dataset holds."""

    described: Described
    hierarchy: Hierarchy

    @classmethod
    def of(cls, described: Described, dataset: CodedTable) -> "Labels":
        """A hierarchy that is still impossible counts as none: it can be mended later, the match stays right."""
        values = distinct(dataset, described.name, f"attributes.{described.name}")
        try:
            return cls(described, described.over(values))
        except BadHierarchy:
            plain = replace(described, hierarchy=None)
            return cls(plain, plain.over(values))

    def best(self, values: Texts) -> tuple[int, int]:
        """The level at which the most values are labels, and how many; where none is, the level that can hold most."""
        levels = range(self.hierarchy.height)
        found = [int((self.hierarchy.found_at(level, values) > 0).sum()) for level in levels]
        fit = [0 if any(found) else -self.outside(level, values) for level in levels]
        level = max(levels, key=lambda level: (found[level], fit[level], -level))
        return level, found[level]

    def named(self, column: str, level: int) -> Likeness:
        """How alike the names are; being named like the level is worth less than being named like the attribute."""
        as_level = min(likeness(column, self.hierarchy.names[level]), Likeness.ALIKE)
        return max(likeness(column, self.described.name), as_level)

    def outside(self, level: int, values: Texts) -> int:
        return int((~self.described.fitting(level, values)).sum())

    def strange(self, outside: int, looked: int) -> bool:
        """Whether values that are no labels meet none below the top: they cannot be held, or only shown or hidden."""
        return bool(looked) and (outside == looked or self.described.hierarchy is None)

    def match(self, level: int) -> str:
        name = self.hierarchy.names[level]
        told = str(level) if name.isdigit() else name
        return self.described.name if level == 0 else f"{self.described.name}@{told}"

    def words(self, level: int) -> str:
        """What the values are, as the end of a sentence."""
        names, attribute = self.hierarchy.names, self.described.name
        kinds = (
            {"day": "days", "month": "months", "year": "years"} if "dates" in (self.described.hierarchy or ()) else {}
        )
        kind = kinds.get(names[level]) or ("values" if level == 0 else f"groups of level {names[level]}")
        return (
            f"{kind} in the hierarchy of {attribute}"
            if self.described.lists_its_leaves
            else (f"{kind} that occur in {attribute}")
        )

    @property
    def spelt(self) -> bool:
        """Whether its values can be misspelt: days and numbers in intervals are right or wrong."""
        return not set(self.described.hierarchy or ()) & ORDERED


@dataclass(frozen=True, eq=False)
class Held:
    """A column of a dictionary."""

    table: CodedTable
    name: str

    @cached_property
    def values(self) -> Texts:
        """The distinct values that are looked at."""
        return spread(distinct(self.table, self.name, "dictionaries"), MOST_LOOKED)

    @cached_property
    def entries(self) -> Counts:
        """In how many entries each of them stands."""
        place = self.table.names.index(self.name)
        rows = np.bincount(self.table.codes(place), minlength=self.table.distinct[place] + 1)
        counts: Counts = spread(pa.array(rows[1:]), MOST_LOOKED).to_numpy()
        return counts

    @cached_property
    def telling(self) -> bool:
        return bool(len(self.values)) and pc.max(pc.utf8_length(self.values)).as_py() > 2

    def share(self, among: Flags) -> float:
        """The share of the entries that have one of the values marked."""
        return float(self.entries[among].sum() / max(self.entries.sum(), 1))
