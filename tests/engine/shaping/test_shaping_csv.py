"""Hierarchies as CSV: what is written is read back, in all the layouts people have; errors tell the line only."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.shaping import csv_form
from tests.engine.shaping import shaping_tables as small

AWKWARD = st.text(st.sampled_from('ab;,\t"\n\r *\ufeffé'), min_size=1, max_size=5)
NAMES = st.lists(
    st.sampled_from(["", "city", "a;b", 'say "x"', "county", "état"]), unique_by=lambda name: name or object()
)


@settings(max_examples=200, deadline=None)
@given(small.rows_specs(AWKWARD), NAMES, st.sampled_from(";,\t"))
def test_what_is_written_is_read_back(spec: dict[str, Any], names: list[str], delimiter: str) -> None:
    levels = len(spec["rows"][0])
    header = [*names, *[""] * levels][:levels]
    spec["header"] = header if any(header) else None
    text = csv_form.write(spec, delimiter=delimiter)
    assert csv_form.read(text, header=spec["header"] is not None, delimiter=delimiter) == spec


@settings(max_examples=100, deadline=None)
@given(small.rows_specs(st.text("abc ,", min_size=1, max_size=4)), st.sampled_from(";\t"))
def test_the_delimiter_is_found_out(spec: dict[str, Any], delimiter: str) -> None:
    assert csv_form.read(csv_form.write(spec, delimiter=delimiter), header=False) == spec


PLAIN = {"rows": [["Gary", "Lake", "*"], ["Chicago", "Cook", "*"]], "header": None}
NAMED = {**PLAIN, "header": ["city", "county", ""]}


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("Gary;Lake;*\nChicago;Cook;*\n", PLAIN),
        ("Gary,Lake,*\r\nChicago,Cook,*", PLAIN),
        ("Gary\tLake\nChicago\tCook\n\n", PLAIN),
        ('\ufeff"Gary";"Lake";"*"\n"Chicago";"Cook";"*"\n', PLAIN),
        ("City;county\nGary;Lake;*\nChicago;Cook;*\n", {**PLAIN, "header": ["City", "county", ""]}),
        ("city,county\nGary,Lake\nChicago,Cook\n", NAMED),
    ],
)
def test_every_layout_is_read(text: str, spec: dict[str, Any]) -> None:
    assert csv_form.read(text, column="city", known={"Gary"}) == spec


def test_a_header_is_told_by_what_the_column_holds() -> None:
    text = "town;region\nGary;Lake\nChicago;Cook\n"
    assert csv_form.read(text, column="city", known={"Gary", "Chicago"})["header"] == ["town", "region", ""]
    assert len(csv_form.read(text, column="city")["rows"]) == 3


def test_a_first_value_that_the_column_does_not_hold_is_no_header() -> None:
    text = "Hammond;Lake;*\nGary;Lake;*\n"
    assert [row[0] for row in csv_form.read(text, known={"Gary"})["rows"]] == ["Hammond", "Gary"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Gary;Lake;*\nSecret;;*\n", "line 2, level 1: The cell is empty"),
        ('Gary;Lake;*\n"Secret;Lake\n', "line 2: The quotes"),
        ("Secret;Lake;*\nGary;Lake;*\nSecret;Lake;*\n", "line 3, level 0: The value stands in line 1 already"),
        ("Gary;Lake;Secret\nHammond;Lake;Other\n", "line 2, level 1: The group belongs to another"),
        ("", "It lists no value"),
    ],
)
def test_an_error_tells_the_line_and_no_cell(text: str, why: str) -> None:
    with pytest.raises(BadSetting) as told:
        csv_form.read(text, column="city")
    assert why in str(told.value)
    assert "Secret" not in str(told.value)


def test_cells_are_kept_apart_by_three_signs_only() -> None:
    with pytest.raises(BadSetting, match="semicolon, tab or comma"):
        csv_form.write(PLAIN, delimiter="|")


def test_the_header_can_be_left_out() -> None:
    assert csv_form.write(NAMED, header=False) == "Gary;Lake;*\r\nChicago;Cook;*\r\n"
