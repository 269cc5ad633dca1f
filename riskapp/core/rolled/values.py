"""What the groups of every node betray about a sensitive column.

The column's values stand in the lowest bits of the keys and are never raised, so the classes of a group stand side by
side, one for each value that occurs in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from riskapp.core.extended import Numbers as Floats
from riskapp.core.rolled.classes import Classes, classes
from riskapp.core.rolled.counting import Counted, Told, columns_of
from riskapp.core.rolled.fields import Field, laid_out, values_field
from riskapp.core.rolled.forecast import TRIED, Forecast, forecast, tried
from riskapp.core.rolled.walk import Stop, Walk
from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

Figure = Callable[[ValueCounts, ValueCounts], Floats]
"""Some figures, from the counts of every group and those of the whole table as one."""


@dataclass(frozen=True, eq=False)
class Values:
    """A walk that looks at the values of a column in every group.

    Parameters
    ----------
    fields : the attributes in which groups are equal, and in the lowest bits the values
    table : the classes at the lowest levels
    whole : the counts of the whole table
    """

    fields: tuple[Field, ...]
    table: Classes
    whole: ValueCounts

    def forecast(self, figure: Figure, threads: int = 2) -> Forecast:
        """What looking at all groups will cost; much of it cannot be shared by threads."""
        part = self.table.cut(min(self.table.rows, TRIED))
        looking = tried(lambda: figure(_counts(part, self.fields[-1].mask), self.whole)) if part.rows else 0.0
        return forecast(self.fields, self.table, threads * looking / max(1, part.rows), threads)

    def run(self, figure: Figure, size: int, told: Told, stop: Stop, threads: int = 2) -> Counted:
        """The figures at every node, `size` of them."""
        shape = [field.steps + 1 for field in self.fields]
        strides = [prod(shape[place + 1 :]) for place in range(len(shape))]
        figures = np.zeros((prod(shape), size))

        def visit(steps: Node, found: Classes, last: Floats | None) -> None:
            row = sum(step * stride for step, stride in zip(steps, strides, strict=True))
            figures[row] = figure(_counts(found, self.fields[-1].mask), self.whole)
            told(found.rows)

        nothing = [[None] * (field.steps + 1) for field in self.fields]
        Walk(self.fields, nothing, visit, stop, threads).run(self.table)
        return Counted(self.fields[:-1], figures)


def values(problem: Problem, place: int, codes: Codes) -> Values | None:
    """How to look at a column's values in the groups of every node; None when 62 bits are not enough."""
    own = values_field(place, problem.hierarchies[place], codes)
    fields = laid_out(columns_of(problem, problem.grouped), lowest=own.mask.bit_length())
    if problem.people is not None or fields is None:
        return None
    every = (*fields, own)
    counts = np.bincount(codes)
    value = np.flatnonzero(counts)
    whole = ValueCounts(np.zeros(len(value), np.intp), value.astype(np.int32), counts[value], NO_ENTRY)
    return Values(every, classes(every, (), None, itself=True), whole)


NO_ENTRY = np.zeros(0, dtype=np.intp)


def _counts(found: Classes, mask: int) -> ValueCounts:
    keys = found.keys[: found.rows]
    group = np.cumsum(np.diff(keys & ~mask, prepend=-1) != 0) - 1
    return ValueCounts(group, (keys & mask).astype(np.int32), found.records[: found.rows].astype(np.int64), NO_ENTRY)
