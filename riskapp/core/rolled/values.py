"""What the groups of every node betray about a sensitive column.

The column's values stand in the lowest bits of the keys and are never raised, so the classes of a group stand side by
side, one for each value that occurs in it. Where people have several records, the person stands below the value.
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
from riskapp.core.rolled.walk import Walk
from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Stop

Figure = Callable[[ValueCounts, Counts, ValueCounts], Floats]
"""Some figures, from the counts of every group, the records behind each, and the counts of the whole table as one."""


@dataclass(frozen=True, eq=False)
class Values:
    """A walk that looks at the values of a column in every group.

    Parameters
    ----------
    fields : the attributes in which groups are equal, the values, and where people have several records the persons
    table : the classes at the lowest levels
    whole : the counts of the whole table
    grouped : how many of the fields are attributes
    """

    fields: tuple[Field, ...]
    table: Classes
    whole: ValueCounts
    grouped: int

    def forecast(self, figure: Figure, threads: int = 2) -> Forecast:
        """What looking at all groups will cost; much of it cannot be shared by threads."""
        part = self.table.cut(min(self.table.rows, TRIED))
        looking = tried(lambda: figure(*self._counts(part), self.whole)) if part.rows else 0.0
        return forecast(self.fields, self.table, threads * looking / max(1, part.rows), threads)

    def run(self, figure: Figure, size: int, told: Told, stop: Stop, threads: int = 2) -> Counted:
        """The figures at every node, `size` of them."""
        shape = [field.steps + 1 for field in self.fields]
        strides = [prod(shape[place + 1 :]) for place in range(len(shape))]
        figures = np.zeros((prod(shape), size))

        def visit(steps: Node, found: Classes, last: Floats | None) -> None:
            row = sum(step * stride for step, stride in zip(steps, strides, strict=True))
            figures[row] = figure(*self._counts(found), self.whole)
            told(found.rows)

        nothing = [[None] * (field.steps + 1) for field in self.fields]
        Walk(self.fields, nothing, visit, stop, threads).run(self.table)
        return Counted(self.fields[: self.grouped], figures)

    def _counts(self, found: Classes) -> tuple[ValueCounts, Counts]:
        """How many people of every group have each value, and how many records these people have there."""
        value = self.fields[self.grouped]
        keys, records = found.keys[: found.rows] >> value.shift, found.records[: found.rows].astype(np.int64)
        people = records
        if value.shift:
            starts = np.flatnonzero(np.diff(keys, prepend=-1))
            keys, people = keys[starts], np.diff(starts, append=len(keys))
            records = np.add.reduceat(records, starts) if len(starts) else records
        group = np.cumsum(np.diff(keys & ~value.mask, prepend=-1) != 0) - 1
        return ValueCounts(group, (keys & value.mask).astype(np.int32), people, NO_ENTRY), records


def values(problem: Problem, place: int, codes: Codes) -> Values | None:
    """How to look at a column's values in the groups of every node; None when 62 bits are not enough."""
    hierarchy = problem.hierarchies[place]
    persons = () if problem.people is None else (values_field(-1, hierarchy, problem.people),)
    below = sum(field.mask.bit_length() for field in persons)
    own = values_field(place, hierarchy, codes, shift=below)
    fields = laid_out(columns_of(problem, problem.grouped), lowest=below + own.mask.bit_length())
    if fields is None:
        return None
    every = (*fields, own, *persons)
    counts = np.bincount(_once_each(problem, codes))
    value = np.flatnonzero(counts)
    whole = ValueCounts(np.zeros(len(value), np.intp), value.astype(np.int32), counts[value], NO_ENTRY)
    return Values(every, classes(every, (), None, itself=True), whole, len(fields))


def _once_each(problem: Problem, codes: Codes) -> Codes:
    """The values that occur, each once for every person who has it."""
    if problem.people is None:
        return codes
    size = int(codes.max(initial=0)) + 1
    return (np.unique(problem.people.astype(np.int64) * size + codes) % size).astype(np.int32)


NO_ENTRY = np.zeros(0, dtype=np.intp)
