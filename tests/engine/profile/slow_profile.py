"""Slow obvious twins of the profile's figures, and small tables to try them on."""

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hypothesis import strategies as st

from riskapp.engine import coded
from riskapp.engine.coded import CodedTable
from riskapp.engine.profile import ColumnProfile, Profile, profile

Cells = Sequence[str | None]


def alone(*columns: Cells) -> int:
    """Rows whose combination of cells occurs once; a missing cell is None, equal to other missing cells."""
    rows = list(zip(*columns, strict=True))
    times = Counter(rows)
    return sum(1 for row in rows if times[row] == 1)


def top(cells: Cells, most: int) -> list[tuple[str | None, int]]:
    """The commonest cells, first come first, but missing behind values of the same count."""
    filled = Counter(cell for cell in cells if cell is not None)
    missing = sum(1 for cell in cells if cell is None)
    ranked = [*filled.items(), *([(None, missing)] if missing else [])]
    return sorted(ranked, key=lambda pair: -pair[1])[:most]


@contextmanager
def table_of(columns: Mapping[str, Cells]) -> Iterator[CodedTable]:
    with tempfile.TemporaryDirectory() as folder:
        yield coded.write(Path(folder, "table"), list(columns), list(columns.values()))


def profile_of(columns: Mapping[str, Cells]) -> Profile:
    with table_of(columns) as table:
        return profile(table)


def column_of(name: str, cells: Cells) -> ColumnProfile:
    return profile_of({name: cells}).columns[0]


def kinds(name: str, cells: Cells) -> dict[str, str]:
    """Kind of each suggestion for a column → how sure it is."""
    return {suggestion.kind: suggestion.confidence for suggestion in column_of(name, cells).suggestions}


def drawn(make: Sequence[str], rows: int = 400, seed: int = 1) -> list[str]:
    """A column of so many cells drawn from a list."""
    return random.Random(seed).choices(make, k=rows)


def small_tables(most_columns: int = 4) -> st.SearchStrategy[dict[str, list[str | None]]]:
    """Tables of a few rows over a few values, missing cells among them."""
    cell = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "d", "1", "2"]))

    def columns(shape: tuple[int, int]) -> st.SearchStrategy[dict[str, list[str | None]]]:
        rows, many = shape
        column = st.lists(cell, min_size=rows, max_size=rows)
        return st.lists(column, min_size=many, max_size=many).map(
            lambda made: {f"column {at}": cells for at, cells in enumerate(made)}
        )

    return st.tuples(st.integers(0, 14), st.integers(1, most_columns)).flatmap(columns)
