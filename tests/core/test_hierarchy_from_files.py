"""Hierarchies from files and groups: rows, padding, the top, and what is refused with its line."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.build_file import delimiter_of, from_text
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_rows import from_rows
from riskapp.core.table.faults import BadHierarchy
from tests.core.hierarchy_checks import chains_of, check_laws, check_sums, shown_in
from tests.core.slow_hierarchy import padded_chains

LABELS = st.text("ab;,\t \"'é*", min_size=1, max_size=3)


@st.composite
def trees(draw: st.DrawFn) -> list[list[str]]:
    """Rows of a tree: a group of level k is named by its number there, so that every group has one parent."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    leaves = draw(st.integers(1, 12))
    parents = [draw(st.lists(st.integers(0, size - 1), min_size=12, max_size=12)) for size in sizes]
    rows = []
    for leaf in range(leaves):
        row, place = [f"leaf {leaf}"], leaf
        for level, above in enumerate(parents):
            place = above[place]
            row.append(f"group {level}.{place}")
        rows.append(row[: draw(st.integers(1, len(row)))] if draw(st.booleans()) else row)
    return rows


def nested(rows: list[list[str]]) -> bool:
    """Whether, after padding, equal labels in a level have equal labels above, and each leaf is there once."""
    chains = padded_chains(rows)
    levels = range(len(chains[0]) - 1)
    steps = [{(chain[level], chain[level + 1]) for chain in chains} for level in levels]
    single = all(len(step) == len({low for low, _ in step}) for step in steps)
    return single and len({chain[0] for chain in chains}) == len(chains)


@settings(deadline=None)
@given(trees())
def test_rows_become_the_chains_that_padding_by_hand_gives(rows: list[list[str]]) -> None:
    assert nested(rows) or any(len(row) != len(rows[0]) for row in rows)
    if nested(rows):
        hierarchy = from_rows("a", rows)
        assert chains_of(hierarchy) == padded_chains(rows)
        check_laws(hierarchy)
        check_sums(hierarchy)


@settings(deadline=None)
@given(st.lists(st.lists(LABELS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_rows_are_refused_exactly_when_they_make_no_tree(rows: list[list[str]]) -> None:
    ends = all(row[-1] == "*" for row in rows)
    if nested(rows) if all(len(row) > ends for row in rows) else False:
        check_laws(from_rows("a", rows))
    else:
        with pytest.raises(BadHierarchy):
            from_rows("a", rows)


@settings(deadline=None)
@given(trees())
def test_n_counts_the_leaves_listed(rows: list[list[str]]) -> None:
    chains = padded_chains(rows)
    if nested(rows):
        hierarchy = from_rows("a", rows)
        for level, labels in enumerate(shown_in(hierarchy)):
            listed = [sum(chain[level] == label for chain in chains) for label in labels]
            assert hierarchy.leaf_counts[level].tolist()[1:] == listed


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


@settings(deadline=None)
@given(trees(), st.sampled_from(";,\t"), st.sampled_from(["\n", "\r\n"]))
def test_a_file_says_what_its_rows_say(rows: list[list[str]], delimiter: str, end: str) -> None:
    if nested(rows):
        text = "".join(delimiter.join(map(quoted, row)) + end for row in rows)
        assert chains_of(from_text("a", text)) == padded_chains(rows)


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\nc;d", ";"),
        ("a,b\nc,d", ","),
        ("a\tb\nc\td", "\t"),
        ("52;[50,55)\n57;[55,60)", ";"),
        ("52\t[50,55)\n57\t[55,60)", "\t"),
        ('"x;y",b\n"z;",d', ","),
        ("x;y,b\nz,d", ","),
        ("alone", ";"),
    ],
)
def test_the_delimiter_is_found(text: str, delimiter: str) -> None:
    assert delimiter_of(text) == delimiter


def test_a_header_names_the_levels_and_an_added_top_goes_by_number() -> None:
    city = from_text("city", "city,county\nLafayette,Tippecanoe\n", header=True)
    assert city.names == ("city", "county", "2")
    assert [city.level(name) for name in ("county", 1, "1", "2")] == [1, 1, 1, 2]


def test_without_a_header_levels_go_by_number() -> None:
    assert from_text("city", "Lafayette;Tippecanoe;*\n").names == ("0", "1", "2")


def test_a_name_that_is_another_levels_number_is_refused_when_it_is_used() -> None:
    city = from_text("city", "2;1;0\nLafayette;Tippecanoe;*", header=True)
    assert city.level("1") == 1
    with pytest.raises(BadHierarchy, match="the number of another"):
        city.level("2")
    assert city.level(2) == 2


@pytest.mark.parametrize("level", ["parish", 7, -1, "7", True])
def test_a_level_that_is_not_there_is_refused_with_those_that_are(level: Any) -> None:
    city = from_text("city", "city;county\nLafayette;Tippecanoe\n", header=True)
    with pytest.raises(
        BadHierarchy, match=r'"city": There is no such level. The levels are 0 \(city\), 1 \(county\), 2'
    ):
        city.level(level)


def test_a_mark_at_the_beginning_empty_lines_and_empty_cells_at_the_end_are_not_there() -> None:
    city = from_text("city", "\ufeffLafayette;Tippecanoe;Indiana\n\nChicago;Illinois;\n;;\n")
    assert chains_of(city) == [
        ("Lafayette", "Tippecanoe", "Indiana", "*"),
        ("Chicago", "Illinois", "Illinois", "*"),
    ]


def test_a_top_that_every_row_has_is_not_added_again() -> None:
    assert from_text("a", "x;g;*\ny;*").height == 2
    assert from_text("a", "x;g;*\ny;h").height == 3


@pytest.mark.parametrize(
    ("text", "level", "line", "words"),
    [
        ("a;g\nb;g\na;g", 0, 3, "stands in line 1 already"),
        ("h1;h2\na;g\n\nb;h\na;h", 0, 5, "stands in line 2 already"),
        ("a;g;x\nb;h;x\nc;g;y", 1, 3, "belongs to another group of level 2 in line 1"),
        ("a;g;x;*\nb;h;x;*\nc;i;y;*\nd;h;y;*", 1, 4, "belongs to another group of level 2 in line 2"),
        ("a;;x\nb;g;x", 1, 1, "The cell is empty"),
        (";g\nb;g", 0, 1, "The cell is empty"),
        ('a;g\n"b;g', None, 2, "quotes"),
        ("*\na;*", None, 1, "has no value"),
        ("", None, None, "lists no value"),
        ("city;county\n", None, None, "lists no value"),
    ],
)
def test_a_file_that_is_no_hierarchy_is_refused_with_level_and_line(
    text: str, level: int | None, line: int | None, words: str
) -> None:
    header = text.startswith(("h1", "city"))
    with pytest.raises(BadHierarchy, match=words) as refused:
        from_text("place", text, header=header)
    assert (refused.value.attribute, refused.value.level, refused.value.line) == ("place", level, line)
    assert str(refused.value).startswith('The hierarchy of "place"')


def test_a_row_that_runs_over_several_lines_is_told_by_its_first() -> None:
    with pytest.raises(BadHierarchy) as refused:
        from_text("a", '"x\ny";g\nb;g\n"b";g')
    assert refused.value.line == 4


def test_more_names_than_levels_are_refused() -> None:
    with pytest.raises(BadHierarchy, match="names 4 levels, the rows have 3") as refused:
        from_text("a", "w;x;y;z\na;b", header=True)
    assert refused.value.line == 1


def test_two_levels_of_one_name_are_refused() -> None:
    with pytest.raises(BadHierarchy, match="has the name of level 0"):
        from_text("a", "x;x\na;b", header=True)


def test_messages_hold_no_value() -> None:
    for text in ("secret;g\nsecret;h", "a;secret;x\nb;secret;y", "secret;;x"):
        with pytest.raises(BadHierarchy) as refused:
            from_text("a", text)
        assert "secret" not in str(refused.value)


# Groups


def test_groups_nest_and_shallow_ones_repeat_below_the_top() -> None:
    job = from_groups("job", {"care": {"doctor": ["surgeon", "GP"], "nurse": ["nurse"]}, "other": ["clerk"]})
    assert chains_of(job) == [
        ("surgeon", "doctor", "care", "*"),
        ("GP", "doctor", "care", "*"),
        ("nurse", "nurse", "care", "*"),
        ("clerk", "other", "other", "*"),
    ]
    check_laws(job)
    check_sums(job)


def test_groups_may_name_the_top() -> None:
    assert from_groups("a", {"*": {"x": ["1"], "y": ["2"]}}).height == 2


def test_whole_numbers_are_labels() -> None:
    assert shown_in(from_groups("children", {"few": [0, 1], 2: [2]})) == [["0", "1", "2"], ["few", "2"], ["*"]]


@pytest.mark.parametrize(
    ("groups", "key"),
    [
        ({}, "groups"),
        ({"g": []}, "groups[1]"),
        ({"g": ["a"], "h": "b"}, "groups[2]"),
        ({"g": ["a"], "h": None}, "groups[2]"),
        ({"g": ["a", True]}, "groups[1][2]"),
        ({"g": {"h": [1.5]}}, "groups[1][1][1]"),
        ({"g": ["a", ["b"]]}, "groups[1][2]"),
        ({None: ["a"]}, "groups[1]"),
        (["a"], "groups"),
    ],
)
def test_groups_that_are_none_are_refused_with_their_place(groups: Any, key: str) -> None:
    with pytest.raises(BadHierarchy) as refused:
        from_groups("a", groups)
    assert refused.value.key == key


@pytest.mark.parametrize("groups", [{"g": ["a"], "h": ["a"]}, {"g": {"x": ["a"]}, "h": {"x": ["b"]}}])
def test_a_value_or_a_group_in_two_groups_is_refused(groups: Any) -> None:
    with pytest.raises(BadHierarchy):
        from_groups("a", groups)
