"""l-diversity and t-closeness, against the definitions group by group."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.anonymity import ValueCounts, table_counts, value_counts
from riskapp.core.table.closeness import categorical, ordered
from riskapp.core.table.diversity import distinct, entropy, is_recursive, probabilistic, recursive_bound
from tests.core import slow_anonymity as slow


def counted(table: slow.Table) -> ValueCounts:
    return value_counts(*slow.fast(table))


@settings(deadline=None)
@given(slow.TABLES)
def test_diversity_is_that_of_each_group(table: slow.Table) -> None:
    counts, groups = counted(table), slow.groups(table)
    assert distinct(counts).tolist() == [len(slow.counts(rows)) for rows in groups]
    assert probabilistic(counts) == pytest.approx(list(map(slow.probabilistic, groups)))
    assert entropy(counts) == pytest.approx(list(map(slow.entropy, groups)))


@settings(deadline=None)
@given(slow.TABLES)
def test_no_reading_of_l_exceeds_the_number_of_values(table: slow.Table) -> None:
    counts = counted(table)
    assert (probabilistic(counts) <= entropy(counts) + 1e-9).all()
    assert (entropy(counts) <= distinct(counts) + 1e-9).all()


@settings(deadline=None)
@given(slow.TABLES, st.sampled_from([0.5, 1.0, 1.5, 2.0, 4.0]), st.integers(1, 4))
def test_recursive_diversity_is_that_of_each_group(table: slow.Table, c: float, least: int) -> None:
    counts, groups = counted(table), slow.groups(table)
    assert is_recursive(counts, c, least) == all(slow.recursive(rows, c, least) for rows in groups)
    bounds = recursive_bound(counts, least)
    assert [bool(c > bound) for bound in bounds] == [slow.recursive(rows, c, least) for rows in groups]


@settings(deadline=None)
@given(slow.TABLES)
def test_closeness_is_the_work_of_moving_each_group_to_the_table(table: slow.Table) -> None:
    groups, values = slow.fast(table)
    counts, everywhere = value_counts(groups, values), table_counts(groups, values)
    by_hand = [(slow.categorical(rows, table), slow.ordered(rows, table)) for rows in slow.groups(table)]
    assert categorical(counts, everywhere) == pytest.approx([pair[0] for pair in by_hand], abs=1e-12)
    assert ordered(counts, everywhere, slow.VALUES) == pytest.approx([pair[1] for pair in by_hand], abs=1e-12)


@settings(deadline=None)
@given(slow.TABLES)
def test_a_group_that_is_the_whole_table_is_close(table: slow.Table) -> None:
    groups, values = slow.fast([slow.Person(1000, row.value, row.name) for row in table])
    counts, everywhere = value_counts(groups, values), table_counts(groups, values)
    assert categorical(counts, everywhere) == pytest.approx(np.zeros(len(groups)), abs=1e-12)
    assert ordered(counts, everywhere, slow.VALUES) == pytest.approx(np.zeros(len(groups)), abs=1e-12)


def test_one_value_is_as_close_as_can_be() -> None:
    groups, values = slow.fast([slow.Person(1000, 1, 0), slow.Person(2000, 1, 1)])
    assert ordered(value_counts(groups, values), table_counts(groups, values), 1).tolist() == [0.0, 0.0]


def test_a_value_outside_the_order_is_refused() -> None:
    groups, values = slow.fast([slow.Person(1000, 3, 0)])
    with pytest.raises(ValueError, match="no place in the order"):
        ordered(value_counts(groups, values), table_counts(groups, values), 2)


def test_l_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        recursive_bound(counted([slow.Person(1000, 3, 0)]), 0)
