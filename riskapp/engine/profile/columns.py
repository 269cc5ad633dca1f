"""Measuring one column: missing, distinct, rows alone, and how much it says."""

from dataclasses import dataclass

import numpy as np

from riskapp.engine.profile.counting import Counts, Tick, count


@dataclass(frozen=True)
class Measured:
    """The exact figures of one column; `bits` is how much its value says about a row (its entropy)."""

    rows: int
    missing: int
    distinct: int
    alone: int
    bits: float

    @property
    def codes(self) -> int:
        """The number of codes: one for each distinct value, and code 0 for missing."""
        return self.distinct + 1

    @property
    def filled(self) -> int:
        return self.rows - self.missing

    @property
    def constant(self) -> bool:
        """Every row has the same: one value, or all are missing."""
        return self.distinct + (self.missing > 0) <= 1

    @property
    def all_alone(self) -> bool:
        return self.alone == self.rows


def measured(counts: Counts, tick: Tick) -> Measured:
    """The figures of a column from the number of rows per code."""
    rows = int(counts.sum())
    return Measured(
        rows=rows,
        missing=int(counts[0]),
        distinct=len(counts) - 1,
        alone=int(np.count_nonzero(counts == 1)),
        bits=_bits(counts, rows, tick),
    )


def _bits(counts: Counts, rows: int, tick: Tick) -> float:
    if not rows:
        return 0.0
    # Counts repeat a lot: the logarithm is taken once for each different count.
    times = count(counts, int(counts.max()) + 1, tick)
    sizes = np.flatnonzero(times[1:]) + 1
    return float(np.log2(rows) - (times[sizes] * sizes * np.log2(sizes)).sum() / rows)
