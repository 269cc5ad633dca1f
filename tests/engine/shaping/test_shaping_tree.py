"""Edits of a hierarchy: each gives a valid tree with every leaf kept, or says what is wrong and changes nothing."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.shaping import tree
from riskapp.engine.shaping.opened import MOST_LEAVES, evened
from riskapp.engine.shaping.preview import preview
from tests.engine.shaping import shaping_tables as small

Spec = dict[str, Any]

LABELS = st.sampled_from("abcdefgh")
CITY: Spec = {
    "rows": [
        ["Lafayette", "Tippecanoe", "Indiana", "*"],
        ["Dayton", "Tippecanoe", "Indiana", "*"],
        ["Gary", "Lake", "Indiana", "*"],
        ["Chicago", "Cook", "Illinois", "*"],
    ],
    "header": ["city", "county", "state", ""],
}


def row_of(spec: Spec, leaf: str) -> list[str]:
    return next(row for row in spec["rows"] if row[0] == leaf)


@st.composite
def edits(draw: st.DrawFn) -> Callable[[Spec], Spec]:
    """An edit with arguments that sometimes fit and sometimes do not."""
    level, label, other = draw(st.integers(0, 4)), draw(LABELS), draw(LABELS)
    some = draw(st.lists(LABELS, max_size=3))
    under = draw(st.none() | LABELS)
    return draw(
        st.sampled_from(
            [
                lambda spec: tree.group(spec, some, label, level, under),
                lambda spec: tree.rename(spec, level, label, other),
                lambda spec: tree.move(spec, label, other, level),
                lambda spec: tree.split(spec, label, level),
                lambda spec: tree.add_level(spec, "level " + label, level),
                lambda spec: tree.name_level(spec, level, label),
                lambda spec: tree.remove_level(spec, level),
                lambda spec: tree.add_values(spec, {"new " + label: under}),
            ]
        )
    )


@settings(max_examples=200, deadline=None)
@given(small.rows_specs(LABELS), st.lists(edits(), max_size=12))
def test_any_edits_keep_every_leaf_and_a_valid_tree(spec: Spec, changes: list[Callable[[Spec], Spec]]) -> None:
    for change in changes:
        before = copy.deepcopy(spec)
        try:
            after = change(spec)
        except BadSetting:
            after = spec
        assert spec == before
        assert small.is_tree(after)
        assert [row[0] for row in after["rows"]][: len(spec["rows"])] == [row[0] for row in spec["rows"]]
        assert after["header"] is None or len(after["header"]) == len(after["rows"][0])
        spec = after


@settings(max_examples=60, deadline=None)
@given(small.rows_specs(LABELS), st.integers(0, 4))
def test_a_level_that_is_added_and_removed_leaves_no_trace(spec: Spec, place: int) -> None:
    at = 1 + place % (len(spec["rows"][0]) - 1)
    assert tree.remove_level(tree.add_level(spec, "here", at), at) == spec


@settings(max_examples=60, deadline=None)
@given(small.rows_specs(LABELS))
def test_values_that_are_added_stand_under_the_group_that_was_named(spec: Spec) -> None:
    for group in {row[1] for row in spec["rows"]}:
        added = tree.add_values(spec, {"new": group})
        assert row_of(added, "new")[1:] == next(row[1:] for row in spec["rows"] if row[1] == group)


def test_values_are_put_into_a_new_group_below_the_group_they_share() -> None:
    grouped = tree.group(CITY, ["Dayton", "Gary"], "North", 1)
    assert row_of(grouped, "Gary") == ["Gary", "North", "Indiana", "*"]
    assert row_of(grouped, "Lafayette") == row_of(CITY, "Lafayette")
    assert grouped["header"] == CITY["header"]


def test_a_new_group_of_values_from_two_groups_asks_where_it_belongs() -> None:
    with pytest.raises(BadSetting, match=r"2 different groups of level 2. Say under which"):
        tree.group(CITY, ["Gary", "Chicago"], "Lakeside", 1)
    grouped = tree.group(CITY, ["Gary", "Chicago"], "Lakeside", 1, under="Illinois")
    assert row_of(grouped, "Gary") == ["Gary", "Lakeside", "Illinois", "*"]


def test_a_group_moves_with_all_that_is_in_it() -> None:
    moved = tree.move(CITY, "Tippecanoe", "Illinois", level=1)
    assert [row_of(moved, leaf)[2] for leaf in ("Lafayette", "Dayton", "Gary")] == ["Illinois", "Illinois", "Indiana"]


def test_a_group_that_is_split_leaves_its_members_by_themselves() -> None:
    parted = tree.split(CITY, "Indiana", 2)
    assert [row[2] for row in parted["rows"]] == ["Tippecanoe", "Tippecanoe", "Lake", "Illinois"]


def test_a_split_that_would_join_two_groups_is_refused() -> None:
    spec = {"rows": [["a", "b", "*"], ["b", "c", "*"], ["d", "c", "*"]], "header": None}
    with pytest.raises(BadSetting, match=r"has the name of another group of level 1\. Rename"):
        tree.split(spec, "c")


def test_a_group_cannot_take_the_name_of_another() -> None:
    with pytest.raises(BadSetting, match="has a group of this name already"):
        tree.rename(CITY, 1, "Lake", "Cook")


@pytest.mark.parametrize("name", ["", " ", "*"])
def test_a_group_has_a_name_that_can_be_told_from_the_top(name: str) -> None:
    with pytest.raises(BadSetting, match="needs a name"):
        tree.rename(CITY, 1, "Lake", name)


@pytest.mark.parametrize("level", [0, 3, 7, -1])
def test_values_and_the_top_cannot_be_renamed_or_removed(level: int) -> None:
    with pytest.raises(BadSetting, match="from 1 to 2"):
        tree.rename(CITY, level, "Gary", "Mary")
    with pytest.raises(BadSetting, match="from 1 to 2"):
        tree.remove_level(CITY, level)


@pytest.mark.parametrize(("name", "why"), [("7", "numbered anyway"), ("county", "Level 1 has this name already")])
def test_a_level_has_a_name_of_its_own(name: str, why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        tree.add_level(CITY, name)
    with pytest.raises(BadSetting, match=why):
        tree.name_level(CITY, 2, name)
    assert tree.name_level(CITY, 1, "county") == CITY


def test_errors_name_no_label() -> None:
    with pytest.raises(BadSetting) as told:
        tree.group(CITY, ["Springfield"], "Elsewhere")
    assert "1 of the 1 chosen are not in level 0" in str(told.value)
    assert "Springfield" not in str(told.value)


def test_a_value_that_is_there_is_not_added_again() -> None:
    with pytest.raises(BadSetting, match="1 of the 2 values are in the hierarchy already"):
        tree.add_values(CITY, {"Gary": "Lake", "Hammond": "Lake"})
    with pytest.raises(BadSetting, match="not in level 1"):
        tree.add_values(CITY, {"Hammond": "Nowhere"})


def test_rows_that_are_no_tree_are_refused_with_the_line() -> None:
    broken = {"rows": [["a", "x", "1"], ["b", "x", "2"]], "header": None}
    with pytest.raises(BadSetting, match="line 2, level 1: The group belongs to another group"):
        tree.add_level(broken)


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        (None, [["52", "*"], ["7", "*"], ["52.0", "*"]]),
        (
            {"intervals": {"from": 0, "widths": [10]}},
            [["52", "[50,60)", "*"], ["7", "[0,10)", "*"], ["52.0", "[50,60)", "*"]],
        ),
        ({"groups": {"few": ["7", "8"]}}, [["7", "few", "*"], ["8", "few", "*"]]),
    ],
)
def test_any_hierarchy_is_written_out_as_rows(spec: Spec | None, rows: list[list[str]]) -> None:
    with small.table_of(n=["52", "7", "52.0", None]) as table:
        assert tree.from_spec(table, 0, spec) == {"rows": rows, "header": None}


def test_dates_keep_the_names_of_their_levels_and_their_groups() -> None:
    with small.table_of(born=["1975-05-10", "1975-06-01", "later"]) as table:
        written = tree.from_spec(table, 0, {"dates": ["month", "year"]})
        assert written["header"] == ["day", "month", "year", ""]
        assert written["rows"][1] == ["1975-06-01", "1975-06", "1975", "*"]
        ruled = preview(table, 0, {"dates": ["month", "year"]})
        assert preview(table, 0, written).levels == ruled.levels
        assert preview(table, 0, written).uncovered == ruled.uncovered


def test_too_many_values_are_not_edited_by_hand() -> None:
    spec = {"rows": [[str(number)] for number in range(MOST_LEAVES + 1)], "header": None}
    assert len(evened(spec)["rows"]) == MOST_LEAVES + 1
    with pytest.raises(BadSetting, match="Edit it as a CSV file"):
        tree.add_level(spec)
