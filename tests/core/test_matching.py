"""Which rows are consistent, found by keys and one pair at a time."""

from pathlib import Path

import numpy as np
import pytest

from riskapp.core.table.cells import Cells
from riskapp.core.table.matching import consistent, pairs, parts, ranges
from tests.core.building import drawn, ours, released
from tests.core.measured import Chosen
from tests.oracle.consistency import consistent as their_consistent
from tests.oracle.release import from_nodes


@pytest.mark.parametrize("seed", range(500, 520))
def test_pairs_are_the_oracle_s_however_many_are_held_at_a_time(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chosen = ours(theirs), Chosen(theirs, seed)
    cells, rows = Cells.of(released(problem, chosen.nodes())), from_nodes(theirs, chosen.nodes())
    for mine, one in zip(problem.dictionaries, theirs.dictionaries, strict=True):
        wanted = {
            (row, place)
            for row, shown in enumerate(rows)
            for place, entry in enumerate(one.entries)
            if their_consistent(theirs.attributes, entry.known, entry.fuzzy, shown.cells)
        }
        for most in (1, 3, 1000):
            found = [pair for some in pairs(mine.known, cells, most) for pair in zip(*some, strict=True)]
            assert sorted(found) == sorted(wanted)
        every, entry = np.divmod(np.arange(len(rows) * len(one.entries)), max(1, len(one.entries)))
        fits = consistent(mine.known, cells, every, entry)
        assert set(zip(every[fits], entry[fits], strict=True)) == wanted


def test_parts_cover_every_place_once_in_their_order() -> None:
    many = np.array([0, 5, 0, 1, 1, 7, 0])
    for most in range(1, 16):
        found = list(parts(many, most))
        assert [place for part in found for place in range(part.start, part.stop)] == list(range(7))
        assert all(many[part].sum() <= most or part.stop == part.start + 1 for part in found)


def test_ranges_may_be_empty() -> None:
    assert ranges(np.array([3, 8, 1]), np.array([2, 0, 1])).tolist() == [3, 4, 1]
