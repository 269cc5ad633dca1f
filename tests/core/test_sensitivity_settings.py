"""Weights that cannot be are refused with the key to mend, and the special cases of the falls."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.faults import OutsideHierarchy
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.value_list import ValueList
from riskapp.core.table.weights import Weights, whole_units

RACE = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
SEX = flat("sex", [ValueList.of(["F", "M"])])


def column(codes: list[int]) -> CodedColumn:
    return CodedColumn(RACE, np.array(codes, dtype=np.int32))


def sensitivity(**given: Any) -> Sensitivity:
    sex = CodedColumn(SEX, np.array([1, 2], dtype=np.int32))
    columns = (Weighed(column([1, 2]), Weights.of(RACE)), Weighed(sex, Weights.of(SEX)))
    return Sensitivity(columns, **given)


def levels(*rows: list[float]) -> tuple[Any, ...]:
    return tuple(np.array(row) for row in rows)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("attributes.race.weight", lambda: Weights.of(RACE, -1)),
    ("attributes.race.weight", lambda: Weights.of(RACE, math.nan)),
    ("attributes.race.weights", lambda: Weights.of(RACE, 1, {"White": -0.5})),
    ("attributes.race.fall", lambda: Weights.of(RACE, fall="up")),
    ("attributes.race.weights", lambda: Weights(RACE, levels([0, 1, 1, 1], [0, 2, 1, 1], [0, 0, 0, 0]))),
    ("attributes.race.weights", lambda: Weights(RACE, levels([0, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1]))),
    ("attributes.race.weights", lambda: Weights(RACE, levels([1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]))),
    ("attributes.race.weights", lambda: Weights(RACE, levels([0, 1, 1, 1], [0, 1, -1, 1], [0, 0, 0, 0]))),
    ("attributes.race.personal_weight", lambda: Weighed(column([1, 2]), Weights.of(RACE), np.array([math.nan, -1]))),
    ("sensitivity.family", lambda: sensitivity(family="square")),
    ("sensitivity.pairs.0.weight", lambda: sensitivity(pairs=(Pair("race", "sex", -1),))),
    ("sensitivity.pairs.1.attributes", lambda: sensitivity(pairs=(Pair("race", "sex", 1), Pair("race", "race", 1)))),
    ("sensitivity.pairs.0.attributes", lambda: sensitivity(pairs=(Pair("race", "city", 1),))),
    ("sensitivity.person_total", lambda: PersonTotal("stretch", 1)),
    ("sensitivity.person_total.cap", lambda: PersonTotal("cap", -1)),
    ("sensitivity.person_total.scale", lambda: PersonTotal("scale", math.inf)),
]


@pytest.mark.parametrize(("key", "make"), REFUSED)
def test_an_impossible_weight_is_refused_by_its_key(key: str, make: Callable[[], object]) -> None:
    with pytest.raises(BadSetting) as refusal:
        make()
    assert refusal.value.key == key
    assert str(refusal.value).startswith(f"{key}: ")


def test_a_weight_for_a_value_that_is_no_leaf_is_refused_without_naming_it() -> None:
    with pytest.raises(OutsideHierarchy) as refusal:
        Weights.of(RACE, 1, {"Purple": 2})
    assert "Purple" not in str(refusal.value)
    assert "attributes.race.weights" in str(refusal.value)


def test_a_weight_for_a_value_that_does_not_occur_may_be_passed_over() -> None:
    assert Weights.of(RACE, 1, {"Purple": 2, "White": 3}, elsewhere=True).levels[0].tolist() == [0, 3, 1, 1]


def test_a_number_spelt_twice_has_not_two_weights() -> None:
    income = from_intervals("income", [ValueList.of(["52"])], [5])
    with pytest.raises(BadSetting, match=r"attributes\.income\.weights"):
        Weights.of(income, 1, {"52": 2, "52.0": 3})


def test_a_number_between_two_units_is_no_leaf_of_the_domain() -> None:
    income = from_intervals("income", [ValueList.of(["52", "52.5"])], [5, 20])
    weights = {"52": 4.0, "52.5": 2.0}
    fallen = Weights.of(income, 1, weights, fall="harmonic", in_domain=whole_units(income, 0, 1))
    assert fallen.levels[1][1:] == pytest.approx([1 / (4 + 1 / 4)] * 2)


def test_a_number_that_would_weigh_more_in_its_interval_is_refused() -> None:
    income = from_intervals("income", [ValueList.of(["52", "52.5"])], [5])
    with pytest.raises(BadSetting, match="1 values would weigh more at level 1"):
        Weights.of(income, 1, {"52.5": 0.1}, fall="harmonic", in_domain=whole_units(income, 0, 1))


def test_more_weights_than_leaves_in_the_domain_cannot_be() -> None:
    income = from_intervals("income", [ValueList.of(["1.1", "1.2"])], [1, 2])
    with pytest.raises(ValueError, match="More leaves"):
        Weights.of(income, 1, {"1.1": 2, "1.2": 2}, fall="harmonic")


@pytest.mark.parametrize(
    ("weights", "asian"),
    [
        ({"Chinese": 0.0}, 0.0),  # 1/0 = ∞: the group weighs nothing
        ({"Chinese": math.inf}, 1.0),  # 1/∞ = 0: only the other leaf counts
        ({"Chinese": math.inf, "Japanese": math.inf}, math.inf),
        ({"Chinese": 0.0, "Japanese": math.inf}, 0.0),
    ],
)
def test_nothing_and_infinity_in_the_harmonic_fall(weights: dict[str, float], asian: float) -> None:
    assert Weights.of(RACE, 1, weights, fall="harmonic").levels[1].tolist() == [
        0,
        1,
        min(asian, weights["Chinese"]),
        asian,
    ]


def test_a_personal_weight_is_that_of_every_leaf_and_falls_with_their_number() -> None:
    weights = Weights.of(RACE, 1, {"Japanese": 100}, fall="harmonic")
    phi = Sensitivity((Weighed(column([2, 2, 2, 0]), weights, np.array([6.0, math.nan, math.inf, 6.0])),))
    assert phi.at((1,)) == pytest.approx([3, 1 / (1 + 1 / 100), math.inf, 0])


def test_a_kept_column_has_no_level_to_choose() -> None:
    note = CodedColumn(SEX, np.array([1, 0], dtype=np.int32))
    phi = Sensitivity((Weighed(column([1, 1]), Weights.of(RACE)), Weighed(note, Weights.of(SEX, 0.25), kept=True)))
    assert phi.lattice.top == (2, 0)
    assert phi.at((2, 0)).tolist() == [0.25, 0]
    with pytest.raises(ValueError, match="not in the lattice"):
        phi.at((2, 1))


def test_the_sum_before_the_family_may_be_added_to() -> None:
    phi = sensitivity(family="multiplicative")
    assert phi.of_sums(phi.sums((0, 0)) + 0.5) == pytest.approx([math.exp(2.5)] * 2)


@pytest.mark.parametrize("nodes", [[[0, 0]], [[0, 0], [3, 0]], [[0, 0], [0, -1]]])
def test_a_node_for_every_record_and_every_level_in_its_hierarchy(nodes: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="level"):
        sensitivity().at_each(np.array(nodes))


def test_columns_and_weights_belong_together() -> None:
    with pytest.raises(ValueError, match="same hierarchy"):
        Weighed(column([1]), Weights.of(SEX))
    with pytest.raises(ValueError, match="for every record"):
        Weighed(column([1]), Weights.of(RACE), np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="one length"):
        Sensitivity((Weighed(column([1]), Weights.of(RACE)), Weighed(column([1, 2]), Weights.of(RACE))))
    with pytest.raises(ValueError, match="every leaf"):
        Weights(RACE, levels([0, 1, 1, 1], [0, 0, 0, 0]))


def test_a_sum_beyond_all_numbers_is_infinite_and_left_alone() -> None:
    huge = Weights.of(RACE, 1e308)
    phi = Sensitivity((Weighed(column([1]), huge), Weighed(column([2]), huge)), person_total=PersonTotal("scale", 1))
    assert phi.at((0, 0)).tolist() == [math.inf]
