"""Counting keys: for every key asked for, how much all equal keys of another table weigh together.

When there are few possible keys, all are counted in one array. When there are many, the keys that occur are sorted, or,
where there are many of those, put into a hash table with open addressing.
"""

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.table.keys import LARGEST, Keys, once, renumbered

Numbers = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
Codes = npt.NDArray[np.int32]

DENSE = 4
"""An array over all possible keys may be this many times as long as both tables."""
FEW = 1 << 12
"""Up to so many keys sorting costs less than starting a kernel."""


def tallied(keys: Numbers, times: Numbers, asked: Numbers, size: int) -> Numbers:
    """The sum of `times` over the rows of `keys` that are equal to each key asked for.

    Parameters
    ----------
    keys, times : a key and a weight for each row
    asked : the keys to be answered
    size : a number above all keys

    Examples
    --------
    >>> tallied(np.array([7, 3, 7]), np.array([1, 2, 3]), np.array([7, 5]), 10)
    array([4, 0])
    """
    rows = len(keys) + len(asked)
    if size <= max(DENSE * rows, FEW):
        return dense(keys, times, asked, size)
    return by_sorting(keys, times, asked) if rows <= FEW else by_hashing(keys, times, asked)


def different(keys: Keys, codes: Codes, size: int) -> Places:
    """One place of every different pair of key and code, in the order of the keys.

    >>> different(Keys((np.array([7, 3, 7]),), 10), np.array([1, 2, 1], dtype=np.int32), 3)
    array([1, 0])
    """
    if keys.size * size > LARGEST:
        keys = renumbered(keys)
    return once(keys.numbers * size + codes, keys.size * size).first


def dense(keys: Numbers, times: Numbers, asked: Numbers, size: int) -> Numbers:
    """By an array over all possible keys."""
    counts = np.zeros(size, dtype=np.int64)
    np.add.at(counts, keys, times)
    answers: Numbers = counts[asked]
    return answers


def by_sorting(keys: Numbers, times: Numbers, asked: Numbers) -> Numbers:
    """By finding each key among the sorted ones."""
    order = np.argsort(keys, kind="stable")
    sums = np.append(0, np.cumsum(times[order]))
    ordered = keys[order]
    answers: Numbers = sums[np.searchsorted(ordered, asked, "right")] - sums[np.searchsorted(ordered, asked, "left")]
    return answers


def by_hashing(keys: Numbers, times: Numbers, asked: Numbers) -> Numbers:
    """By a hash table that is at most half full."""
    bits = max(1, int(2 * len(keys)).bit_length())
    slots, sums = np.full(1 << bits, -1, dtype=np.int64), np.zeros(1 << bits, dtype=np.int64)
    answers = np.empty(len(asked), dtype=np.int64)
    _put(np.ascontiguousarray(keys), np.ascontiguousarray(times), slots, sums)
    _get(np.ascontiguousarray(asked), slots, sums, answers)
    return answers


@compiled
def _slot(key: np.int64, slots: Numbers) -> np.int64:
    """Where a key is, or the free slot where it would be put."""
    mixed = np.uint64(key)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    place = np.int64((mixed ^ (mixed >> np.uint64(31))) & np.uint64(len(slots) - 1))
    while slots[place] != key and slots[place] != -1:
        place = (place + 1) & (len(slots) - 1)
    return place


@compiled
def _put(keys: Numbers, times: Numbers, slots: Numbers, sums: Numbers) -> None:
    for row in range(len(keys)):
        place = _slot(keys[row], slots)
        slots[place] = keys[row]
        sums[place] += times[row]


@compiled
def _get(asked: Numbers, slots: Numbers, sums: Numbers, answers: Numbers) -> None:
    for row in range(len(asked)):
        answers[row] = sums[_slot(asked[row], slots)]
