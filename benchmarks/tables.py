"""Made-up tables for the benchmarks: typical columns, no real person in them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as csv

ROWS_AT_ONCE = 250_000


def typical(rows: int, seed: int = 0) -> pa.Table:
    """Ten columns as a register has them: an id, two dates, place, sex, job, two numbers, a flag, a short text."""
    draw = np.random.default_rng(seed)
    first = seed * ROWS_AT_ONCE
    return pa.table(
        {
            "id": [f"P{number:08d}" for number in range(first, first + rows)],
            "birth_date": _dates(draw, rows, 1930, 70 * 365),
            "postcode": [f"{code:05d}" for code in 1000 + draw.zipf(1.3, rows) % 8000],
            "sex": draw.choice(np.array(["f", "m", "x", ""]), rows, p=[0.49, 0.48, 0.01, 0.02]),
            "job": draw.choice(np.array([f"job {number}" for number in range(400)]), rows),
            "income": (draw.lognormal(10, 0.6, rows) // 100 * 100).astype(int),
            "score": draw.normal(50, 10, rows).round(2),
            "visited": _dates(draw, rows, 2015, 8 * 365),
            "smoker": draw.choice(np.array(["yes", "no", "NA"]), rows, p=[0.2, 0.7, 0.1]),
            "remark": draw.choice(np.array(["", "called back", "moved to new address", "see file"]), rows),
        }
    )


def _dates(draw: np.random.Generator, rows: int, year: int, days: int) -> npt.NDArray[np.datetime64]:
    return np.datetime64(f"{year}-01-01") + draw.integers(0, days, rows).astype("timedelta64[D]")


def long_and_distinct(rows: int, seed: int = 0) -> pa.Table:
    """Three columns: every value of the first one long and distinct, the others of a small set."""
    draw = np.random.default_rng(seed)
    numbers = range(seed * ROWS_AT_ONCE, seed * ROWS_AT_ONCE + rows)
    return pa.table(
        {
            "token": [f"{number:012d}-{'abcdefghij' * 8}-{number * 7919 % 999_983}" for number in numbers],
            "group": draw.choice(np.array(["a", "b", "c"]), rows),
            "year": draw.integers(1990, 2020, rows),
        }
    )


def write_csv(path: Path, rows: int, make: Callable[[int, int], pa.Table] = typical) -> Path:
    """Write a table of so many rows as CSV, a part at a time, and return its path."""
    with path.open("wb") as file:
        for table in _parts(rows, make):
            csv.write_csv(table, file, csv.WriteOptions(include_header=file.tell() == 0, quoting_style="none"))
    return path


def _parts(rows: int, make: Callable[[int, int], pa.Table]) -> Iterator[pa.Table]:
    for part, first in enumerate(range(0, rows, ROWS_AT_ONCE)):
        yield make(min(ROWS_AT_ONCE, rows - first), part)
