"""The worked examples of the theory of tables: the case study's two records, the falls of weights, and the models."""

import math
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.assessment import nodes
from tests.oracle.below import first_without_partner
from tests.oracle.hierarchies import Hierarchy, build
from tests.oracle.loss import entropic, loss
from tests.oracle.people import counts
from tests.oracle.problem import Problem, Settings
from tests.oracle.release import from_labels, from_nodes, full_domain
from tests.oracle.risk import losses, risk
from tests.oracle.sensitivity import harmonic, sensitivity
from tests.oracle.tables import problem
from tests.oracle.utility import record_utility

MEMBERS = {
    "dataset.csv": """
        city,race,birthdate,salary
        West Lafayette,White,1975-05-10,52
        West Lafayette,White,1975-05-10,52
        """,
    "city.csv": """
        West Lafayette;Greater Lafayette;Tippecanoe;Indiana
        Lafayette;Greater Lafayette;Tippecanoe;Indiana
        Dayton;Dayton;Tippecanoe;Indiana
        Gary;Gary;Lake;Indiana
        """,
    # 7 people share the first released row, 191 more the second
    "register.csv": """
        town,skin,born,people
        West Lafayette,White,1975-05-10,7
        West Lafayette,Black,1975-05-12,191
        Gary,White,1975-05-10,1000
        """,
}
ATTRIBUTES = {
    "city": {"hierarchy": {"file": "city.csv"}, "weight": 0.3},
    "race": {"hierarchy": {"groups": {"European": ["White"], "African": ["Black"]}}, "weight": 0.4},
    "birthdate": {"hierarchy": {"dates": ["month", "year"]}, "weight": 0.5},
    "salary": {"hierarchy": {"intervals": {"from": 20, "widths": [5, 20, 80]}}, "weight": 0.75},
}
REGISTER = {
    "name": "register",
    "file": "register.csv",
    "match": {"town": "city", "skin": "race", "born": "birthdate"},
    "count": "people",
}


@pytest.fixture
def members(tmp_path: Path) -> Problem:
    return problem(
        tmp_path,
        MEMBERS,
        attributes=ATTRIBUTES,
        dictionaries=[REGISTER],
        sensitivity={"family": "multiplicative", "fall": "harmonic"},
    )


#  released row                                          |ρ|   Φ     loss   utility
CASES: list[tuple[tuple[int, ...], list[str], int, float, float, float]] = [
    ((0, 0, 0, 0), ["West Lafayette", "White", "1975-05-10", "52"], 7, 7.03, 1.004, 13),
    ((0, 2, 1, 3), ["West Lafayette", "*", "1975-05", "[20,100)"], 198, 1.38, 0.007, 7),
]


@pytest.mark.parametrize(("node", "shown", "people", "phi", "harm", "utility"), CASES)
def test_the_two_records_of_the_case_study(
    members: Problem, node: tuple[int, ...], shown: list[str], people: int, phi: float, harm: float, utility: float
) -> None:
    rows = from_nodes(members, [node, node])
    assert list(rows[0].shown) == shown
    assert counts(members, members.dictionaries[0], rows) == [people, people]
    assert sensitivity(members, members.records[0], rows[0].cells) == pytest.approx(phi, abs=0.005)
    assert losses(members, members.dictionaries[0], rows)[0] == pytest.approx(harm, abs=0.0005)
    assert record_utility(members, rows[0]) == utility
    assert [row.cells for row in from_labels(members, [shown, shown])] == [row.cells for row in rows]


def test_the_exact_sensitivities_of_the_case_study(members: Problem) -> None:
    rows = from_nodes(members, [(0, 0, 0, 0), (0, 2, 1, 3)])
    exact = [math.exp(1.95), math.exp(0.3 + 0.5 / 31 + 0.75 / 80)]
    found = [sensitivity(members, record, row.cells) for record, row in zip(members.records, rows, strict=True)]
    assert found == pytest.approx(exact)


def test_the_case_study_has_three_hundred_rules(members: Problem) -> None:
    assert [one.hierarchy.height for one in members.generalised()] == [4, 2, 3, 4]
    assert len(nodes(members)) == 300


def settled(groups: dict[str, Any]) -> Hierarchy:
    hierarchy = build({"groups": groups}, Path())
    hierarchy.settle([])
    return hierarchy


def test_equal_leaves_fall_to_the_weight_over_their_number() -> None:
    places = settled({"Indiana": {"Lake": ["Gary"], "Tippecanoe": ["Lafayette", "Dayton"]}, "Ohio": {"Mad": ["Lima"]}})
    fallen = {cell: harmonic(places, cell, lambda leaf: 0.6) for cell in [(1, "Tippecanoe"), (2, "Indiana"), (3, "*")]}
    assert fallen == {(1, "Tippecanoe"): pytest.approx(0.3), (2, "Indiana"): pytest.approx(0.2), (3, "*"): 0.0}


def test_a_grave_diagnosis_beside_a_light_one_weighs_almost_nothing_in_the_harmonic_fall() -> None:
    diagnoses = settled({"skin": ["HIV", "acne"], "other": ["flu"]})
    weigh = {"HIV": 10.0, "acne": 0.01}.__getitem__
    assert harmonic(diagnoses, (1, "skin"), weigh) == pytest.approx(0.00999, abs=1e-5)


@pytest.mark.parametrize(
    ("first", "second", "fallen"),
    [(0.0, 5.0, 0.0), (math.inf, 5.0, 5.0), (math.inf, math.inf, math.inf), (0.0, math.inf, 0.0)],
)
def test_one_over_nought_is_infinite_and_back_in_the_harmonic_fall(first: float, second: float, fallen: float) -> None:
    pair = settled({"both": ["a", "b"], "other": ["c"]})
    assert harmonic(pair, (1, "both"), {"a": first, "b": second}.__getitem__) == fallen


@pytest.mark.parametrize(
    ("phi", "people", "everybody", "expected"),
    [(1, 2, 4, 0.50), (1, 2, 1000, 0.90), (3, 1, 50, 3), (3, 50, 50, 0), (3, 1, 1, 3), (math.inf, 9, 9, 0)],
)
def test_the_entropic_model_is_the_sensitivity_of_a_unique_match_and_nought_when_everybody_matches(
    phi: float, people: int, everybody: int, expected: float
) -> None:
    assert entropic(phi, people, everybody) == pytest.approx(expected, abs=0.0005)


#  model          Φ         |ρ|  Ψ     uncovered  loss
LOSSES = [
    ("sensitivity", 6.0, 3, 0.0, "one", 2.0),
    ("sensitivity", 6.0, 3, 0.9, "one", 2.6),
    ("sensitivity", 6.0, 0, 0.9, "one", 6.0),
    ("sensitivity", 6.0, 0, 0.9, "zero", 0.9),
    ("sensitivity", math.inf, 0, 0.0, "zero", 0.0),
    ("sensitivity", math.inf, 7, 0.0, "one", math.inf),
    ("sensitivity", 6.0, 1, math.inf, "one", 6.0),
    ("sensitivity", 6.0, 2, math.inf, "one", math.inf),
    ("anonymity", 6.0, 4, 0.9, "one", 0.25),
    ("anonymity", 6.0, 0, 0.9, "one", 1.0),
    ("anonymity", 6.0, 0, 0.9, "zero", 0.0),
    ("entropic", 6.0, 10, 0.9, "one", 3.0),
    ("entropic", 6.0, 0, 0.9, "one", 6.0),
    ("entropic", 6.0, 0, 0.9, "zero", 0.0),
]


@pytest.mark.parametrize(("model", "phi", "people", "unidentified", "uncovered", "expected"), LOSSES)
def test_the_loss_of_a_record(
    model: str, phi: float, people: int, unidentified: float, uncovered: str, expected: float
) -> None:
    settings = Settings(model=model, unidentified=unidentified, uncovered=uncovered)
    assert loss(settings, phi, people, 100) == pytest.approx(expected)


def test_a_record_in_a_group_of_k_loses_at_most_its_sensitivity_over_k(tmp_path: Path) -> None:
    table = "zip,sex\n101,f\n102,f\n103,f\n201,m\n202,m\n"
    attributes = {"zip": {"hierarchy": {"mask": 3}, "weight": 6}, "sex": {"weight": 0}}
    small = problem(tmp_path, {"dataset.csv": table}, attributes=attributes)
    assert losses(small, small.dictionaries[0], full_domain(small, (1, 0))) == [2.0, 2.0, 2.0, 3.0, 3.0]


ESTIMATE = {
    "dataset.csv": "zip\n101\n102\n",
    "estimate.csv": "zip\n101\n102\n",
    "truth.csv": "zip\n10*\n10*\n",
    "more.csv": "zip\n10*\n10*\n20*\n",
    "other.csv": "zip\n10*\n20*\n",
}


def test_a_dictionary_that_only_adds_people_and_coarsens_is_recognised_and_bounded(tmp_path: Path) -> None:
    names = {"estimate": "zip", "truth": "zip@1", "more": "zip@1", "other": "zip@1"}
    tables = [{"file": f"{name}.csv", "match": {"zip": target}} for name, target in names.items()]
    small = problem(tmp_path, ESTIMATE, attributes={"zip": {"hierarchy": {"mask": 3}}}, dictionaries=tables)
    estimate, truth, more, other = small.dictionaries
    assert first_without_partner(small.attributes, estimate, truth) is None
    assert first_without_partner(small.attributes, estimate, more) is None
    assert first_without_partner(small.attributes, estimate, other) == 1
    assert first_without_partner(small.attributes, truth, estimate) == 0
    for node in nodes(small):
        rows = full_domain(small, node)
        by_name = {}
        for name in ("estimate", "truth", "more"):
            small.settings.over_dictionaries = name
            by_name[name] = risk(small, rows)
        assert by_name["estimate"] >= by_name["truth"] >= by_name["more"]
