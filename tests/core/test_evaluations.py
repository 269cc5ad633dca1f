"""The figures of many rules are a sequence of evaluations."""

from dataclasses import replace

import numpy as np
import pytest

from riskapp.core.evaluation import Evaluation, People
from riskapp.core.evaluations import Evaluations, PeopleOfEach
from riskapp.core.table.inference import Inference

PEOPLE = PeopleOfEach(
    expected_found=np.array([2.0, 1.5, 1.0]),
    singled_out=np.array([2, 1, 0]),
    uncovered=np.array([0, 0, 1]),
    largest_chance=np.array([1.0, 0.5, 0.25]),
    gain=np.array([1.0, 0.5, 0.0]),
)
EVERY = Evaluations(
    risks=np.array([3.0, 2.0, np.inf]),
    risks_by_dictionary={"self": np.array([3.0, 2.0, 0.5]), "register": np.array([1.0, 1.0, np.inf])},
    utilities=np.array([4.0, 2.0, 0.0]),
    utility_shares=np.array([1.0, 0.5, 0.0]),
    people={"self": PEOPLE, "register": replace(PEOPLE, share_above=np.array([0.5, 0.25, 0.0]))},
    smallest_groups=np.array([1, 2, 3]),
    inference={"ill": np.array([[0.5, 1.0], [0.25, 0.5], [0.0, 0.0]])},
    worst_utilities=np.array([3.0, 1.0, 0.0]),
    broken=[("t",), (), ("l", "t")],
)
SECOND_PEOPLE = {"self": People(1.5, 1, 0, 0.5, 0.5), "register": People(1.5, 1, 0, 0.5, 0.5, 0.25)}
SECOND = Evaluation(
    risk=2.0,
    risk_by_dictionary={"self": 2.0, "register": 1.0},
    utility=2.0,
    utility_share=0.5,
    people=SECOND_PEOPLE,
    smallest_group=2,
    inference={"ill": Inference(0.25, 0.5)},
    risk_replay=2.0,
    people_replay=SECOND_PEOPLE,
    worst_utility=1.0,
)


def test_each_rule_has_all_of_its_figures() -> None:
    assert EVERY[1] == SECOND
    assert EVERY[2].broken == ("l", "t")
    assert EVERY[2].risk == np.inf


def test_the_figures_are_plain_numbers() -> None:
    found = EVERY[0]
    kinds = [type(found.risk), type(found.smallest_group), type(found.worst_utility), type(found.utility_share)]
    assert kinds == [float, int, float, float]
    assert [type(number) for number in found.people["register"]] == [float, int, int, float, float, float]
    assert [type(number) for number in found.inference["ill"]] == [float, float]


def test_they_are_counted_from_both_ends() -> None:
    assert len(EVERY) == 3
    assert [EVERY[place] for place in (-3, -2, -1)] == [EVERY[place] for place in (0, 1, 2)]


def test_slices_are_lists() -> None:
    every = [EVERY[place] for place in range(3)]
    for part in (slice(None), slice(1, None), slice(None, None, -1), slice(-2, 99), slice(2, 1)):
        assert EVERY[part] == every[part]


@pytest.mark.parametrize("place", [3, -4, 99])
def test_there_is_nothing_beyond_the_ends(place: int) -> None:
    with pytest.raises(IndexError):
        EVERY[place]


def test_they_can_be_gone_through_and_searched() -> None:
    assert list(EVERY) == EVERY[:]
    assert list(reversed(EVERY)) == EVERY[::-1]
    assert SECOND in EVERY
    assert (EVERY.index(SECOND), EVERY.count(SECOND)) == (1, 1)
    assert replace(SECOND, risk=7.0) not in EVERY


def test_what_was_not_asked_for_is_not_told() -> None:
    bare = replace(EVERY, worst_utilities=None, broken=(), inference={})
    assert bare[1] == replace(SECOND, worst_utility=None, inference={})
    assert all(one.broken == () and one.worst_risk is None for one in bare)
