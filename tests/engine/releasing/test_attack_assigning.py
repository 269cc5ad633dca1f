"""One-to-one assignment against all matchings, tried one by one."""

import itertools
import random
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.table import assigning
from riskapp.core.table.assigning import assign
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.measured import ruling_in
from tests.engine.assessing import small
from tests.engine.releasing.built import built


def matchings(edges: set[tuple[int, int]], rows: int) -> list[dict[int, int]]:
    """Every matching of the largest size."""
    every: list[dict[int, int]] = [{}]
    for row in range(rows):
        more = []
        for one in every:
            more.append(one)
            more += [{**one, row: entry} for at, entry in edges if at == row and entry not in one.values()]
        every = more
    most = max(map(len, every))
    return [one for one in every if len(one) == most]


def drawn(seed: int) -> tuple[set[tuple[int, int]], int, int]:
    chance = random.Random(seed)
    rows, entries = chance.randint(1, 5), chance.randint(1, 5)
    share = chance.choice([0.2, 0.4, 0.7])
    pairs = itertools.product(range(rows), range(entries))
    return {pair for pair in pairs if chance.random() < share}, rows, entries


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("most_cells", [0, 1_000_000])
def test_a_matching_is_largest_and_forced_where_all_largest_agree(
    seed: int, most_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assigning, "MOST_CELLS", most_cells)
    edges, rows, entries = drawn(seed)
    pairs = np.array(sorted(edges), dtype=np.intp).reshape(-1, 2)
    found = assign(pairs[:, 0], pairs[:, 1], (rows, entries), seed)
    every = matchings(edges, rows)
    mine = {row: int(entry) for row, entry in enumerate(found.entry) if entry >= 0}
    assert mine in every
    forced = {row: int(found.entry[row]) for row in np.flatnonzero(found.forced)}
    assert forced == {row: entry for row, entry in every[0].items() if all(one.get(row) == entry for one in every)}
    assert found.weighed <= found.blocks


@pytest.mark.parametrize("seed", range(60))
def test_the_likeliest_of_the_largest_is_found(seed: int) -> None:
    edges, rows, entries = drawn(seed)
    pairs = np.array(sorted(edges), dtype=np.intp).reshape(-1, 2)
    found = assign(pairs[:, 0], pairs[:, 1], (rows, entries), seed)

    def cost(one: dict[int, int]) -> float:
        fits = {row: sum(at == row for at, _ in edges) for row in one}
        fitted = {entry: sum(at == entry for _, at in edges) for entry in one.values()}
        return sum(np.log(fits[row]) + np.log(fitted[entry]) for row, entry in one.items())

    mine = {row: int(entry) for row, entry in enumerate(found.entry) if entry >= 0}
    assert cost(mine) == pytest.approx(min(map(cost, matchings(edges, rows))))


def test_the_order_of_rows_and_entries_tells_nothing() -> None:
    rows, entries = (some.ravel() for some in np.indices((40, 40)))
    right = [int((assign(rows, entries, (40, 40), seed).entry == np.arange(40)).sum()) for seed in range(30)]
    assert 0.3 < np.mean(right) < 3


def test_what_one_to_one_finds_does_not_depend_on_how_the_file_was_shuffled(tmp_path: Path) -> None:
    rows = "town,ill\n" + "a,x\n" * 5 + "b,y\n" * 4
    path = small(tmp_path, "dataset: {file: members.csv}\nattributes: {town: {}, ill: {role: keep}}\n", rows)
    told = []
    for seed in range(4):
        choices = Choices(seed=seed)
        prepared, _, _ = built(path, "full-domain:0", tmp_path / f"{seed}.csv", choices)
        found = ruling_in(prepared, "full-domain:0", tmp_path / f"{seed}.csv", choices)
        told.append(attacked(found)["dictionaries"])
    assert len({(tmp_path / f"{seed}.csv").read_bytes() for seed in range(4)}) > 1
    assert all(one == told[0] for one in told)
    assert all(one["one_to_one"]["right"] is not None for one in told[0].values())
