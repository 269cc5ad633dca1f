"""The exact frontier: no assignment of nodes to records lies below it, and every breakpoint is one of them."""

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question
from riskapp.core.risk import Risk
from riskapp.core.search import k_anonymity, mondrian, random_k, regional
from riskapp.core.search.all_at_once import Parts
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.exact_frontier import ExactFrontier, Prefix, exact_frontier, why_not
from riskapp.core.search.exact_rule import hulls_of
from riskapp.core.search.hulls import Growing
from riskapp.core.search.kinds import Kinds
from riskapp.core.search.per_record import candidates
from riskapp.core.search.rising import stable_order
from riskapp.core.search.unmet import NotMet
from riskapp.core.table.limits import Limits
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from tests.core.rolled_drawing import a_problem
from tests.core.slow_per_record import Slow

CHANCE = st.integers(0, 10**9).map(Random)
MOST_RULES = 1500
NEAR = 1e-9


def with_means(problem: Problem, chance: Random) -> Problem:
    """A problem that has an exact frontier, if every record has a node."""
    over = chance.choice(["bayes", problem.dictionaries[0].name])
    risk = replace(problem.risk, over_dictionaries=over)
    return replace(problem, risk=risk, utility=replace(problem.utility, over_records="mean"))


def drawn(chance: Random) -> tuple[ExactFrontier, Slow]:
    problem = with_means(a_problem(chance), chance)
    found = exact_frontier(problem)
    assume(isinstance(found, ExactFrontier))
    assert isinstance(found, ExactFrontier)
    return found, Slow(problem)


def counting(found: ExactFrontier, kind: int) -> int:
    """A record of this kind, one that counts in the risk if there is one."""
    weights, own = found.problem.record_weights, np.flatnonzero(found.kinds.kind == kind).tolist()
    return own[0] if weights is None else max(own, key=lambda row: weights[row] > 0)


def every_rule(found: ExactFrontier, slow: Slow) -> list[tuple[float, float]]:
    """Utility and risk of every way to give each kind of record a node."""
    kinds = found.kinds.kind.tolist()
    choices = [slow.points(counting(found, kind)) for kind in range(len(found.kinds))]
    assume(prod(map(len, choices)) <= MOST_RULES)
    return [slow.means(rule) for rule in slow.assignments(kinds, choices)]


def line(found: ExactFrontier, utility: float) -> float:
    """The frontier at a utility: straight between breakpoints, and the least risk left of them."""
    return float(np.interp(utility, found.utilities, found.risks))


@settings(max_examples=40, deadline=None)
@given(CHANCE)
def test_no_rule_lies_below_and_every_breakpoint_is_a_rule(chance: Random) -> None:
    found, slow = drawn(chance)
    rules = every_rule(found, slow)
    event(f"breakpoints: {min(len(found), 5)}")
    assert (np.diff(found.utilities) > 0).all()
    assert (np.diff(found.risks) >= 0).all()
    for utility, risk in rules:
        assert risk >= line(found, utility) - NEAR
        assert utility <= found.utilities[-1] + NEAR
    for utility, risk in zip(found.utilities, found.risks, strict=True):
        assert any(abs(utility - one) < NEAR and abs(risk - other) < NEAR for one, other in rules)


@settings(max_examples=25, deadline=None)
@given(CHANCE, st.integers(2, 12), st.sampled_from(["lm", "xiao-tao"]))
def test_nothing_need_be_lost_where_utility_is_a_loss(chance: Random, people: int, utility: str) -> None:
    table = {"zip": [str(chance.randint(100, 140)) for _ in range(people)]}
    found = exact_frontier(plain(table, hierarchies={"zip": {"mask": 3}}, utility=utility))
    assert isinstance(found, ExactFrontier)
    assert found.utilities[-1] == 0
    assert found.answer(Question("least_utility", 0)) == Prefix(len(found) - 1, 0.0)
    short = found.answer(Question("least_utility", 1e17))
    assert isinstance(short, NotMet)
    assert short.nearest == 0


@settings(max_examples=25, deadline=None)
@given(CHANCE)
def test_the_rule_of_a_breakpoint_has_its_figures(chance: Random) -> None:
    found, slow = drawn(chance)
    measuring = Measuring(found.problem)
    for steps in {0, len(found) // 2, len(found) - 1}:
        rule = found.candidate(steps, measuring)
        assert rule.id == f"exact:{steps}"
        assert rule.evaluation.utility == pytest.approx(found.utilities[steps])
        assert rule.evaluation.risk == pytest.approx(found.risks[steps])
        nodes = [tuple(int(level) for level in row) for row in found.levels(steps)[found.kinds.kind]]
        chosen = [slow.table[row][found.problem.lattice.number(node)] for row, node in enumerate(nodes)]
        assert all(map(slow.allowed, chosen))


@settings(max_examples=25, deadline=None)
@given(CHANCE, st.floats(0, 1))
def test_the_first_sufficient_breakpoint_is_within_its_gap_of_the_best_rule(chance: Random, share: float) -> None:
    found, slow = drawn(chance)
    rules = every_rule(found, slow)
    bound = float(found.utilities[0] + share * (found.utilities[-1] - found.utilities[0]))
    prefix = found.answer(Question("least_utility", bound))
    assert isinstance(prefix, Prefix)
    assert found.utilities[prefix.steps] >= bound - NEAR
    assert prefix.steps == 0 or found.utilities[prefix.steps - 1] < bound
    least = min(risk for utility, risk in rules if utility >= bound - 1e-12)
    assert least - NEAR <= found.risks[prefix.steps] <= least + prefix.gap + NEAR


@settings(max_examples=25, deadline=None)
@given(CHANCE, st.floats(0, 1))
def test_the_last_breakpoint_within_a_risk_is_within_its_gap_of_the_best_rule(chance: Random, share: float) -> None:
    found, slow = drawn(chance)
    rules = every_rule(found, slow)
    bound = float(found.risks[0] + share * (found.risks[-1] - found.risks[0]))
    prefix = found.answer(Question("most_risk", bound))
    assert isinstance(prefix, Prefix)
    most = max(utility for utility, risk in rules if risk <= bound * (1 + 1e-13))
    assert most - prefix.gap - NEAR <= found.utilities[prefix.steps] <= most + NEAR
    price = found.answer(Question("trade_off", share))
    assert isinstance(price, Prefix)
    assert found.risks[price.steps] - share * found.utilities[price.steps] == pytest.approx(
        min(risk - share * utility for utility, risk in rules), abs=NEAR
    )


def every_family(problem: Problem) -> Iterator[Candidate]:
    """Rules of all families but per-record ones, as many as there are."""
    regions = max(problem.generalised, key=lambda place: problem.lattice.heights[place], default=None)
    found: list[object] = [*mondrian.candidates(problem, [2], 0.5, 0), *k_anonymity.candidates(problem, [2, 3], 0.5, 0)]
    found += [*random_k.candidates(problem, [2], 0.5, 0), *regional.candidates(problem, 3, Question("trade_off", 0.1))]
    if regions is not None:
        found += regional.candidates(problem, [(problem.names[regions], 0)])
    yield from (one for one in found if isinstance(one, Candidate))


@settings(max_examples=25, deadline=None)
@given(CHANCE)
def test_neither_regional_rules_nor_groups_of_k_lie_below_the_frontier(chance: Random) -> None:
    found, _ = drawn(chance)
    problem, limit = found.problem, found.problem.limits.largest_chance
    kept = any(column.kept for column in problem.columns)
    for one in every_family(problem):
        chances = [own.largest_chance for own in one.evaluation.people.values()]
        # Who is suppressed shows no kept column either, which no node does, and a limit may leave a record no node.
        hides = kept and one.evaluation.suppressed
        if hides or one.evaluation.risk == np.inf or (limit is not None and max(chances) > limit):
            continue
        event(one.family)
        assert one.evaluation.risk >= line(found, one.evaluation.utility) - NEAR, one.id


@settings(max_examples=20, deadline=None)
@given(CHANCE)
def test_no_other_family_lies_below_the_frontier(chance: Random) -> None:
    found, slow = drawn(chance)
    problem, kinds = found.problem, found.kinds.kind.tolist()
    for _ in range(10):
        choices = [chance.choice(slow.points(counting(found, kind))) for kind in range(len(found.kinds))]
        utility, risk = slow.means([choices[kind] for kind in kinds])
        assert risk >= line(found, utility) - NEAR
    for number in range(problem.lattice.size):
        alike = [row[number] for row in slow.table]
        if all(map(slow.allowed, alike)) and slow.means(alike)[1] < np.inf:
            utility, risk = slow.means(alike)
            assert risk >= line(found, utility) - NEAR
    for bound in (0.5, 2.0):
        (each,) = candidates(problem, ["exhaustive"], Question("least_utility", bound))
        if isinstance(each, Candidate) and each.evaluation.risk < np.inf:
            assert each.evaluation.risk >= line(found, each.evaluation.utility) - NEAR


@settings(max_examples=20, deadline=None)
@given(CHANCE, st.integers(1, 4), st.integers(1, 3))
def test_parts_and_threads_do_not_change_the_frontier(chance: Random, at_once: int, threads: int) -> None:
    problem = with_means(a_problem(chance), chance)
    kinds = Kinds.of(problem).problem
    one, other = hulls_of(kinds), hulls_of(kinds, Parts(threads=threads, at_once=at_once))
    for name in ("starts", "utilities", "risks", "numbers"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def slow_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Every point that no other beats and that lies below every line between two others."""
    good = sorted({p for p in points if not any(q != p and q[0] >= p[0] and q[1] <= p[1] for q in points)})
    return [
        p
        for p in good
        if not any(
            a[0] < p[0] < b[0] and (p[1] - a[1]) * (b[0] - a[0]) >= (b[1] - a[1]) * (p[0] - a[0])
            for a in good
            for b in good
        )
    ]


WHOLE = st.integers(0, 12)


@settings(max_examples=100)
@given(st.lists(st.tuples(WHOLE, WHOLE), min_size=1, max_size=30), st.integers(1, 3))
def test_a_hull_grown_point_by_point_is_the_hull(points: list[tuple[int, int]], room: int) -> None:
    growing = Growing(2, room)
    for number, (utility, risk) in enumerate(points):
        growing.add(np.array([utility, 0.0]), np.array([risk, 0.0]), number, np.array([True, False]))
    found = growing.packed()
    wanted = slow_hull([(float(utility), float(risk)) for utility, risk in points])
    assert list(zip(found.utilities.tolist(), found.risks.tolist(), strict=True)) == wanted
    assert found.numbers.tolist() == [points.index((int(utility), int(risk))) for utility, risk in wanted]
    assert found.empty.tolist() == [False, True]


def test_points_that_differ_by_rounding_are_one_whatever_their_order() -> None:
    noisy = [(0.0, 0.0), (0.3, 1.0), (0.1 + 0.2, 1.0), (1.0, 0.1 + 0.2 + 3), (1.0, 3.3)]
    for points in (noisy, noisy[::-1]):
        growing = Growing(1)
        for number, (utility, risk) in enumerate(points):
            growing.add(np.array([utility]), np.array([risk]), number, np.array([True]))
        assert growing.many.tolist() == [2]


def at_random(records: int, seed: int) -> Problem:
    chance = Random(seed)
    table = {
        "zip": [f"{chance.randrange(10_000):05d}" for _ in range(records)],
        "age": [str(chance.randrange(90)) for _ in range(records)],
    }
    return plain(table, hierarchies={"zip": {"mask": 5}, "age": {"intervals": {"widths": [5, 20]}}})


def test_a_long_frontier_is_listed_in_a_thousand_points_with_both_ends() -> None:
    found = exact_frontier(at_random(600, 1))
    assert isinstance(found, ExactFrontier)
    listed = found.listed()
    assert len(found) > 1000 == len(listed) == len(set(listed))
    assert (listed[0], listed[-1]) == (0, len(found) - 1)
    assert found.listed(3) == [0, round((len(found) - 1) / 2), len(found) - 1]
    assert found.utilities[-1] == pytest.approx(found.problem.utility.unchanged)


def test_what_cannot_be_reached_names_the_nearest_that_can() -> None:
    found = exact_frontier(at_random(30, 2))
    assert isinstance(found, ExactFrontier)
    assert found.answer(Question("least_utility", 99)) == NotMet("exact", 30, ("least_utility",), found.utilities[-1])
    limited = exact_frontier(replace(found.problem, limits=Limits(largest_chance=0.0)))
    assert limited == "30 records have no node at which their risk is finite and no limit is broken."


def test_there_is_no_exact_frontier_where_risk_is_no_mean() -> None:
    problem = at_random(5, 3)
    assert why_not(problem) is None
    assert "not a mean" in str(exact_frontier(replace(problem, risk=Risk("max"))))
    two = (problem.dictionaries[0], replace(problem.dictionaries[0], name="other"))
    assert "several dictionaries" in str(exact_frontier(replace(problem, dictionaries=two)))
    assert why_not(replace(problem, dictionaries=two, risk=Risk(over_dictionaries="other"))) is None
    least = replace(problem.utility, over_records="min")
    assert "not a mean" in str(exact_frontier(replace(problem, utility=least)))


def test_records_that_count_for_nothing_in_the_risk_say_all_they_can_from_the_start() -> None:
    problem = at_random(8, 4)
    weights = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 0.5])
    found = exact_frontier(replace(problem, risk=Risk(weights=weights)))
    assert isinstance(found, ExactFrontier)
    levels = found.levels(0)[found.kinds.kind]
    assert (levels[:4] == 0).all()
    assert found.risks[0] == 0.0


def test_who_counts_for_nothing_may_have_an_infinite_risk() -> None:
    problem = plain({"a": list("xyzz"), "b": ["s", "", "", ""]}, weights={"b": np.inf})
    found = exact_frontier(replace(problem, risk=Risk(weights=np.array([0.0, 1.0, 1.0, 1.0]))))
    assert isinstance(found, ExactFrontier)
    whole = Measuring(found.problem).of(Released.at(problem.records, (0, 0)))
    assert (found.utilities[-1], found.risks[-1]) == (whole.utility, pytest.approx(whole.risk)) == (1.25, 2 / 3)
    assert np.isfinite(found.risks).all()


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 7.0]), max_size=40), st.integers(1, 9))
def test_numbers_sorted_in_parts_keep_the_order_of_equal_ones(numbers: list[float], parts: int) -> None:
    array = np.array(numbers)
    assert stable_order(array, parts).tolist() == np.argsort(array, kind="stable").tolist()


def test_what_a_rule_does_not_look_at_is_not_betrayed_by_its_steps() -> None:
    """Records that differ only in a kept column that nobody knows move together, so nobody has to guess that column."""
    races = ["White", "White", "Chinese", "Japanese"]
    problem = plain({"note": list("abba"), "race": races}, keep=["note"], dictionaries={"self": ["race"]})
    found = exact_frontier(problem)
    assert isinstance(found, ExactFrontier)
    assert len(found.kinds) == 3
    for steps in range(len(found)):
        levels = found.levels(steps)[found.kinds.kind]
        assert np.array_equal(levels[0], levels[1])
        one = found.candidate(steps)
        assert one.evaluation == Measuring(problem).of(one.released, found.rule(steps))
