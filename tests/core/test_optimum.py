"""MinRisk: the best rule against looking at every rule, for the three questions."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.optimum import QUESTIONS, Best, Infeasible, Question, Rules, optimum
from tests.oracle.frontier import Point
from tests.oracle.frontier import optimum as oracle_optimum

RISKS = st.sampled_from([0.0, 0.5, 1.0, math.inf]) | st.integers(0, 6).map(float)
UTILITIES = st.integers(-3, 8).map(float)
RULES = st.lists(
    st.tuples(RISKS, UTILITIES, RISKS, UTILITIES, st.sets(st.sampled_from(["k", "chance"]))), min_size=1, max_size=9
)
BOUNDS = st.sampled_from([0.0, 0.5, 1.0, 1e17]) | st.integers(0, 9).map(float)


def slow_best(rows: list[tuple[float, float, float, float, set[str]]], question: Question, each: bool) -> str:
    """The id of the best rule, or "nearest" with that of the nearest."""

    def missed(place: int) -> float | Fraction:
        risk, utility = rows[place][2:4] if each else rows[place][:2]
        if question.kind == "trade_off" or (question.kind == "most_risk" and risk <= question.bound):
            return 0
        short = Fraction(question.bound) - Fraction(utility)
        return max(Fraction(), short) if question.kind == "least_utility" else risk - question.bound

    def wanted(place: int) -> float:
        risk, utility = rows[place][:2]
        goals = {"least_utility": risk, "most_risk": -utility, "trade_off": risk - question.bound * utility}
        return goals[question.kind]

    def ties(place: int) -> tuple[float, float, str]:
        return rows[place][0], -rows[place][1], f"rule:{place}"

    places = range(len(rows))
    good = [place for place in places if not rows[place][4] and missed(place) == 0]
    if good:
        return str(min(good, key=lambda place: (wanted(place), *ties(place))))
    return f"nearest {min(places, key=lambda place: (len(rows[place][4]), missed(place), *ties(place)))}"


@settings(deadline=None, max_examples=400)
@given(RULES, st.builds(Question, st.sampled_from(QUESTIONS), BOUNDS), st.booleans())
def test_the_best_rule_is_that_of_looking_at_every_rule(
    rows: list[tuple[float, float, float, float, set[str]]], question: Question, each: bool
) -> None:
    columns = [np.array(part) for part in list(zip(*rows, strict=True))[:4]]
    ids = [f"rule:{place}" for place in range(len(rows))]
    risks, utilities, worst_risks, worst_utilities = columns
    broken = [sorted(row[4]) for row in rows]
    table = Rules(ids, risks, utilities, broken=broken)
    found = optimum(Rules(ids, risks, utilities, worst_risks, worst_utilities, broken) if each else table, question)
    told = str(found.place) if isinstance(found, Best) else f"nearest {found.nearest}"
    assert told == slow_best(rows, question, each)
    points = [Point(id_, *row[:4], sorted(row[4])) for id_, row in zip(ids, rows, strict=True)]
    oracle = oracle_optimum(points, {question.kind: question.bound, "per_record": each})
    assert oracle is not None
    if isinstance(found, Best):
        assert oracle["rule"] == ids[found.place]
    else:
        assert oracle == {"infeasible": ", ".join(found.missed), "nearest": ids[found.nearest]}


def rules(*points: tuple[float, float], ids: str = "abcdef") -> Rules:
    risks, utilities = zip(*points, strict=True)
    return Rules(list(ids[: len(points)]), np.array(risks), np.array(utilities))


def test_ties_go_to_less_risk_then_more_utility_then_the_smaller_id() -> None:
    assert optimum(rules((2, 2), (1, 1)), Question("trade_off", 1)) == Best(1)
    assert optimum(rules((1, 5), (1, 7)), Question("least_utility", 5)) == Best(1)
    assert optimum(rules((2, 7), (1, 7)), Question("most_risk", 5)) == Best(1)
    assert optimum(rules((1, 5), (1, 5), ids="ba"), Question("least_utility", 5)) == Best(1)


def test_ids_are_compared_as_texts() -> None:
    both = Rules(["full-domain:10.0", "full-domain:9.0"], np.array([1.0, 1.0]), np.array([1.0, 1.0]))
    assert optimum(both, Question("most_risk", 1)) == Best(0)


def test_rounding_neither_breaks_a_tie_nor_a_bound() -> None:
    assert optimum(rules((0.1 + 0.2, 5), (0.3, 4)), Question("least_utility", 0)) == Best(0)
    assert optimum(rules((1, 0.1 * 3), (0, 0.29)), Question("least_utility", 0.3)) == Best(0)
    assert optimum(rules((0.1 + 0.2, 1)), Question("most_risk", 0.3)) == Best(0)
    assert optimum(rules((1000.3, 1000.2), (0.1, 0)), Question("trade_off", 1)) == Best(1)


def test_a_question_that_no_rule_meets_names_the_nearest() -> None:
    assert optimum(rules((1, 5), (2, 6), (3, 6)), Question("least_utility", 7)) == Infeasible(("least_utility",), 1)
    assert optimum(rules((math.inf, 5), (math.inf, 6)), Question("most_risk", 1)) == Infeasible(("most_risk",), 1)
    # So far away that what is missing is the same number for all.
    assert optimum(rules((0, 4), (1, 5)), Question("least_utility", 1e17)) == Infeasible(("least_utility",), 1)


def test_rules_within_the_limits_come_before_rules_near_the_bound() -> None:
    limited = Rules(["a", "b"], np.array([1.0, 1.0]), np.array([9.0, 2.0]), broken=[["smallest_group"], []])
    assert optimum(limited, Question("least_utility", 7)) == Infeasible(("least_utility",), 1)
    only = Rules(["a"], np.array([1.0]), np.array([9.0]), broken=[["smallest_group"]])
    assert optimum(only, Question("least_utility", 7)) == Infeasible(("smallest_group",), 0)


def test_a_trade_off_asks_for_no_figure_of_a_single_record() -> None:
    nobody_asked = np.array([math.nan, math.nan])
    figures = np.array([1.0, 1.0]), np.array([9.0, 2.0]), nobody_asked, nobody_asked
    limited = Rules(["a", "b"], *figures, broken=[["smallest_group"], ["smallest_group"]])
    assert optimum(limited, Question("trade_off", 1)) == Infeasible(("smallest_group",), 0)


def test_a_risk_may_be_allowed_to_be_infinite() -> None:
    assert optimum(rules((math.inf, 5), (1, 4)), Question("most_risk", math.inf)) == Best(0)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("search", lambda: Question.asked(least_utility=1, trade_off=1)),
    ("search.most_risk", lambda: Question.asked(most_risk=-1)),
    ("search.trade_off", lambda: Question.asked(trade_off=math.inf)),
    ("search.trade_off", lambda: Question("trade_off", -1)),
    ("search.least_utility", lambda: Question("least_utility", math.nan)),
    ("search.highest", lambda: Question("highest", 1)),
]


@pytest.mark.parametrize(("key", "ask"), REFUSED)
def test_two_questions_or_an_impossible_one_are_refused_by_their_key(key: str, ask: Callable[[], object]) -> None:
    with pytest.raises(BadSetting) as refusal:
        ask()
    assert refusal.value.key == key


def test_no_question_is_no_question() -> None:
    assert Question.asked() is None
    assert Question.asked(most_risk=0) == Question("most_risk", 0)


def test_rules_need_a_risk_and_a_utility_each() -> None:
    with pytest.raises(ValueError, match="at least one rule"):
        Rules([], np.array([]), np.array([]))
    with pytest.raises(ValueError, match="a risk and a utility"):
        Rules(["a"], np.array([1.0, 2.0]), np.array([1.0]))
