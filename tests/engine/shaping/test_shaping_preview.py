"""The preview counts what a person would count, quickly; values not covered are told and get homes."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.engine import coded
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping.preview import preview, seen_examples, seen_uncovered
from tests.engine.shaping import shaping_tables as small
from tests.engine.shaping import slow_preview as slow

LABELS = st.sampled_from("abcdefgh")
SPECS = st.one_of(
    st.none(),
    small.rows_specs(LABELS),
    st.builds(lambda steps: {"dates": steps}, st.sampled_from([[], ["month"], ["year"], ["month", "year"]])),
    st.builds(
        lambda start, first, more: {"intervals": {"from": start, "widths": [first, first * more], "unit": 1}},
        st.integers(-20, 5),
        st.integers(1, 7),
        st.integers(1, 4),
    ),
    st.builds(lambda signs, end: {"mask": signs, "from": end}, st.integers(1, 5), st.sampled_from(["left", "right"])),
)
DATES = ["1975-05-10", "1975-05-11", "1975-06-01", "1976-02-29", "1975-02-29", "1975", "10.05.1975"]
NUMBERS = ["-7", "0", "3", "03", "3.0", "12", "12.5", "99", "many"]
VALUES = st.one_of(LABELS, st.sampled_from(DATES), st.sampled_from(NUMBERS), st.text("01a", min_size=1, max_size=4))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.none() | VALUES, max_size=25), SPECS)
def test_every_figure_is_what_counting_by_hand_gives(cells: list[str | None], spec: dict[str, Any] | None) -> None:
    with small.table_of(column=cells) as table:
        told = preview(table, 0, spec)
    found = [(level.groups, level.smallest, level.alone) for level in told.levels]
    assert found == slow.levels(spec, cells, len(told.levels) - 1)
    assert all(level.alone_share == (level.alone / len(cells) if cells else 0) for level in told.levels)
    outside = [cell for cell in cells if cell is not None and slow.path(spec, cell) is None]
    assert (told.uncovered.values, told.uncovered.records) == (len(set(outside)), len(outside))
    assert (told.records, told.missing) == (len(cells), cells.count(None))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.none() | LABELS, max_size=25), small.rows_specs(LABELS))
def test_examples_are_the_commonest_values_with_their_labels(cells: list[str | None], spec: dict[str, Any]) -> None:
    with small.table_of(column=cells) as table:
        ladders = seen_examples(table, 0, spec, most=2)
    paths = [found for cell in cells if cell is not None and (found := slow.path(spec, cell))]
    assert len(ladders) == min(2, len({found[0] for found in paths}))
    for ladder in ladders:
        assert [step["label"] for step in ladder] == slow.path(spec, ladder[0]["label"])
        for level, step in enumerate(ladder):
            assert step["records"] == sum(1 for found in paths if found[level] == step["label"])
    times = sorted((sum(1 for cell in cells if cell == found[0]) for found in {tuple(p) for p in paths}), reverse=True)
    assert [ladder[0]["records"] for ladder in ladders] == times[:2]


CITIES = {
    "rows": [
        ["Lafayette", "Tippecanoe", "*"],
        ["West Lafayette", "Tippecanoe", "*"],
        ["Chicago", "Cook", "*"],
        ["E11.2", "Codes", "*"],
    ],
    "header": None,
}


@pytest.mark.parametrize(
    ("value", "home"),
    [("lafayette ", "Tippecanoe"), ("Lafayete", "Tippecanoe"), ("CHICAGO", "Cook"), ("E11.9", "Codes")],
)
def test_a_value_is_offered_the_group_of_the_leaf_most_like_it(value: str, home: str) -> None:
    with small.table_of(city=["Chicago", value, value]) as table:
        (told,) = seen_uncovered(table, 0, CITIES)
    assert (told["value"], told["records"], told["homes"][0]["group"]) == (value, 2, home)


def test_a_value_like_nothing_is_offered_no_home_and_the_commonest_come_first() -> None:
    with small.table_of(city=["Xyzzy", "Qqq", "Qqq"]) as table:
        told = seen_uncovered(table, 0, CITIES)
        assert told == [
            {"value": "Qqq", "records": 2, "homes": []},
            {"value": "Xyzzy", "records": 1, "homes": []},
        ]
        assert len(seen_uncovered(table, 0, CITIES, most=1)) == 1


def test_dates_that_cannot_be_read_are_listed_without_a_home() -> None:
    with small.table_of(born=["1975-05-10", "10.05.1975"]) as table:
        assert seen_uncovered(table, 0, {"dates": ["year"]}) == [{"value": "10.05.1975", "records": 1, "homes": []}]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"dates": "year"}, "born.hierarchy.dates"),
        ({"dates": ["decade"]}, "Name month, year, or month and year"),
        ({"intervals": {"widths": [3, 5]}}, "not a multiple"),
        ({"mask": 0}, "at least 1"),
        ({"file": "secret.csv"}, "Upload the file"),
        ({}, "exactly one of"),
        ([], "exactly one of|Describe it"),
        ({"rows": []}, "It lists no value"),
        ({"rows": "ab"}, "Give a list of rows"),
        ({"rows": [["a", ""]]}, "line 1: A label is empty"),
        ({"rows": [["a", 7]]}, "line 1: A label is empty or no text"),
        ({"rows": [["a"]], "header": "leaf"}, "Name the levels in a list"),
        ({"rows": [["a"]], "headers": []}, "There is no such key"),
        ({"rows": [["a", "x", "*"], ["b", "x", "y", "*"]]}, "one parent"),
    ],
)
def test_a_broken_spec_says_what_to_do(spec: Any, why: str) -> None:
    with small.table_of(born=["1975-05-10"]) as table, pytest.raises(BadSetting, match=why) as told:
        preview(table, 0, spec)
    assert "1975" not in str(told.value)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> CodedTable:
    """A million rows over ten thousand values."""
    folder = tmp_path_factory.mktemp("large") / "table"
    values = [None, *(f"{number:05d}" for number in range(10_000))]
    codes = np.random.default_rng(0).integers(0, 10_001, 1_000_000).astype(np.int32)
    (folder / coded.VALUES).mkdir(parents=True)
    pq.write_table(pa.table([pa.array(values, pa.string())], schema=coded.VALUES_SCHEMA), coded.values_path(folder, 0))
    pq.write_table(pa.table([pa.array(codes)], schema=coded.codes_schema(1)), Path(folder, coded.CODES))
    coded.describe(folder, rows=len(codes), names=["zip"], distinct=[10_000], missing=[0], reading={})
    return CodedTable.open(folder)


@pytest.mark.parametrize(
    "spec",
    [
        {"mask": 5},
        {"intervals": {"from": 0, "widths": [10, 100, 1000], "unit": 1}},
        {"rows": [[f"{n:05d}", f"{n // 10:04d}", f"{n // 100:03d}", f"{n // 1000:02d}", "*"] for n in range(10_000)]},
        None,
    ],
    ids=["mask", "intervals", "rows", "none"],
)
def test_a_million_rows_are_previewed(large: CodedTable, spec: dict[str, Any] | None) -> None:
    told = preview(large, 0, spec)
    assert (told.levels[0].groups, told.levels[-1].groups) == (10_000, 1)
    assert told.levels[-1].smallest == told.records - told.missing
