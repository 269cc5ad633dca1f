"""Pairs of columns: exact figures, the most telling first, known ones for nothing, a bound on the work."""

from itertools import combinations

import pytest
from hypothesis import given, settings

from riskapp.engine.profile import counting, pairs
from riskapp.engine.profile.columns import Measured
from riskapp.engine.profile.pairs import choose
from tests.engine.profile import slow_profile as slow

Columns = dict[str, list[str | None]]


def figures(columns: Columns) -> dict[tuple[int, int], int]:
    return {(pair.first, pair.second): pair.alone for pair in slow.profile_of(columns).pairs.listed}


def twins(columns: Columns) -> dict[tuple[int, int], int]:
    cells = list(columns.values())
    return {(at, to): slow.alone(cells[at], cells[to]) for at, to in combinations(range(len(cells)), 2)}


@settings(max_examples=60, deadline=None)
@given(slow.small_tables())
def test_every_pair_has_the_rows_alone_that_tuples_show(columns: Columns) -> None:
    assert figures(columns) == twins(columns)


@settings(max_examples=60, deadline=None)
@given(slow.small_tables())
def test_sorting_finds_the_same_pairs_as_dense_counting(columns: Columns) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "DENSE_ALWAYS", 0)
        patch.setattr(counting, "ROWS_AT_ONCE", 4)
        assert figures(columns) == twins(columns)


def test_missing_counts_as_a_value_of_its_own_and_drops_no_row() -> None:
    listed = slow.profile_of({"a": [None, None, "x", "x"], "b": ["1", "2", "1", "1"]}).pairs.listed
    assert [(pair.alone, pair.share) for pair in listed] == [(2, 0.5)]


def test_a_constant_or_all_unique_column_needs_no_counting() -> None:
    unique, constant = [str(number) for number in range(6)], ["x"] * 6
    found = slow.profile_of({"u": unique, "c": constant, "a": list("aabbcd"), "b": list("aaabbb")}).pairs
    assert (found.all, found.counted, found.known, found.not_measured) == (6, 1, 5, 0)
    assert {(pair.first, pair.second): pair.alone for pair in found.listed if not pair.counted} == {
        (0, 1): 6,
        (0, 2): 6,
        (0, 3): 6,
        (1, 2): 2,
        (1, 3): 0,
    }


def test_pairs_beyond_the_bound_are_told_as_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "ROWS_TIMES_PAIRS", 20)
    told = slow.profile_of({name: list("aabbccdd") for name in "pqrs"})
    assert (told.pairs.counted, told.pairs.not_measured, len(told.pairs.listed)) == (2, 4, 2)
    assert told.notes == ("4 of 6\u00a0pairs of columns were not measured; those that tell most were.",)


def test_the_list_of_known_pairs_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "LISTED_MOST", 3)
    found = slow.profile_of({name: ["x", "x"] for name in "pqrs"}).pairs
    assert (found.all, found.known, len(found.listed)) == (6, 6, 3)


def said(bits: float, alone: int = 0) -> Measured:
    return Measured(rows=100, missing=0, distinct=50, alone=alone, bits=bits)


def test_the_pairs_that_say_most_come_first_and_mostly_unique_columns_last() -> None:
    measured = [said(1.0), said(5.0), said(3.0), said(6.6, alone=95)]
    assert choose(measured, 3) == [(1, 2), (0, 1), (0, 2)]
    assert choose(measured, 4)[-1] == (1, 3)


def test_the_chosen_pairs_are_the_best_of_all_pairs() -> None:
    measured = [said(((at * 37) % 23) / 3) for at in range(30)]
    for most in (1, 7, 50, 400):
        best = sorted((measured[a].bits + measured[b].bits for a, b in combinations(range(30), 2)), reverse=True)
        got = [measured[a].bits + measured[b].bits for a, b in choose(measured, most)]
        assert got == pytest.approx(best[:most])


def test_what_others_may_know_is_combined_over_all_its_columns() -> None:
    sex, place = slow.drawn(["m", "f"], seed=1), slow.drawn(["Ulm", "Bonn", "Kiel"], seed=2)
    age = slow.drawn([str(number) for number in range(18, 90)], seed=3)
    together = slow.profile_of({"sex": sex, "score": slow.drawn(["1.5", "2.5"]), "city": place, "age": age}).together
    assert together is not None
    assert together.columns == (0, 2, 3)
    assert together.alone.count == slow.alone(sex, place, age)
    assert 0 < together.alone.share < 1


def test_one_column_alone_makes_no_combination() -> None:
    assert slow.profile_of({"sex": ["m", "f"], "x": ["1.5", "2.5"]}).together is None
