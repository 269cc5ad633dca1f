"""Groups: people who look alike in the release.

A *group* is the people whose released values are equal, missing counting as `*`. Suppressed rows form no group. Where
identities are given, people are counted and not rows; k is the number of people in the smallest group.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Keys, Places, folded, once
from riskapp.core.table.released import Floats, Mask


@dataclass(frozen=True, eq=False)
class Groups:
    """Which group each row is in.

    Attributes
    ----------
    group : the group of every row, numbered from 0; −1 for a suppressed row
    rows : the number of rows in every group
    times : how many rows each row stands for
    identities : a number from 0 for the person of every row; None when every row is a person
    """

    group: Places
    rows: Counts
    times: Counts
    identities: Codes | None = None

    @classmethod
    def of(
        cls,
        keys: Keys,
        *,
        suppressed: Mask | None = None,
        times: Counts | None = None,
        identities: Codes | None = None,
    ) -> "Groups":
        """The groups of rows with equal keys.

        Parameters
        ----------
        keys : from `group_keys` of records or `shown_keys` of a released table
        suppressed : the rows that form no group
        times : rows that stand for several people
        identities : rows that share one are one person

        Raises
        ------
        ValueError
            If both `times` and `identities` are given: then nobody knows whose rows they are.

        Examples
        --------
        >>> groups = Groups.of(Keys((np.array([7, 3, 7, 3]),), 10), identities=np.array([0, 1, 2, 1], dtype=np.int32))
        >>> groups.group, groups.rows, groups.people
        (array([1, 0, 1, 0]), array([2, 2]), array([1, 2]))
        >>> groups.smallest
        1
        """
        if times is not None and identities is not None:
            raise ValueError("Rows stand for several people, or say who they are, not both.")
        numbers = keys.numbers
        weights = np.ones(len(numbers), dtype=np.int64) if times is None else times
        there = weights > 0 if suppressed is None else (weights > 0) & ~suppressed
        group = np.full(len(numbers), -1, dtype=np.intp)
        group[there] = once(numbers[there], keys.size).kind
        return cls(group, _summed(group[there], weights[there]), weights, identities)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def released(self) -> Places:
        """The rows that are in a group."""
        return np.flatnonzero(self.group >= 0)

    @cached_property
    def people(self) -> Counts:
        """The number of people in every group."""
        if self.identities is None:
            return self.rows
        group = self.group[self.released]
        return np.bincount(group[self._first_of_person(group, self.released)], minlength=len(self))

    @property
    def smallest(self) -> int | None:
        """k: the number of people in the smallest group; None when every row is suppressed."""
        return int(self.people.min()) if len(self) else None

    def counted(self, kind: Places, rows: Places) -> Counts:
        """How many people some rows of each kind, numbered without gaps, belong to."""
        if self.identities is None:
            return _summed(kind, self.times[rows])
        return np.bincount(kind[self._first_of_person(kind, rows)])

    def _first_of_person(self, kind: Places, rows: Places) -> Places:
        """Among these rows, one for each person and kind."""
        assert self.identities is not None
        people = self.identities[rows]
        sizes = [int(kind.max(initial=0)) + 1, int(people.max(initial=0)) + 1]
        pairs = folded([[kind.astype(np.int32), people]], sizes)
        return once(pairs.numbers, pairs.size).first


def _summed(kind: Places, times: Counts) -> Counts:
    """The sum of the times for each kind. Exact: they stay far below 2^53."""
    return np.bincount(kind, weights=times).astype(np.int64)


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """How many people of each group have each value of a column: one entry for each value that occurs in a group.

    Attributes
    ----------
    group, value, count : of each entry, in the order of groups and then of values
    entry : for every released row the entry it is in
    """

    group: Places
    value: Codes
    count: Counts
    entry: Places

    @cached_property
    def starts(self) -> Places:
        """Where each group's entries begin."""
        return np.flatnonzero(np.diff(self.group, prepend=-1))

    @cached_property
    def whole(self) -> Counts:
        """For each group the sum of its counts. A person with two values counts for both."""
        totals: Counts = np.add.reduceat(self.count, self.starts)
        return totals

    @cached_property
    def shares(self) -> Floats:
        """For each entry its part of its group."""
        shares: Floats = self.count / self.whole[self.group]
        return shares


def value_counts(groups: Groups, values: Codes) -> ValueCounts:
    """How many people of each group have each value; missing, 0, is one more value.

    >>> groups = Groups.of(Keys((np.array([0, 0, 1]),), 2))
    >>> counts = value_counts(groups, np.array([4, 4, 2], dtype=np.int32))
    >>> counts.group, counts.value, counts.count
    (array([0, 1]), array([4, 2], dtype=int32), array([2, 1]))
    """
    return _counted(groups, groups.group[groups.released], values, groups.released)


def table_counts(groups: Groups, values: Codes) -> ValueCounts:
    """The same for the whole table as one group, suppressed rows too."""
    rows = np.flatnonzero(groups.times > 0)
    return _counted(groups, np.zeros(len(rows), dtype=np.intp), values, rows)


def _counted(groups: Groups, group: Places, values: Codes, rows: Places) -> ValueCounts:
    own = values[rows]
    sizes = [max(1, len(groups)), int(own.max(initial=0)) + 1]
    keys = folded([[group.astype(np.int32), own]], sizes)
    found = once(keys.numbers, keys.size)
    return ValueCounts(group[found.first], own[found.first], groups.counted(found.kind, rows), found.kind)
