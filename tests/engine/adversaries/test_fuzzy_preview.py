"""What a threshold of likeness would match, against comparing every pair exactly."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.jaro import similarity
from riskapp.engine.adversaries import fuzzy
from riskapp.engine.adversaries.described import Described
from riskapp.engine.adversaries.fuzzy import Counts, Seen, counts, seen_examples
from tests.engine.adversaries.coded_tables import tables

WORDS = st.text(alphabet="abcxy", max_size=7)
CITY = Described("city")


def counted(
    data: list[str | None], held: list[str | None], attribute: Described = CITY, level: int | str = 0
) -> Counts:
    with tables({"city": data}, {"town": held}) as (dataset, dictionary):
        return counts(dataset, attribute, dictionary, "town", level=level)


def seen(data: list[str | None], held: list[str | None], threshold: str, most: int = 10) -> Seen:
    with tables({"city": data}, {"town": held}) as (dataset, dictionary):
        return seen_examples(dataset, CITY, dictionary, "town", threshold, most=most)


def filled(cells: list[str | None]) -> set[str]:
    return {cell for cell in cells if cell not in (None, "", "NA")}


@settings(deadline=None, max_examples=60)
@given(st.lists(st.none() | WORDS, max_size=8), st.lists(st.none() | WORDS, max_size=8))
def test_values_are_counted_as_comparing_every_pair_does(data: list[str | None], held: list[str | None]) -> None:
    found, values, labels = counted(data, held), filled(held), filled(data)
    assert (found.values, found.looked, found.exactly) == (len(values), len(values), len(values & labels))
    for at in found.by_threshold:
        least = Fraction(at.threshold)
        alike = [value for value in values - labels if any(similarity(value, label) >= least for label in labels)]
        assert at.by_likeness == len(alike)
        assert found.exactly + at.by_likeness + at.not_at_all == len(values)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.none() | WORDS, max_size=8),
    st.lists(st.none() | WORDS, max_size=8),
    st.sampled_from(["0", "0.5", "0.7", "0.8", "0.95", "1"]),
    st.integers(0, 5),
)
def test_the_examples_are_the_pairs_nearest_to_the_threshold(
    data: list[str | None], held: list[str | None], threshold: str, most: int
) -> None:
    found, least = seen(data, held, threshold, most), Fraction(threshold)
    pairs = [pair for pair in product(filled(held), filled(data)) if pair[0] != pair[1]]
    alike = sorted(similarity(*pair) for pair in pairs)
    matched = [one for one in alike if one >= least][:most]
    below = [one for one in reversed(alike) if max(least - Fraction("0.1"), Fraction(1, 10**9)) <= one < least][:most]
    assert [pair.similarity for pair in found.matched] == [float(one) for one in matched]
    assert [pair.similarity for pair in found.below] == [float(one) for one in below]
    for pair in (*found.matched, *found.below):
        assert (pair.value, pair.label) in pairs
        assert pair.similarity == float(similarity(pair.value, pair.label))


def test_a_misspelt_town_is_matched_by_likeness_and_a_strange_one_is_not() -> None:
    found = counted(["Martha", "Dixon"], ["Marhta", "Dixon", "Zürich", None])
    assert (found.values, found.exactly) == (3, 1)
    assert {at.threshold: at.by_likeness for at in found.by_threshold} == {
        "0.7": 1, "0.75": 1, "0.8": 1, "0.85": 1, "0.9": 1, "0.95": 0, "1.0": 0,
    }  # fmt: skip
    shown = seen(["Martha", "Dixon"], ["Marhta", "Dixon", "Zürich", None], "0.9")
    assert [(pair.value, pair.label) for pair in shown.matched] == [("Marhta", "Martha")]


def test_a_column_of_groups_is_compared_with_the_groups() -> None:
    groups = Described("city", {"groups": {"Tippecanoe": ["Lafayette"], "Carroll": ["Delphi"]}})
    found = counted(["Lafayette"], ["Tipecanoe", "Carroll", "Lafayette"], groups, 1)
    assert found.exactly == 1
    assert found.by_threshold[-2].by_likeness == 1


def test_numbers_that_are_written_otherwise_are_the_same_value() -> None:
    numbers = Described("city", {"intervals": {"from": 0, "widths": [10]}})
    assert counted(["52", "dirty"], ["52.0", "53"], numbers).exactly == 1


def test_nothing_is_alike_where_there_is_nothing() -> None:
    nobody = counted([None], ["Martha"])
    assert (nobody.exactly, {at.not_at_all for at in nobody.by_threshold}) == (0, {1})
    assert counted(["Martha"], [None]).values == 0
    assert seen([None], ["Martha"], "0.8") == Seen((), ())


def test_of_too_many_values_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzy, "MOST_PAIRS", 6)
    found = counted(["a", "b"], list("acdefgh"))
    assert (found.values, found.looked) == (7, 3)
    assert all(at.by_likeness + at.not_at_all + found.exactly == 3 for at in found.by_threshold)


def test_blocks_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    data, held = ["abcd", "abce", "xyz"], ["abcf", "abdc", "xzy", "axbc", "cab"]
    whole = counted(data, held), seen(data, held, "0.8", 3)
    monkeypatch.setattr(fuzzy, "AT_ONCE", 1)
    again = counted(data, held), seen(data, held, "0.8", 3)
    assert whole[0] == again[0]
    assert [pair.similarity for pair in whole[1].matched] == [pair.similarity for pair in again[1].matched]


@pytest.mark.parametrize("threshold", ["-0.1", "1.1"])
def test_a_threshold_outside_0_to_1_is_refused(threshold: str) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        seen(["a"], ["b"], threshold)
