"""A hierarchy cannot be invalid, says what it does not cover, and is built from what the assessment file says."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from riskapp.core.table.build import build
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList
from tests.core.hierarchy_checks import chains_of, check_laws, shown_in

RACE = {"European": ["White"], "Asian": ["Chinese", "Japanese"]}

SOUND: dict[str, Any] = {
    "labels": [["White", "Chinese", "Japanese"], ["European", "Asian"], ["*"]],
    "parents": [[1, 2, 2], [1, 1]],
    "leaf_counts": [[1, 1, 1], [1, 2], [3]],
}


def test_the_sound_one_is_sound() -> None:
    race = Hierarchy.of("race", **SOUND)
    check_laws(race)
    assert chains_of(race) == chains_of(from_groups("race", RACE))


@pytest.mark.parametrize(
    ("change", "level", "words"),
    [
        ({"labels": [["White", "White", "Japanese"], ["European", "Asian"], ["*"]]}, 0, "same label"),
        ({"labels": [["White", "Chinese", None], ["European", "Asian"], ["*"]]}, 0, "has a label"),
        ({"labels": [["White", "Chinese", "Japanese"], ["Asian", "Asian"], ["*"]]}, 1, "same label"),
        ({"labels": [["White", "Chinese", "Japanese"], ["European", "Asian"], ["all"]]}, 2, "top is one group"),
        ({"labels": [["White", "Chinese", "Japanese"], ["European", "Asian"], ["*", "?"]]}, 2, "top is one group"),
        ({"parents": [[1, 2], [1, 1]]}, 0, "one parent"),
        ({"parents": [[1, 2, 3], [1, 1]]}, 0, "of the next level"),
        ({"parents": [[1, 2, 0], [1, 1]]}, 0, "of the next level"),
        ({"parents": [[1, 2, 2], [1, 2]]}, 1, "of the next level"),
        ({"leaf_counts": [[1, 2, 1], [1, 3], [4]]}, 0, "counts as one"),
        ({"leaf_counts": [[1, 1, 1], [1, 2], [1]]}, 1, "more leaves"),
        ({"leaf_counts": [[1, 1, 1], [0, 2], [3]]}, 1, "counts as one"),
        ({"leaf_counts": [[1, 1, 1], [1], [3]]}, 1, "has a leaf count"),
        ({"names": ["leaf", "leaf", "top"]}, 1, "the name of level 0"),
        ({"names": ["leaf", "top"]}, None, "a name and leaf counts"),
        ({"labels": [["*"]], "parents": [], "leaf_counts": [[1]]}, None, "the leaves and a top"),
    ],
)
def test_what_is_no_tree_with_one_top_cannot_be_made(change: dict[str, Any], level: int | None, words: str) -> None:
    with pytest.raises(BadHierarchy, match=words) as refused:
        Hierarchy.of("race", **{**SOUND, **change})
    assert (refused.value.attribute, refused.value.level) == ("race", level)


def test_nothing_of_it_can_be_changed_and_what_it_was_made_of_is_left_alone() -> None:
    race = Hierarchy.of("race", **SOUND)
    for numbers in (race.parents[0], race.leaf_counts[1], race.ancestors):
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 1
    own = [np.array([0, 1], dtype=np.int32), np.array([1, 1]), np.array([1, 1])]
    Hierarchy("a", ("0", "1"), (pa.array([None, "x"]), pa.array(["*", "*"])), (own[0],), (own[1], own[2]))
    assert all(numbers.flags.writeable for numbers in own)


def test_missing_says_nothing_at_any_level() -> None:
    race = from_groups("race", RACE)
    assert [race.shown(level, np.array([0])).to_pylist() for level in range(3)] == [[None], [None], ["*"]]
    assert [counts[0] for counts in race.leaf_counts] == [3, 3, 3]
    assert [race.depth(level) for level in range(3)] == [2, 1, 0]


def test_a_value_list_with_missing_first_turns_codes_of_a_table_into_leaf_codes() -> None:
    race = from_groups("race", RACE)
    values = pa.chunked_array([[None, "Japanese"], ["White"]], pa.large_string())
    assert race.coded(values)[np.array([2, 0, 1, 1])].tolist() == [1, 0, 3, 3]


def test_uncovered_values_are_counted_and_never_named() -> None:
    race = from_groups("race", RACE)
    with pytest.raises(OutsideHierarchy) as refused:
        race.coded([None, "White", "Martian", "white"], rows=np.array([5, 100, 7, 2]), column="ethnicity")
    told = '2 of the 3 values of column "ethnicity" (9 rows) are not covered by the hierarchy of "race" at level 0.'
    assert str(refused.value) == told
    assert (refused.value.positions.tolist(), refused.value.rows, refused.value.level) == ([2, 3], 9, 0)


def test_rows_that_were_not_counted_are_not_told() -> None:
    with pytest.raises(OutsideHierarchy, match=r'^1 of the 1 values of column "race" is not covered') as refused:
        from_groups("race", RACE).codes_at(1, ["White"])
    assert refused.value.rows is None


def test_there_is_no_way_down() -> None:
    with pytest.raises(ValueError, match="no way up from level 2 to level 1"):
        from_groups("race", RACE).up(2, 1)


# What the assessment file says


def built(wanted: Any, values: list[str] | None = None, text: str = "") -> Hierarchy:
    return build("a", wanted, [ValueList.of(values or [])], text_of=lambda name: text if name == "a.csv" else "")


@pytest.mark.parametrize(
    ("make", "chain"),
    [
        (lambda: built(None, ["F"]), ("F", "*")),
        (lambda: built({"file": "a.csv"}, text="x;g;h"), ("x", "g", "h", "*")),
        (lambda: built({"file": "a.csv", "header": True}, text="leaf,group\nx,g"), ("x", "g", "*")),
        (lambda: built({"file": "a.csv", "header": False}, text="x\tg\t*"), ("x", "g", "*")),
        (lambda: built({"groups": {"h": {"g": ["x"]}}}), ("x", "g", "h", "*")),
        (
            lambda: built({"intervals": {"from": 0, "widths": [5, 20, 80], "unit": 1}}, ["52"]),
            ("52", "[50,55)", "[40,60)", "[0,80)", "*"),
        ),
        (lambda: built({"intervals": {"widths": [5]}}, ["52"]), ("52", "[50,55)", "*")),
        (lambda: built({"intervals": {"from": -0.5, "widths": [0.5], "unit": 0.1}}, ["-.1"]), ("-.1", "[-0.5,0)", "*")),
        (lambda: built({"dates": ["month", "year"]}, ["1975-05-10"]), ("1975-05-10", "1975-05", "1975", "*")),
        (lambda: built({"dates": ["year"]}, ["1975-05-10"]), ("1975-05-10", "1975", "*")),
        (lambda: built({"dates": []}, ["1975-05-10"]), ("1975-05-10", "*")),
        (lambda: built({"mask": 5}, ["47906"]), ("47906", "4790*", "479**", "47***", "4****", "*")),
        (lambda: built({"mask": 3, "from": "left"}, ["47906"]), ("47906", "*7906", "**906", "*")),
        (lambda: built({"mask": 3, "from": "right"}, ["7", "47906"]), ("7", "*", "*", "*")),
    ],
)
def test_every_kind_is_built_from_its_description(make: Callable[[], Hierarchy], chain: tuple[str, ...]) -> None:
    hierarchy = make()
    check_laws(hierarchy)
    assert chains_of(hierarchy)[0] == chain


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        ({}, None),
        ("file", None),
        ({"mask": 5, "dates": ["year"]}, None),
        ({"tree": {}}, None),
        ({"mask": 5, "header": True}, "header"),
        ({"file": "a.csv", "delimiter": ";"}, "delimiter"),
        ({"file": "a.csv", "header": "yes"}, "header"),
        ({"file": 7}, "file"),
        ({"groups": ["a"]}, "groups"),
        ({"intervals": [5]}, "intervals"),
        ({"intervals": {"width": 5}}, "intervals.width"),
        ({"intervals": {"from": 0}}, "intervals.widths"),
        ({"intervals": {"widths": 5}}, "intervals.widths"),
        ({"intervals": {"widths": [5], "to": 50}}, "intervals.to"),
        ({"dates": "year"}, "dates"),
        ({"mask": "5"}, "mask"),
        ({"mask": 5, "from": "top"}, "from"),
    ],
)
def test_an_unknown_key_or_an_impossible_value_is_refused_by_its_key(wanted: Any, key: str | None) -> None:
    with pytest.raises(BadHierarchy) as refused:
        built(wanted)
    assert (refused.value.attribute, refused.value.key) == ("a", key)


def test_levels_of_dictionaries_may_go_by_name() -> None:
    born = build("born", {"dates": ["year"]}, [ValueList.of(["1975"], "year")], text_of=str)
    assert shown_in(born) == [[], ["1975"], ["*"]]
    with pytest.raises(BadHierarchy, match="no such level"):
        build("born", {"dates": ["year"]}, [ValueList.of(["1975-05"], "month")], text_of=str)
