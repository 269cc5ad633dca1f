"""What a rule's page tells of losses equals slow and obvious twins, whatever the losses are."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.core.loss import UNCOVERED, Loss
from riskapp.engine.ruling.distribution import MOST_BINS, QUANTILES, distribution, worst_records
from riskapp.engine.ruling.ruling import Attack
from tests.engine import slow_ruling

LOSSES = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, 10.0, math.inf]),
    st.floats(1e-300, 1e300),
)


@given(st.lists(LOSSES, min_size=1, max_size=60))
def test_quantiles_and_bins_are_those_of_the_twin(losses: list[float]) -> None:
    told = distribution(np.array(losses))
    assert told["quantiles"] == {str(share): slow_ruling.quantile(losses, str(share)) for share in QUANTILES}
    assert (told["records"], told["zero"], told["infinite"]) == (len(losses), losses.count(0), losses.count(math.inf))
    assert len(told["bins"]) <= MOST_BINS
    assert all(many == slow_ruling.inside(losses, low, high) for low, high, many in told["bins"])
    assert sum(many for _, _, many in told["bins"]) == len(losses) - told["zero"] - told["infinite"]
    edges = [low for low, _, _ in told["bins"]]
    factors = [math.log10(high) - math.log10(low) for low, high, _ in told["bins"][:-1]]
    assert edges[1:] == [high for _, high, _ in told["bins"][:-1]]
    assert factors == pytest.approx(factors[:1] * len(factors))


@st.composite
def attacked(draw: st.DrawFn) -> tuple[Loss, list[Attack | None]]:
    """Few different losses and crowds, so that many are equal; now and then nobody could replay the rule."""
    records, names = draw(st.integers(1, 40)), draw(st.sampled_from([["self"], ["self", "register"]]))
    loss = Loss(uncovered=draw(st.sampled_from(UNCOVERED)))

    def attack() -> Attack:
        crowds = {name: draw(st.lists(st.integers(0, 3), min_size=records, max_size=records)) for name in names}
        lost = st.lists(st.sampled_from([0.0, 0.25, 1.0, math.inf]), min_size=records, max_size=records)
        people = {name: np.array(own, dtype=np.int64) for name, own in crowds.items()}
        return Attack(people, {name: np.array(draw(lost)) for name in names})

    return loss, [attack(), draw(st.sampled_from([None, attack()]))]


@given(attacked(), st.integers(1, 25))
def test_those_who_lose_the_most_are_those_of_the_twin(drawn: tuple[Loss, list[Attack | None]], most: int) -> None:
    loss, attacks = drawn
    names = list(attacks[0].people) if attacks[0] else []
    found: Any = SimpleNamespace(
        attacks=dict(zip(("definition", "replay"), attacks, strict=True)),
        problem=SimpleNamespace(loss=loss, dictionaries=[SimpleNamespace(name=name) for name in names]),
        number=lambda place: place + 1,
    )
    told = worst_records(found, most)
    done = [attack for attack in attacks if attack is not None]
    chances = [{name: [_chance(n, loss) for n in own] for name, own in one.people.items()} for one in done]
    wanted = slow_ruling.worst([one.losses for one in done], chances, most)  # type: ignore[misc]
    assert [(one["record"] - 1, one["loss"], one["chance"]) for one in told] == wanted
    for one in told:
        for name in names:
            own = one["dictionaries"][name]
            assert (own["replay"] is None) == (attacks[1] is None)
            assert own["definition"]["people"] == done[0].people[name][one["record"] - 1]


def _chance(people: int, loss: Loss) -> float:
    return 1 / people if people else float(loss.uncovered == "one")
