"""The frontier against comparing every rule with every other, and against the independent oracle."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.digits import rounded, told_apart
from riskapp.core.frontier import frontier, undominated
from tests.oracle.frontier import Point
from tests.oracle.frontier import frontier as oracle_frontier

RISKS = st.sampled_from([0.0, 0.5, 1.0, math.inf]) | st.integers(0, 6).map(float) | st.floats(0, 10)
UTILITIES = st.sampled_from([0.0, -1.0, 3.0]) | st.integers(-3, 3).map(float)
POINTS = st.lists(st.tuples(RISKS, UTILITIES), min_size=1, max_size=12)


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] <= other[0] and one[1] >= other[1]


def twelve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(float(f"{risk:.12g}"), float(f"{utility:.12g}")) for risk, utility in points]


@settings(deadline=None, max_examples=300)
@given(POINTS)
def test_nothing_beats_a_rule_on_the_frontier_and_something_every_other(points: list[tuple[float, float]]) -> None:
    risks, utilities = zip(*points, strict=True)
    equal = twelve(points)
    slow = [place for place, point in enumerate(equal) if not any(beats(other, point) for other in equal)]
    assert frontier(risks, utilities).tolist() == slow


@settings(deadline=None, max_examples=200)
@given(POINTS, st.data())
def test_both_ends_are_always_listed(points: list[tuple[float, float]], data: st.DataObject) -> None:
    ends = data.draw(st.lists(st.integers(0, len(points) - 1), min_size=2, max_size=2))
    points = [(risk if risk == 0 else max(risk, 1e-3), utility) for risk, utility in points]
    named = [Point(str(place), *point) for place, point in enumerate(points)]
    risks, utilities = zip(*points, strict=True)
    found = frontier(risks, utilities, ends)
    assert set(ends) <= set(found)
    assert [str(place) for place in found] == oracle_frontier(named, {str(end) for end in ends})


def test_equal_points_are_all_marked_even_if_rounding_tells_them_apart() -> None:
    assert frontier([0.3, 0.1 + 0.2, 0.3, 0.4], [1.0, 1.0, 0.5, 1.0]).tolist() == [0, 1]


def test_small_risks_are_told_apart_by_their_own_digits() -> None:
    assert frontier([1.0e-15, 2.0e-15], [1.0, 1.0]).tolist() == [0]


def test_infinite_risks_are_equal_to_each_other() -> None:
    assert frontier([math.inf, math.inf, 1.0], [3.0, 2.0, 1.0]).tolist() == [0, 2]


def test_one_rule_is_its_own_frontier_and_no_rule_has_none() -> None:
    assert frontier([math.inf], [-math.inf]).tolist() == [0]
    assert frontier([], []).tolist() == []


def test_every_rule_has_a_risk_and_a_utility_that_are_numbers() -> None:
    with pytest.raises(ValueError, match="a risk and a utility"):
        undominated(np.array([1.0]), np.array([]))
    with pytest.raises(ValueError, match="not a number"):
        frontier([math.nan], [1.0])


@given(st.floats(allow_nan=False))
def test_twelve_digits_are_those_that_are_written(number: float) -> None:
    assert told_apart([number])[0] == pytest.approx(float(f"{number:.11e}"), rel=1e-11)
    assert rounded(number, number) == told_apart(told_apart([number]))[0]
