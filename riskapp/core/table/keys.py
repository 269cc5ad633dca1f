"""Keys: one whole number for each row that stands for its combination of codes.

Two rows have the same key exactly when all their codes are the same, and keys sort as the combinations do, the first
column first. Sorting and counting one number is far cheaper than comparing rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]

LARGEST = 1 << 62
"""Renumbered keys are fewer than 2^31, and so are the codes of a column: together they stay below."""


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys below `size` for one or several tables: equal keys are equal combinations across the tables too."""

    tables: tuple[Numbers, ...]
    size: int

    @property
    def numbers(self) -> Numbers:
        """The keys of the first table, which is mostly the only one."""
        return self.tables[0]


def folded(tables: Sequence[Sequence[Codes]], sizes: Sequence[int], *, largest: int = LARGEST) -> Keys:
    """The keys of tables with the same columns.

    Parameters
    ----------
    tables : for each table its columns of codes
    sizes : for each column a number above all its codes
    largest : keys are numbered anew before they could reach it

    Raises
    ------
    ValueError
        If there is no column, or a table has not as many columns as sizes.

    Examples
    --------
    >>> one, other = np.array([1, 0], dtype=np.int32), np.array([2, 2], dtype=np.int32)
    >>> folded([[one, other]], [2, 3]).numbers
    array([5, 2])
    """
    if not sizes or any(len(columns) != len(sizes) for columns in tables):
        raise ValueError("Every table needs a column for every size, at least one.")
    keys = Keys(tuple(columns[0].astype(np.int64) for columns in tables), sizes[0])
    for place, size in enumerate(sizes[1:], start=1):
        if keys.size * size > largest:
            keys = renumbered(keys)
        keys = _with(keys, [columns[place] for columns in tables], size)
    return keys


def _with(keys: Keys, columns: Sequence[Codes], size: int) -> Keys:
    pairs = zip(keys.tables, columns, strict=True)
    return Keys(tuple(numbers * size + codes for numbers, codes in pairs), keys.size * size)


def renumbered(keys: Keys) -> Keys:
    """The same keys in the same order, without gaps.

    >>> renumbered(Keys((np.array([70, 5]), np.array([9, 70])), 100)).tables
    (array([2, 0]), array([1, 2]))
    """
    different, places = np.unique(np.concatenate(keys.tables), return_inverse=True)
    ends = np.cumsum([len(numbers) for numbers in keys.tables])
    return Keys(tuple(np.split(places, ends[:-1])), max(1, len(different)))


@dataclass(frozen=True, eq=False)
class Once:
    """Equal rows found once: a row of each kind, in the order of their keys.

    `first` is the first row of each kind, `times` how many rows are of that kind, `kind` the kind of every row.
    """

    first: Places
    times: Numbers
    kind: Places


def once(numbers: Numbers, size: int) -> Once:
    """Which rows have the same key.

    >>> found = once(np.array([7, 3, 7]), 10)
    >>> found.first, found.times, found.kind
    (array([1, 0]), array([1, 2]), array([1, 0, 1]))
    """
    if size <= 2 * len(numbers):
        return _once_dense(numbers, size)
    _, first, kind, times = np.unique(numbers, return_index=True, return_inverse=True, return_counts=True)
    return Once(first, times, kind)


def _once_dense(numbers: Numbers, size: int) -> Once:
    """By counting every possible key: no sorting, while there are not many more keys than rows."""
    times = np.bincount(numbers, minlength=size)
    used = np.flatnonzero(times)
    place = np.empty(size, dtype=np.intp)
    place[used] = np.arange(len(used))
    first = np.empty(size, dtype=np.intp)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    return Once(first[used], times[used], place[numbers])
