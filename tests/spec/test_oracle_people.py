"""Who is found: people and not rows, dictionaries of every kind, coverage, and what the attacker had before."""

from pathlib import Path
from typing import Any

import pytest

from tests.oracle.consistency import consistent_people
from tests.oracle.jaro import jaro
from tests.oracle.people import counts, coverage, people, share_above
from tests.oracle.problem import Problem
from tests.oracle.reading import Refused
from tests.oracle.release import full_domain
from tests.oracle.risk import losses
from tests.oracle.tables import problem

VISITS = """
    patient,zip,sex
    Ann,101,f
    Ann,101,f
    Ann,101,f
    Bea,101,f
    Cid,102,m
    """


def visits(folder: Path, **more: Any) -> Problem:
    attributes = {"zip": {"hierarchy": {"mask": 3}}, "sex": {}}
    return problem(folder, {"dataset.csv": VISITS}, **{"attributes": attributes, **more})


def test_three_visits_of_one_patient_are_not_a_crowd_of_three(tmp_path: Path) -> None:
    by_person = visits(tmp_path, dataset={"file": "dataset.csv", "identifier": "patient"})
    by_row = visits(tmp_path)
    assert counts(by_person, by_person.dictionaries[0], full_domain(by_person, (0, 0))) == [2, 2, 2, 2, 1]
    assert counts(by_row, by_row.dictionaries[0], full_domain(by_row, (0, 0))) == [4, 4, 4, 4, 1]


def test_a_person_counts_once_with_the_largest_chance(tmp_path: Path) -> None:
    small = visits(tmp_path, dataset={"file": "dataset.csv", "identifier": "patient"})
    assert people(small, small.dictionaries[0], full_domain(small, (0, 0))) == {
        "expected_found": 2.0,  # Ann 1/2, Bea 1/2, Cid 1
        "singled_out": 1,
        "uncovered": 0,
        "largest_chance": 1.0,
        "gain": pytest.approx(1.0),  # without the release each of three people at 1/3
    }
    assert share_above(small, small.dictionaries[0], full_domain(small, (0, 0)), 0.5) == pytest.approx(1 / 3)


def test_nothing_released_is_nothing_gained(tmp_path: Path) -> None:
    small = visits(tmp_path, dataset={"file": "dataset.csv", "identifier": "patient"})
    figures = people(small, small.dictionaries[0], full_domain(small, (3, 1)))
    assert figures["expected_found"] == pytest.approx(1.0)
    assert figures["gain"] == pytest.approx(0.0)


REGISTER = """
    name,postcode,sex,population
    Ann,10*,f,0
    Ann,20*,f,4
    Bob,10*,m,25
    Col,,m,1
    """


def register(folder: Path, uncovered: str = "one", **key: str) -> Problem:
    table = {"name": "register", "file": "register.csv", "match": {"postcode": "zip@1", "sex": "sex"}, **key}
    files = {"dataset.csv": "zip,sex\n101,f\n101,m\n202,f\n999,\n", "register.csv": REGISTER}
    attributes = {"zip": {"hierarchy": {"mask": 3}}, "sex": {}}
    return problem(folder, files, attributes=attributes, dictionaries=[table], risk={"uncovered": uncovered})


#  how people are counted, |θ|, |ρ| of the four records at zip level 0, 1, 2, 3 (sex shown)
COUNTED: list[tuple[dict[str, str], int, list[list[int]]]] = [
    ({}, 4, [[1, 2, 1, 1], [1, 2, 1, 1], [1, 2, 1, 1], [2, 2, 2, 4]]),
    ({"identity": "name"}, 3, [[1, 2, 1, 1], [1, 2, 1, 1], [1, 2, 1, 1], [1, 2, 1, 3]]),
    ({"count": "population"}, 30, [[0, 26, 4, 1], [0, 26, 4, 1], [0, 26, 4, 1], [4, 26, 4, 30]]),
]


@pytest.mark.parametrize(("key", "everybody", "found"), COUNTED)
def test_entries_are_counted_each_or_by_identity_or_by_their_count(
    tmp_path: Path, key: dict[str, str], everybody: int, found: list[list[int]]
) -> None:
    small = register(tmp_path, **key)
    assert small.dictionaries[0].people() == everybody
    rows = [full_domain(small, (level, 0)) for level in range(4)]
    assert [counts(small, small.dictionaries[0], released) for released in rows] == found


def test_coverage_says_how_many_records_meet_how_many_people(tmp_path: Path) -> None:
    small = register(tmp_path, count="population")
    found = coverage(small, small.dictionaries[0], full_domain(small, (0, 0)))
    assert found == {"0": 1, "1": 1, "2-5": 1, "6-20": 0, ">20": 1}


TRAP = {"dataset.csv": "zip\n101\n", "register.csv": "zip\n102\n"}
TRAP_TABLE = {"name": "register", "file": "register.csv", "match": {"zip": "zip"}}


#  setting, loss at zip level 0, 1, 2 and 3 (the weight is 1 until the top)
@pytest.mark.parametrize(("uncovered", "found"), [("zero", [0, 1, 1, 0]), ("one", [1, 1, 1, 0])])
def test_generalising_an_uncovered_record_raises_the_risk_unless_nobody_counts_as_one(
    tmp_path: Path, uncovered: str, found: list[float]
) -> None:
    attributes = {"zip": {"hierarchy": {"mask": 3}}}
    small = problem(tmp_path, TRAP, attributes=attributes, dictionaries=[TRAP_TABLE], risk={"uncovered": uncovered})
    table = small.dictionaries[0]
    assert [losses(small, table, full_domain(small, (level,)))[0] for level in range(4)] == found
    figures = people(small, table, full_domain(small, (0,)))
    assert (figures["uncovered"], figures["expected_found"], figures["singled_out"]) == (1, 0, 0)
    assert figures["largest_chance"] == (1 if uncovered == "one" else 0)
    assert figures["gain"] == -1


def test_harm_without_identification_breaks_monotonicity_too(tmp_path: Path) -> None:
    files = {"dataset.csv": "zip\n101\n102\n"}
    small = problem(
        tmp_path, files, attributes={"zip": {"hierarchy": {"mask": 3}, "weight": 1}}, sensitivity={"unidentified": 5}
    )
    assert [losses(small, small.dictionaries[0], full_domain(small, (level,)))[0] for level in (0, 1)] == [1.0, 3.0]


def test_the_dataset_knows_the_columns_with_a_hierarchy_or_those_ticked(tmp_path: Path) -> None:
    table = {"dataset.csv": "zip,sex,note\n101,f,a\n101,m,b\n102,m,b\n"}
    attributes = {"zip": {"hierarchy": {"mask": 3}}, "sex": {}, "note": {"role": "keep"}}
    tables = ["self", {"self": True, "name": "friend", "knows": ["note"]}]
    small = problem(tmp_path, table, attributes=attributes, dictionaries=tables)
    rows = full_domain(small, (1, 1))
    assert [counts(small, dictionary, rows) for dictionary in small.dictionaries] == [[3, 3, 3], [1, 2, 2]]


MISSING = """
    zip,sex
    101,f
    ?,f
    102,?
    """


def test_missing_is_consistent_with_everything_on_either_side(tmp_path: Path) -> None:
    attributes = {"zip": {"hierarchy": {"mask": 3}}, "sex": {}}
    dataset = {"file": "dataset.csv", "missing": ["?"]}
    small = problem(tmp_path, {"dataset.csv": MISSING}, dataset=dataset, attributes=attributes)
    rows = full_domain(small, (0, 0))
    assert [row.shown for row in rows] == [("101", "f"), ("", "f"), ("102", "")]
    assert [row.shown for row in full_domain(small, (3, 1))] == [("*", "*")] * 3
    assert counts(small, small.dictionaries[0], rows) == [2, 3, 2]


def test_only_the_listed_cells_are_missing(tmp_path: Path) -> None:
    dataset = {"file": "dataset.csv", "missing": ["?"]}
    small = problem(tmp_path, {"dataset.csv": 'sex,w\nNA,1\n"",1\nnan,1\n'}, dataset=dataset, attributes={"sex": {}})
    assert [record.values["sex"] for record in small.records] == ["NA", "", "nan"]


ALIKE = [
    ("MARTHA", "MARHTA", 17 / 18),
    ("DIXON", "DICKSONX", 23 / 30),
    ("DWAYNE", "DUANE", 37 / 45),
    ("abc", "abc", 1),
    ("abc", "xyz", 0),
    ("abc", "", 0),
    ("", "", 1),
    ("abcdefg", "bcadefg", 1 - 1 / 21),  # three of seven out of order are one swap
]


@pytest.mark.parametrize(("one", "other", "similarity"), ALIKE)
def test_the_similarity_of_two_texts_is_jaros(one: str, other: str, similarity: float) -> None:
    assert float(jaro(one, other)) == pytest.approx(similarity)
    assert jaro(one, other) == jaro(other, one)


CITIES = {
    "dataset.csv": "city\nLafayette\nDayton\nGary\n",
    "city.csv": "Lafayette;Tippecanoe\nLafayete;Other\nDayton;Tippecanoe\nGary;Lake\n",
    "register.csv": 'town\nLafayete\nDaytonn\nXyzzy\n""\n',
}


def test_a_misspelt_value_stands_for_the_leaves_it_resembles_and_counts_once(tmp_path: Path) -> None:
    table = {"name": "register", "file": "register.csv", "match": {"town": "city"}, "fuzzy": {"town": 0.8}}
    attributes = {"city": {"hierarchy": {"file": "city.csv"}}}
    small = problem(tmp_path, CITIES, attributes=attributes, dictionaries=[table])
    stands_for = [[label for _, label in entry.fuzzy.get("city", [])] for entry in small.dictionaries[0].entries]
    assert stands_for == [["Lafayete", "Lafayette"], ["Dayton"], [], []]
    # the empty cell is consistent with every row; the one that resembles nothing with none, not even with *
    assert counts(small, small.dictionaries[0], full_domain(small, (0,))) == [2, 2, 1]
    assert counts(small, small.dictionaries[0], full_domain(small, (1,))) == [3, 3, 1]
    assert counts(small, small.dictionaries[0], full_domain(small, (2,))) == [3, 3, 3]


def test_a_value_outside_the_hierarchy_is_refused_unless_it_is_matched_by_likeness(tmp_path: Path) -> None:
    table = {"name": "register", "file": "register.csv", "match": {"town": "city"}}
    with pytest.raises(Refused):
        problem(tmp_path, CITIES, attributes={"city": {"hierarchy": {"file": "city.csv"}}}, dictionaries=[table])


#  dictionary value at a level, released value at a level, consistent
LEVELS = [
    ((0, "1975-05-10"), (0, "1975-05-10"), 1),
    ((0, "1975-05-10"), (0, "1975-05-11"), 0),
    ((2, "1975"), (0, "1975-05-10"), 1),
    ((2, "1975"), (1, "1976-05"), 0),
    ((0, "1975-05-10"), (2, "1975"), 1),
    ((1, "1975-05"), (1, "1975-05"), 1),
    ((1, "1975-05"), (3, "*"), 1),
]


@pytest.mark.parametrize(("known", "released", "found"), LEVELS)
def test_two_values_are_compared_at_the_coarser_of_their_levels(
    tmp_path: Path, known: tuple[int, str], released: tuple[int, str], found: int
) -> None:
    level, label = known
    files = {"dataset.csv": "born\n1975-05-10\n", "register.csv": f"year\n{label}\n"}
    table = {"name": "register", "file": "register.csv", "match": {"year": f"born@{level}"}}
    attributes = {"born": {"hierarchy": {"dates": ["month", "year"]}}}
    small = problem(tmp_path, files, attributes=attributes, dictionaries=[table])
    assert consistent_people(small.attributes, small.dictionaries[0], {"born": released}) == found


def test_people_left_out_are_gone_before_anything_else(tmp_path: Path) -> None:
    files = {"dataset.csv": VISITS, "out.csv": "Bea\nnobody\n"}
    small = problem(
        tmp_path,
        files,
        dataset={"file": "dataset.csv", "identifier": "patient", "leave_out": "out.csv"},
        attributes={"zip": {"hierarchy": {"mask": 3}}},
    )
    assert small.people() == ["person Ann", "person Cid"]
    assert counts(small, small.dictionaries[0], full_domain(small, (0,))) == [1, 1, 1, 1]
