"""The labels of every kind of hierarchy at every level, and how many leaves each label has."""

from pathlib import Path
from typing import Any

import pytest

from tests.oracle.hierarchies import Hierarchy, build
from tests.oracle.reading import Refused
from tests.oracle.tables import save


def settled(given: dict[str, Any] | None, *cells: tuple[int, str], folder: Path = Path()) -> Hierarchy:
    hierarchy = build(given, folder)
    hierarchy.settle(cells)
    return hierarchy


def leaf_counts(hierarchy: Hierarchy, leaf: str) -> list[int]:
    return [hierarchy.leaves_under(cell) for cell in enumerate(hierarchy.path(leaf))]


LABELS: list[tuple[dict[str, Any] | None, str, list[str]]] = [
    ({"dates": ["month", "year"]}, "1975-05-10", ["1975-05-10", "1975-05", "1975", "*"]),
    ({"dates": ["month"]}, "1975-05-10", ["1975-05-10", "1975-05", "*"]),
    ({"dates": ["year"]}, "1975-05-10", ["1975-05-10", "1975", "*"]),
    ({"intervals": {"from": 0, "widths": [5, 20, 80]}}, "52", ["52", "[50,55)", "[40,60)", "[0,80)", "*"]),
    ({"intervals": {"from": -10, "widths": [5]}}, "-7", ["-7", "[-10,-5)", "*"]),
    ({"intervals": {"from": 0.5, "widths": [0.5, 2], "unit": 0.5}}, "1.2", ["1.2", "[1,1.5)", "[0.5,2.5)", "*"]),
    ({"mask": 5}, "47906", ["47906", "4790*", "479**", "47***", "4****", "*"]),
    ({"mask": 3, "from": "left"}, "123", ["123", "*23", "**3", "*"]),
    (None, "m", ["m", "*"]),
    ({"groups": {"Asian": ["Chinese", "Japanese"], "European": ["White"]}}, "Chinese", ["Chinese", "Asian", "*"]),
    ({"groups": {"A": {"B": ["x"]}, "C": ["y"]}}, "x", ["x", "B", "A", "*"]),
    ({"groups": {"A": {"B": ["x"]}, "C": ["y"]}}, "y", ["y", "C", "C", "*"]),
    ({"groups": {1970: [1971, 1972]}}, "1971", ["1971", "1970", "*"]),
]


@pytest.mark.parametrize(("given", "leaf", "labels"), LABELS)
def test_a_value_has_these_labels_from_the_leaf_to_the_top(
    given: dict[str, Any] | None, leaf: str, labels: list[str]
) -> None:
    assert build(given, Path()).path(leaf) == labels


FILES = [
    ("Lafayette;Tippecanoe;Indiana\nDayton;Ohio County;Ohio", False),
    ("Lafayette,Tippecanoe,Indiana,*\nDayton,Ohio County,Ohio,*", False),
    ("city\tcounty\tstate\nLafayette\tTippecanoe\tIndiana\nDayton\tOhio County\tOhio", True),
]


@pytest.mark.parametrize(("text", "header"), FILES)
def test_a_file_lists_one_leaf_a_row_and_the_star_is_added_unless_every_row_ends_in_it(
    tmp_path: Path, text: str, header: bool
) -> None:
    hierarchy = build({"file": "city.csv", "header": header}, save(tmp_path, {"city.csv": text}))
    assert hierarchy.path("Lafayette") == ["Lafayette", "Tippecanoe", "Indiana", "*"]
    assert hierarchy.level("2") == 2
    if header:
        assert hierarchy.level("state") == 2


RAGGED = [
    ("a;A;AA\nb;B\nc", {"a": ["a", "A", "AA", "*"], "b": ["b", "B", "B", "*"], "c": ["c", "c", "c", "*"]}),
    ("a;A;*\nb;*", {"a": ["a", "A", "*"], "b": ["b", "b", "*"]}),
    ("a;A;\nb;B;BB", {"a": ["a", "A", "A", "*"]}),
]


@pytest.mark.parametrize(("text", "paths"), RAGGED)
def test_short_rows_repeat_their_last_value_below_the_top(
    tmp_path: Path, text: str, paths: dict[str, list[str]]
) -> None:
    hierarchy = build({"file": "h.csv"}, save(tmp_path, {"h.csv": text}))
    assert {leaf: hierarchy.path(leaf) for leaf in paths} == paths


COUNTS: list[tuple[dict[str, Any] | None, list[tuple[int, str]], str, list[int]]] = [
    # days of the month, days of the year, days of all years that occur at any level, here 1975, 1976 and 1980
    (
        {"dates": ["month", "year"]},
        [(0, "1975-05-10"), (0, "1976-02-29"), (2, "1980")],
        "1976-02-29",
        [1, 29, 366, 1097],
    ),
    # the first multiple of 80 above 79 is 80, above 80 it is 160
    ({"intervals": {"widths": [5, 20, 80]}}, [(0, "79")], "52", [1, 5, 20, 80, 80]),
    ({"intervals": {"widths": [5, 20, 80]}}, [(0, "80")], "52", [1, 5, 20, 80, 160]),
    ({"intervals": {"widths": [5, 20, 80]}}, [(0, "3"), (1, "[80,85)")], "52", [1, 5, 20, 80, 160]),
    ({"intervals": {"widths": [2, 4], "unit": 0.5}}, [(0, "3")], "3", [1, 4, 8, 8]),
    # masks and bare columns: the values that occur
    ({"mask": 3}, [(0, "101"), (0, "101"), (0, "102"), (0, "112"), (1, "99*")], "101", [1, 2, 3, 3]),
    (None, [(0, "f"), (0, "m"), (0, "f")], "m", [1, 2]),
    # groups and files: what they list, whatever occurs
    ({"groups": {"A": ["x", "y"], "B": ["z"]}}, [(0, "x")], "x", [1, 2, 3]),
]


@pytest.mark.parametrize(("given", "cells", "leaf", "counts"), COUNTS)
def test_a_label_has_this_many_leaves(
    given: dict[str, Any] | None, cells: list[tuple[int, str]], leaf: str, counts: list[int]
) -> None:
    hierarchy = settled(given, *cells)
    assert leaf_counts(hierarchy, leaf) == counts
    assert hierarchy.size() == counts[-1]


BROKEN: list[dict[str, Any]] = [
    {"intervals": {"widths": [5, 12]}},
    {"intervals": {"widths": [0]}},
    {"intervals": {"widths": []}},
    {"intervals": {"widths": [3], "unit": 2}},
    {"dates": ["week"]},
    {"dates": ["year", "month"]},
    {"mask": 0},
    {"groups": {"A": ["x"], "B": ["x"]}},
    {"groups": {"A": {"C": ["x"]}, "B": {"C": ["y"]}}},
    {"wheel": 3},
]


@pytest.mark.parametrize("given", BROKEN)
def test_a_hierarchy_that_cannot_be_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        build(given, Path())


OUTSIDE: list[tuple[dict[str, Any], tuple[int, str]]] = [
    ({"groups": {"A": ["x"]}}, (0, "q")),
    ({"groups": {"A": ["x"]}}, (1, "x")),
    ({"dates": ["year"]}, (0, "1975-02-29")),
    ({"dates": ["year"]}, (0, "10.05.1975")),
    ({"dates": ["year"]}, (1, "1975-05")),
    ({"intervals": {"from": 5, "widths": [5]}}, (0, "4")),
    ({"intervals": {"widths": [5]}}, (0, "many")),
    ({"intervals": {"widths": [5]}}, (1, "[3,8)")),
    ({"mask": 3}, (1, "101")),
]


@pytest.mark.parametrize(("given", "cell"), OUTSIDE)
def test_a_value_that_a_hierarchy_does_not_cover_is_noticed(given: dict[str, Any], cell: tuple[int, str]) -> None:
    assert not build(given, Path()).covers(cell)


def test_a_label_is_read_back_at_the_lowest_level_that_has_it() -> None:
    levels = {
        "1975-05": build({"dates": ["month", "year"]}, Path()).level_of("1975-05"),
        "[40,60)": build({"intervals": {"widths": [5, 20]}}, Path()).level_of("[40,60)"),
        "4790*": build({"mask": 5}, Path()).level_of("4790*"),
        "*": build({"mask": 5}, Path()).level_of("*"),
        "y": build({"groups": {"A": {"B": ["x"]}, "y": ["y"]}}, Path()).level_of("y"),
    }
    assert levels == {"1975-05": 1, "[40,60)": 2, "4790*": 1, "*": 5, "y": 0}
