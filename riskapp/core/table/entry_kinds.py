"""Kinds of entries: entries of a dictionary that know the same, found once, with the people they stand for."""

from dataclasses import dataclass, replace

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.table.cells import kinds
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Once, Places


@dataclass(frozen=True, eq=False)
class EntryKinds:
    """Entries of a dictionary that know the same, found once.

    Attributes
    ----------
    known : the dictionary's columns, with one entry of each kind
    times : how many people the entries of each kind stand for
    people : the different people of each kind, from its start on, where entries say who they are
    """

    known: tuple[Known, ...]
    times: Counts
    starts: Places
    people: Codes | None

    @classmethod
    def of(cls, dictionary: Dictionary) -> "EntryKinds":
        found = entry_kinds(dictionary)
        once_each = tuple(replace(column, codes=column.codes[found.first]) for column in dictionary.known)
        times = np.zeros(len(found.first), dtype=np.int64)
        np.add.at(times, found.kind, 1 if dictionary.times is None else dictionary.times)
        if dictionary.identities is None:
            return cls(once_each, times, np.zeros(0, dtype=np.intp), None)
        size = int(dictionary.identities.max(initial=0)) + 1
        kind, people = np.divmod(np.unique(found.kind * size + dictionary.identities), size)
        return cls(once_each, times, np.searchsorted(kind, np.arange(len(times) + 1)), people.astype(np.int32))

    def __len__(self) -> int:
        return len(self.times)

    def counted(self, rows: Places, entries: Places, length: int) -> Counts:
        """How many people the entries paired with each row stand for; the pairs are in the order of the rows."""
        if self.people is None:
            return np.bincount(rows, weights=self.times[entries], minlength=length).astype(np.int64)
        last = np.full(int(self.people.max(initial=0)) + 1, -1, dtype=np.intp)
        counts: Counts = _different(rows, entries, self.starts, self.people, last, np.zeros(length, dtype=np.int64))
        return counts


def entry_kinds(dictionary: Dictionary) -> Once:
    """Which entries of a dictionary know the same."""
    sizes = [int(column.codes.max(initial=0)) + 1 for column in dictionary.known]
    return kinds([column.codes for column in dictionary.known], sizes)


@compiled
def _different(rows: Places, entries: Places, starts: Places, people: Codes, last: Places, counts: Counts) -> Counts:
    """Adds up for each row the different people of its entries; `last` is the last row that each person was met in."""
    for pair in range(len(rows)):
        row = rows[pair]
        for place in range(starts[entries[pair]], starts[entries[pair] + 1]):
            if last[people[place]] != row:
                last[people[place]] = row
                counts[row] += 1
    return counts
