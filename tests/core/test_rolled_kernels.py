"""The kernels one by one against their slow twins: whatever the table, its keys and its columns are."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.rolled import kernels, merging, missing, summing
from riskapp.core.rolled.classes import Classes, counted
from tests.core.slow_rolled import (
    SlowSettings,
    Table,
    slow_consistent,
    slow_figures,
    slow_merge,
    slow_runs,
    slow_table,
)

Array = np.ndarray[Any, np.dtype[Any]]
WIDTHS = st.sampled_from([(1,), (3,), (2, 1), (1, 3), (2, 2, 2), (1, 7, 3), (3, 6, 7), (14, 14, 12), (20, 20)])
ROWS = st.sampled_from([0, 1, 2, 7, 40])
MANY = settings(max_examples=100)


@dataclass
class Drawn:
    """A table, the field that is raised, and what its numbers become."""

    table: Classes
    parents: Array
    shift: int
    mask: int

    @property
    def given(self) -> tuple[Any, ...]:
        return (self.table.rows, *self.table.arrays, self.parents, self.shift, self.mask)

    @property
    def wanted(self) -> Table:
        return slow_merge(slow_table(self.table), self.parents.tolist(), self.shift, self.mask)


@st.composite
def tables(draw: Any, *, lowest: bool | None = None) -> Drawn:
    """With and without each of the optional columns; φ depends on the fields above the one that is raised."""
    widths, rows = draw(WIDTHS), draw(ROWS)
    place = len(widths) - 1 if lowest else draw(st.integers(0, len(widths) - 1 - (lowest is False)))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    shift, mask = sum(widths[place + 1 :]), (1 << widths[place]) - 1
    keys = drawn_keys(chance, widths, rows, few=draw(st.booleans()))
    rows = len(keys)
    kind, infinite = draw(st.sampled_from([np.int32, np.int64])), draw(st.booleans())
    sums = chance.integers(0, 3, (rows, draw(st.integers(1, 3)))).astype(np.float64)
    sums[(chance.random(sums.shape) < 0.1) & infinite] = np.inf
    table = Classes(
        rows,
        keys,
        chance.integers(0, 3, rows).astype(np.int32),
        chance.integers(0, 3, rows).astype(kind) if draw(st.booleans()) else None,
        sums if draw(st.booleans()) else None,
        (keys >> (shift + widths[place])) % 5 / 4 if draw(st.booleans()) else None,
    )
    return Drawn(table, drawn_parents(chance, mask, top=draw(st.booleans())), shift, mask)


def drawn_keys(chance: np.random.Generator, widths: tuple[int, ...], rows: int, *, few: bool) -> Array:
    """Sorted and different; with few codes in a field many classes become equal, the highest codes among them."""
    keys = np.zeros(rows, np.int64)
    for width in widths:
        codes = chance.integers(0, 1 << width, rows)
        some = np.append(codes[:3], (1 << width) - 1)
        keys = keys << width | (chance.choice(some, rows) if few else codes)
    return np.unique(keys)


def drawn_parents(chance: np.random.Generator, mask: int, *, top: bool) -> Array:
    """Neighbours become one; missing stays missing, and at the top everything says nothing."""
    steps = chance.integers(0, 2, mask + 1)
    steps[0], steps[1] = 0, 1
    return np.zeros(mask + 1, np.int64) if top else np.cumsum(steps)


def assert_is(found: Classes, wanted: Table) -> None:
    assert np.array_equal(found.keys, list(wanted))
    assert np.array_equal(found.records, [own.records for own in wanted.values()])
    if found.people is not None:
        assert np.array_equal(found.people, [own.people for own in wanted.values()])
    if found.sums is not None:
        assert np.array_equal(found.sums, np.array([own.sums for own in wanted.values()]).reshape(found.sums.shape))
    if found.phi is not None:
        assert np.array_equal(found.phi, np.array([own.phi for own in wanted.values()], np.float64))


@MANY
@given(tables(lowest=True), st.booleans())
def test_merged_neighbours_are_the_sums_of_what_became_equal(drawn: Drawn, in_place: bool) -> None:
    wanted, room = drawn.wanted, drawn.table if in_place else drawn.table.room()
    assert_is(room.cut(merging.merge_neighbours(*drawn.given, *room.arrays)), wanted)


@MANY
@given(tables().filter(lambda drawn: drawn.shift <= 14), st.booleans())
def test_merged_blocks_are_the_sums_of_what_became_equal_and_leave_the_scratch_clean(
    drawn: Drawn, in_place: bool
) -> None:
    wanted, table = drawn.wanted, drawn.table
    size = 1 << drawn.shift
    scratch = (
        np.zeros(size, table.records.dtype),
        None if table.people is None else np.zeros(size, table.people.dtype),
        None if table.sums is None else np.zeros((size, table.terms)),
        np.zeros(max(1, size >> 6), np.uint64),
        np.zeros(max(1, size >> 12), np.uint64),
    )
    room = table if in_place else table.room()
    assert_is(room.cut(merging.merge_blocks(*drawn.given, *room.arrays, *scratch)), wanted)
    assert not any(places.any() for places in scratch if places is not None)


@MANY
@given(tables())
def test_classes_merged_in_a_new_order_are_the_sums_of_what_became_equal(drawn: Drawn) -> None:
    table = drawn.table
    keys, order, spare = (np.empty(table.rows, np.int64) for _ in range(3))
    merging.merging_order(table.rows, table.keys, drawn.parents, drawn.shift, drawn.mask, keys, order, spare)
    assert sorted(order.tolist()) == list(range(table.rows))
    assert (np.diff(keys[order]) >= 0).all()
    room = table.room()
    assert_is(room.cut(merging.merge_sorted(order, keys, *table.arrays[1:], *room.arrays)), drawn.wanted)


@given(st.lists(st.sampled_from([0, 1, 5, 2**40, 2**61]), max_size=12))
def test_runs_count_equal_keys(keys: list[int]) -> None:
    sorted_keys = np.array(sorted(keys), np.int64)
    different, counts = np.empty_like(sorted_keys), np.empty(len(keys), np.int32)
    found = kernels.runs(sorted_keys, different, counts)
    wanted = slow_runs(keys, [1] * len(keys))
    assert dict(zip(different[:found].tolist(), counts[:found].tolist(), strict=True)) == wanted


@given(st.lists(st.tuples(st.sampled_from([0, 3, 2**40]), st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_summed_runs_add_numbers_and_rows_of_numbers(rows: list[tuple[int, int, int]]) -> None:
    keys = np.array([row[0] for row in rows], np.int64)
    values = np.array([row[1:] for row in rows], np.float64).reshape(len(rows), 2)
    order, different = np.argsort(keys, kind="stable"), np.empty_like(keys)
    for given_values in (values, values[:, 0].astype(np.int32)):
        sums = np.empty_like(given_values)
        found = kernels.summed_runs(keys, order, given_values, different, sums)
        wanted = slow_runs(keys.tolist(), list(given_values))
        assert different[:found].tolist() == list(wanted)
        assert np.array_equal(sums[:found], np.array(list(wanted.values())).reshape(found, *sums.shape[1:]))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=9))
def test_entries_are_counted_by_how_many_people_they_stand_for(rows: list[tuple[int, int]]) -> None:
    keys, times = (np.array([row[place] for row in rows], np.int64) for place in (0, 1))
    for given_times in (None, times):
        different, counts = counted(keys, given_times)
        wanted = slow_runs(keys.tolist(), (np.ones_like(keys) if given_times is None else given_times).tolist())
        assert dict(zip(different.tolist(), counts.tolist(), strict=True)) == wanted
        assert different.tolist() == sorted(wanted)


def test_more_people_than_32_bits_can_count_are_counted_in_64() -> None:
    few, many = np.array([2**30, 2**30 - 1]), np.array([2**30, 2**30])
    assert counted(np.zeros(2, np.int64), few)[1].dtype == np.int32
    found = counted(np.zeros(2, np.int64), many)[1]
    assert found.dtype == np.int64
    assert found.tolist() == [2**31]


KEYS = st.sets(st.one_of(st.integers(0, 8), st.integers(2**40, 2**40 + 3)), max_size=9)


@given(KEYS, KEYS)
def test_a_union_says_where_each_key_stands_in_either(one: set[int], other: set[int]) -> None:
    left, right = (np.array(sorted(keys), np.int64) for keys in (one, other))
    keys, first, second = (np.empty(len(one) + len(other), np.int64) for _ in range(3))
    found = kernels.union(left, right, keys, first, second)
    every = sorted(one | other)
    assert keys[:found].tolist() == every
    assert first[:found].tolist() == [sorted(one).index(key) if key in one else -1 for key in every]
    assert second[:found].tolist() == [sorted(other).index(key) if key in other else -1 for key in every]


@given(KEYS, KEYS)
def test_people_beside_a_table_are_found_by_their_keys(own: set[int], other: set[int]) -> None:
    keys, there = (np.array(sorted(some), np.int64) for some in (own, other))
    people, found = np.arange(3, 3 + len(there), dtype=np.int32), np.full(len(keys), 77, np.int32)
    kernels.joined(len(keys), keys, len(there), there, people, found)
    known = dict(zip(there.tolist(), people.tolist(), strict=True))
    assert found.tolist() == [known.get(key, 0) for key in keys.tolist()]


@given(st.lists(st.tuples(st.sampled_from([0, 3, 2**40]), st.integers(0, 4)), max_size=12))
def test_sums_by_kind_are_those_of_the_rows(rows: list[tuple[int, int]]) -> None:
    keys, kinds = (np.array([row[place] for row in rows], np.int64) for place in (0, 1))
    values = np.array([[1.0, 5.0], [2.0, np.inf], [4.0, 0.0], [8.0, 1.0], [16.0, 3.0]])
    both = keys.copy()
    kernels.beside(both, kinds, 3)
    both.sort()
    different, counts, sums = np.empty_like(keys), np.empty(len(keys), np.int32), np.empty((len(keys), 2))
    found = kernels.kind_sums(both, 3, values, different, counts, sums)
    wanted = slow_runs(keys.tolist(), list(values[kinds]))
    assert different[:found].tolist() == list(wanted)
    assert counts[:found].tolist() == list(slow_runs(keys.tolist(), [1] * len(rows)).values())
    assert np.array_equal(sums[:found], np.array(list(wanted.values())).reshape(found, 2))


@given(st.lists(st.integers(-1, 2), max_size=6))
def test_values_are_placed_and_the_others_are_0(places: list[int]) -> None:
    for values in (np.array([4, 5, 6], np.int32), np.array([[4.0, 1.0], [5.0, 2.0], [np.inf, 3.0]])):
        out = np.full((len(places), *values.shape[1:]), 9, values.dtype)
        kernels.placed(values, np.array(places, np.int64), out)
        wanted = [values[place] if place >= 0 else np.zeros_like(values[0]) for place in places]
        assert np.array_equal(out, np.array(wanted).reshape(out.shape))


@MANY
@given(tables(), st.integers(0, 2**32))
def test_phi_is_what_the_fields_add(drawn: Drawn, seed: int) -> None:
    table, added = drawn.table, np.random.default_rng(seed).random(drawn.mask + 1)
    found = np.empty(table.rows)
    kernels.looked_up(table.rows, table.keys, drawn.shift, drawn.mask, added, table.phi, found)
    wanted = [added[key >> drawn.shift & drawn.mask] + (own.phi or 0.0) for key, own in slow_table(table).items()]
    assert np.array_equal(found, np.array(wanted))


@MANY
@given(WIDTHS, ROWS, st.booleans(), st.booleans(), st.integers(0, 2**32))
def test_people_are_consistent_who_agree_wherever_both_know(
    widths: tuple[int, ...], rows: int, alone: bool, few: bool, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    keys = drawn_keys(chance, widths, rows, few=few)
    bits = [((1 << width) - 1) << sum(widths[place + 1 :]) for place, width in enumerate(widths)]
    for some in bits:
        keys[chance.random(len(keys)) < 0.3] &= ~some
    keys = np.unique(keys)
    below = [some for some in bits if chance.random() < 0.8]
    records = chance.integers(0, 3, len(keys)).astype(np.int32)
    people = None if alone else chance.integers(0, 3, len(keys)).astype(np.int64)
    found = np.full(len(keys), 77, np.int64)
    missing.consistent(len(keys), keys, records, people, np.array(below, np.int64), found)
    table = slow_table(Classes(len(keys), keys, records, people))
    assert found.tolist() == slow_consistent(table, below)


AT = ("FOUND", "SINGLED", "UNCOVERED", "FEWEST", "ABOVE", "SMALLEST", "CHANCE", "REST", "HARM", "LEAST", "MOST")


def assert_figures(out: Array, wanted: dict[str, Any]) -> None:
    for name in (*AT, "CLASSES"):
        assert out[getattr(summing, name)] == pytest.approx(wanted[name], rel=1e-12, abs=1e-13), name
    assert out[summing.FIGURES :] == pytest.approx(np.array(wanted["sums"] or [0.0] * (len(out) - summing.FIGURES)))


@MANY
@given(tables(lowest=True), st.tuples(*[st.booleans()] * 5), st.sampled_from([1.0, 2.0, 3.0, np.inf]))
def test_figures_are_sums_over_the_classes_that_have_records(
    drawn: Drawn, flags: tuple[bool, ...], above: float
) -> None:
    table, (entropic, zero, exponential, weighted, more) = drawn.table, flags
    last = (np.arange(drawn.mask + 1) % 7) / 3 if more else None
    weighted = weighted and table.sums is not None
    crowd = table.records if table.people is None else table.people
    everybody = int(crowd.max(initial=1))
    how = SlowSettings(drawn.mask, last, weighted, 0.25, entropic, everybody, zero, above, exponential)
    out = np.full(summing.FIGURES + table.terms, 77.0)
    summing.figures(
        table.rows, table.keys, table.records, table.people, table.sums, table.phi,
        last, drawn.mask, weighted, 0.25, entropic, float(everybody), zero, above, exponential, out,
    )  # fmt: skip
    assert_figures(out, slow_figures(slow_table(table), how))


@MANY
@given(tables(lowest=True).filter(lambda drawn: drawn.table.rows), st.booleans(), st.sampled_from([1.0, 3.0, np.inf]))
def test_figures_of_a_table_that_is_its_own_dictionary_are_the_same(drawn: Drawn, more: bool, above: float) -> None:
    table = drawn.table
    table = Classes(table.rows, table.keys, table.records + np.int32(1), phi=table.phi)
    last = (np.arange(drawn.mask + 1) % 7) / 3 if more else None
    out = np.full(summing.FIGURES, 77.0)
    summing.figures_alone(
        table.rows, table.keys, table.records, table.phi, last, drawn.mask, 0.25, above, out
    )  # fmt: skip
    assert_figures(out, slow_figures(slow_table(table), SlowSettings(drawn.mask, last, scale=0.25, above=above)))
