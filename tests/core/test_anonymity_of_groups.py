"""Groups, k, inference and the risks other programs report, against looking at each record."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.inference import inference, inferences
from riskapp.core.table.keys import Keys
from riskapp.core.table.peers import Chances, journalist, marketer, prosecutor, sample_uniques
from tests.core import slow_anonymity as slow

THRESHOLDS = st.sampled_from([0.0, 0.2, 0.25, 0.3, 0.5, 1.0])
TIMES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), max_size=10)


def summary(chances: list[float], threshold: float) -> Chances:
    if not chances:
        return Chances(0.0, 0.0, 0.0)
    above = sum(chance > threshold for chance in chances)
    return Chances(max(chances), sum(chances) / len(chances), above / len(chances))


@settings(deadline=None)
@given(slow.TABLES)
def test_groups_hold_the_rows_and_the_people_who_look_alike(table: slow.Table) -> None:
    groups, _ = slow.fast(table)
    assert groups.rows.tolist() == [len(rows) for rows in slow.groups(table)]
    assert groups.people.tolist() == [slow.people(rows) for rows in slow.groups(table)]
    assert groups.smallest == min(map(slow.people, slow.groups(table)), default=None)
    assert [place for place, row in enumerate(table) if row.key is not None] == groups.released.tolist()


@settings(deadline=None)
@given(slow.TABLES)
def test_values_are_counted_by_people(table: slow.Table) -> None:
    groups, values = slow.fast(table)
    found = value_counts(groups, values)
    by_hand = [
        (place, *pair) for place, rows in enumerate(slow.groups(table)) for pair in sorted(slow.counts(rows).items())
    ]
    assert list(zip(found.group.tolist(), found.value.tolist(), found.count.tolist(), strict=True)) == by_hand
    everywhere = table_counts(groups, values)
    assert dict(zip(everywhere.value.tolist(), everywhere.count.tolist(), strict=True)) == slow.counts(table)


@settings(deadline=None)
@given(slow.TABLES)
def test_inference_is_what_the_group_adds_to_the_table(table: slow.Table) -> None:
    by_hand = slow.inferences(table)
    assert inferences(*slow.fast(table)) == pytest.approx(by_hand, abs=1e-12)
    found = inference(*slow.fast(table))
    assert found.worst == pytest.approx(max(by_hand, default=0.0), abs=1e-12)
    assert found.mean == pytest.approx(sum(by_hand) / max(len(by_hand), 1), abs=1e-12)


@settings(deadline=None)
@given(slow.TABLES, THRESHOLDS)
def test_the_prosecutor_picks_among_the_people_of_a_group(table: slow.Table, threshold: float) -> None:
    groups, _ = slow.fast(table)
    chances = [1 / slow.people(rows) for rows in slow.groups(table) for _ in rows]
    assert prosecutor(groups, threshold) == pytest.approx(summary(chances, threshold))
    assert marketer(groups) == pytest.approx(summary(chances, threshold).average)
    assert sample_uniques(groups) == sum(chance == 1 for chance in chances)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), max_size=10), THRESHOLDS, st.sampled_from(["one", "zero"])
)
def test_the_journalist_picks_among_the_people_of_a_dictionary(
    records: list[tuple[int, int]], threshold: float, uncovered: str
) -> None:
    nobody = {"one": 1.0, "zero": 0.0}[uncovered]
    chances = [1 / people if people else nobody for people, times in records for _ in range(times)]
    people, times = np.array(records, dtype=np.int64).reshape(-1, 2).T
    found = journalist(people, threshold, times=times, uncovered=uncovered)
    assert found == pytest.approx(summary(chances, threshold))


@settings(deadline=None)
@given(TIMES)
def test_a_record_that_occurs_three_times_is_three_people(records: list[tuple[int, int, int]]) -> None:
    key, value, times = np.array(records, dtype=np.int64).reshape(-1, 3).T
    short = Groups.of(Keys((key,), 4), times=times)
    long = Groups.of(Keys((np.repeat(key, times),), 4))
    assert short.people.tolist() == long.people.tolist()
    values = value.astype(np.int32)
    assert inference(short, values) == pytest.approx(inference(long, np.repeat(values, times)))
    assert prosecutor(short, 0.3) == pytest.approx(prosecutor(long, 0.3))
    assert sample_uniques(short) == sample_uniques(long)


@settings(deadline=None)
@given(slow.TABLES)
def test_everybody_in_one_group_betrays_nothing(table: slow.Table) -> None:
    together = [slow.Person(1000, row.value, row.name) for row in table]
    groups, values = slow.fast(together)
    assert inference(groups, values) == (0.0, 0.0)


def test_a_release_of_nothing_has_no_group() -> None:
    groups = Groups.of(Keys((np.array([3, 3]),), 4), suppressed=np.array([True, True]))
    assert (groups.smallest, len(groups), sample_uniques(groups), marketer(groups)) == (None, 0, 0, 0.0)
    assert inference(groups, np.array([1, 2], dtype=np.int32)) == (0.0, 0.0)


def test_rows_cannot_be_many_people_and_named() -> None:
    with pytest.raises(ValueError, match="not both"):
        Groups.of(Keys((np.array([1]),), 2), times=np.array([2]), identities=np.array([0], dtype=np.int32))


def test_a_third_way_of_counting_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="one or as zero"):
        journalist(np.array([1]), 0.5, uncovered="two")
