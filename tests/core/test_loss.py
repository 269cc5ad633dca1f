"""The loss of records against its definition, one record at a time, and against the independent oracle."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.loss import MODELS, UNCOVERED, Loss
from tests.oracle.loss import loss as oracle_loss
from tests.oracle.problem import Settings

AMOUNTS = st.sampled_from([0.0, 1.0, math.inf]) | st.floats(0, 1e6)
LOSSES = st.builds(Loss, st.sampled_from(MODELS), st.sampled_from(UNCOVERED), AMOUNTS)


def product(one: float, other: float) -> float:
    return 0.0 if 0 in (one, other) else one * other


def slow_loss(how: Loss, phi: float, people: int, everybody: int) -> float:
    if people == 0 and how.uncovered == "zero":
        return how.unidentified if how.model == "sensitivity" else 0.0
    people = max(people, 1)
    if how.model == "anonymity":
        return 1 / people
    if how.model == "sensitivity":
        return product(1 / people, phi) + product(1 - 1 / people, how.unidentified)
    if everybody <= 1 or people == 1:
        return phi
    return product(phi, 0 if people == everybody else 1 - math.log(people) / math.log(everybody))


@st.composite
def records(draw: st.DrawFn) -> tuple[list[float], list[int], int]:
    everybody = draw(st.sampled_from([0, 1, 2, 3]) | st.integers(0, 10**9))
    people = st.sampled_from([0, min(1, everybody), everybody]) | st.integers(0, everybody)
    rows = draw(st.lists(st.tuples(AMOUNTS, people), max_size=8))
    return [phi for phi, _ in rows], [count for _, count in rows], everybody


@settings(deadline=None, max_examples=300)
@given(LOSSES, records())
def test_the_loss_of_all_records_is_that_of_each(how: Loss, table: tuple[list[float], list[int], int]) -> None:
    phi, people, everybody = table
    fast = how.of(np.array(phi, dtype=np.float64), np.array(people, dtype=np.int64), everybody)
    assert fast == pytest.approx([slow_loss(how, *row, everybody) for row in zip(phi, people, strict=True)], rel=1e-9)
    chosen = Settings(model=how.model, uncovered=how.uncovered, unidentified=how.unidentified)
    assert fast == pytest.approx(
        [oracle_loss(chosen, *row, everybody) for row in zip(phi, people, strict=True)], rel=1e-9
    )


@settings(deadline=None)
@given(st.sampled_from(MODELS), AMOUNTS, st.integers(1, 1000), st.integers(0, 1000))
def test_more_people_never_mean_more_loss_when_nobody_counts_as_one(
    model: str, phi: float, people: int, more: int
) -> None:
    losses = Loss(model).of(np.full(3, phi), np.array([0, people, people + more]), 2000)
    assert losses[0] >= losses[1] >= losses[2] >= 0


def test_with_the_thesis_generalising_can_raise_the_loss_of_an_uncovered_record() -> None:
    assert Loss(uncovered="zero").of(np.array([2.0, 2.0]), np.array([0, 1]), 5).tolist() == [0, 2]


def test_harm_of_a_failed_identification_can_make_more_people_worse() -> None:
    assert Loss(unidentified=3).of(np.array([1.0, 1.0]), np.array([1, 2]), 5).tolist() == [1, 2]


@pytest.mark.parametrize("model", ["sensitivity", "entropic"])
def test_no_chance_of_an_infinite_harm_is_no_harm(model: str) -> None:
    assert Loss(model, "zero").of(np.array([math.inf]), np.array([0]), 5).tolist() == [0]


def test_an_infinite_harm_that_everybody_shares_is_none_by_entropy() -> None:
    for everybody in range(1, 200):
        losses = Loss("entropic").of(np.full(9, math.inf), np.full(9, everybody), everybody)
        assert set(losses) == ({math.inf} if everybody == 1 else {0.0})


def test_losses_leave_what_they_are_given_as_it_was() -> None:
    phi, people = np.array([1.0, 2.0]), np.array([0, 2])
    Loss("entropic", "zero").of(phi, people, 4)
    assert (phi.tolist(), people.tolist()) == ([1, 2], [0, 2])


@pytest.mark.parametrize("people", [[-1], [6]])
def test_fewer_than_nobody_and_more_than_everybody_cannot_be(people: list[int]) -> None:
    with pytest.raises(ValueError, match="nobody"):
        Loss().of(np.array([1.0]), np.array(people), 5)


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("risk.model", {"model": "IV"}),
        ("risk.uncovered", {"uncovered": "two"}),
        ("sensitivity.unidentified", {"unidentified": -1}),
        ("sensitivity.unidentified", {"unidentified": math.nan}),
    ],
)
def test_an_impossible_choice_is_refused_by_its_key(key: str, given: dict[str, object]) -> None:
    with pytest.raises(BadSetting) as refusal:
        Loss(**given)  # type: ignore[arg-type]
    assert refusal.value.key == key
