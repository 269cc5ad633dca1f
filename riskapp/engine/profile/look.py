"""Looking at values: the distinct values of one column, each with the number of cells that hold it.

Beyond a bound, a sample is looked at that depends on nothing but the number of values, so that the same table always
gives the same profile and the memory needed does not grow with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from riskapp.engine.coded import CodedTable, values_path
from riskapp.engine.profile.counting import Counts, Tick

VALUES_MOST = 1_000_000
BYTES_MOST = 128 * 2**20
# A pattern runs over some hundred megabytes in a second: a slice is a tenth of a second at most.
SLICE_VALUES, SLICE_BYTES = 250_000, 16 * 2**20
VALUES_AT_ONCE = 1 << 16
PILOT = 100

# For a character class: RE2 takes milliseconds to build "any letter" of Unicode, and microseconds for this.
LETTERS = r"A-Za-z\x{80}-\x{10FFFF}"

Positions = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Found:
    """How many of the distinct values looked at fit something, and how many cells hold one of them."""

    values: int
    cells: int


@dataclass(frozen=True, eq=False)
class Look:
    """Values of a column without surrounding blanks, the number of cells for each; `of` distinct values in all."""

    values: Any
    weights: Counts
    of: int
    tick: Tick

    @property
    def all(self) -> bool:
        return len(self.values) == self.of

    @cached_property
    def cells(self) -> int:
        """The filled cells looked at."""
        return int(self.weights.sum())

    @cached_property
    def pilot(self) -> "Look":
        """A few hundred of the values, half of them spread over the values, half spread over the cells.

        Whatever holds for half of the values or half of the cells shows in it.
        """
        if len(self.values) <= 2 * PILOT:
            return self
        cells = np.searchsorted(np.cumsum(self.weights), _spread(self.cells, PILOT), side="right")
        return self._only(np.union1d(cells, _spread(len(self.values), PILOT)))

    @cached_property
    def words(self) -> float:
        """The mean number of words in a value, over the pilot."""
        spaces = pc.count_substring_regex(self.pilot.values, r"\S+")
        return float(pc.mean(spaces).as_py() or 0.0)

    def fits(self, pattern: str) -> Mask:
        """Which values the regular expression is found in."""
        return _fits(self.values, pattern, self.tick)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The signs met in the pilot; "a" stands for any letter, "0" for any digit."""
        met = set("".join(self.pilot.values.to_pylist()))
        return frozenset(met | {"a" for sign in met if sign.isalpha()} | {"0" for sign in met if sign.isdigit()})

    @cached_property
    def longest(self) -> int:
        """The length of the pilot's longest value."""
        return max(map(len, self.pilot.values.to_pylist()), default=0)

    def find(self, pattern: str, needs: str = "") -> Found:
        """How much the regular expression is found in: nothing, if nothing of the pilot fits.

        `needs` are signs without which nothing can fit: tables have thousands of columns, and looking is cheap.
        """
        if not self.signs.issuperset(needs) or (self.pilot is not self and not self.pilot.fits(pattern).any()):
            return Found(0, 0)
        return self.found(self.fits(pattern))

    def found(self, mask: Mask) -> Found:
        return Found(int(np.count_nonzero(mask)), int(self.weights[mask].sum()))

    def holding(self, substring: str) -> "Look":
        """Only the values that hold a substring: a cheap sieve before a dear pattern."""
        masks = [pc.match_substring(part, substring) for part in _slices(self.values, self.tick)]
        return self.only(_joined(masks))

    def only(self, mask: Mask) -> "Look":
        """Only the values where the mask is true."""
        return self._only(np.flatnonzero(mask))

    def with_values(self, values: Any) -> "Look":
        """Other values for the same cells."""
        return Look(values, self.weights, self.of, self.tick)

    def _only(self, positions: Positions) -> "Look":
        return Look(self.values.take(pa.array(positions)), self.weights[positions], self.of, self.tick)


def look(table: CodedTable, column: int, counts: Counts, tick: Tick) -> Look:
    """The column's values, all or a sample; `counts` has the number of cells per code."""
    of = len(counts) - 1
    with pq.ParquetFile(values_path(table.folder, column)) as file:
        positions = 1 + _spread(of, min(of, _affordable(file.metadata)))
        values = pc.utf8_trim_whitespace(take(file, positions, tick))
    return Look(values, counts[positions], of, tick)


def take(file: pq.ParquetFile, positions: Positions, tick: Tick) -> pa.LargeStringArray:
    """The values at some positions (in rising order) of a value list, read piece by piece."""
    pieces = [pa.array([], pa.large_string())]
    start = 0
    for batch in file.iter_batches(batch_size=VALUES_AT_ONCE, use_threads=False):
        low, high = np.searchsorted(positions, [start, start + len(batch)])
        piece = batch.column(0).take(pa.array(positions[low:high] - start))
        pieces.append(piece.cast(pa.large_string()))
        start += len(batch)
        tick()
    return pa.concat_arrays(pieces)


def _affordable(metadata: pq.FileMetaData) -> int:
    size = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    per_value = max(1.0, size / max(1, metadata.num_rows))
    return max(1, min(VALUES_MOST, int(BYTES_MOST / per_value)))


def _spread(of: int, some: int) -> Positions:
    """`some` positions below `of`: one from each of as many equal stretches, at a place that looks random."""
    if some >= of:
        return np.arange(of, dtype=np.int64)
    edges = np.linspace(0, of, some, endpoint=False)
    jitter = np.random.default_rng(some).random(some) * (of / some - 1)
    return (edges + jitter).astype(np.int64)


def _fits(values: Any, pattern: str, tick: Tick) -> Mask:
    return _joined([pc.match_substring_regex(part, pattern) for part in _slices(values, tick)])


def _slices(values: Any, tick: Tick) -> Iterator[Any]:
    per_value = max(1, values.nbytes // max(1, len(values)))
    step = max(1, min(SLICE_VALUES, SLICE_BYTES // per_value))
    for start in range(0, len(values), step):
        yield values.slice(start, step)
        tick()


def _joined(masks: list[Any]) -> Mask:
    parts = [mask.to_numpy(zero_copy_only=False) for mask in masks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
