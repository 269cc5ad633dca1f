"""Counting keys: the three ways agree with each other and with a counter."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table import tally
from riskapp.core.table.keys import Keys
from riskapp.core.table.tally import by_hashing, by_sorting, dense, different, tallied

NEAR = st.integers(0, 20)
FAR = st.integers(0, 2**62 - 1)


def numbers(some: list[int]) -> np.ndarray:
    return np.array(some, dtype=np.int64)


def counted(rows: list[tuple[int, int]], asked: list[int]) -> list[int]:
    counter: Counter[int] = Counter()
    for key, times in rows:
        counter[key] += times
    return [counter[key] for key in asked]


@settings(deadline=None)
@given(st.lists(st.tuples(NEAR, st.integers(0, 2**40))), st.lists(NEAR))
def test_near_keys_are_counted_in_every_way(rows: list[tuple[int, int]], asked: list[int]) -> None:
    keys, times = numbers([key for key, _ in rows]), numbers([times for _, times in rows])
    slow = counted(rows, asked)
    assert dense(keys, times, numbers(asked), 21).tolist() == slow
    assert by_sorting(keys, times, numbers(asked)).tolist() == slow
    assert by_hashing(keys, times, numbers(asked)).tolist() == slow
    assert tallied(keys, times, numbers(asked), 21).tolist() == slow


@settings(deadline=None)
@given(st.lists(FAR, min_size=1, max_size=8), st.data())
def test_far_keys_are_counted_in_every_way_that_can(pool: list[int], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(st.sampled_from(pool), st.integers(0, 9))))
    asked = data.draw(st.lists(st.sampled_from(pool) | FAR))
    keys, times = numbers([key for key, _ in rows]), numbers([times for _, times in rows])
    slow = counted(rows, asked)
    assert by_sorting(keys, times, numbers(asked)).tolist() == slow
    assert by_hashing(keys, times, numbers(asked)).tolist() == slow
    assert tallied(keys, times, numbers(asked), 2**62).tolist() == slow


@pytest.mark.parametrize(
    ("size", "rows", "way"), [(100, 10, "dense"), (10**9, 10, "by_sorting"), (10**9, 9000, "by_hashing")]
)
def test_the_key_space_decides_the_way(monkeypatch: pytest.MonkeyPatch, size: int, rows: int, way: str) -> None:
    keys = np.random.default_rng(1).integers(0, size, rows)
    expected = by_sorting(keys, np.ones_like(keys), keys)
    used = []
    for name in ("dense", "by_sorting", "by_hashing"):
        call = getattr(tally, name)
        monkeypatch.setattr(tally, name, lambda *given, call=call, name=name: used.append(name) or call(*given))
    assert tallied(keys, np.ones_like(keys), keys, size).tolist() == expected.tolist()
    assert used == [way]


def test_keys_that_share_a_slot_are_told_apart() -> None:
    keys = numbers(list(range(0, 2**62, 2**62 // 5000)))
    times = np.arange(len(keys))
    assert by_hashing(keys, times, keys[::-1]).tolist() == times[::-1].tolist()
    assert not by_hashing(keys, times, keys + 1).any()


@settings(deadline=None)
@given(st.lists(st.tuples(NEAR | FAR, st.integers(0, 3))))
def test_every_different_pair_is_found_once(pairs: list[tuple[int, int]]) -> None:
    keys = Keys((numbers([key for key, _ in pairs]),), 2**62)
    places = different(keys, np.array([code for _, code in pairs], dtype=np.int32), 4)
    assert [pairs[place] for place in places] == sorted(set(pairs))
