"""Hierarchies that grow from what occurs, masks, dates and intervals, against their slow twins."""

import datetime
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.build_masks import flat, from_masks
from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy
from riskapp.core.table.value_list import ValueList
from tests.core.hierarchy_checks import chains_of, check_laws, check_sums, shown_in
from tests.core.slow_hierarchy import date_chain, days_under, interval_chain, mask_chain, plain, units_in_all

SIGNS = st.text("01é*日", max_size=6)
ENDS = st.sampled_from(["right", "left"])
DAYS = st.dates(datetime.date(1995, 1, 1), datetime.date(2004, 12, 31)).map(str)
STEPS = st.sampled_from([[], ["month"], ["year"], ["month", "year"]])


def lists(*some: tuple[int | str, Sequence[str | None]]) -> list[ValueList]:
    return [ValueList.of(values, level, f"column {place}") for place, (level, values) in enumerate(some)]


def distinct(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))


# Masks and no hierarchy


@settings(deadline=None)
@given(st.lists(SIGNS), st.lists(SIGNS), st.integers(1, 6), ENDS)
def test_masks_are_those_made_by_hand(own: list[str], others: list[str], signs: int, end: str) -> None:
    hierarchy = from_masks("zip", lists((0, own), (0, others)), signs, end=end)
    leaves = distinct(own + others)
    assert chains_of(hierarchy) == [mask_chain(leaf, signs, end) for leaf in leaves]
    assert hierarchy.leaves == max(1, len(leaves))
    check_laws(hierarchy)
    if leaves:
        check_sums(hierarchy)


@settings(deadline=None)
@given(st.lists(SIGNS, min_size=1), st.lists(SIGNS, min_size=1), st.integers(2, 5), ENDS, st.data())
def test_a_mask_that_only_a_dictionary_has_gets_codes_up_to_the_top(
    own: list[str], others: list[str], signs: int, end: str, data: st.DataObject
) -> None:
    level = data.draw(st.integers(1, signs - 1))
    labels = [mask_chain(value, signs, end)[level] for value in others]
    hierarchy = from_masks("zip", lists((0, own), (level, distinct(labels))), signs, end=end)
    for high in range(level, signs + 1):
        codes = hierarchy.up(level, high)[hierarchy.codes_at(level, labels)]
        assert hierarchy.shown(high, codes).to_pylist() == [mask_chain(value, signs, end)[high] for value in others]
    assert all(chain == mask_chain(chain[0], signs, end) for chain in chains_of(hierarchy))
    assert hierarchy.leaves == len(set(own))
    check_laws(hierarchy)


def test_a_dictionary_column_that_holds_no_masks_is_refused_with_its_counts() -> None:
    register = ValueList.of(["479**", "479", None, "47*"], 2, "zip code", np.array([1, 20, 5, 300]))
    with pytest.raises(OutsideHierarchy) as refused:
        from_masks("zip", [ValueList.of(["47906"]), register], 5)
    told = '2 of the 3 values of column "zip code" (320 rows) are not covered by the hierarchy of "zip" at level 2.'
    assert str(refused.value) == told
    assert refused.value.positions.tolist() == [1, 3]


@pytest.mark.parametrize("signs", [0, -1, 2.5, "5", True, None])
def test_a_mask_is_a_whole_number_of_signs(signs: Any) -> None:
    with pytest.raises(BadHierarchy) as refused:
        from_masks("zip", [], signs)
    assert refused.value.key == "mask"


def test_a_mask_begins_at_one_of_two_ends() -> None:
    with pytest.raises(BadHierarchy) as refused:
        from_masks("zip", [], 5, end="middle")
    assert refused.value.key == "from"


def test_a_column_in_which_all_is_missing_has_a_hierarchy_too() -> None:
    empty = flat("sex", lists((0, [None])))
    assert (empty.groups, empty.leaves, empty.ancestors.tolist()) == ((0, 1), 1, [[0], [0]])
    check_laws(empty)


# Dates


@settings(deadline=None, max_examples=40)
@given(st.lists(DAYS), STEPS)
def test_dates_are_those_made_by_hand(days: list[str], steps: list[str]) -> None:
    hierarchy = from_dates("born", lists((0, days)), steps)
    assert chains_of(hierarchy) == [date_chain(day, steps) for day in distinct(days)]
    years = {int(day[:4]) for day in days}
    for labels, counts in zip(shown_in(hierarchy), hierarchy.leaf_counts, strict=True):
        assert counts.tolist()[1:] == [max(1, days_under(label, years)) for label in labels]
    check_laws(hierarchy)


@settings(deadline=None, max_examples=40)
@given(st.lists(DAYS), st.lists(DAYS), st.lists(DAYS))
def test_years_of_dictionaries_count_at_any_level(own: list[str], months: list[str], years: list[str]) -> None:
    hierarchy = from_dates(
        "born",
        lists(
            (0, own), ("month", distinct([day[:7] for day in months])), ("year", distinct([day[:4] for day in years]))
        ),
    )
    occurring = {int(day[:4]) for day in own + months + years}
    assert set(shown_in(hierarchy)[2]) == {f"{year}" for year in occurring}
    assert hierarchy.leaves == max(1, days_under("*", occurring))
    codes = hierarchy.up(1, 2)[hierarchy.codes_at("month", [day[:7] for day in months])]
    assert hierarchy.shown(2, codes).to_pylist() == [day[:4] for day in months]
    assert all(chain == date_chain(chain[0], ["month", "year"]) for chain in chains_of(hierarchy))
    check_laws(hierarchy)


@settings(deadline=None)
@given(st.text("0123456789-", max_size=10) | st.dates().map(str) | st.from_regex(r"\d{4}-\d\d-\d\d", fullmatch=True))
def test_exactly_the_days_of_the_calendar_are_dates(text: str) -> None:
    try:
        day = len(text) == 10 and text.isascii() and str(datetime.date.fromisoformat(text)) == text
    except ValueError:
        day = False
    try:
        from_dates("born", lists((0, [text])))
    except OutsideHierarchy:
        assert not day
    else:
        assert day


@pytest.mark.parametrize(
    ("level", "values", "positions"),
    [
        (
            "day",
            ["1975-05-10", "1975-02-29", "1976-02-29", "1975-5-1", "0000-01-01", "٢٠٠١-01-01", "1975-05-10\n"],
            "13456",
        ),
        ("month", ["1975-05", "1975-13", "1975-00", "1975-5", "1975", "May 1975"], "12345"),
        ("year", ["1975", "75", "19750", "1975-05", "0000", None], "1234"),
        (3, ["*", "1975"], "1"),
    ],
)
def test_what_is_not_in_the_calendar_is_found(level: int | str, values: list[str | None], positions: str) -> None:
    with pytest.raises(OutsideHierarchy) as refused:
        from_dates("born", lists((level, values)))
    assert "".join(map(str, refused.value.positions.tolist())) == positions
    assert (refused.value.attribute, refused.value.column) == ("born", "column 0")
    assert "75" not in str(refused.value)


@pytest.mark.parametrize("steps", [["year", "month"], ["decade"], "month", ["day", "month"], ["month", "month"]])
def test_the_steps_of_dates_are_month_and_year(steps: Any) -> None:
    with pytest.raises(BadHierarchy) as refused:
        from_dates("born", [], steps)
    assert refused.value.key == "dates"


# Intervals


@st.composite
def widths(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A unit and widths, each a multiple of the one before."""
    unit = Fraction(draw(st.sampled_from(["1", "0.5", "0.01", "2"])))
    width, all_widths = unit, []
    for factor in draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)):
        width *= factor
        all_widths.append(plain(width))
    return plain(unit), all_widths


def spelled(number: Fraction, form: int) -> str:
    text = plain(number)
    return [text, f"0{text}" if number >= 0 else text, f"{text}.0" if "." not in text else f"{text}0"][form]


NUMBERS = st.tuples(st.integers(0, 4000).map(lambda number: Fraction(number, 100)), st.integers(0, 2))


@settings(deadline=None)
@given(st.lists(NUMBERS, min_size=1), widths(), st.sampled_from(["0", "-3", "0.25", "-0.5"]))
def test_intervals_are_those_made_by_hand(
    offsets: list[tuple[Fraction, int]], nest: tuple[str, list[str]], start: str
) -> None:
    unit, steps = nest
    values = [spelled(Fraction(start) + offset, form) for offset, form in offsets]
    leaves = list({Fraction(value): value for value in reversed(values)}.values())
    leaves.sort(key=lambda leaf: min(i for i, value in enumerate(values) if Fraction(value) == Fraction(leaf)))
    hierarchy = from_intervals("income", lists((0, distinct(values))), steps, start=start, unit=unit)
    assert chains_of(hierarchy) == [interval_chain(leaf, steps, start) for leaf in leaves]
    assert [set(counts.tolist()[1:]) for counts in hierarchy.leaf_counts[1:-1]] == [
        {Fraction(step) / Fraction(unit)} for step in steps
    ]
    assert hierarchy.leaves == units_in_all(leaves, steps[-1], start, unit)
    assert [leaves[code - 1] for code in hierarchy.coded(values)] == [
        next(leaf for leaf in leaves if Fraction(leaf) == Fraction(value)) for value in values
    ]
    check_laws(hierarchy)


@settings(deadline=None)
@given(st.lists(NUMBERS, min_size=1), widths(), st.data())
def test_an_interval_that_only_a_dictionary_has_gets_codes_up_to_the_top(
    offsets: list[tuple[Fraction, int]], nest: tuple[str, list[str]], data: st.DataObject
) -> None:
    unit, steps = nest
    level = data.draw(st.integers(1, len(steps)))
    chains = [interval_chain(plain(offset), steps, "0") for offset, _ in offsets]
    labels = [chain[level] for chain in chains]
    hierarchy = from_intervals("income", lists((0, ["0"]), (level, distinct(labels))), steps, unit=unit)
    for high in range(level, len(steps) + 2):
        codes = hierarchy.up(level, high)[hierarchy.codes_at(level, labels)]
        assert hierarchy.shown(high, codes).to_pylist() == [chain[high] for chain in chains]
    assert all(chain == interval_chain(chain[0], steps, "0") for chain in chains_of(hierarchy))
    assert hierarchy.leaves == units_in_all([plain(offset) for offset, _ in offsets], steps[-1], "0", unit)
    check_laws(hierarchy)


def test_a_number_at_the_end_of_an_interval_belongs_to_the_next() -> None:
    tenths = from_intervals("share", lists((0, ["0.3", "0.29999999999999999999", "0.7"])), ["0.1"], unit="0.1")
    assert shown_in(tenths)[1] == ["[0.3,0.4)", "[0.2,0.3)", "[0.7,0.8)"]
    assert from_intervals("income", lists((0, ["80"])), [80]).leaves == 160


def test_one_number_in_two_spellings_is_one_leaf_and_is_shown_as_it_is_written_first() -> None:
    income = from_intervals("income", lists((0, ["52.0", "7"]), (0, ["52", "5.2e1", "+7"])), [5])
    assert shown_in(income)[0] == ["52.0", "7"]
    assert income.coded(["52", "07", "52.00", None]).tolist() == [1, 2, 1, 0]
    assert income.found_at(0, ["52.5", "fifty", ""]).tolist() == [-1, -1, -1]


@pytest.mark.parametrize(
    ("level", "values", "positions", "words"),
    [
        (0, ["52", "-1", "-0.001", None, "0"], "12", "below the beginning"),
        (0, ["52", "fifty", "", "NaN", "inf", "1,000", "1.2.3", "-", "9" * 19, "1e99"], "123456789", "no numbers"),
        (1, ["[50,55)", "[50,60)", "[52,57)", "[-5,0)", "50", "[50.0,55.0)", "[50,55]", None], "123456", "not covered"),
        (3, ["[0,80)", "[0,20)"], "1", "not covered"),
        (4, ["*", "[0,80)", None], "1", "not covered"),
    ],
)
def test_what_the_intervals_do_not_hold_is_found(
    level: int, values: list[str | None], positions: str, words: str
) -> None:
    with pytest.raises(OutsideHierarchy, match=words) as refused:
        from_intervals("income", lists((level, values)), [5, 20, 80])
    assert "".join(map(str, refused.value.positions.tolist())) == positions


@pytest.mark.parametrize(
    ("steps", "start", "unit", "key", "level"),
    [
        ([5, 12], 0, 1, "intervals.widths", 2),
        ([5, 20, 30], 0, 1, "intervals.widths", 3),
        ([20, 5], 0, 1, "intervals.widths", 2),
        ([0.5], 0, 1, "intervals.widths", 1),
        ([0], 0, 1, "intervals.widths", 1),
        ([5, -5], 0, 1, "intervals.widths", 2),
        ([], 0, 1, "intervals.widths", None),
        (["five"], 0, 1, "intervals.widths", 1),
        ([5], float("nan"), 1, "intervals.from", None),
        ([5], True, 1, "intervals.from", None),
        ([5], 0, 0, "intervals.unit", None),
        ([5], 0, float("inf"), "intervals.unit", None),
        ([5], 0, None, "intervals.unit", None),
        (["1e25"], 0, 1, "intervals", None),
        ([1], "1e-25", 1, "intervals", None),
        (["1e17"], 0, "1e-10", "intervals.unit", None),
        (["1.0000000000000000000000000000000001"], 0, 1, "intervals.widths", 1),
    ],
)
def test_impossible_intervals_are_refused_with_key_and_level(
    steps: Any, start: Any, unit: Any, key: str, level: int | None
) -> None:
    with pytest.raises(BadHierarchy) as refused:
        from_intervals("income", lists((0, ["1"])), steps, start=start, unit=unit)
    assert (refused.value.key, refused.value.level) == (key, level)


# Speed


def test_a_hundred_thousand_leaves_take_seconds() -> None:
    days = (np.datetime64("1000-01-01") + np.arange(100_000)).astype(str).tolist()
    numbers = [str(number / 4) for number in range(100_000)]
    assert from_dates("born", lists((0, days))).groups[0] == 100_000
    assert from_intervals("income", lists((0, numbers)), [5, 50]).groups == (100_000, 5_000, 500, 1)
    assert from_masks("zip", lists((0, [f"{number:05}" for number in range(100_000)])), 5).groups[1] == 10_000
