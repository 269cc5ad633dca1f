"""What a released table shows: text in every cell, row after row in the order in which they leave.

Missing cells are empty below the top and `*` at the top. The order is the dataset's own, or one drawn by the seed, so
that the place of a row says nothing about its person.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from riskapp.core.table.released import Released
from riskapp.core.table.value_list import Texts, flags
from riskapp.engine.outgoing.stacked import Numbers, Stacked

Order = npt.NDArray[np.int64]

ROWS = 1 << 16
"""So many rows are put into words at once."""


def shuffled(rows: int, seed: int) -> Order:
    """An order of the rows that only the seed decides.

    >>> sorted(shuffled(4, seed=7).tolist()), np.array_equal(shuffled(9, seed=7), shuffled(9, seed=7))
    ([0, 1, 2, 3], True)
    """
    return np.random.Generator(np.random.PCG64(seed)).permutation(rows)


@dataclass(frozen=True, eq=False)
class Shown:
    """A released table as text.

    Parameters
    ----------
    released : the table
    names : of its columns
    order : which record stands in each row

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 0, 1], dtype=np.int32))])
    >>> shown = Shown(Released.at(records, (1,)), ["race"], np.array([2, 1, 0]))
    >>> [[column.to_pylist() for column in rows] for rows in shown.in_parts()]
    [[['European', None, 'Asian']]]
    """

    released: Released
    names: list[str]
    order: Order

    @cached_property
    def labels(self) -> list[Stacked]:
        """For every column the labels of all levels, one level after the other."""
        return [Stacked(hierarchy.labels) for hierarchy in self.released.hierarchies]

    def numbers(self, place: int, rows: slice) -> Numbers:
        """For some rows, which of the column's labels their cells show."""
        hierarchy = self.released.hierarchies[place]
        starts = np.cumsum([0, *(len(labels) for labels in hierarchy.labels[:-1])])
        records, level = self.order[rows], self.released.levels[place]
        levels = level[records] if isinstance(level, np.ndarray) else level
        codes = hierarchy.ancestors[levels, self.released.records.columns[place].codes[records]]
        numbers: Numbers = starts[levels] + codes
        return numbers

    def parts(self) -> Iterator[slice]:
        """The rows, so many at a time."""
        return (slice(start, start + ROWS) for start in range(0, len(self.order), ROWS))

    def in_parts(self) -> Iterator[list[Texts]]:
        """The columns of the rows, so many rows at a time."""
        for rows in self.parts():
            yield [labels.take(self.numbers(place, rows)) for place, labels in enumerate(self.labels)]

    def has_empty_text(self, place: int) -> bool:
        """Whether some cell of a column is an empty text and yet not missing."""
        return has_empty_text(self.labels[place], lambda rows: self.numbers(place, rows), self.parts())


def has_empty_text(labels: Stacked, numbers: Callable[[slice], Numbers], parts: Iterable[slice]) -> bool:
    """Whether some row holds an empty text that is not missing."""
    empty = labels.each(lambda some: flags(pc.equal(some, "")))
    return bool(empty.any()) and any(empty[numbers(rows)].any() for rows in parts)
