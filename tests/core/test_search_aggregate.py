"""The aggregate search by minimum cuts, from the flow up to the answer."""

import math
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.answer import Found, Unmet
from riskapp.core.search.crowd import Meets
from riskapp.core.search.cut import Worth
from riskapp.core.search.max_flow import max_flow
from riskapp.core.search.methods import best
from riskapp.core.search.question import Aggregate
from riskapp.core.search.record import Record
from tests.core import slow_search as slow

ARCS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 20)).filter(lambda arc: arc[0] != arc[1])
)


@settings(deadline=None, max_examples=80)
@given(ARCS)
def test_the_flow_is_that_of_another_solver_and_both_cuts_are_as_small(arcs: list[tuple[int, int, int]]) -> None:
    tails, heads, capacities = np.array(arcs, dtype=np.int64).reshape(-1, 3).T
    flow = max_flow(7, tails, heads, capacities)
    network = csr_array((capacities.astype(np.int32), (tails, heads)), shape=(7, 7), dtype=np.int32)
    assert flow.value == maximum_flow(network.tocsr(), 0, 1).flow_value
    for side in (flow.reached, flow.unsunk):
        assert side[0]
        assert not side[1]
        assert capacities[side[tails] & ~side[heads]].sum() == flow.value
    assert (flow.reached <= flow.unsunk).all()


def test_capacities_need_not_be_whole_and_may_be_infinite() -> None:
    flow = max_flow(4, [0, 2, 3], [2, 3, 1], [1 / 3, math.inf, 0.1])
    assert flow.value == 0.1


UNLIKE = st.floats(1e-12, 1e12) | st.sampled_from([0.0, 0.1, 0.2, 0.3, 1 / 3, math.inf])


@settings(deadline=None, max_examples=80)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), UNLIKE).filter(lambda arc: arc[0] != arc[1])))
def test_scaling_to_whole_numbers_changes_no_cut_by_more_than_is_told(arcs: list[tuple[int, int, float]]) -> None:
    least = min(sides(arcs).values())
    if least < math.inf:
        tails, heads, capacities = zip(*arcs, strict=True) if arcs else ((), (), ())
        flow = max_flow(6, tails, heads, capacities)
        all_together = sum(Fraction(capacity) for capacity in capacities if capacity < math.inf)
        assert 0 <= least - Fraction(flow.value) <= all_together * Fraction(1, 10**15)
        for side in (flow.reached, flow.unsunk):
            assert sides(arcs)[frozenset(np.flatnonzero(side))] - least <= all_together * Fraction(1, 10**15)


def sides(arcs: list[tuple[int, int, float]]) -> dict[frozenset[int], Fraction | float]:
    """Every cut between node 0 and node 1 of six, by its source side, and exactly what it lets through."""
    some = [frozenset({0, *more}) for size in range(5) for more in combinations(range(2, 6), size)]
    return {side: sum(_through(arc) for arc in arcs if arc[0] in side and arc[1] not in side) for side in some}


def _through(arc: tuple[int, int, float]) -> Fraction | float:
    return math.inf if arc[2] == math.inf else Fraction(arc[2])


@settings(deadline=None, max_examples=80)
@given(
    slow.cases(summed=True), st.sampled_from([0, 1, 2]), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([-1, 0.5, 4])
)
def test_a_cut_finds_the_most_of_what_it_stands_for_and_bounds_it(
    case: slow.Case, power: int, price: float, alpha: float
) -> None:
    weights = [np.minimum(some, 7.0) for some in case.weights]
    utilities = [np.array(some) - some[-1] for some in case.utilities]
    crowd = case.record().crowds[0]
    assert isinstance(crowd, Meets)
    fine = tuple(height // 3 for height in case.heights)
    coarse = tuple(max(height - (height > 2), low) for height, low in zip(case.heights, fine, strict=True))
    worth = Worth(fine, coarse, weights, utilities, (0.25, 0.5), crowd, price, power)
    box = [n for n in slow.nodes(case.heights) if all(a <= x <= b for a, x, b in zip(fine, n, coarse, strict=True))]
    most = max(worth.at(node, alpha) for node in box)
    cut = worth.best(alpha)
    assert cut.most == pytest.approx(most, rel=1e-9, abs=1e-9)
    for node in cut.nodes:
        assert node in box
        assert worth.at(node, alpha) == pytest.approx(most, rel=1e-9, abs=1e-9)
    ratios = [worth.at(node, 0.0) / (worth.at(node, 0.0) - worth.at(node, 1.0)) for node in box]
    assert worth.glance() >= max(ratios) * (1 - 1e-12)


@settings(deadline=None, max_examples=80)
@given(slow.cases(summed=True, most=5), slow.AGGREGATES)
def test_the_aggregate_is_that_of_looking_at_every_node(case: slow.Case, question: Aggregate) -> None:
    some, node = slow.best(case, question)
    answer = best("aggregate", case.record(), question)
    assert isinstance(answer, Found if some else Unmet)
    if isinstance(answer, Found):
        assert answer.exact
        assert slow.objective(case, question, answer.node) == slow.objective(case, question, node)
        assert answer.bound == pytest.approx(answer.objective, rel=1e-9, abs=1e-9)
    else:
        assert answer.nearest == node


@settings(deadline=None, max_examples=60)
@given(slow.cases(summed=True, kept=False), slow.AGGREGATES, st.sampled_from([0.2, 0.34, 0.5]))
def test_under_a_limit_the_answer_is_the_best_that_keeps_it(case: slow.Case, question: Aggregate, limit: float) -> None:
    case = replace(case, limit=limit)
    some, node = slow.best(case, question)
    answer = best("aggregate", case.record(), question)
    assert isinstance(answer, Found) == some
    if isinstance(answer, Found):
        assert answer.exact
        assert not slow.broken(case, answer.node)
        assert slow.objective(case, question, answer.node) == slow.objective(case, question, node)
    else:
        assert answer.proved


@settings(deadline=None, max_examples=60)
@given(slow.cases(summed=True, kept=False), slow.AGGREGATES, st.sampled_from([0.2, 0.34, 0.5]))
def test_under_a_limit_and_with_too_many_nodes_the_answer_keeps_it_and_its_bound_holds(
    case: slow.Case, question: Aggregate, limit: float
) -> None:
    case = replace(case, limit=limit)
    some, node = slow.best(case, question)
    with pytest.MonkeyPatch.context() as patch:
        # The name of the module is that of its function too.
        patch.setattr(sys.modules["riskapp.core.search.aggregate"], "LISTED", 0)
        answer = best("aggregate", case.record(), question)
    if isinstance(answer, Found):
        assert not slow.broken(case, answer.node)
        reached, least = slow.objective(case, question, answer.node), slow.objective(case, question, node)
        assert reached >= least
        assert answer.bound is not None
        assert answer.bound <= least + 1e-9 * abs(least)
        assert not answer.exact or reached == least
    else:
        assert not (some and answer.proved)


def test_nothing_to_hide_leaves_nothing_to_weigh() -> None:
    answer = best("aggregate", slow.Case((1,), [[0.0, 0.0]], [[1.0, 0.0]], [[((0,), 0)]]).record(), Aggregate(1, 1))
    assert isinstance(answer, Unmet)
    assert answer.missed == ("aggregate",)


def test_powers_that_are_no_cut_are_refused() -> None:
    with pytest.raises(BadSetting, match=r"^search\.aggregate\.kappa"):
        best("aggregate", slow.Case((1,), [[1.0, 0.0]], [[1.0, 0.0]], [[((0,), 0)]]).record(), Aggregate(1, 3))


@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e7])
def test_the_scale_of_weights_and_prices_does_not_change_the_node(scale: float) -> None:
    draw = np.random.default_rng(5)
    meets = draw.integers(0, 4, (300, 6))
    meets[0] = 0
    weights = draw.random(6) + 0.1
    utilities = [np.arange(3, -1.0, -1.0)] * 6
    for price in (0.002, 0.02, 0.2):
        plain = [np.append(np.full(3, weight), 0.0) for weight in weights]
        one = best("exhaustive", Record((3,) * 6, plain, utilities, (Meets.of(meets),)), Aggregate(price, 1))
        scaled = Record((3,) * 6, [scale * some for some in plain], utilities, (Meets.of(meets),))
        other = best("aggregate", scaled, Aggregate(price * scale, 1))
        assert isinstance(one, Found)
        assert isinstance(other, Found)
        assert (one.node, other.exact) == (other.node, True)


def test_seventy_attributes_are_solved_with_proof() -> None:
    draw = np.random.default_rng(6)
    meets = draw.choice(3, (1000, 70), p=[0.2, 0.3, 0.5])
    meets[0] = 0
    weights = [np.append(np.full(2, weight), 0.0) for weight in draw.random(70) + 0.1]
    record = Record((2,) * 70, weights, [np.array([2.0, 1.0, 0.0])] * 70, (Meets.of(meets),))
    answer = best("aggregate", record, Aggregate(0.05, 1))
    assert isinstance(answer, Found)
    assert answer.exact
    assert answer.visited < 1000
