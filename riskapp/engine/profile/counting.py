"""Counting rows: how many hold each code, how many are alone with their key.

A key is one whole number per row that stands for the row's combination of codes. Small key spaces are counted densely,
large ones by sorting; both in parts, so that the caller can stop between them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.engine.coded import Codes

Counts = npt.NDArray[np.int64]
Keys = npt.NDArray[np.signedinteger[Any]]
Tick = Callable[[], None]

# Sorting four million numbers takes about a tenth of a second.
ROWS_AT_ONCE = 1 << 22
# Measured: dense counting wins until the space is about twice the rows; below 65 536 it always wins.
DENSE_ALWAYS = 1 << 16
# Renumbered keys are fewer than the rows, and codes are int32: any two of them fit below this.
LARGEST_KEY = 1 << 62


def count(keys: Keys, size: int, tick: Tick) -> Counts:
    """How many rows have key 0, 1, … size - 1."""
    total = np.zeros(size, dtype=np.int64)
    for start in range(0, len(keys), ROWS_AT_ONCE):
        some = keys[start : start + ROWS_AT_ONCE]
        if size <= len(some):
            total += np.bincount(some, minlength=size)
        else:  # A second array as large as the first would cost more than it saves.
            np.add.at(total, some, 1)
        tick()
    return total


@dataclass(frozen=True, eq=False)
class Key:
    """One whole number below `size` per row, the same for two rows exactly when their combinations are the same."""

    numbers: Keys
    size: int

    def alone(self, tick: Tick) -> int:
        """The number of rows whose key no other row has."""
        dense = self.size <= max(DENSE_ALWAYS, 2 * len(self.numbers))
        return alone_dense(self.numbers, self.size, tick) if dense else alone_sorted(self.numbers, tick)

    def fold(self, codes: Codes, size: int) -> "Key":
        """The key of this combination together with another column that has `size` codes."""
        if self.size * size >= LARGEST_KEY:
            return self._renumbered().fold(codes, size)
        # Half as wide is twice as fast to sort.
        width = np.dtype(np.int32 if self.size * size < 2**31 else np.int64)
        return Key(self.numbers.astype(width) * width.type(size) + codes, self.size * size)

    def _renumbered(self) -> "Key":
        different, numbers = np.unique(self.numbers, return_inverse=True)
        return Key(numbers.astype(np.int64), len(different))


def alone_dense(keys: Keys, size: int, tick: Tick) -> int:
    """The number of keys that occur once, by counting every possible key."""
    return int(np.count_nonzero(count(keys, size, tick) == 1))


def alone_sorted(keys: Keys, tick: Tick) -> int:
    """The number of keys that occur once, by sorting: such a key differs from both of its neighbours."""
    total = 0
    for part in _parts(keys, tick):
        total += _lonely(np.sort(part))
        tick()
    return total


def _lonely(ordered: Keys) -> int:
    if not len(ordered):
        return 0
    steps = np.ones(len(ordered) + 1, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=steps[1:-1])
    return int(np.count_nonzero(steps[1:] & steps[:-1]))


def _parts(keys: Keys, tick: Tick) -> Iterator[Keys]:
    """The keys in parts of bounded size where equal keys share a part: bits of a multiplicative hash say which."""
    bits = max(0, (len(keys) - 1) // ROWS_AT_ONCE).bit_length()
    if not bits:
        yield keys
        return
    bucket = np.empty(len(keys), dtype=np.uint16)
    for start in range(0, len(keys), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        bucket[some] = (keys[some].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits)
        tick()
    for part in range(1 << bits):
        yield keys[bucket == part]
