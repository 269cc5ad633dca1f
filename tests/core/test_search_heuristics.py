"""The genetic and the approximate search: never an infeasible node, never better than the best, bounds that hold."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import Loss
from riskapp.core.optimum import Question
from riskapp.core.search.answer import Found, Options, Unmet
from riskapp.core.search.closure import Closure
from riskapp.core.search.crowd import Meets
from riskapp.core.search.genetic import Breed
from riskapp.core.search.methods import best
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.record import Record
from riskapp.core.search.scope import not_monotone
from riskapp.core.search.steps import Steps
from tests.core import slow_search as slow

SMALL = Options(generations=4, population=6)


@settings(deadline=None, max_examples=70)
@given(slow.cases(), slow.LIMITS, slow.THRESHOLDS)
def test_genetic_answers_are_feasible_and_never_better_than_the_best(
    case: slow.Case, limit: float | None, question: Question
) -> None:
    case = replace(case, limit=limit)
    assume(question.kind == "least_utility" or not_monotone(case.record()) is None)
    some, node = slow.best(case, question)
    answer = best("genetic", case.record(), question, SMALL)
    if isinstance(answer, Found):
        assert not answer.exact
        assert answer.gap is None
        assert not slow.broken(case, answer.node)
        assert slow.short(case, question, answer.node) == 0
        assert slow.objective(case, question, answer.node) >= slow.objective(case, question, node)
    else:
        assert not (some and answer.proved)


def walled(seed: int = 0) -> Record:
    draw = np.random.default_rng(seed)
    meets = draw.integers(0, 4, (200, 5))
    meets[0] = 0
    weights = [np.append(np.full(3, weight), 0.0) for weight in draw.random(5) + 0.1]
    return Record((3,) * 5, weights, [np.arange(3, -1.0, -1.0)] * 5, (Meets.of(meets),))


def test_the_same_seed_breeds_the_same_answer_and_it_is_near_the_best() -> None:
    question = Question("least_utility", 7)
    answers = [best("genetic", walled(), question, Options(seed=seed)) for seed in (3, 3, 4)]
    assert answers[0] == answers[1]
    exact = best("exhaustive", walled(), question)
    assert all(answer.risk <= exact.risk * 1.07 for answer in answers)


def breed() -> Breed:
    return Breed(Steps(Oracle(walled()), Question("least_utility", 5), "genetic"), np.random.default_rng(0))


def test_a_path_is_cut_where_it_meets_the_frontier() -> None:
    assert breed().finished([0, 0, 0, 1, 1, 1, 2, 2]) == (0, 0, 0, 1, 1)


def test_a_path_that_falls_short_is_led_on_at_random_and_impossible_steps_are_left_out() -> None:
    path = breed().finished([0, 0, 0, 0, 0, 1])
    assert path[:4] == (0, 0, 0, 1)
    assert len(path) == 5


@given(st.integers(0, 1000))
def test_mutants_and_children_end_on_the_frontier_too(seed: int) -> None:
    some = breed()
    some.draw = np.random.default_rng(seed)
    one, other = some.immigrant(), some.immigrant()
    for path in (some.mutated(one), *some.crossed(one, other)):
        end = some.end(path)
        assert some.steps.open(end)
        assert any(not some.steps.open(before) for before in some.steps.back(end))
    assert some.crossed(one, other)[0][: len(one) // 2] == one[: len(one) // 2]


def test_two_paths_give_each_other_their_second_halves() -> None:
    some = breed()
    one, other = some.finished([0, 0, 1, 1, 1]), some.finished([2, 2, 3, 3, 4])
    assert some.crossed(one, other) == ((0, 0, 3, 3, 4), (2, 2, 1, 1, 1))


def test_steps_in_the_middle_are_changed_more_often_than_those_at_the_ends() -> None:
    some = breed()
    path = some.finished([0, 1, 2, 3, 4])
    mutants = [some.mutated(path) for _ in range(600)]
    changed = [next((at for at in range(5) if mutant[at] != path[at]), None) for mutant in mutants]
    assert changed.count(2) > 2 * max(changed.count(0), changed.count(4)) > 0


def test_the_fitter_a_path_is_the_likelier_it_is_a_parent() -> None:
    some = breed()
    ranked = [(0,), (1,), (2,)]
    drawn = [some.parent(ranked) for _ in range(600)]
    assert drawn.count((0,)) > drawn.count((1,)) > drawn.count((2,)) > 0


def test_a_generation_keeps_its_fittest_and_has_as_many_with_new_ones_among_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some = breed()
    paths = [some.immigrant() for _ in range(40)]
    new: list[tuple[int, ...]] = []
    monkeypatch.setattr(some, "immigrant", lambda: new.append(some.finished(())) or new[-1])  # type: ignore[func-returns-value]
    then = some.next(paths)
    assert len(then) == len(paths)
    assert then[0] == min(paths, key=some.fitness)
    assert len(new) == 2
    assert then[-2:] == new


def test_a_most_risk_is_not_bred_for_where_risk_may_rise() -> None:
    stranger = slow.Case((1,), [[1.0, 0.0]], [[1.0, 0.0]], [[((1,), 0)]], loss=Loss(uncovered="zero"))
    with pytest.raises(BadSetting, match=r"^search\.methods: genetic needs"):
        best("genetic", stranger.record(), Question("most_risk", 1))


@settings(deadline=None, max_examples=50)
@given(
    slow.cases(summed=True, most=3),
    slow.LIMITS,
    st.builds(Question, st.just("least_utility"), slow.BOUNDS),
    st.sampled_from([0.5, 0.9, 1.0]),
)
def test_the_approximate_answer_says_enough_and_its_bound_is_below_the_best(
    case: slow.Case, limit: float | None, question: Question, share: float
) -> None:
    case = replace(case, limit=limit)
    some, node = slow.best(case, question)
    answer = best("approximate", case.record(), question, Options(sigma1=share, epsilon=0.5))
    if isinstance(answer, Found):
        least = sum(says[-1] for says in case.utilities)
        enough = least + share * (question.bound - least)
        assert slow.told(slow.utility(case, answer.node)) >= slow.told(min(enough, question.bound))
        assert not slow.broken(case, answer.node)
        assert not answer.exact
        assert answer.bound is not None
        if some:
            assert answer.bound <= slow.risk(case, node) * (1 + 1e-12)
        if share == 1 and some:
            assert slow.told(answer.risk) >= slow.told(slow.risk(case, node))
    else:
        assert not (some and answer.proved)


@settings(deadline=None, max_examples=30)
@given(slow.cases(summed=True, most=3), st.builds(Question, st.just("least_utility"), slow.BOUNDS))
def test_without_a_limit_the_approximate_search_finds_a_node_when_there_is_one(
    case: slow.Case, question: Question
) -> None:
    some, _ = slow.best(case, question)
    assert isinstance(best("approximate", case.record(), question, Options(epsilon=0.5)), Found if some else Unmet)


def test_the_chain_that_refutes_the_printed_promise_has_its_gap_stated() -> None:
    crowd = Meets.of([[0], [1], [2]], [1, 10**3 - 1, 10**6 - 10**3])
    record = Record((2,), [[1.0, 0.8, 0.0]], [[1.0, 0.8, 0.0]], (crowd,))
    answer = best("approximate", record, Question("least_utility", 0.8), Options(sigma1=1.0))
    assert isinstance(answer, Found)
    assert answer.node == (1,)
    assert answer.bound is not None
    assert answer.bound < 0.8 / 10**5
    assert answer.gap == pytest.approx(0.8 / 10**3 - answer.bound)


def test_threshold_sets_are_those_of_the_thesis() -> None:
    box = Closure((0,) * 5, (1,) * 5, Meets.of(np.zeros((0, 5), dtype=np.int64)))
    sets = box.thresholds(np.array([0.7, 0.5, 0.4, 0.1, 0.0]))
    assert sets == [(1, 0, 0, 0, 0), (1, 1, 0, 0, 0), (1, 1, 1, 0, 0), (1, 1, 1, 1, 0), (0, 0, 0, 0, 0)]
    chains = Closure((0, 0), (3, 2), Meets.of(np.zeros((0, 2), dtype=np.int64)))
    assert chains.thresholds(np.array([0.7, 0.1, 0.0, 0.5, 0.4]))[2] == (1, 2)


def test_too_fine_layers_are_refused() -> None:
    case = slow.Case((1, 1), [[1e9, 0.0], [1e-9, 0.0]], [[1.0, 0.0]] * 2, [[((0, 0), 0)]])
    with pytest.raises(BadSetting, match=r"^search\.approximate\.epsilon"):
        best("approximate", case.record(), Question("least_utility", 1), Options(epsilon=1e-3))
