"""Released tables written as text and read back, against the records they were made from and against the oracle."""

import random
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.errors import Unreadable
from riskapp.core.measure import measure
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.cells import matrix
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.read_back import read_back
from riskapp.core.table.released import Released
from riskapp.core.table.replay import TableRule
from tests.core.building import drawn, ours, released
from tests.core.measured import figures
from tests.oracle.assessment import nodes, same
from tests.oracle.evaluation import measure as their_measure
from tests.oracle.release import from_labels, from_nodes
from tests.oracle.replay import table_rule

RAGGED = from_groups("race", {"White": ["White"], "Asian": ["Chinese", "Japanese"]})


def records(*codes: int) -> CodedRecords:
    return CodedRecords.of([CodedColumn(RAGGED, np.array(codes, dtype=np.int32))])


@pytest.mark.parametrize("seed", range(300, 320))
def test_a_table_read_back_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chance = ours(theirs), random.Random(seed)
    chosen = [None if chance.random() < 0.2 else chance.choice(nodes(theirs)) for _ in theirs.records]
    texts = [row.shown for row in from_nodes(theirs, chosen)]
    table = read_back(problem.records, list(zip(*texts, strict=True)))
    rows = from_labels(theirs, texts)
    assert same(
        figures(measure(problem, table, TableRule(table))), their_measure(theirs, rows, table_rule(theirs, rows))
    )


@pytest.mark.parametrize("seed", range(340, 355))
def test_what_is_read_back_shows_the_same_text_as_what_was_written(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chance = ours(theirs), random.Random(seed)
    chosen = [None if chance.random() < 0.2 else chance.choice(nodes(theirs)) for _ in theirs.records]
    written = released(problem, chosen)
    table = read_back(problem.records, shown(written))
    assert shown(table) == shown(written)
    assert (written.suppressed <= table.suppressed).all()


def shown(table: Released) -> list[list[str | None]]:
    """The text of every cell, column by column."""
    columns = []
    for place, levels in enumerate(matrix(table).T):
        tree, leaves = table.hierarchies[place], table.records.columns[place].codes
        cells = zip(levels, leaves, strict=True)
        columns.append([tree.labels[level][int(tree.ancestors[level, leaf])].as_py() for level, leaf in cells])
    return columns


def test_a_label_of_several_levels_is_taken_at_the_lowest() -> None:
    assert matrix(read_back(records(1, 2), [["White", "Asian"]])).tolist() == [[0], [1]]


def test_a_label_of_several_levels_is_at_the_level_that_is_meant_where_it_shows_the_same() -> None:
    two = records(1, 2, 0, 0)
    meant = Released.each(two, np.array([[1], [0], [1], [2]]))
    assert matrix(read_back(two, [["White", "Asian", "", "*"]], meant)).tolist() == [[1], [1], [1], [2]]


def test_a_row_of_stars_that_is_meant_to_be_at_the_top_is_not_suppressed() -> None:
    two = records(1, 2)
    meant = Released.each(two, np.array([[2], [0]]), np.array([False, True]))
    assert read_back(two, [["*", "*"]], meant).suppressed.tolist() == [False, True]
    assert read_back(two, [["*", "Asian"]], meant).suppressed.tolist() == [False, False]


@pytest.mark.parametrize("seed", range(360, 375))
def test_a_table_read_back_as_it_was_meant_is_that_table(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chance = ours(theirs), random.Random(seed)
    chosen = [None if chance.random() < 0.2 else chance.choice(nodes(theirs)) for _ in theirs.records]
    written = released(problem, chosen)
    table = read_back(problem.records, shown(written), written)
    assert matrix(table).tolist() == matrix(written).tolist()
    assert table.suppressed.tolist() == written.suppressed.tolist()


def test_an_empty_cell_of_a_value_that_is_there_says_as_little_as_a_star() -> None:
    table = read_back(records(1, 0, 0, 2), [["", None, "*", "Chinese"]])
    assert matrix(table).tolist() == [[2], [0], [2], [0]]


def test_only_a_row_of_stars_in_all_columns_is_suppressed() -> None:
    two = CodedRecords.of([records(1, 2).columns[0], records(3, 3).columns[0]])
    table = read_back(two, [["*", "*"], ["*", "Asian"]])
    assert table.suppressed.tolist() == [True, False]
    assert matrix(table).tolist() == [[2, 2], [2, 1]]


@pytest.mark.parametrize("label", ["Asian", "Chinese", "Martian"])
def test_a_label_of_another_value_is_an_error_that_names_the_row_and_no_value(label: str) -> None:
    with pytest.raises(Unreadable, match='Row 2 of column "race"') as wrong:
        read_back(records(2, 1), [["Chinese", label]])
    assert label not in str(wrong.value) + wrong.value.advice


def test_a_missing_value_becomes_no_label() -> None:
    with pytest.raises(Unreadable, match="Row 1"):
        read_back(records(0), [["White"]])


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(Unreadable, match="one column for each attribute"):
        read_back(records(1), [])
    with pytest.raises(Unreadable, match="one row for each record"):
        read_back(records(1), [["White", "White"]])
