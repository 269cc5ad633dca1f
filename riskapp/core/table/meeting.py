"""Who meets whom: entries of a dictionary against rows of cells at one node.

Both are at one level in every column, so a column matched exactly compares codes. A value matched by likeness stands
for several codes: column by column the entry is written out with each of them, and only what some row shows is kept, so
there are never many more than entries times rows. Work is cut into parts that fit into memory; a person's entries stay
together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.table.dictionary import Places
from riskapp.core.table.entries import Entries
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import LARGEST, Keys, Numbers, folded, once, renumbered
from riskapp.core.table.lattice import Node
from riskapp.core.table.released import Mask
from riskapp.core.table.tally import different, tallied

Cells = Sequence[Codes]

AT_ONCE = 1 << 22
"""The most rows that are written out at a time, unless they are of one person."""


@dataclass(frozen=True, eq=False)
class Meeting:
    """Entries, each as often as it is written out, and rows: they meet where their keys are equal."""

    owner: Places
    keys: Keys

    @property
    def entry_keys(self) -> Numbers:
        return self.keys.tables[0]

    @property
    def row_keys(self) -> Numbers:
        return self.keys.tables[1]

    def taken(self, chosen: Places | slice) -> "Meeting":
        """Some of the entries."""
        return Meeting(self.owner[chosen], Keys((self.entry_keys[chosen], self.row_keys), self.keys.size))

    def rows_met(self) -> Counts:
        """How many rows each of the entries meets."""
        return tallied(self.row_keys, np.ones(len(self.row_keys), dtype=np.int64), self.entry_keys, self.keys.size)

    def ranges(self) -> tuple[Places, Places, Places]:
        """The rows in the order of their keys, and for each entry where in this order those it meets begin and end."""
        order = np.argsort(self.row_keys, kind="stable")
        ordered = self.row_keys[order]
        return order, np.searchsorted(ordered, self.entry_keys), np.searchsorted(ordered, self.entry_keys, "right")


def met(entries: Entries, levels: Node, said: Mapping[int, Codes], rows: int) -> Counts:
    """How many people the entries consistent with each row stand for.

    Parameters
    ----------
    entries : those of a dictionary
    levels : the level of each of its columns
    said : the columns in which the rows say something, with their codes, none of them missing
    rows : how many rows there are
    """
    table = _Table(entries, levels, said, rows)
    if entries.persons is None:
        return _sum(rows, (table.times(some) for part in table.parts for some in table.meetings(part)))
    if len(table.parts) == 1:
        return _sum(rows, (table.people(some) for some in table.meetings(table.parts[0])))
    keys = folded([list(said.values())], [int(codes.max(initial=0)) + 1 for codes in said.values()])
    found = once(keys.numbers, keys.size)
    fewer = {place: codes[found.first] for place, codes in said.items()}
    return _Table(entries, levels, fewer, len(found.first)).people_of_several_parts()[found.kind]


@dataclass(frozen=True, eq=False)
class Part:
    """Entries that are compared in the same columns."""

    chosen: Places
    places: tuple[int, ...]


class _Table:
    """Entries and rows at one node."""

    def __init__(self, entries: Entries, levels: Node, said: Mapping[int, Codes], rows: int) -> None:
        self.entries, self.levels, self.said, self.rows = entries, levels, said, rows
        said_places = list(said)
        self.patterns = entries.patterns.within(said_places)
        self.parts = [
            Part(self.patterns.at(number), tuple(p for p, out in zip(said_places, missing, strict=True) if not out))
            for number, missing in enumerate(self.patterns.missing)
        ]

    def times(self, some: Meeting) -> Counts:
        """How many people each row meets, where entries share nobody."""
        return tallied(some.entry_keys, self.entries.times[some.owner], some.row_keys, some.keys.size)

    def people(self, some: Meeting) -> Counts:
        """How many people each row meets, where entries share people."""
        persons = self._persons(some.owner)
        keys = some.entry_keys[different(some.keys, persons, self.people_below)]
        return tallied(keys, np.ones(len(keys), dtype=np.int64), some.row_keys, some.keys.size)

    def people_of_several_parts(self) -> Counts:
        """People whose entries are all of one part add up; the others are counted one by one."""
        persons = self._persons(slice(None))
        several = _has_several(persons, self.patterns.which)[persons]
        alone = [Part(part.chosen[~several[part.chosen]], part.places) for part in self.parts]
        counts = _sum(self.rows, (self.people(some) for part in alone for some in self.meetings(part)))
        return counts + self._one_by_one(np.flatnonzero(several))

    def _one_by_one(self, chosen: Places) -> Counts:
        """How many of the people with these entries each row meets."""
        found, many = [], 0
        for number, part in enumerate(self.parts):
            mine = chosen[self.patterns.which[chosen] == number]
            for some in self.meetings(Part(mine, part.places)):
                many += len(some.owner)
                if many > AT_ONCE and (middle := self._middle(chosen)):
                    return self._one_by_one(chosen[:middle]) + self._one_by_one(chosen[middle:])
                found.append((self._persons(some.owner), *some.ranges()))
        persons, order, first, last = (np.concatenate(side) for side in zip(*found, strict=True))
        before = np.repeat(np.arange(len(found)) * self.rows, [len(one[0]) for one in found])
        by_person = np.argsort(persons, kind="stable")
        counts = np.zeros(self.rows, dtype=np.int64)
        _stamp(persons[by_person], order, (first + before)[by_person], (last + before)[by_person], counts)
        return counts

    def meetings(self, part: Part) -> Iterator[Meeting]:
        """The entries of a part written out, in one go or in several without parting a person's."""
        exact = [place for place in part.places if self.entries.columns[place].alike is None]
        alike = [place for place in part.places if self.entries.columns[place].alike is not None]
        mine = [self.entries.codes_at(place, self.levels[place], part.chosen) for place in exact]
        keys = Keys((np.zeros(len(part.chosen), dtype=np.int64), np.zeros(self.rows, dtype=np.int64)), 1)
        if exact:
            keys = folded([mine, [self.said[place] for place in exact]], [self._size(place) for place in exact])
        yield from self._written_out(Meeting(part.chosen, keys), alike)

    def _written_out(self, some: Meeting, alike: Sequence[int]) -> Iterator[Meeting]:
        if not alike:
            yield some
            return
        some = some.taken(np.flatnonzero(some.rows_met()))
        labels = self.entries.alike_at(alike[0], self.levels[alike[0]])
        values = self.entries.columns[alike[0]].codes[some.owner]
        many = labels.starts[values + 1] - labels.starts[values]
        if many.sum() > AT_ONCE and (middle := self._middle(some.owner)):
            yield from self._written_out(some.taken(slice(middle)), alike)
            yield from self._written_out(some.taken(slice(middle, None)), alike)
            return
        codes = labels.codes[_ranges(labels.starts[values], many)]
        keys = some.taken(np.repeat(np.arange(len(many)), many))
        yield from self._written_out(_with(keys, codes, self.said[alike[0]], self._size(alike[0])), alike[1:])

    def _middle(self, owner: Places) -> int:
        """Where entries, in the order of their people, can be cut in two; 0 where they cannot."""
        middle = len(owner) // 2
        if self.entries.persons is None or not middle:
            return middle
        persons = self.entries.persons[owner]
        before, after = (int(np.searchsorted(persons, persons[middle], side)) for side in ("left", "right"))
        return before or after % len(owner)

    def _persons(self, owner: Places | slice) -> Codes:
        if self.entries.persons is None:
            raise ValueError("These entries share nobody.")
        return self.entries.persons[owner]

    @property
    def people_below(self) -> int:
        """A number above all persons."""
        return int(self._persons(slice(None)).max(initial=0)) + 1

    def _size(self, place: int) -> int:
        return self.entries.columns[place].hierarchy.groups[self.levels[place]] + 1


def _with(some: Meeting, mine: Codes, theirs: Codes, size: int) -> Meeting:
    """The keys with one more column."""
    keys = renumbered(some.keys) if some.keys.size * size > LARGEST else some.keys
    entry_keys, row_keys = keys.tables
    return Meeting(some.owner, Keys((entry_keys * size + mine, row_keys * size + theirs), keys.size * size))


def _ranges(first: Places, many: Places) -> Places:
    """The whole numbers from `first`, so `many` of them, one range after the other.

    >>> _ranges(np.array([5, 0]), np.array([2, 3]))
    array([5, 6, 0, 1, 2])
    """
    ends = np.cumsum(many)
    ranges: Places = np.arange(int(many.sum())) + np.repeat(first - ends + many, many)
    return ranges


def _has_several(persons: Codes, parts: Places) -> Mask:
    """For each person whether the entries are of different parts."""
    least = np.full(int(persons.max()) + 1, np.iinfo(np.intp).max)
    most = np.full(len(least), -1)
    np.minimum.at(least, persons, parts)
    np.maximum.at(most, persons, parts)
    several: Mask = least < most
    return several


@compiled
def _stamp(persons: Codes, order: Places, first: Places, last: Places, counts: Counts) -> None:
    """Count a row for a person unless the last person it was counted for is the same."""
    stamps = np.full(len(counts), -1, dtype=np.int64)
    for entry in range(len(persons)):
        for place in range(first[entry], last[entry]):
            row = order[place]
            if stamps[row] != persons[entry]:
                stamps[row] = persons[entry]
                counts[row] += 1


def _sum(rows: int, counts: Iterator[Counts]) -> Counts:
    return sum(counts, start=np.zeros(rows, dtype=np.int64))
