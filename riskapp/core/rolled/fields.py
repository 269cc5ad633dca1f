"""Fields: the attributes packed into the bits of one 64-bit key.

Each attribute is a *field* of the key, the first in the highest bits. Its codes are numbered anew, only those that
occur, so that a group's members are neighbours at every level: then raising the attribute in the lowest bits leaves
the keys sorted. 0 is missing, and at the top everything is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import Numbers as Floats
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.keys import Numbers

BITS = 62


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute that takes part.

    Parameters
    ----------
    place : which attribute of the dataset it is
    hierarchy : the attribute's
    level : the lowest level at which it is compared
    records, entries : leaf codes of the records, and codes at `level` of the dictionary's entries, if there are any
    kept : whether it stays at its level
    """

    place: int
    hierarchy: Hierarchy
    level: int
    records: Codes
    entries: Codes | None = None
    kept: bool = False

    @property
    def steps(self) -> int:
        """How many times it can be raised."""
        return 0 if self.kept else self.hierarchy.height - self.level


@dataclass(frozen=True, eq=False)
class Field:
    """An attribute's bits in the key.

    Attributes
    ----------
    column : the attribute
    shift, mask : where its bits are, and as many ones as it has bits
    numbers : for every code of the column's level its new number; 0 for missing and for what does not occur
    record_numbers : for every code of the records the same
    parents : for every step the number at the next level for each number
    missing : whether a record or an entry has no value
    """

    column: Column
    shift: int
    mask: int
    numbers: Numbers
    record_numbers: Numbers
    parents: tuple[Numbers, ...]
    missing: bool

    @property
    def place(self) -> int:
        """Which attribute of the dataset it is."""
        return self.column.place

    @property
    def steps(self) -> int:
        """How many times it can be raised."""
        return self.column.steps

    def by_number(self, step: int, table: Floats) -> Floats:
        """What a table says of leaf codes, by their numbers after some steps; a record's leaf speaks for its group."""
        leaves = self.record_numbers
        seen = np.flatnonzero(np.bincount(self.column.records, minlength=1))
        for parents in self.parents[:step]:
            leaves = parents[leaves]
        found = np.zeros(self.mask + 1)
        found[leaves[seen]] = table[seen]
        return found


def laid_out(columns: Sequence[Column], *, lowest: int = 0) -> tuple[Field, ...] | None:
    """The columns as fields, from the highest bits to the lowest; None when 62 bits are not enough.

    The attribute with the most steps comes last, for it is raised most often, and there it costs least. The others come
    by their width, the widest first, so that few bits are below those that are raised.

    Parameters
    ----------
    columns : the attributes
    lowest : so many bits are left free below them
    """
    numbered = [(column, *_numbered(column)) for column in columns]
    widths = [max(1, int(numbers.max(initial=0)).bit_length()) for _, numbers, _, _ in numbered]
    if sum(widths) + lowest > BITS:
        return None
    last = max(range(len(columns)), key=lambda place: (columns[place].steps, widths[place]), default=0)
    order = sorted(range(len(columns)), key=lambda place: (place == last, -widths[place]))
    shift, fields = lowest, []
    for place in reversed(order):
        column, numbers, parents, missing = numbered[place]
        fields.append(_field(column, shift, (1 << widths[place]) - 1, numbers, parents, missing))
        shift += widths[place]
    return tuple(reversed(fields))


def _field(
    column: Column, shift: int, mask: int, numbers: Numbers, parents: tuple[Numbers, ...], missing: bool
) -> Field:
    return Field(column, shift, mask, numbers, numbers[column.hierarchy.up(0, column.level)], parents, missing)


def values_field(
    place: int, hierarchy: Hierarchy, codes: Codes, entries: Codes | None = None, *, shift: int = 0
) -> Field:
    """A column in low bits whose codes are neither renumbered nor raised."""
    most = max(int(some.max(initial=0)) for some in (codes, entries) if some is not None)
    numbers = np.arange(most + 1)
    mask = (1 << max(1, most.bit_length())) - 1
    return Field(
        Column(place, hierarchy, 0, codes, entries, kept=True), shift, mask, numbers, numbers, (), missing=False
    )


def _numbered(column: Column) -> tuple[Numbers, tuple[Numbers, ...], bool]:
    hierarchy, low = column.hierarchy, column.level
    occurs = np.zeros(hierarchy.groups[low] + 1, dtype=np.bool_)
    occurs[hierarchy.up(0, low)[np.flatnonzero(np.bincount(column.records, minlength=1))]] = True
    if column.entries is not None:
        occurs[np.flatnonzero(np.bincount(column.entries, minlength=1))] = True
    missing = bool(occurs[0])
    codes = np.flatnonzero(occurs[1:]) + 1
    ways = [hierarchy.up(low, level)[codes] for level in range(low, hierarchy.height)]
    order = np.lexsort(ways) if ways else np.arange(len(codes))
    numbers = np.zeros(len(occurs), dtype=np.int64)
    numbers[codes[order]] = np.arange(1, len(codes) + 1)
    return numbers, _parents([way[order] for way in ways], column.steps), missing


def _parents(ways: Sequence[Codes], steps: int) -> tuple[Numbers, ...]:
    """For every step the number above each number, from the sorted codes' ancestors at each level."""
    parents = []
    below = np.arange(1, len(ways[0]) + 1) if ways else np.zeros(0, dtype=np.int64)
    for way in ways[1:]:
        above = np.cumsum(np.diff(way, prepend=-1) != 0)
        parents.append(_stepped(below, above))
        below = above
    parents.append(_stepped(below, np.zeros_like(below)))
    return tuple(parents[:steps])


def _stepped(below: Numbers, above: Numbers) -> Numbers:
    table = np.zeros(int(below.max(initial=0)) + 1, dtype=np.int64)
    table[below] = above
    return table
