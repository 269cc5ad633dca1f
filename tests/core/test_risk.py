"""The risk over records and over dictionaries, against adding up one by one."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.risk import OVER_RECORDS, Risk, over_dictionaries, over_records
from tests.oracle.risk import over_records as oracle_over_records

AMOUNTS = st.sampled_from([0.0, 1.0, math.inf]) | st.floats(0, 1e6)
SHARES = st.sampled_from([0.0, 1.0, 2.0]) | st.floats(1e-3, 1e6)


def slow_mean(values: list[float], weights: list[float]) -> float:
    """In fractions, so that nothing is rounded before the end; what weighs 0 does not count, even if it is infinite."""
    counted = [(value, weight) for value, weight in zip(values, weights, strict=True) if weight > 0]
    if any(value == math.inf for value, _ in counted):
        return math.inf
    return float(
        sum(Fraction(value) * Fraction(weight) for value, weight in counted)
        / sum(Fraction(weight) for _, weight in counted)
    )


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(AMOUNTS, SHARES), min_size=1, max_size=9).filter(lambda rows: any(row[1] for row in rows)))
def test_the_mean_may_be_weighted_and_the_largest_and_smallest_are_not(rows: list[tuple[float, float]]) -> None:
    values, weights = [list(part) for part in zip(*rows, strict=True)]
    slow = {"mean": slow_mean(values, weights), "max": max(values), "min": min(values)}
    for how in OVER_RECORDS:
        fast = over_records(np.array(values), how, np.array(weights))
        assert fast == pytest.approx(slow[how], rel=1e-9)
        assert fast == pytest.approx(oracle_over_records(how, values, weights), rel=1e-9)


@settings(deadline=None)
@given(st.lists(AMOUNTS, min_size=1, max_size=9), st.lists(st.integers(1, 4), min_size=9, max_size=9))
def test_a_multiplicity_is_as_many_records(values: list[float], times: list[int]) -> None:
    times = times[: len(values)]
    repeated = np.repeat(np.array(values), times)
    assert over_records(np.array(values), "mean", np.array(times, dtype=np.float64)) == pytest.approx(
        over_records(repeated), rel=1e-9
    )
    assert over_records(repeated) == pytest.approx(slow_mean(repeated.tolist(), [1.0] * len(repeated)), rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(AMOUNTS, SHARES), min_size=1, max_size=4).filter(lambda rows: any(row[1] for row in rows)))
def test_dictionaries_count_by_the_worst_by_their_priors_or_one_alone(rows: list[tuple[float, float]]) -> None:
    risks = {f"d{place}": risk for place, (risk, _) in enumerate(rows)}
    priors = {f"d{place}": prior for place, (_, prior) in enumerate(rows)}
    assert over_dictionaries(risks) == max(risks.values())
    assert over_dictionaries(risks, "bayes", priors) == pytest.approx(
        slow_mean(list(risks.values()), list(priors.values())), rel=1e-9
    )
    assert over_dictionaries(risks, "d0", priors) == risks["d0"]


def test_records_come_first_and_dictionaries_second() -> None:
    losses = {"a": np.array([4.0, 0.0]), "b": np.array([0.0, 4.0])}
    assert Risk().of(losses) == 2  # the worst for each record would be 4 twice
    assert Risk("max", "bayes", priors={"a": 3.0}).of(losses) == 4
    assert Risk("min", "worst").of(losses) == 0
    assert Risk("mean", "b", weights=np.array([1.0, 3.0])).of(losses) == 3


def test_the_mean_of_huge_losses_is_not_infinite() -> None:
    assert over_records(np.full(4, 1.5e308)) == pytest.approx(1.5e308)
    assert over_records(np.full(2, 1.5e308), weights=np.full(2, 1e308)) == pytest.approx(1.5e308)


ONE = np.array([1.0])
REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("risk.over_records", lambda: over_records(ONE, "median")),
    ("risk.over_records", lambda: Risk("median")),
    ("dataset.file", lambda: over_records(np.array([]))),
    ("dataset.risk_weight", lambda: over_records(ONE, weights=np.array([-1.0]))),
    ("dataset.risk_weight", lambda: over_records(ONE, weights=np.array([math.inf]))),
    ("dataset.risk_weight", lambda: over_records(ONE, weights=np.array([math.nan]))),
    ("dataset.risk_weight", lambda: over_records(ONE, weights=np.array([0.0]))),
    ("risk.over_dictionaries", lambda: over_dictionaries({"self": 1.0}, "register")),
    ("dictionaries", lambda: over_dictionaries({})),
    ("dictionaries", lambda: over_dictionaries({"self": 1.0}, "bayes", {"self": 0.0})),
    ("dictionaries.self.prior", lambda: over_dictionaries({"self": 1.0}, "bayes", {"self": -1.0})),
    ("dictionaries.self.prior", lambda: over_dictionaries({"self": 1.0}, "bayes", {"self": math.inf})),
    ("dictionaries.other.prior", lambda: over_dictionaries({"self": 1.0}, "bayes", {"other": 1.0})),
]


@pytest.mark.parametrize(("key", "compute"), REFUSED)
def test_an_impossible_choice_is_refused_by_its_key(key: str, compute: Callable[[], object]) -> None:
    with pytest.raises(BadSetting) as refusal:
        compute()
    assert refusal.value.key == key


def test_there_is_a_weight_for_every_record() -> None:
    with pytest.raises(ValueError, match="every record"):
        over_records(ONE, weights=np.array([1.0, 2.0]))
