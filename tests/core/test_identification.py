"""|ρ| of released records, against one entry and one cell at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table import meeting, tally
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Alike, Dictionary, Known
from riskapp.core.table.identification import Identification
from riskapp.core.table.released import Released
from tests.core.slow_identification import (
    BORN,
    HIERARCHIES,
    RACE,
    columns_of,
    dictionaries,
    hierarchies,
    nodes,
    people_met,
    released_cells,
    rows,
)

MANY = settings(deadline=None, max_examples=120)
EAST = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})


def codes(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


@MANY
@given(st.data())
def test_at_every_node_the_people_consistent_are_counted(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    table, dictionary = data.draw(rows(some)), data.draw(dictionaries(some))
    found = Identification(dictionary.fast, columns_of(some, table))
    for node in data.draw(st.lists(nodes(some), min_size=1, max_size=5)):
        slow = [people_met(dictionary, released_cells(some, row, node)) for row in table]
        assert found.at(node).tolist() == slow
        assert found.at(node).dtype == np.int64


@MANY
@given(st.data())
def test_records_with_levels_of_their_own_and_suppressed_ones(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    table, dictionary = data.draw(rows(some)), data.draw(dictionaries(some))
    columns = columns_of(some, table)
    levels = [data.draw(nodes(some)) for _ in table]
    hidden = [data.draw(st.booleans()) for _ in table]
    top = tuple(hierarchy.height for hierarchy in some)
    shown = [top if out else own for own, out in zip(levels, hidden, strict=True)]
    slow = [people_met(dictionary, released_cells(some, *pair)) for pair in zip(table, shown, strict=True)]
    each = np.array(levels, dtype=np.intp).reshape(len(table), len(some))
    released = Released(CodedRecords.of(columns), tuple(each.T), np.array(hidden, dtype=np.bool_))
    assert Identification(dictionary.fast, columns).of(released).tolist() == slow


@MANY
@given(st.data())
def test_rows_that_are_no_records(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    dictionary = data.draw(dictionaries(some))
    found = Identification(dictionary.fast, columns_of(some, data.draw(rows(some))))
    levels = data.draw(nodes(some))
    cells = [
        tuple(data.draw(st.integers(0, h.groups[level])) for h, level in zip(some, levels, strict=True))
        for _ in range(data.draw(st.integers(0, 5)))
    ]
    slow = [people_met(dictionary, list(zip(levels, row, strict=True))) for row in cells]
    by_column = list(np.array(cells, dtype=np.int32).reshape(len(cells), len(some)).T)
    assert found.of_cells(levels, by_column).tolist() == slow
    assert found.of_cells([np.full(len(cells), level) for level in levels], by_column).tolist() == slow


@settings(deadline=None, max_examples=100)
@given(st.data(), st.integers(1, 5))
def test_work_cut_into_parts_counts_the_same(data: st.DataObject, at_once: int) -> None:
    some = data.draw(hierarchies())
    table, dictionary = data.draw(rows(some)), data.draw(dictionaries(some))
    node = data.draw(nodes(some))
    slow = [people_met(dictionary, released_cells(some, row, node)) for row in table]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meeting, "AT_ONCE", at_once)
        patch.setattr(meeting, "LARGEST", 8)
        patch.setattr(tally, "LARGEST", 8)
        assert Identification(dictionary.fast, columns_of(some, table)).at(node).tolist() == slow


@settings(deadline=None)
@given(st.data())
def test_a_table_at_one_node_is_counted_as_that_node(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    table, dictionary, node = data.draw(rows(some)), data.draw(dictionaries(some)), data.draw(nodes(some))
    columns = columns_of(some, table)
    found = Identification(dictionary.fast, columns)
    others = columns_of(some, table[::-1])
    assert found.of(Released.at(CodedRecords.of(columns), node)).tolist() == found.at(node).tolist()
    assert found.of(Released.at(CodedRecords.of(others), node)).tolist() == found.at(node).tolist()[::-1]


@settings(deadline=None)
@given(st.data())
def test_with_everybody_covered_more_people_are_met_the_coarser_the_node(data: st.DataObject) -> None:
    some = data.draw(hierarchies())
    table, node = data.draw(rows(some)), data.draw(nodes(some))
    columns = columns_of(some, table)
    people = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table))), dtype=np.int32)
    dictionary = Dictionary.itself("self", columns, range(len(some)), people=people)
    found = Identification(dictionary, columns)
    assert (found.at(node) >= 1).all()
    for coarser in CodedRecords.of(columns).lattice.generalisations(node):
        assert (found.at(coarser) >= found.at(node)).all()


def test_somebody_the_dictionary_does_not_hold_is_met_by_others_when_generalised() -> None:
    records = CodedColumn(EAST, codes(EAST.coded(["Chinese"])[0]))
    others = CodedColumn(EAST, EAST.coded(["Japanese", "White"]))
    found = Identification(Dictionary("register", (Known.of(0, others),)), [records])
    assert [found.at((level,)).tolist() for level in (0, 1, 2)] == [[0], [1], [2]]


def test_a_label_that_only_the_dictionary_has_meets_what_is_missing_and_the_top() -> None:
    late = BORN.codes_at("year", ["1980"])
    column = CodedColumn(BORN, codes(0, 1, 2))
    found = Identification(Dictionary("register", (Known(0, BORN, BORN.level("year"), late),)), [column])
    assert found.at((0,)).tolist() == [1, 0, 0]
    assert found.at((BORN.height,)).tolist() == [1, 1, 1]


def test_a_person_counts_once_through_entries_that_know_different_columns() -> None:
    columns = columns_of((RACE, EAST), [(1, 1), (1, 2)])
    known = (Known(0, RACE, 0, codes(1, 0, 1)), Known(1, EAST, 0, codes(0, 1, 2)))
    found = Identification(Dictionary("visits", known, identities=codes(7, 7, 7)), columns)
    assert found.at((0, 0)).tolist() == [1, 1]


def test_an_entry_counts_once_however_many_of_its_leaves_match() -> None:
    column = CodedColumn(EAST, EAST.coded(["White", "Chinese"]))
    both = Alike(np.array([0, 0, 2, 2]), EAST.coded(["Chinese", "Japanese"]))
    known = Known(0, EAST, 0, codes(1, 2, 0), both)
    found = Identification(Dictionary("register", (known,)), [column])
    assert [found.at((level,)).tolist() for level in (0, 1, 2)] == [[1, 2], [1, 2], [2, 2]]


def test_an_empty_dictionary_meets_nobody() -> None:
    column = CodedColumn(EAST, codes(1, 2))
    found = Identification(Dictionary("register", (Known(0, EAST, 0, codes()),)), [column])
    assert found.at((0,)).tolist() == found.at((2,)).tolist() == [0, 0]


def test_entries_stand_for_as_many_people_as_they_say_however_many() -> None:
    column = CodedColumn(EAST, codes(1, 2))
    known = (Known(0, EAST, 1, codes(1, 1, 2)),)
    found = Identification(Dictionary("census", known, times=np.array([2**60, 1, 0])), [column])
    assert found.at((0,)).tolist() == [2**60 + 1, 0]


def test_columns_too_many_for_one_key_are_compared_all_the_same() -> None:
    draw = np.random.default_rng(1)
    wide = [RACE] * 40
    leaves = draw.integers(0, 5, (6, 40)).astype(np.int32)
    columns = [CodedColumn(RACE, leaves[:, place].copy()) for place in range(40)]
    found = Identification(Dictionary.itself("self", columns, range(40)), columns)
    assert len(HIERARCHIES) < len(wide)
    at_leaves = [sum(bool(((one == other) | (one == 0) | (other == 0)).all()) for other in leaves) for one in leaves]
    assert found.at((0,) * 40).tolist() == at_leaves
