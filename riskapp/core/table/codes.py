"""Records as codes: what the mathematics computes with, a column of whole numbers for each attribute."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.keys import Keys, Places, folded, once
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.value_list import Rows, Texts, Values


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One attribute of every record, as codes of a level of its hierarchy; 0 is missing.

    Parameters
    ----------
    hierarchy : the attribute's
    codes : one for each record, int32
    level : the level they are codes of: 0, the leaves, for the dataset; a dictionary may know only a coarser one

    Raises
    ------
    ValueError
        If the codes are not int32 in one dimension, or are not codes of the level.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn.of(race, ["Japanese", "White", None], codes=np.array([0, 1, 2, 0]))
    >>> column.at(1)
    array([2, 1, 0, 2], dtype=int32)
    >>> column.shown(1).to_pylist()
    ['Asian', 'European', None, 'Asian']
    """

    hierarchy: Hierarchy
    codes: Codes
    level: int = 0

    def __post_init__(self) -> None:
        if self.codes.dtype != np.int32 or self.codes.ndim != 1:
            raise ValueError("Codes are 32-bit whole numbers, one for each record.")
        if len(self.codes) and not 0 <= self.codes.min() <= self.codes.max() <= self.hierarchy.groups[self.level]:
            raise ValueError(f'These are not codes of level {self.level} of "{self.hierarchy.attribute}".')

    @classmethod
    def of(
        cls,
        hierarchy: Hierarchy,
        values: Values,
        codes: Codes,
        *,
        level: int | str = 0,
        rows: Rows | None = None,
        column: str = "",
    ) -> "CodedColumn":
        """A column of a coded table, given by its value list and its codes, read by a hierarchy.

        Raises
        ------
        OutsideHierarchy
            If the hierarchy does not cover a value at this level.
        """
        number = hierarchy.level(level)
        return cls(hierarchy, hierarchy.codes_at(number, values, rows=rows, column=column)[codes], number)

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, level: int) -> Codes:
        """The codes at a level; a column that is known only at a coarser level stays at that."""
        if level <= self.level:
            return self.codes
        return self.hierarchy.up(self.level, level)[self.codes]

    def grouped(self, level: int) -> Codes:
        """The codes at a level for forming groups: whatever says nothing, missing or `*`, is 0."""
        if level >= self.hierarchy.height:
            return np.zeros_like(self.codes)
        return self.at(level)

    def size(self, level: int) -> int:
        """A number above all codes of `at(level)`."""
        return self.hierarchy.groups[max(level, self.level)] + 1

    def shown(self, level: int) -> Texts:
        """What the release shows at a level."""
        return self.hierarchy.shown(max(level, self.level), self.at(level))


@dataclass(frozen=True, eq=False)
class CodedRecords:
    """Records as coded columns, each record with its multiplicity.

    Parameters
    ----------
    columns : one for each attribute, all of the same length
    times : how often each record occurs; once where it is not given

    Raises
    ------
    ValueError
        If there is no column, or if they are not of one length.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 2], dtype=np.int32))])
    >>> [codes.tolist() for codes in records.at((1,))]
    [[2, 1, 2, 2]]
    >>> distinct = records.once()
    >>> distinct.records.columns[0].codes, distinct.records.times, distinct.kind
    (array([1, 2, 3], dtype=int32), array([1, 1, 2]), array([2, 0, 2, 1]))
    """

    columns: tuple[CodedColumn, ...]
    times: Counts

    def __post_init__(self) -> None:
        if not self.columns or {len(column) for column in self.columns} != {len(self.times)}:
            raise ValueError("Records have at least one column, and all columns have one length.")

    @classmethod
    def of(cls, columns: Sequence[CodedColumn]) -> "CodedRecords":
        """Records that each occur once."""
        return cls(tuple(columns), np.ones(len(columns[0]) if columns else 0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.times)

    @cached_property
    def lattice(self) -> Lattice:
        """The lattice over the hierarchies of the columns."""
        return Lattice(tuple(column.hierarchy.height for column in self.columns))

    def at(self, node: Node) -> list[Codes]:
        """The codes of every column at its level of the node."""
        return [column.at(level) for column, level in zip(self.columns, node, strict=True)]

    def keys(self, node: Node) -> Keys:
        """One key for each record at a node: the same for two records exactly when all codes of `at` are."""
        return folded([self.at(node)], self.sizes(node))

    def group_keys(self, node: Node) -> Keys:
        """One key for each record at a node: the same for records that show the same, missing being `*`."""
        pairs = list(zip(self.columns, node, strict=True))
        return folded([[column.grouped(level) for column, level in pairs]], self.sizes(node))

    def sizes(self, node: Node) -> list[int]:
        """For every column a number above its codes at the node."""
        return [column.size(level) for column, level in zip(self.columns, node, strict=True)]

    def once(self) -> "Distinct":
        """Equal records found once, with their multiplicities."""
        keys = self.keys(self.lattice.bottom)
        found = once(keys.numbers, keys.size)
        times = np.zeros(len(found.first), dtype=np.int64)
        np.add.at(times, found.kind, self.times)
        kept = tuple(CodedColumn(column.hierarchy, column.codes[found.first], column.level) for column in self.columns)
        return Distinct(CodedRecords(kept, times), found.kind)


@dataclass(frozen=True, eq=False)
class Distinct:
    """Different records, and for every record of the table they came from which of them it is."""

    records: CodedRecords
    kind: Places
