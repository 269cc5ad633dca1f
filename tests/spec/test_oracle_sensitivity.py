"""Φ worked out by hand: weights by value and by person, falls, pairs, totals, ∞, and what linking adds."""

import math
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.problem import Problem
from tests.oracle.reading import Refused
from tests.oracle.release import full_domain
from tests.oracle.risk import losses, over_dictionaries, over_records, risk, risk_by_dictionary
from tests.oracle.sensitivity import sensitivity
from tests.oracle.tables import problem

FILES = {
    "dataset.csv": """
        member,race,city,note,race_weight
        1,Black,Rome,a,
        2,White,Oslo,,5
        3,,Rome,b,inf
        """,
    "weights.csv": "Black;2\nWhite;0.5\n",
    "personal.csv": "who,race\n2,5\n3,NA\n",
}
RACES = {"groups": {"Dark": ["Black"], "Light": ["White", "Pale"]}}
CITIES = {"groups": {"Italy": ["Rome", "Pisa"], "Norway": ["Oslo"]}}


def phis(folder: Path, node: tuple[int, ...], race: dict[str, Any], city: dict[str, Any], **harm: Any) -> list[float]:
    small = problem(
        folder,
        FILES,
        dataset={"file": "dataset.csv", "identifier": "member"},
        attributes={
            "race": {"hierarchy": RACES, **race},
            "city": {"hierarchy": CITIES, **city},
            "note": {"role": "keep", "weight": 0.25},
        },
        sensitivity=harm,
    )
    rows = full_domain(small, node)
    return [sensitivity(small, record, row.cells) for record, row in zip(small.records, rows, strict=True)]


VALUES: dict[str, Any] = {"weights": {"Black": 2, "White": 0.5}}
FILE: dict[str, Any] = {"weights": {"file": "weights.csv"}}
COLUMN: dict[str, Any] = {"weight": 2, "personal_weight": "race_weight"}
TABLE: dict[str, Any] = {"weight": 2, "personal_weight": {"file": "personal.csv", "key": "who", "column": "race"}}
PAIR: dict[str, Any] = {"pairs": [{"attributes": ["race", "city"], "weight": 10}]}
SCALE, CAP = {"person_total": {"scale": 1}}, {"person_total": {"cap": 4}}
HARMONIC = {"fall": "harmonic"}

#  Three records: Black Rome a, White Oslo (note missing), (race missing) Rome b. The note weighs 0.25.
CASES: list[tuple[tuple[int, int], dict[str, Any], dict[str, Any], dict[str, Any], list[float]]] = [
    ((0, 0), {}, {}, {}, [2.25, 2, 1.25]),
    ((2, 2), {}, {}, {}, [0.25, 0, 0.25]),
    ((0, 0), VALUES, {}, {}, [3.25, 1.5, 1.25]),
    ((0, 0), FILE, {}, {}, [3.25, 1.5, 1.25]),
    ((1, 0), VALUES, {}, {}, [3.25, 1.5, 1.25]),  # step: the leaf's own weight until the top
    ((1, 0), {**VALUES, **HARMONIC}, {}, {}, [3.25, 1 + 1 / 3, 1.25]),  # Light is 1 / (1/0.5 + 1/1)
    ((1, 1), {}, {}, HARMONIC, [1.75, 1.5, 0.75]),  # Light and Italy have two leaves each
    ((1, 1), {"fall": "step"}, {}, HARMONIC, [1.75, 2, 0.75]),
    ((0, 0), COLUMN, {}, {}, [3.25, 6, 1.25]),
    ((0, 0), TABLE, {}, {}, [3.25, 6, 1.25]),
    ((1, 0), {**COLUMN, **HARMONIC}, {}, {}, [3.25, 3.5, 1.25]),  # a personal weight of 5 over two leaves
    ((0, 0), {}, {}, PAIR, [12.25, 12, 1.25]),
    ((1, 1), {}, {}, PAIR, [12.25, 12, 1.25]),
    ((1, 2), {}, {}, PAIR, [1.25, 1, 0.25]),
    ((0, 0), {}, {}, SCALE, [1, 1, 1]),
    ((2, 0), {}, {}, SCALE, [1.25 / 2.25, 0.5, 1]),
    ((0, 0), {"weight": 3}, {}, CAP, [4, 4, 1.25]),
    ((0, 0), {}, {}, {**CAP, **PAIR}, [4, 4, 1.25]),
    ((1, 0), {"weight": 3}, {}, {**CAP, **HARMONIC}, [4, 2.5, 1.25]),  # scaled before it falls
    ((0, 0), {"weight": math.inf}, {}, {}, [math.inf, math.inf, 1.25]),
    ((2, 0), {"weight": math.inf}, {}, {}, [1.25, 1, 1.25]),
    ((0, 0), {"weight": "inf"}, {}, SCALE, [math.inf, math.inf, 1]),  # a sum of ∞ is left alone
    ((1, 0), {"weights": {"White": math.inf}, **HARMONIC}, {}, {}, [2.25, 2, 1.25]),
    ((0, 0), {}, {}, {"family": "multiplicative"}, [math.exp(2.25), math.exp(2), math.exp(1.25)]),
    ((2, 2), {}, {}, {"family": "multiplicative"}, [math.exp(0.25), 1, math.exp(0.25)]),
    ((0, 0), {"weight": 800}, {}, {"family": "multiplicative"}, [math.inf, math.inf, math.exp(1.25)]),
]


@pytest.mark.parametrize(("node", "race", "city", "harm", "expected"), CASES)
def test_the_sensitivity_of_three_records(
    tmp_path: Path,
    node: tuple[int, int],
    race: dict[str, Any],
    city: dict[str, Any],
    harm: dict[str, Any],
    expected: list[float],
) -> None:
    assert phis(tmp_path, node, race, city, **harm) == pytest.approx(expected)


@pytest.mark.parametrize("race", [{"weight": -1}, {"weights": {"Purple": 1}}, {"fall": "up"}, {"role": "keep"}])
def test_impossible_weights_and_roles_are_refused(tmp_path: Path, race: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        phis(tmp_path, (0, 0), race, {})


def test_the_mean_may_be_weighted_and_the_largest_and_smallest_are_not() -> None:
    values, weights = [1.0, 2.0, 6.0], [1.0, 1.0, 2.0]
    assert {how: over_records(how, values, weights) for how in ("mean", "max", "min")} == {
        "mean": 3.75,
        "max": 6,
        "min": 1,
    }
    assert over_records("mean", [math.inf, 2.0], [0.0, 1.0]) == 2


TWO = {
    "dataset.csv": "zip,w\n101,1\n102,3\n",
    "one.csv": "zip\n101\n101\n102\n",
    "two.csv": "zip\n101\n102\n102\n102\n102\n",
}


def two(folder: Path, **risk_key: str) -> Problem:
    tables = [
        {"name": "one", "file": "one.csv", "match": {"zip": "zip"}, "prior": 1},
        {"name": "two", "file": "two.csv", "match": {"zip": "zip"}, "prior": 3},
    ]
    attributes = {"zip": {"hierarchy": {"mask": 3}}}
    return problem(folder, TWO, attributes=attributes, dictionaries=tables, risk=risk_key)


#  losses against one are 1/2 and 1, against two 1 and 1/4
OVER = [
    ({}, 0.75),
    ({"over_dictionaries": "worst"}, 0.75),
    ({"over_dictionaries": "bayes"}, 0.25 * 0.75 + 0.75 * 0.625),
    ({"over_dictionaries": "two"}, 0.625),
    ({"over_records": "min"}, 0.5),
    ({"over_records": "max", "over_dictionaries": "bayes"}, 1.0),
    ({"over_records": "min", "over_dictionaries": "bayes"}, 0.25 * 0.5 + 0.75 * 0.25),
]


@pytest.mark.parametrize(("key", "expected"), OVER)
def test_risk_goes_over_records_first_and_then_over_dictionaries(
    tmp_path: Path, key: dict[str, str], expected: float
) -> None:
    small = two(tmp_path, **key)
    rows = full_domain(small, (0,))
    assert risk(small, rows) == pytest.approx(expected)
    assert over_dictionaries(small, risk_by_dictionary(small, rows)) == risk(small, rows)


def test_the_other_order_would_give_another_number(tmp_path: Path) -> None:
    small = two(tmp_path)
    each = [losses(small, dictionary, full_domain(small, (0,))) for dictionary in small.dictionaries]
    assert sum(max(pair) for pair in zip(*each, strict=True)) / 2 == 1.0
    assert risk(small, full_domain(small, (0,))) == 0.75


def test_records_may_weigh_differently_in_the_mean(tmp_path: Path) -> None:
    dataset = {"file": "dataset.csv", "risk_weight": "w"}
    small = problem(
        tmp_path, TWO, dataset=dataset, attributes={"zip": {"hierarchy": {"mask": 3}, "weights": {"101": 5}}}
    )
    assert risk(small, full_domain(small, (0,))) == pytest.approx((1 * 5 + 3 * 1) / 4)


LINKED = {
    "dataset.csv": "zip,sex\n101,f\n202,m\n",
    "register.csv": "zip,sex\n101,f\n102,f\n101,m\n202,m\n",
    "visits.csv": "place,ward\n101,A\n10*,\n",
}


def linking(folder: Path, place: str, visits: str) -> Problem:
    return problem(
        folder,
        {**LINKED, "visits.csv": visits},
        attributes={"zip": {"hierarchy": {"mask": 3}, "weight": 2}, "sex": {"weight": 1}},
        dictionaries=[{"name": "register", "file": "register.csv", "match": {"zip": "zip", "sex": "sex"}}],
        linkage={"file": "visits.csv", "match": {"place": place}, "adds": {"ward": 0.5}},
    )


def test_a_linked_row_is_finer_before_it_is_looked_up(tmp_path: Path) -> None:
    small = linking(tmp_path, "zip", "place,ward\n101,A\n102,\n301,A\n")
    found = losses(small, small.dictionaries[0], full_domain(small, (1, 0)))
    # 10* f: linked to 101 with a ward (Φ 3.5, one person) or to 102 without (Φ 3, one person)
    # 20* m: nobody to link with, so Φ 3 and one person as it stands
    assert found == pytest.approx([(3.5 + 3) / 2, 3])
    unlinked = linking(tmp_path, "zip", "place,ward\n999,A\n")
    assert losses(unlinked, unlinked.dictionaries[0], full_domain(unlinked, (1, 0))) == pytest.approx([3 / 2, 3])


def test_linkage_at_a_coarser_level_makes_only_coarser_rows_finer(tmp_path: Path) -> None:
    small = linking(tmp_path, "zip@1", "place,ward\n10*,\n20*,A\n")
    finer = losses(small, small.dictionaries[0], full_domain(small, (2, 0)))
    same = losses(small, small.dictionaries[0], full_domain(small, (0, 0)))
    assert finer == pytest.approx([3 / 2, 3.5])
    assert same == pytest.approx([3, 3.5])
    # everything suppressed: f or m unknown, and either place as likely
    hidden = losses(small, small.dictionaries[0], full_domain(small, (3, 1)))
    assert hidden == pytest.approx([(2 / 3 + 2.5 / 1) / 2] * 2)
