"""The exact searches against looking at every node, for every question in their scope."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import MODELS, Loss
from riskapp.core.optimum import Question
from riskapp.core.search import programme
from riskapp.core.search.answer import Found, Options, Unmet
from riskapp.core.search.crowd import Meets
from riskapp.core.search.methods import METHODS, best
from riskapp.core.search.milp import fewest
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import Record
from riskapp.core.search.scope import not_monotone
from tests.core import slow_search as slow


def check(method: str, case: slow.Case, question: Asked) -> None:
    """The method's answer is the slow one, to the very node."""
    some, node = slow.best(case, question)
    answer = best(method, case.record(), question)
    if some:
        assert isinstance(answer, Found)
        assert answer.node == node
        assert answer.exact
        assert answer.gap == 0
        assert answer.objective == answer.bound == pytest.approx(slow.objective(case, question, node), rel=1e-11)
    else:
        assert isinstance(answer, Unmet)
        assert answer.nearest == node
        assert answer.proved
        assert answer.missed == (("largest_chance",) if slow.broken(case, node) else (question.kind,))


@settings(deadline=None, max_examples=150)
@given(slow.cases(), slow.LIMITS, slow.THRESHOLDS | slow.TRADES | slow.AGGREGATES)
def test_exhaustive_and_branch_and_bound_answer_every_question_of_every_record(
    case: slow.Case, limit: float | None, question: Asked
) -> None:
    for method in ("exhaustive", "branch-and-bound"):
        check(method, replace(case, limit=limit), question)


@settings(deadline=None, max_examples=150)
@given(slow.cases(), slow.LIMITS, slow.THRESHOLDS)
def test_btda_and_aruba_find_the_best_node_wherever_risk_is_monotone(
    case: slow.Case, limit: float | None, question: Question
) -> None:
    assume(not_monotone(case.record()) is None)
    for method in ("btda", "aruba"):
        check(method, replace(case, limit=limit), question)


@settings(deadline=None, max_examples=12)
@given(slow.cases(least=5, most=5, kept=False), st.sampled_from(MODELS), slow.THRESHOLDS)
def test_so_do_they_with_five_attributes(case: slow.Case, model: str, question: Question) -> None:
    case = replace(case, loss=Loss(model))
    for method in ("btda", "aruba", "exhaustive", "branch-and-bound"):
        check(method, case, question)


@settings(deadline=None, max_examples=150)
@given(slow.cases())
def test_a_record_called_monotone_is_and_a_refusal_says_why(case: slow.Case) -> None:
    record = case.record()
    if not_monotone(record) is None:
        for node in record.lattice:
            for coarser in record.lattice.generalisations(node):
                assert slow.told(slow.risk(case, coarser)) <= slow.told(slow.risk(case, node))
    else:
        for method in ("btda", "aruba"):
            with pytest.raises(BadSetting, match=r"^search\.methods: .*(risk\.uncovered|sensitivity\.unidentified)"):
                best(method, record, Question("least_utility", 0))


@settings(deadline=None, max_examples=80)
@given(slow.cases(summed=True), slow.LIMITS, slow.THRESHOLDS)
def test_integer_programmes_find_a_node_as_good_as_the_best(
    case: slow.Case, limit: float | None, question: Question
) -> None:
    case = replace(case, limit=limit)
    some, node = slow.best(case, question)
    answer = best("milp", case.record(), question)
    assert isinstance(answer, Found if some else Unmet)
    if isinstance(answer, Found):
        assert answer.exact
        assert not slow.broken(case, answer.node)
        assert slow.short(case, question, answer.node) == 0
        assert slow.objective(case, question, answer.node) == slow.objective(case, question, node)
        assert answer.bound is not None
        assert answer.bound <= answer.objective


def test_ties_go_to_less_risk_then_more_utility_then_the_smaller_node_as_text() -> None:
    free = slow.Case((2, 2), [[0.0] * 3, [0.0] * 3], [[1.0, 1.0, 0.0]] * 2, [[((0, 0), 0)]])
    for method in ("exhaustive", "btda", "aruba", "branch-and-bound"):
        answer = best(method, free.record(), Question("least_utility", 1))
        assert isinstance(answer, Found)
        assert answer.node == (0, 0)
    tall = slow.Case((11,), [[1.0] * 11 + [0.0]], [[2.0] * 9 + [1.0] * 2 + [0.0]], [[((0,), 0)]])
    for method in ("exhaustive", "btda", "aruba", "branch-and-bound"):
        answer = best(method, tall.record(), Question("least_utility", 1))
        assert isinstance(answer, Found)
        assert answer.node == (0,)
        flat = replace(tall, utilities=[[1.0] * 11 + [0.0]], weights=[[5.0] * 9 + [1.0] * 2 + [0.0]])
        answer = best(method, flat.record(), Question("least_utility", 1))
        assert isinstance(answer, Found)
        assert answer.node == (10,)


def chains(attributes: int, height: int, people: int, seed: int) -> Record:
    """A record among made-up people, with weights that differ from attribute to attribute."""
    draw = np.random.default_rng(seed)
    meets = draw.integers(0, height + 1, (people, attributes))
    meets[0] = 0
    weights = [np.append(np.full(height, weight), 0.0) for weight in draw.random(attributes) + 0.1]
    return Record((height,) * attributes, weights, [np.arange(height, -1.0, -1.0)] * attributes, (Meets.of(meets),))


@pytest.mark.parametrize(("attributes", "height", "enough"), [(2, 8, 10), (3, 5, 11), (4, 3, 9), (5, 3, 12)])
def test_pruning_searches_visit_fewer_nodes_than_there_are(attributes: int, height: int, enough: int) -> None:
    record = chains(attributes, height, 200, seed=attributes)
    question = Question("least_utility", enough)
    answers = {method: best(method, record, question) for method in ("exhaustive", "btda", "aruba", "branch-and-bound")}
    assert len({answer.node for answer in answers.values() if isinstance(answer, Found)}) == 1
    everything = record.lattice.size
    assert answers.pop("exhaustive").visited == everything
    assert all(0 < answer.visited < everything for answer in answers.values())


def test_no_more_is_visited_when_nothing_need_be_disclosed() -> None:
    record = chains(3, 4, 50, seed=1)
    for method in ("btda", "aruba"):
        answer = best(method, record, Question("least_utility", 0))
        assert isinstance(answer, Found)
        assert answer.node == (4, 4, 4)
        assert answer.visited < 10


def test_the_densest_subgraph_has_the_risk_of_two_sevenths() -> None:
    edges = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (4, 5), (5, 6)]
    meets = [[int(vertex in edge) for vertex in range(1, 7)] for edge in edges]
    record = Record((1,) * 6, [[1.0, 0.0]] * 6, [[1.0, 0.5]] * 6, (Meets.of([*meets, [0] * 6]),))
    for method in ("exhaustive", "btda", "aruba", "branch-and-bound", "milp"):
        answer = best(method, record, Question("least_utility", 6 - 4 / 2))
        assert isinstance(answer, Found)
        assert answer.node == (1, 1, 1, 1, 0, 0)
        assert answer.risk == pytest.approx(2 / 7, rel=1e-15)
        assert answer.exact


def test_out_of_time_the_best_so_far_comes_with_a_bound() -> None:
    record = chains(14, 3, 500, seed=3)
    question = Question("least_utility", 14.0)
    answer = best("branch-and-bound", record, question, Options(seconds=0.05))
    assert isinstance(answer, Found)
    assert not answer.exact
    assert answer.utility >= 14
    assert answer.bound is not None
    assert answer.bound <= answer.risk
    assert answer.gap == pytest.approx(answer.risk - answer.bound)
    programme = best("milp", record, question, Options(seconds=0.2))
    assert isinstance(programme, Found)
    assert programme.bound is not None
    assert 0 < programme.bound <= programme.risk
    assert programme.utility >= 14


@pytest.mark.parametrize("question", [Question("least_utility", 3), Question("most_risk", 0.5)])
def test_a_programme_too_large_for_its_time_is_not_begun_and_the_answer_will_do(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programme, "LARGE", 0)
    draw = np.random.default_rng(1)
    meets = np.vstack([np.zeros((1, 5), np.int64), draw.integers(0, 4, (300, 5))])
    record = Record((3,) * 5, [[2.0, 1.0, 0.5, 0.0]] * 5, [[3.0, 2.0, 1.0, 0.0]] * 5, (Meets.of(meets),))
    exact, found = best("milp", record, question), best("milp", record, question, Options(seconds=60))
    assert isinstance(exact, Found)
    assert isinstance(found, Found)
    assert exact.exact
    assert not found.exact
    assert found.bound is not None
    assert found.bound <= exact.objective <= found.objective
    assert found.utility >= 3 if question.kind == "least_utility" else found.risk <= 0.5


@pytest.mark.parametrize("bound", [99.0, 1e17])
def test_what_nobody_can_enumerate_has_a_nearest_node_all_the_same(bound: float) -> None:
    answer = best("milp", chains(14, 3, 50, seed=4), Question("least_utility", bound))
    assert isinstance(answer, Unmet)
    assert answer.nearest == (0,) * 14
    assert answer.missed == ("least_utility",)


def test_who_is_nobody_needs_no_crowd_even_under_the_strictest_limit() -> None:
    nobody = slow.Case((0,), [[0.0]], [[0.0]], [[]], loss=Loss(uncovered="zero"), limit=0.0)
    for question in (Question("most_risk", math.inf), Question("least_utility", 0)):
        answer = best("milp", nobody.record(), question)
        assert isinstance(answer, Found)
        assert answer.exact
    loose = best("approximate", nobody.record(), Question("least_utility", 0))
    assert isinstance(loose, Found)
    assert loose.bound == 0


ONE = slow.Case((1,), [[1.0, 0.0]], [[1.0, 0.0]], [[((0,), 0)]])
TWICE = slow.Case((1, 1), [[1.0, 0.0]] * 2, [[1.0, 0.0]] * 2, [[((0, 0), 0), ((1, 0), 0)]])
PAIR = replace(TWICE, dictionaries=[[((0, 0), 0)]], pairs=[slow.Pair(0, 1, 1.0)])
REFUSED: list[tuple[str, slow.Case]] = [
    ("sensitivity.family", replace(ONE, family="multiplicative")),
    ("risk.model", replace(ONE, loss=Loss("entropic"))),
    ("sensitivity.pairs", PAIR),
    ("sensitivity.unidentified", replace(ONE, loss=Loss(unidentified=0.5))),
    ("risk.over_dictionaries", replace(ONE, dictionaries=[[], []])),
    ("dictionaries", TWICE),
]


@pytest.mark.parametrize("method", ["aggregate", "milp", "approximate"])
@pytest.mark.parametrize(("key", "case"), REFUSED)
def test_what_is_out_of_scope_is_refused_by_the_key_that_takes_it_out(method: str, key: str, case: slow.Case) -> None:
    question: Asked = Aggregate(1, 1) if method == "aggregate" else Question("least_utility", 0)
    with pytest.raises(BadSetting) as refusal:
        best(method, case.record(), question)
    assert refusal.value.key == key


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_question_that_a_method_does_not_answer_is_refused(method: str) -> None:
    answers: dict[str, Callable[[], object]] = {
        question.kind: lambda question=question: best(method, ONE.record(), question)
        for question in (
            *(Question(kind, 0.5) for kind in ("least_utility", "most_risk", "trade_off")),
            Aggregate(1, 1),
        )
    }
    answered = {
        "exhaustive": set(answers),
        "branch-and-bound": set(answers),
        "aggregate": {"aggregate"},
        "approximate": {"least_utility"},
    }.get(method, {"least_utility", "most_risk"})
    for kind, ask in answers.items():
        if kind in answered:
            ask()
        else:
            with pytest.raises(BadSetting, match=r"^search\.methods"):
                ask()


def test_an_unknown_method_and_impossible_options_are_refused() -> None:
    with pytest.raises(BadSetting, match=r"^search\.methods"):
        best("fast", ONE.record(), Question("least_utility", 0))
    for key, make in {
        "search.approximate.epsilon": lambda: Options(epsilon=0),
        "search.approximate.sigma1": lambda: Options(sigma1=1.5),
        "search.seconds": lambda: Options(seconds=0),
        "search.aggregate.lambda": lambda: Aggregate(-1, 1),
        "search.aggregate.kappa": lambda: Aggregate(1, math.inf),
    }.items():
        with pytest.raises(BadSetting) as refusal:
            make()
        assert refusal.value.key == key
    with pytest.raises(ValueError, match="two paths"):
        Options(population=1)


@given(st.floats(0.001, 1.0))
def test_the_smallest_crowd_within_a_limit_is_within_and_the_next_smaller_is_not(limit: float) -> None:
    people = fewest(limit)
    assert people == 0 or slow.told(1 / people) <= slow.told(limit)
    assert people <= 1 or slow.told(1 / (people - 1)) > slow.told(limit)
