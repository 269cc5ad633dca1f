"""Rows alone with their key: dense and sorted counting, in one part or many, against a Counter."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.engine.profile import counting
from riskapp.engine.profile.counting import Key, alone_dense, alone_sorted, count
from tests.engine.profile import slow_profile as slow

KEYS = st.lists(st.integers(0, 30), max_size=60)


def nothing() -> None:
    pass


def lonely(keys: list[int]) -> int:
    return sum(1 for times in Counter(keys).values() if times == 1)


@given(KEYS)
def test_dense_and_sorted_counting_find_the_rows_that_a_counter_finds(keys: list[int]) -> None:
    numbers = np.array(keys, dtype=np.int64)
    assert alone_dense(numbers, 31, nothing) == alone_sorted(numbers, nothing) == lonely(keys)


@given(KEYS, st.integers(1, 7))
def test_counting_in_parts_changes_nothing(keys: list[int], at_once: int) -> None:
    numbers = np.array(keys, dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "ROWS_AT_ONCE", at_once)
        assert alone_dense(numbers, 31, nothing) == alone_sorted(numbers, nothing) == lonely(keys)
        assert count(numbers, 31, nothing).tolist() == [keys.count(key) for key in range(31)]


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), max_size=40), st.sampled_from([2**62, 2**8]))
def test_a_folded_key_tells_rows_apart_as_their_tuples_do(rows: list[tuple[int, ...]], largest: int) -> None:
    columns = [np.array([row[at] for row in rows], dtype=np.int32) for at in range(4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "LARGEST_KEY", largest)
        key = Key(columns[0], 4)
        for column in columns[1:]:
            key = key.fold(column, 4)
    assert key.alone(nothing) == slow.alone(*[[str(row[at]) for row in rows] for at in range(4)])


def test_a_key_space_beyond_64_bits_is_renumbered_and_not_wrapped_around() -> None:
    """Five columns of 100 000 codes: without renumbering, keys would wrap and rows fall together."""
    draw = np.random.default_rng(0)
    columns = [draw.integers(0, 100_000, 500).astype(np.int32) for _ in range(5)]
    twice = [np.concatenate([column, column[:100]]) for column in columns]
    key = Key(twice[0], 100_000)
    for column in twice[1:]:
        key = key.fold(column, 100_000)
    assert key.size < 2**63
    assert key.alone(nothing) == 400


def test_a_key_near_the_edge_of_32_bits_is_widened() -> None:
    first = np.array([46_340, 46_341, 46_341], dtype=np.int32)
    key = Key(first, 46_342).fold(first, 46_342)
    assert key.numbers.dtype == np.int64
    assert key.alone(nothing) == 1
    assert key.numbers.max() == 46_342 * 46_342 - 1


def test_every_part_of_a_long_count_gives_the_caller_a_chance_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "ROWS_AT_ONCE", 10)
    ticks: list[int] = []
    alone_sorted(np.arange(100), lambda: ticks.append(1))
    assert len(ticks) >= 10
