"""What a search may ask about a record, against counting entries one by one."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.crowd import Meets, Tabled
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.record import Pair, Record
from tests.core import slow_search as slow

NOBODY = Meets.of(np.zeros((0, 1), dtype=np.int64))
FLAT = ([[1.0, 0.0]], [[1.0, 0.0]])


@settings(deadline=None, max_examples=70)
@given(slow.cases())
def test_figures_of_all_nodes_are_those_of_each_node_by_its_definition(case: slow.Case) -> None:
    record = case.record()
    table, each = record.table(), record.at(np.array(slow.nodes(case.heights)))
    for figures in (table, each):
        for place, node in enumerate(slow.nodes(case.heights)):
            assert figures.phi[place] == pytest.approx(slow.phi(case, node), rel=1e-12)
            assert [int(some[place]) for some in figures.people] == [slow.people(d, node) for d in case.dictionaries]
            assert figures.risk[place] == pytest.approx(slow.risk(case, node), rel=1e-12)
            assert figures.utility[place] == slow.utility(case, node)
            assert figures.chance[place] == slow.chance(case, node)
            assert figures.inverse[place] == pytest.approx(slow.inverse(case, node), rel=1e-12)


@settings(deadline=None, max_examples=60)
@given(slow.cases(summed=True))
def test_a_crowd_within_a_box_counts_as_the_whole_crowd_does_there(case: slow.Case) -> None:
    crowd = case.record().crowds[0]
    assert isinstance(crowd, Meets)
    fine = tuple(height // 2 for height in case.heights)
    coarse = tuple(max(height - 1, low) for height, low in zip(case.heights, fine, strict=True))
    inside = crowd.inside(fine, coarse)
    for node in slow.nodes(case.heights):
        if all(low <= at <= high for low, at, high in zip(fine, node, coarse, strict=True)):
            from_fine = np.array([[at - low for at, low in zip(node, fine, strict=True)]])
            assert inside.at(from_fine)[0] == crowd.at(np.array([node]))[0]


def test_meet_vectors_over_very_many_attributes_are_told_apart() -> None:
    rows = np.random.default_rng(0).integers(0, 4, (60, 50))
    rows[40:] = rows[:20]
    different, counts = np.unique(rows, axis=0, return_counts=True)
    crowd = Meets.of(rows)
    assert (crowd.levels == different).all()
    assert (crowd.counts == counts).all()


def test_the_oracle_counts_each_node_once_whatever_was_asked() -> None:
    oracle = Oracle(Record((1, 1), FLAT[0] * 2, FLAT[1] * 2, (Meets.of([[0, 0]]),)))
    assert oracle.visited == 0
    assert oracle.utility((0, 1)) == 1
    assert oracle.risk((0, 1)) == 1
    assert oracle.visited == 1
    assert oracle.phi((0, 0)) == 2
    assert oracle.people((0, 0)) == (1,)
    assert oracle.visited == 2
    oracle.table()
    assert oracle.visited == 4


WRONG: list[Callable[[], object]] = [
    lambda: Record((1,), [[1.0]], [[1.0, 0.0]], (NOBODY,)),
    lambda: Record((1,), [[0.0, 1.0]], [[1.0, 0.0]], (NOBODY,)),
    lambda: Record((1,), [[2.0, 1.0]], [[1.0, 0.0]], (NOBODY,)),
    lambda: Record((0,), [[-1.0]], [[1.0]], (NOBODY,)),
    lambda: Record((1,), [[1.0, 0.0]], [[0.0, 1.0]], (NOBODY,)),
    lambda: Record((1,), [[math.nan, 0.0]], [[1.0, 0.0]], (NOBODY,)),
    lambda: Record((1,), *FLAT, ()),
    lambda: Record((1,), *FLAT, (Meets.of([[2]]),)),
    lambda: Record((1,), *FLAT, (NOBODY,), (Pair(0, 0, 1.0),)),
    lambda: Record((1,), *FLAT, (NOBODY,), priors=[1.0, 1.0]),
    lambda: Record((1,), *FLAT, (NOBODY,), priors=[0.0]),
    lambda: Meets(np.array([[0]]), np.array([2]), 1),
    lambda: Meets(np.array([[0]]), np.array([1, 1]), 2),
    lambda: Tabled(np.array([1, 0]), 1),
    lambda: Tabled(np.array([0, 2]), 1),
    lambda: Tabled(np.array([0, 1]), 1).table((2,)),
]


@pytest.mark.parametrize("make", WRONG)
def test_what_cannot_be_a_record_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\."):
        make()


def test_unknown_choices_are_refused_by_their_key() -> None:
    with pytest.raises(BadSetting, match=r"^sensitivity\.family"):
        Record((1,), *FLAT, (NOBODY,), family="cubic")
    with pytest.raises(BadSetting, match=r"^risk\.over_dictionaries"):
        Record((1,), *FLAT, (NOBODY,), over_dictionaries="best")


def test_too_many_nodes_are_not_listed() -> None:
    wide = replace(slow.Case((9,) * 9, [[0.0] * 10] * 9, [[0.0] * 10] * 9, [[]]))
    with pytest.raises(BadSetting, match=r"^search\.methods.*1000000000 nodes"):
        wide.record().table()
