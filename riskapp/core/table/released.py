"""A released table: records, each cell generalised to a level of its attribute's hierarchy.

A full-domain rule takes every record to one node; other rules choose a node for each record, or a level for each cell.
A *suppressed* record is a row of `*`: it stands at the top of every hierarchy.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.hierarchy import TOP, Codes, Hierarchy
from riskapp.core.table.keys import Keys, folded
from riskapp.core.table.lattice import Node
from riskapp.core.table.value_list import joined

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Cell = TypeVar("Cell", bound=np.generic)
Level = int | npt.NDArray[np.intp]
"""One for all records, or one for each."""


@dataclass(frozen=True, eq=False)
class Released:
    """Records and the level of every cell.

    Parameters
    ----------
    records : the dataset, as leaf codes
    levels : for each attribute the level that all records have, or the level of each record
    suppressed : which records are suppressed; none where it is not given

    Raises
    ------
    ValueError
        If the records are not leaf codes, or if a level is not one of the hierarchy.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 2], dtype=np.int32))])
    >>> Released.at(records, (1,)).shown_keys().numbers
    array([5, 4, 5, 5])
    >>> Released.each(records, np.array([[0], [1], [0], [2]])).shown_keys().numbers
    array([3, 4, 3, 0])
    """

    records: CodedRecords
    levels: tuple[Level, ...]
    suppressed: Mask = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    def __post_init__(self) -> None:
        if not len(self.suppressed):
            object.__setattr__(self, "suppressed", np.zeros(len(self.records), dtype=np.bool_))
        if self.suppressed.shape != (len(self.records),) or len(self.levels) != len(self.records.columns):
            raise ValueError("A released table has a level for each attribute, and says of each record if it is there.")
        for place, level in enumerate(self.levels):
            self._check(place, level)

    def _check(self, place: int, level: Level) -> None:
        column = self.records.columns[place]
        if column.level != 0:
            raise ValueError(f'The records do not hold the leaves of "{column.hierarchy.attribute}".')
        if np.ndim(level) and np.shape(level) != (len(column),):
            raise ValueError(f'"{column.hierarchy.attribute}" needs one level, or one for each record.')
        if np.size(level) and not 0 <= np.min(level) <= np.max(level) <= column.hierarchy.height:
            raise ValueError(f'"{column.hierarchy.attribute}" has levels 0 to {column.hierarchy.height}.')

    @classmethod
    def at(cls, records: CodedRecords, node: Node) -> "Released":
        """Every record at one node."""
        return cls(records, tuple(node))

    @classmethod
    def each(cls, records: CodedRecords, levels: npt.NDArray[np.integer], suppressed: Mask | None = None) -> "Released":
        """Every record at a node of its own: one row of levels for each, which a suppressed record does not need."""
        if levels.shape != (len(records), len(records.columns)):
            raise ValueError("There is one row of levels for each record, and one level for each attribute.")
        hidden = np.zeros(len(records), dtype=np.bool_) if suppressed is None else suppressed
        chosen = np.where(hidden[:, None], np.array(records.lattice.top), levels).astype(np.intp)
        return cls(records, tuple(chosen.T), hidden)

    @property
    def hierarchies(self) -> list[Hierarchy]:
        """One for each attribute."""
        return [column.hierarchy for column in self.records.columns]

    def only(self, places: Sequence[int]) -> "Released":
        """The same table with some of its attributes."""
        columns = tuple(self.records.columns[place] for place in places)
        records = CodedRecords(columns, self.records.times)
        return Released(records, tuple(self.levels[place] for place in places), self.suppressed)

    def looked_up(self, place: int, table: npt.NDArray[Cell]) -> npt.NDArray[Cell]:
        """For every record what a table, with a row for each level and a column for each leaf code, says of a cell."""
        found: npt.NDArray[Cell] = table[self.levels[place], self.records.columns[place].codes]
        return found

    def shown_keys(self) -> Keys:
        """One key for each record: the same for records that show the same text everywhere, missing being `*`."""
        tables = [shown_codes(hierarchy) for hierarchy in self.hierarchies]
        columns = [self.looked_up(place, table) for place, table in enumerate(tables)]
        return folded([columns], [int(table.max()) + 1 for table in tables])


def shown_codes(hierarchy: Hierarchy) -> Codes:
    """A number for the text that each leaf code shows at each level, 0 for missing and for `*`.

    A leaf that a short row repeats at the next level shows the same text there, and has the same number.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> shown_codes(from_groups("race", {"White": ["White"], "Asian": ["Chinese", "Japanese"]}))
    array([[0, 1, 2, 3],
           [0, 1, 4, 4],
           [0, 0, 0, 0]], dtype=int32)
    """
    everything = joined([pa.array([TOP], hierarchy.labels[0].type), *hierarchy.labels]).fill_null(TOP)
    numbers = everything.dictionary_encode().indices.to_numpy().astype(np.int32)
    starts = np.cumsum([1, *(len(labels) for labels in hierarchy.labels[:-1])])
    shown: Codes = numbers[starts[:, None] + hierarchy.ancestors]
    return shown


def like_missing(columns: Iterable[CodedColumn]) -> bool:
    """Whether a value that is shown as `*` below the top, such as a short one masked, may meet a missing one there."""
    holes = [column for column in columns if not column.codes.all()]
    return any(not shown_codes(column.hierarchy)[:-1, 1:].all() for column in holes)
