"""All points of every record in one compiled loop: the same best nodes and hulls as node by node for all records."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf, nextafter
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.digits import rounded
from riskapp.core.optimum import Question
from riskapp.core.search import best_points, hull_points, points
from riskapp.core.search.all_at_once import Parts, best_of_each
from riskapp.core.search.best_points import compared, last_within
from riskapp.core.search.best_so_far import Best
from riskapp.core.search.exact_rule import hulls_of
from riskapp.core.search.hulls import Growing, Hulls
from riskapp.core.search.looking import looks
from riskapp.core.search.points import only
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.table.limits import Limits
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from tests.core.rolled_drawing import a_problem

CHANCE = st.integers(0, 10**9).map(Random)
FIGURES = ("objective", "size", "risk", "utility", "chance", "bound")
CHANCES = [None, None, 0.2, 1 / 3, 0.5]


def covered(chance: Random) -> Problem:
    """A problem for the compiled loop: one dictionary that can be rolled up."""
    while True:
        problem = a_problem(chance)
        own = problem.dictionaries[0]
        risk = replace(problem.risk, over_dictionaries=chance.choice(["worst", "bayes", own.name]), priors={})
        limits = Limits(largest_chance=chance.choice(CHANCES))
        problem = replace(problem, dictionaries=(own,), risk=risk, limits=limits)
        if only(problem) is not None:
            return problem


def questions(chance: Random, problem: Problem) -> Iterator[Asked]:
    """One of each kind, with bounds that are often those of a node."""
    look = chance.choice(list(looks(problem)))
    row = chance.randrange(len(problem))
    utility, risk = float(look.utility[row]), float(look.risk[row])
    yield Question("least_utility", chance.choice([utility, utility * (1 + 1e-14), -0.5, 1.0, 2.0]))
    yield Question("most_risk", chance.choice([risk, risk * (1 + 1e-14), 0.3, 1.0]))
    yield Question("trade_off", chance.choice([0.0, 0.1, 0.3, 1.0]))
    yield Aggregate(chance.choice([0.0, 0.3, 2.0]), chance.choice([0, 1, 2]))


def by_node(problem: Problem, question: Asked) -> Best:
    best = Best.none(len(problem), len(problem.columns), 0)
    for look in looks(problem):
        best.look(look, question, problem.limits.largest_chance)
    return best


def hulls_by_node(problem: Problem) -> Hulls:
    growing = Growing(len(problem))
    for look in looks(problem):
        growing.look(look, problem.limits.largest_chance)
    return growing.packed()


def assert_same(one: Best, other: Best) -> None:
    assert np.array_equal(one.number, other.number)
    assert np.array_equal(one.levels, other.levels)
    for name in FIGURES:
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-11, abs=1e-12), name


@settings(max_examples=80, deadline=None)
@given(CHANCE)
def test_the_best_nodes_are_those_found_node_by_node(chance: Random) -> None:
    problem = covered(chance)
    for question in questions(chance, problem):
        event(f"{question.kind}, {problem.loss.model}, {problem.sensitivity.family}")
        assert_same(best_of_each(problem, question), by_node(problem, question))


@settings(max_examples=20, deadline=None)
@given(CHANCE)
def test_records_that_are_looked_at_again_get_what_they_had(chance: Random) -> None:
    """All of them are, with every figure spoilt before."""
    problem = covered(chance)
    for question in questions(chance, problem):
        fast = points.Points.of(problem, points.Watch(), 1)
        best = best_points.best_points(fast, question, points.Watch())
        wrong = replace(best, **{name: np.full_like(getattr(best, name), 7) for name in ("number", *FIGURES)})
        best_points._looked_at_again(fast, question, wrong, np.arange(len(problem)))
        assert_same(best, wrong)


@settings(max_examples=80, deadline=None)
@given(CHANCE)
def test_the_hulls_are_those_found_node_by_node(chance: Random) -> None:
    problem = covered(chance)
    fast, slow = hulls_of(problem), hulls_by_node(problem)
    event(f"most points: {np.diff(slow.starts).max()}")
    assert np.array_equal(fast.starts, slow.starts)
    assert np.array_equal(fast.numbers, slow.numbers)
    assert fast.utilities == pytest.approx(slow.utilities, rel=1e-11, abs=1e-12)
    assert fast.risks == pytest.approx(slow.risks, rel=1e-11, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(CHANCE, st.integers(1, 4), st.integers(1, 3))
def test_parts_threads_and_room_change_no_hull(chance: Random, at_once: int, threads: int) -> None:
    problem = covered(chance)
    whole = hulls_of(problem)
    before = hull_points.FIRST_ROOM, points.AT_ONCE
    try:
        hull_points.FIRST_ROOM, points.AT_ONCE = 1, 2
        parts = hulls_of(problem, Parts(threads=threads, at_once=at_once))
    finally:
        hull_points.FIRST_ROOM, points.AT_ONCE = before
    for name in ("starts", "utilities", "risks", "numbers"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name


@given(st.floats(1e-9, 1e9), st.floats(-3e-12, 3e-12), st.integers(-3, 3))
def test_near_numbers_are_compared_in_twelve_digits_or_left_open(number: float, more: float, steps: int) -> None:
    other = number * (1 + more) + steps * 1e-16 * number
    told = compared(number, number, other, other)
    left, right = rounded(number, number), rounded(other, other)
    assert told == 2 or told == (left > right) - (left < right)
    minus = compared(-number, number, -other, other)
    assert minus == 2 or minus == (left < right) - (left > right)


def test_few_are_left_open() -> None:
    chance = np.random.default_rng(3)
    numbers = chance.random(2000) * 10.0 ** chance.integers(-5, 6, 2000)
    told = [compared(one, one, one * (1 + 4e-16), one * (1 + 4e-16)) for one in numbers]
    assert told.count(2) < 40
    assert set(told) <= {0, 2}


@given(st.floats(-1e9, 1e9).filter(lambda bound: bound == 0 or abs(bound) > 1e-9))
def test_the_last_number_within_a_bound_is_the_last(bound: float) -> None:
    last = last_within(bound)
    assert last >= bound
    assert rounded(last, last) <= rounded(bound, bound)
    above = nextafter(last, inf)
    assert bound == 0 or rounded(above, above) > rounded(bound, bound)


def test_infinite_bounds_are_their_own_last() -> None:
    assert (last_within(inf), last_within(-inf)) == (inf, -inf)


def test_several_dictionaries_linkage_and_holes_are_left_to_the_general_way() -> None:
    whole = plain({"sex": ["f", "m", "f"]})
    own = whole.dictionaries[0]
    assert only(whole) is own
    two = replace(whole, dictionaries=(own, replace(own, name="other")))
    assert only(two) is None
    named = replace(two, risk=replace(two.risk, over_dictionaries="other"))
    assert only(named) is two.dictionaries[1]
    assert only(replace(named, limits=Limits(largest_chance=0.5))) is None
    assert only(plain({"sex": ["f", None, "f"]})) is None
