"""What is measured on the released table itself, against counting cell by cell."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.anonymity import Groups
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.distance import jensen_shannon
from riskapp.core.table.information import arx_loss, average_class_size, discernibility, non_uniform_entropy
from riskapp.core.table.queries import Query, answer, count_query_error, drawn, mean_error
from riskapp.core.table.released import Released
from tests.core import slow_released as slow

SEEDS = st.integers(0, 1000)


def groups_of(table: slow.Slow) -> Groups:
    fast = table.fast
    return Groups.of(fast.shown_keys(), suppressed=fast.suppressed, times=table.records.times)


@settings(deadline=None)
@given(slow.tables())
def test_records_are_alike_exactly_when_they_show_the_same(table: slow.Slow) -> None:
    keys = table.fast.shown_keys().numbers.tolist()
    texts = [slow.shown(table, record) for record in range(len(table.rows))]
    assert len(set(keys)) == len(set(texts)) == len(set(zip(keys, texts, strict=True)))


@settings(deadline=None)
@given(slow.tables())
def test_at_one_node_shown_keys_and_group_keys_agree(table: slow.Slow) -> None:
    for node in table.records.lattice:
        shown = Released.at(table.records, node).shown_keys().numbers.tolist()
        keys = table.records.group_keys(node).numbers.tolist()
        assert len(set(keys)) == len(set(shown)) == len(set(zip(keys, shown, strict=True)))


@settings(deadline=None)
@given(slow.tables())
def test_the_bits_lost_are_those_of_the_cells(table: slow.Slow) -> None:
    assert non_uniform_entropy(table.fast) == pytest.approx(slow.non_uniform_entropy(table), abs=1e-9)
    assert non_uniform_entropy(table.unchanged().fast) == 0.0


@settings(deadline=None)
@given(slow.tables())
def test_arx_loss_is_the_geometric_mean_of_the_columns(table: slow.Slow) -> None:
    assert arx_loss(table.fast) == pytest.approx(slow.arx_loss(table), abs=1e-12)


@settings(deadline=None)
@given(slow.tables())
def test_class_sizes_and_discernibility_compare_rows_with_rows(table: slow.Slow) -> None:
    long = table.expanded()
    rows = [None if long.suppressed[r] else slow.shown(long, r) for r in range(len(long.rows))]
    alike = sum(len(rows) if row is None else rows.count(row) for row in rows)
    kinds = {row for row in rows if row is not None}
    released = [row for row in rows if row is not None]
    assert discernibility(groups_of(table)) == alike
    assert average_class_size(groups_of(table)) == (len(released) / len(kinds) if kinds else 0.0)


@settings(deadline=None)
@given(slow.tables())
def test_the_distance_is_between_leaves_spread_evenly(table: slow.Slow) -> None:
    found = jensen_shannon(table.fast)
    assert found == pytest.approx([slow.jensen_shannon(table, p) for p in range(len(table.hierarchies))], abs=1e-7)
    assert found.max() <= math.sqrt(math.log(2)) + 1e-12
    assert not jensen_shannon(table.unchanged().fast).any()


@settings(deadline=None)
@given(slow.tables(), SEEDS, st.integers(1, 5))
def test_queries_are_answered_record_by_record(table: slow.Slow, seed: int, attributes: int) -> None:
    asked = drawn(table.records, queries=5, attributes=attributes, seed=seed)
    for query in asked:
        assert answer(table.fast, query) == pytest.approx(slow.answer(table, query), abs=1e-9)
        assert answer(table.unchanged().fast, query) > 0.999
    found = count_query_error(table.fast, queries=5, attributes=attributes, seed=seed)
    assert found == pytest.approx(slow.query_error(table, asked), abs=1e-9)


@settings(deadline=None)
@given(slow.tables(), SEEDS)
def test_the_unchanged_table_answers_every_query_rightly(table: slow.Slow, seed: int) -> None:
    assert count_query_error(table.unchanged().fast, queries=5, seed=seed) == 0.0


def test_the_same_seed_asks_the_same_queries() -> None:
    records = CodedRecords.of([CodedColumn(slow.RACE, np.arange(5, dtype=np.int32))])
    one, same, other = (drawn(records, queries=20, attributes=2, seed=seed) for seed in (1, 1, 2))
    assert one == same != other


def test_small_answers_are_measured_against_a_thousandth_of_the_records() -> None:
    column = CodedColumn(slow.RACE, slow.RACE.coded(["Chinese", "Japanese"]))
    records = CodedRecords((column,), np.array([9_999, 1]))
    japanese = Query(places=(0,), leaves=(int(column.codes[1]),), levels=(0,))
    east = Released.at(records, (1,))
    assert (answer(Released.at(records, (0,)), japanese), answer(east, japanese)) == (1, 5_000)
    assert mean_error(east, [japanese]) == pytest.approx(4_999 / 10)


def test_no_query_is_no_measure() -> None:
    records = CodedRecords.of([CodedColumn(slow.RACE, np.arange(5, dtype=np.int32))])
    with pytest.raises(ValueError, match="at least one"):
        count_query_error(Released.at(records, (0,)), queries=0)


def test_a_released_table_has_levels_of_its_hierarchies() -> None:
    records = CodedRecords.of([CodedColumn(slow.RACE, np.arange(5, dtype=np.int32))])
    with pytest.raises(ValueError, match="levels 0 to 3"):
        Released.at(records, (4,))
    with pytest.raises(ValueError, match="one row of levels"):
        Released.each(records, np.zeros((4, 1), dtype=np.intp))
    with pytest.raises(ValueError, match="a level for each attribute"):
        Released.at(records, (1, 1))
    with pytest.raises(ValueError, match="one for each record"):
        Released(records, (np.zeros(3, dtype=np.intp),))


def test_a_table_of_coarser_codes_is_no_dataset() -> None:
    coarse = CodedRecords.of([CodedColumn(slow.RACE, np.array([1], dtype=np.int32), level=1)])
    with pytest.raises(ValueError, match="leaves"):
        Released.at(coarse, (1,))
