"""Utility of nodes and of released tables, against adding it up cell by cell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.released import Released
from riskapp.core.table.utility import LOSSES, MEASURES, OVER_RECORDS, Utility, cell_utilities
from tests.core import slow_released as slow

WEIGHTS = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=4, max_size=4)
RACES = CodedRecords.of([CodedColumn(slow.RACE, np.array([1, 2, 0], dtype=np.int32))])


@settings(deadline=None)
@given(slow.tables(), st.sampled_from(MEASURES), st.sampled_from(OVER_RECORDS), WEIGHTS)
def test_the_utility_of_a_released_table_is_that_of_its_cells(
    table: slow.Slow, measure: str, over: str, weights: list[float]
) -> None:
    chosen = tuple(weights[: len(table.hierarchies)])
    fast = Utility(table.records, measure, over, chosen)
    each = [slow.record_utility(table, record, measure, chosen) for record in range(len(table.rows))]
    assert fast.each(table.fast) == pytest.approx(each, abs=1e-12)
    assert fast.of(table.fast) == pytest.approx(slow.utility(table, measure, over, chosen), abs=1e-12)


@settings(deadline=None)
@given(slow.tables(), st.sampled_from(MEASURES), st.sampled_from(OVER_RECORDS))
def test_a_node_has_the_utility_of_the_table_it_makes(table: slow.Slow, measure: str, over: str) -> None:
    fast = Utility(table.records, measure, over)
    for node in table.records.lattice:
        assert fast.at(node) == pytest.approx(fast.of(Released.at(table.records, node)), abs=1e-12)


@settings(deadline=None)
@given(slow.tables(), st.sampled_from(MEASURES), st.sampled_from(OVER_RECORDS))
def test_a_coarser_node_never_has_more_utility(table: slow.Slow, measure: str, over: str) -> None:
    fast, lattice = Utility(table.records, measure, over), table.records.lattice
    for node in lattice:
        assert all(fast.at(coarser) <= fast.at(node) + 1e-12 for coarser in lattice.generalisations(node))


@settings(deadline=None)
@given(slow.tables(), st.sampled_from(MEASURES), st.sampled_from(OVER_RECORDS))
def test_the_share_is_one_for_the_unchanged_table_and_falls(table: slow.Slow, measure: str, over: str) -> None:
    fast = Utility(table.records, measure, over)
    missing = any(0 in row for row in table.rows)
    if measure not in LOSSES or not missing:
        assert fast.share(fast.unchanged) == pytest.approx(1.0)
    assert -1e-12 <= fast.share(fast.of(table.fast)) <= 1 + 1e-12


def test_the_share_of_a_loss_is_what_is_left_of_the_largest() -> None:
    lm = Utility(RACES, "lm", weights=(2.0,))
    assert lm.of_nothing == -2.0
    assert lm.unchanged == pytest.approx(-2 / 3)
    assert lm.share(lm.unchanged) == pytest.approx(2 / 3)
    assert lm.share(lm.at((3,))) == 0.0


def test_nothing_to_lose_is_a_share_of_one() -> None:
    only = CodedRecords.of([CodedColumn(slow.ONE, np.array([1, 0], dtype=np.int32))])
    assert [Utility(only, measure).share(0.0) for measure in (*LOSSES, "log-leaves")] == [1.0, 1.0, 1.0]


def test_a_column_of_which_nothing_is_known_says_nothing() -> None:
    assert not any(cell_utilities(slow.NOBODY, measure).any() for measure in MEASURES)


@pytest.mark.parametrize("weights", [(1.0, 1.0), (-1.0,), (float("inf"),), (float("nan"),)])
def test_bad_weights_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="weight"):
        Utility(RACES, weights=weights)


def test_unknown_measures_are_refused() -> None:
    with pytest.raises(ValueError, match="Utility is"):
        Utility(RACES, "height")
    with pytest.raises(ValueError, match="Utility is"):
        Utility(RACES, over_records="median")
    with pytest.raises(ValueError, match="measured by"):
        cell_utilities(slow.RACE, "height")


def test_no_record_has_no_utility() -> None:
    with pytest.raises(ValueError, match="no record"):
        Utility(CodedRecords.of([CodedColumn(slow.RACE, np.array([], dtype=np.int32))]))


def test_a_node_outside_the_lattice_is_refused() -> None:
    with pytest.raises(ValueError, match="not in the lattice"):
        Utility(RACES).at((-1,))
