"""The thesis' worked examples of sensitivity, loss and optimum, as small tables."""

import math

import numpy as np
import pytest

from riskapp.core.loss import Loss
from riskapp.core.optimum import Best, Question, Rules, optimum
from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_file import from_text
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.value_list import ValueList
from riskapp.core.table.weights import Weights

CITY = """West Lafayette;Tippecanoe;Indiana;Midwest
Lafayette;Tippecanoe;Indiana;Midwest
Dayton;Tippecanoe;Indiana;Midwest
Gary;Lake;Indiana;Midwest
Chicago;Cook;Illinois;Midwest
"""


def weighed(hierarchy: Hierarchy, value: str, weight: float) -> Weighed:
    codes = hierarchy.coded([value])
    return Weighed(CodedColumn(hierarchy, codes), Weights.of(hierarchy, weight, fall="harmonic"))


def case_study() -> Sensitivity:
    """The record of the case study: heights 4, 2, 3, 4; the salary from $20k in steps up to [$20k,$100k)."""
    race = from_groups("race", {"European": ["White"], "Asian": ["Chinese"]})
    born = from_dates("birthdate", [ValueList.of(["1975-05-10"])])
    salary = from_intervals("salary", [ValueList.of(["52"])], [5, 20, 80], start=20)
    return Sensitivity(
        (
            weighed(from_text("city", CITY), "West Lafayette", 0.3),
            weighed(race, "White", 0.4),
            weighed(born, "1975-05-10", 0.5),
            weighed(salary, "52", 0.75),
        ),
        family="multiplicative",
    )


#  what is released                                  node          exactly                              Φ     |ρ|  loss
CASES = [
    ("West Lafayette, White, 10 May 1975, $52k", (0, 0, 0, 0), math.exp(1.95), 7.03, 7, 1.004),
    ("West Lafayette, *, May 1975, [$20k,$99k]", (0, 2, 1, 3), math.exp(0.3 + 0.5 / 31 + 0.75 / 80), 1.38, 198, 0.007),
]


@pytest.mark.parametrize(("released", "node", "exactly", "phi", "people", "loss"), CASES)
def test_the_case_study_s_record(
    released: str, node: tuple[int, ...], exactly: float, phi: float, people: int, loss: float
) -> None:
    found = case_study().at(node)
    assert found[0] == pytest.approx(exactly, rel=1e-12), released
    assert found[0] == pytest.approx(phi, abs=0.005)
    assert Loss().of(found, np.array([people]), 9_857_623)[0] == pytest.approx(loss, abs=0.0005)


def test_the_case_study_has_three_hundred_rules() -> None:
    assert case_study().lattice.size == 300


@pytest.mark.parametrize(("level", "cities"), [(0, 1), (1, 3), (2, 4), (3, 5)])
def test_a_county_of_l_cities_weighs_one_lth_of_a_city(level: int, cities: int) -> None:
    city = from_text("city", CITY)
    assert weighed(city, "Dayton", 0.3).at(level)[0] == pytest.approx(0.3 / cities)


def test_the_whole_country_weighs_nothing() -> None:
    assert weighed(from_text("city", CITY), "Dayton", 0.3).at(4)[0] == 0


def test_the_harmonic_fall_hides_a_grave_diagnosis_and_the_step_does_not() -> None:
    ill = from_groups("diagnosis", {"any": ["HIV", "acne"]})
    weights = {"HIV": 10.0, "acne": 0.01}
    assert Weights.of(ill, 1, weights, fall="harmonic").levels[1][1:] == pytest.approx([0.00999, 0.00999], abs=5e-6)
    assert Weights.of(ill, 1, weights).levels[1][1:].tolist() == [10, 0.01]


@pytest.mark.parametrize(("everybody", "loss"), [(4, 0.50), (1000, 0.90)])
def test_by_entropy_a_larger_dictionary_raises_the_loss(everybody: int, loss: float) -> None:
    assert Loss("entropic").of(np.array([1.0]), np.array([2]), everybody)[0] == pytest.approx(loss, abs=0.0005)


def test_by_entropy_a_unique_match_is_phi_and_everybody_is_nothing() -> None:
    assert Loss("entropic").of(np.array([3.0, 3.0]), np.array([1, 50]), 50).tolist() == [3, 0]
    assert Loss("entropic").of(np.array([3.0]), np.array([1]), 1).tolist() == [3]


@pytest.mark.parametrize("k", [2, 5, 11])
def test_with_constant_sensitivity_k_anonymous_records_lose_at_most_one_kth(k: int) -> None:
    groups = np.arange(1, 3 * k)
    losses = Loss().of(np.full(len(groups), 2.5), groups, 3 * k)
    assert ((losses <= 2.5 / k) == (groups >= k)).all()


TRACE = """
t  0  0
s 10  4
r 12  2
o 14  5
p 15  7
k 16  8
q 21  9
l 22 11
j 55 17
e 60 21
f 62 18
b 63 23
"""


def test_the_traced_lattice_has_its_optimum_at_e() -> None:
    rows = [line.split() for line in TRACE.split("\n") if line]
    names, risks, utilities = zip(*rows, strict=True)
    rules = Rules(names, np.array(risks, dtype=np.float64), np.array(utilities, dtype=np.float64))
    assert optimum(rules, Question("least_utility", 18)) == Best(names.index("e"))
