"""The case study's two records, worked out from a small table: 7.03, 1.38, 1.004, 0.007, 13 and 7."""

import math

import numpy as np
import pytest

from riskapp.core import Measuring, Problem, Register, Released, full_domain, problem

#  who in the register may be her
REGISTER = """
West Lafayette | White | 1975-05-10 |    7 | share everything
West Lafayette | Black | 1975-05-12 |  191 | share city and month only
West Lafayette | White | 1975-06-10 |   40 | another month
Gary           | White | 1975-05-10 | 1000 | another city
"""

CITIES = """
West Lafayette;Greater Lafayette;Tippecanoe;Indiana
Lafayette;Greater Lafayette;Tippecanoe;Indiana
Dayton;Dayton;Tippecanoe;Indiana
Gary;Gary;Lake;Indiana
"""

HIERARCHIES = {
    "city": CITIES,
    "race": {"groups": {"European": ["White"], "African": ["Black"]}},
    "birthdate": {"dates": ["month", "year"]},
    "salary": {"intervals": {"from": 20, "widths": [5, 20, 80]}},
}


def register() -> Register:
    rows = [[cell.strip() for cell in line.split("|")] for line in REGISTER.strip().splitlines()]
    cities, races, days, people, _ = zip(*rows, strict=True)
    return Register({"city": cities, "race": races, "birthdate": days}, count=list(map(int, people)))


@pytest.fixture(scope="module")
def study() -> Problem:
    return problem(
        {"city": ["West Lafayette"], "race": ["White"], "birthdate": ["1975-05-10"], "salary": [52]},
        hierarchies=HIERARCHIES,
        weights={"city": 0.3, "race": 0.4, "birthdate": 0.5, "salary": 0.75},
        fall="harmonic",
        family="multiplicative",
        dictionaries={"register": register()},
    )


AS_IT_IS = math.exp(0.3 + 0.4 + 0.5 + 0.75)
GENERALISED = math.exp(0.3 + 0.5 / 31 + 0.75 / 80)
#   what is released                                 node         |ρ|  Φ     and exactly   loss  utility
CASES = [
    (["West Lafayette", "White", "1975-05-10", "52"], (0, 0, 0, 0), 7, 7.03, AS_IT_IS, 1.004, 13),
    (["West Lafayette", "*", "1975-05", "[20,100)"], (0, 2, 1, 3), 198, 1.38, GENERALISED, 0.007, 7),
]
each_case = pytest.mark.parametrize(("shown", "node", "people", "phi", "exactly", "loss", "utility"), CASES)
Node = tuple[int, ...]


@each_case
def test_each_figure_by_its_own_function(
    study: Problem, shown: list[str], node: Node, people: int, phi: float, exactly: float, loss: float, utility: int
) -> None:
    columns = zip(study.records.columns, node, strict=True)
    assert [column.shown(level).to_pylist() for column, level in columns] == [[text] for text in shown]
    found = study.sensitivity.at(node)
    assert round(float(found[0]), 2) == phi
    assert found[0] == pytest.approx(exactly, rel=1e-12)
    counts = Measuring(study).identifications["register"].at(node)
    assert counts.tolist() == [people]
    assert round(float(study.loss.of(found, counts, study.dictionaries[0].everybody)[0]), 3) == loss
    assert study.utility.at(node) == utility


@each_case
def test_the_same_measured_from_the_released_table(
    study: Problem, shown: list[str], node: Node, people: int, phi: float, exactly: float, loss: float, utility: int
) -> None:
    found = Measuring(study).of(Released.each(study.records, np.array([node])))
    assert (round(found.risk, 3), found.utility) == (loss, utility)
    assert found.people["register"].largest_chance == pytest.approx(1 / people)


@each_case
def test_the_same_among_all_three_hundred_rules(
    study: Problem, shown: list[str], node: Node, people: int, phi: float, exactly: float, loss: float, utility: int
) -> None:
    rules = full_domain(study)
    rule = rules[study.lattice.number(node)]
    assert len(rules) == 300
    assert rule.risk == pytest.approx(exactly / people, rel=1e-12)
    assert (round(rule.risk, 3), rule.utility) == (loss, utility)
    assert {name: [text] for name, text in zip(study.names, shown, strict=True)} == rules.table(rule)


# Sweeney's released table and five named people

SWEENEY = """
Black 1965 m 02141
Black 1965 m 02141
Black 1965 f 02138
Black 1965 f 02138
Black 1964 f 02138
Black 1964 f 02138
White 1964 m 02138
White 1964 m 02138
White 1964 m 02138
White 1967 m 02138
White 1967 m 02138
"""
PEOPLE = {
    "Andre": ("White", "1964", "m", "02135"),
    "Beth": ("Black", "1964", "f", "55410"),
    "Carol": ("White", "1964", "f", "90210"),
    "Dan": ("White", "1967", "m", "02174"),
    "Ellen": ("White", "1968", "f", "02237"),
}


@pytest.mark.parametrize(
    ("name", "rows"), [("Andre", [7, 8, 9]), ("Beth", []), ("Carol", []), ("Dan", []), ("Ellen", [])]
)
def test_of_five_named_people_only_andre_may_be_in_the_released_table(name: str, rows: list[int]) -> None:
    columns = ("race", "birth", "gender", "zip")
    cells = zip(*(line.split() for line in SWEENEY.strip().splitlines()), strict=True)
    table = dict(zip(columns, cells, strict=True))
    held = {column: [cell] for column, cell in zip(columns, PEOPLE[name], strict=True)}
    released = problem(table, hierarchies={"zip": {"mask": 5}}, dictionaries={name: held})
    found = Measuring(released).identifications[name].at((0, 0, 0, 1))
    assert (np.flatnonzero(found) + 1).tolist() == rows
