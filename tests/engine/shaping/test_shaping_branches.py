"""The lines of a tree are what a person would write down, group by group."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.engine.shaping.branches import Branch, More, branches, opened_at_first
from riskapp.engine.shaping.fitting import Fitted, column_at, fitted
from tests.engine.shaping import shaping_tables as small

LABELS = st.sampled_from([*"abcdef", "ab", "bc"])
Told = tuple[int, str, str, int, int, int]


def fit_of(cells: list[str], spec: dict[str, Any]) -> Fitted:
    with small.table_of(column=cells) as table:
        return fitted(column_at(table, 0), spec)


def slow_lines(
    rows: list[list[str]], cells: list[str], level: int, label: str, shown: set[tuple[int, str]]
) -> list[Told]:
    """What is in a group, each followed by what is in that."""
    found: list[Told] = []
    inside = list(dict.fromkeys(row[level - 1] for row in rows if row[level] == label))
    for name in inside:
        mine = [row for row in rows if row[level - 1] == name]
        below = len({row[level - 2] for row in mine}) if level > 1 else 0
        records = sum(cells.count(row[0]) for row in mine)
        if (level - 1, name) in shown:
            found.append((level - 1, name, label, below, len(mine), records))
            if level > 1:
                found += slow_lines(rows, cells, level - 1, name, shown)
    return found


def everything(rows: list[list[str]]) -> set[tuple[int, str]]:
    return {(level, label) for row in rows for level, label in enumerate(row)}


def told(lines: list[Any]) -> list[Told]:
    return [(each.level, each.label, each.parent, each.inside, each.leaves, each.records) for each in lines]


@settings(max_examples=150, deadline=None)
@given(st.lists(LABELS, max_size=20), small.rows_specs(LABELS))
def test_an_open_tree_has_every_line_with_its_counts(cells: list[str], spec: dict[str, Any]) -> None:
    fit, rows = fit_of(cells, spec), spec["rows"]
    lines = branches(fit, opened_at_first(fit))
    assert told(lines) == slow_lines(rows, cells, len(rows[0]) - 1, "*", everything(rows))


@settings(max_examples=150, deadline=None)
@given(st.lists(LABELS, max_size=20), small.rows_specs(LABELS), st.sampled_from(["b", "A", "z"]))
def test_what_is_sought_is_shown_with_what_is_in_it_and_what_it_is_in(
    cells: list[str], spec: dict[str, Any], sought: str
) -> None:
    fit, rows = fit_of(cells, spec), spec["rows"]
    met = [row for row in rows if any(sought.casefold() in label.casefold() for label in row)]
    shown = everything(met)
    assert told(branches(fit, [], sought)) == slow_lines(rows, cells, len(rows[0]) - 1, "*", shown)


def test_a_large_group_is_shown_in_part_and_tells_how_much_is_not() -> None:
    cells = [f"v{number}" for number in range(250)]
    fit = fit_of(cells, {"rows": [[cell, "all", "*"] for cell in cells], "header": None})
    assert opened_at_first(fit) == []
    closed = branches(fit, [])
    assert [(each.label, each.inside) for each in closed if isinstance(each, Branch)] == [("all", 250)]
    lines = branches(fit, [(1, "all")], most=200)
    assert len(lines) == 202
    assert lines[-1] == More(depth=2, count=50)
