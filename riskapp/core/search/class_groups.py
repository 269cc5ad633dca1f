"""The groups of a node, from its classes: which are weak for some k, and what the others say.

Where l or t is required, the values of all sensitive columns taken together stand in the lowest bits of the keys, so
the classes of a group stand side by side; otherwise every class is a group.
"""

# mypy: disable-error-code="no-untyped-call"

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.extended import Numbers
from riskapp.core.rolled.classes import Classes
from riskapp.core.search.each_group import asks_l, asks_t, distances, uniform
from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import folded, once
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.released import Mask

SUPPRESSED, LEFT, LEAST, MOST, GROUPS, DISTANCE = range(6)
"""What is summed up for each k: the records suppressed; what those that are left say, in sum, at least and at most; the
groups that are left, and how far the farthest of them is from the table."""
NO_ENTRY = np.zeros(0, dtype=np.intp)
Far = Callable[[ValueCounts, ValueCounts, int | None], Numbers]
"""A figure of each group, from the counts of its values and of the table's, and the values there are in order."""


@compiled
def summed_up(rows, keys, records, phi, last, mask, k, out):  # type: ignore[no-untyped-def]
    """Sum up classes that are groups: for each k a row of `out`."""
    for j in range(k.size):
        few, suppressed, groups = k[j], 0, 0
        left, least, most = 0.0, np.inf, -np.inf
        for i in range(rows):
            n = records[i]
            if n < few:
                suppressed += n
                continue
            said = 0.0
            if phi is not None:
                said += phi[i]
            if last is not None:
                said += last[keys[i] & mask]
            groups += 1
            left += n * said
            least = min(least, said)
            most = max(most, said)
        out[j, SUPPRESSED], out[j, LEFT], out[j, LEAST], out[j, MOST] = suppressed, left, least, most
        out[j, GROUPS], out[j, DISTANCE] = groups, 0.0


@dataclass(frozen=True, eq=False)
class _Column:
    """A sensitive column: which of its values each of the values taken together holds, and the whole table's counts."""

    ordered: int | None
    value: Codes
    whole: ValueCounts

    @classmethod
    def of(cls, column: Sensitive, first: npt.NDArray[np.intp]) -> "_Column":
        counts = np.bincount(column.codes)
        there = np.flatnonzero(counts)
        whole = ValueCounts(np.zeros(len(there), np.intp), there.astype(np.int32), counts[there], NO_ENTRY)
        return cls(column.ordered, column.codes[first], whole)


@dataclass(frozen=True, eq=False)
class ClassGroups:
    """Sums up the groups of a node.

    Attributes
    ----------
    k : the least people of a group; several, each by itself
    codes : for every record its sensitive values taken together
    mask : as many ones as these have bits
    columns : the sensitive columns
    far : how far each group is from the table, where t is asked for
    """

    FIGURES = (SUPPRESSED, LEFT, LEAST, MOST, GROUPS, DISTANCE)

    problem: Problem
    k: Counts
    codes: Codes
    columns: tuple[_Column, ...]
    far: Far = distances

    @classmethod
    def of(cls, problem: Problem, k: Sequence[int]) -> "ClassGroups":
        """For a problem whose records are different people."""
        least = np.array(k, dtype=np.int64)
        if not problem.sensitive:
            return cls(problem, least, np.zeros(len(problem), dtype=np.int32), ())
        columns = [column.codes for column in problem.sensitive]
        keys = folded([columns], [int(codes.max(initial=0)) + 1 for codes in columns])
        found = once(keys.numbers, keys.size)
        own = tuple(_Column.of(column, found.first) for column in problem.sensitive)
        return cls(problem, least, found.kind.astype(np.int32), own)

    @cached_property
    def mask(self) -> int:
        """As many ones as the values taken together have bits."""
        return (1 << max(1, int(self.codes.max(initial=0)).bit_length())) - 1

    def summed(self, found: Classes, last: Numbers | None, out: Numbers) -> None:
        """Sum up the groups of some classes: for each k a row of `out`."""
        if asks_l(self.problem) or asks_t(self.problem):
            self._with_values(found, out)
            return
        mask = -1 if last is None else len(last) - 1
        summed_up(found.rows, found.keys, found.records, found.phi, last, mask, self.k, out)

    def _with_values(self, found: Classes, out: Numbers) -> None:
        """Where the values stand in the lowest bits: they say nothing, so φ is complete."""
        keys, records = found.keys[: found.rows], found.records[: found.rows].astype(np.int64)
        starts = np.flatnonzero(np.diff(keys & ~self.mask, prepend=-1))
        group = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(keys))))
        people = np.add.reduceat(records, starts)
        said = np.zeros(len(starts)) if found.phi is None else found.phi[starts]
        weak, distance = self._reached(group, keys & self.mask, records, len(starts))
        for row, few in zip(out, self.k, strict=True):
            there = ~weak & (people >= few)
            row[SUPPRESSED], row[LEFT] = people[~there].sum(), people[there] @ said[there]
            row[LEAST], row[MOST] = said[there].min(initial=np.inf), said[there].max(initial=-np.inf)
            row[GROUPS], row[DISTANCE] = there.sum(), distance[there].max(initial=0.0)

    def _reached(
        self, group: npt.NDArray[np.intp], value: Counts, records: Counts, groups: int
    ) -> tuple[Mask, Numbers]:
        """Which groups break l, and how far each is from the table."""
        weak, distance = np.zeros(groups, dtype=np.bool_), np.zeros(groups)
        for column, counts in self._counts(group, value, records):
            if asks_l(self.problem):
                weak |= uniform(self.problem.limits, counts)
            if asks_t(self.problem):
                distance = np.maximum(distance, self.far(counts, column.whole, column.ordered))
        return weak, distance

    def _counts(
        self, group: npt.NDArray[np.intp], value: Counts, records: Counts
    ) -> Iterator[tuple[_Column, ValueCounts]]:
        for column in self.columns:
            own = column.value[value]
            if len(self.columns) == 1:
                yield column, ValueCounts(group, own, records, NO_ENTRY)
                continue
            size = int(column.value.max(initial=0)) + 1
            _, first, kind = np.unique(group * size + own, return_index=True, return_inverse=True)
            counts = np.bincount(kind, weights=records).astype(np.int64)
            yield column, ValueCounts(group[first], own[first], counts, NO_ENTRY)
