"""Columns of a dictionary are matched to attributes and levels by name and content; reasons hold no value."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.adversaries.described import Described
from riskapp.engine.adversaries.matching import Column, Suggested, suggest
from riskapp.engine.adversaries.names import Likeness, likeness
from tests.engine.adversaries.coded_tables import Columns, tables

CITIES = ["Lafayette", "Delphi", "Monon", "Ithaca", "Utopia", "Xanadu"]
DATASET: Columns = {
    "city": CITIES,
    "birthdate": ["1975-05-10", "1976-02-29", "1981-11-30", "1990-07-07", "1991-01-01", None],
    "sex": ["f", "m", "f", "m", "f", "m"],
    "zip": ["47906", "47901", "47960", "10115", "10117", "10119"],
    "income": ["52", "7", "19", "30", "88", "61"],
}
COUNTIES = {"Tippecanoe": ["Lafayette"], "Carroll": ["Delphi"], "White": ["Monon"], "Elsewhere": CITIES[3:]}
ATTRIBUTES = [
    Described("city", {"groups": COUNTIES}),
    Described("birthdate", {"dates": ["month", "year"]}),
    Described("sex"),
    Described("zip", {"mask": 5}),
    Described("income", {"intervals": {"from": 0, "widths": [5, 20]}}),
]
PEOPLE = [f"Person {number}" for number in range(6)]


def suggested(dictionary: Columns, attributes: list[Described] = ATTRIBUTES, dataset: Columns = DATASET) -> Suggested:
    with tables(dataset, dictionary) as (data, held):
        return suggest(data, attributes, held)


def column(found: Suggested, name: str) -> Column:
    return next(column for column in found.columns if column.name == name)


def test_each_column_gets_its_attribute_and_level() -> None:
    found = suggested(
        {
            "Name": PEOPLE,
            "TOWN": CITIES,
            "yob": ["1975", "1976", "1981", "1990", "1991", "1990"],
            "Geschlecht": ["f", "m", "f", "m", "f", "m"],
            "Postal code": ["4790*", "4790*", "4796*", "1011*", "1011*", "1011*"],
        }
    )
    assert found.match == {"TOWN": "city", "yob": "birthdate@year", "Geschlecht": "sex", "Postal code": "zip@1"}
    assert found.identity is not None
    assert found.identity.column == "Name"
    assert found.count is None


def test_the_reason_says_what_speaks_for_it() -> None:
    found = column(suggested({"yob": ["1975", "1976", "1981", "1950"]}), "yob").suggested
    assert found is not None
    assert found.reason == "The name means the same; 75\u00a0% of its values are years that occur in birthdate."
    assert (found.confidence, found.looked, found.occurring, found.outside) == ("likely", 4, 3, 0)


def test_content_alone_is_enough_when_it_is_telling() -> None:
    found = column(suggested({"x17": CITIES}), "x17").suggested
    assert found is not None
    assert (found.attribute, found.confidence, found.name) == ("city", "likely", Likeness.NONE)


def test_short_values_that_occur_by_chance_are_only_possible() -> None:
    found = column(suggested({"x17": ["7", "19", "30", "52", "61", "88"]}), "x17").suggested
    assert found is not None
    assert (found.attribute, found.confidence) == ("income", "possible")


def test_a_column_that_resembles_nothing_gets_no_suggestion() -> None:
    assert column(suggested({"shoes": ["38", "39", "40½"]}), "shoes").suggested is None


def test_a_group_s_level_is_found_and_named_in_the_match() -> None:
    rows = [[city, county, "*"] for county, cities in COUNTIES.items() for city in cities]
    listed = [Described("city", {"rows": rows, "header": ["city", "county"]})]
    found = column(suggested({"county": list(COUNTIES)}, listed), "county").suggested
    assert found is not None
    assert (found.match, found.level, found.confidence) == ("city@county", 1, "likely")
    assert "groups of level county in the hierarchy of city" in found.reason


def test_an_attribute_is_suggested_once_for_the_column_that_fits_best() -> None:
    found = suggested({"x": CITIES, "city": CITIES})
    assert found.match == {"city": "city"}
    assert [guess.attribute for guess in column(found, "x").others] == ["city"]


def test_a_dictionary_that_matches_nobody_is_matched_by_name_and_says_so() -> None:
    found = suggested({"city": ["Rome", "Oslo"], "dob": ["1910", "1911"], "sex": ["1", "2"]})
    assert found.match == {"city": "city", "dob": "birthdate@year", "sex": "sex"}
    for name in found.match:
        guess = column(found, name).suggested
        assert guess is not None
        assert (guess.confidence, guess.occurring) == ("possible", 0)
        assert "none of its values" in guess.reason


def test_a_column_is_strange_where_none_of_its_values_could_ever_meet_one_of_the_dataset() -> None:
    cells: Columns = {
        "city": ["Uppsala", "Visby"],  # no place in its groups
        "sex": ["male", "female"],  # f and m only shown, or hidden altogether
        "zip": ["47911", "10199"],  # alike once their last signs are hidden
        "income": ["6", "90"],  # in intervals with others
    }
    found = suggested(cells)
    assert {one.name: one.suggested and (one.suggested.occurring, one.suggested.strange) for one in found.columns} == {
        "city": (0, True),
        "sex": (0, True),
        "zip": (0, False),
        "income": (0, False),
    }
    known = suggested({"sex": ["f", "male"], "city": ["Delphi", "Visby"]})
    assert [one.suggested and one.suggested.strange for one in known.columns] == [False, False]


def test_values_that_do_not_fit_are_counted_with_what_to_do() -> None:
    found = column(suggested({"dob": ["1975-05-10", "1976-02-29", "10.5.75", "??"]}), "dob").suggested
    assert found is not None
    assert found.outside == 2
    assert found.reason.endswith("2 values do not fit there: mend them, or match by likeness.")


def test_dirty_values_in_the_dataset_are_no_obstacle() -> None:
    dirty = {
        **DATASET,
        "birthdate": ["1975-05-10", "May", "1976-13-45", "", "NA", "76"],
        "income": ["-5", "7", *"abcd"],
    }
    found = suggested({"born": ["1975"], "income": ["7"]}, dataset=dirty)
    assert found.match == {"born": "birthdate@year", "income": "income"}


def test_a_hierarchy_that_is_still_impossible_counts_as_none() -> None:
    found = suggested({"city": CITIES}, [Described("city", {"groups": {"A": ["x"], "B": ["x"]}})])
    assert found.match == {"city": "city"}


@pytest.mark.parametrize("name", ["population", "N", "Anzahl", "Einwohner", "count"])
def test_a_table_of_counts_is_recognised_and_has_no_identity(name: str) -> None:
    found = suggested({"name": CITIES, name: ["120", "0", "7", "7", "3", "1"]})
    assert found.count is not None
    assert found.count.column == name
    assert found.identity is None
    assert found.match == {"name": "city"}


@pytest.mark.parametrize("cells", [["1", "2", None], ["1", "2", "many"], ["1", "2", "-1"], ["1.5", "2", "3"]])
def test_what_is_not_whole_throughout_is_no_count(cells: list[str | None]) -> None:
    assert suggested({"population": cells}).count is None


def test_repeated_names_are_an_identity_too() -> None:
    identity = suggested({"patient_id": ["a", "a", "b", "b", "c", "d"], "city": CITIES}).identity
    assert identity is not None
    assert (identity.column, identity.confidence) == ("patient_id", "likely")
    assert "6 entries have 4 different values" in identity.reason


def test_a_column_without_a_telling_name_is_an_identity_when_all_different() -> None:
    many = [f"q{number}" for number in range(30)]
    identity = suggested({"x": many, "y": ["same"] * 30}).identity
    assert identity is not None
    assert (identity.column, identity.confidence) == ("x", "possible")


def test_an_attribute_s_own_column_is_no_identity() -> None:
    numbers = [f"K{number:03}" for number in range(30)]
    found = suggested({"number_plate": numbers}, [Described("number_plate")], {"number_plate": numbers})
    assert (found.match, found.identity) == ({"number_plate": "number_plate"}, None)


def test_an_empty_dictionary_and_missing_cells_are_borne() -> None:
    found = suggested({"city": [], "x": []})
    assert found.match == {"city": "city"}
    assert suggested({"city": [None, None], "x": [None, ""]}).match == {"city": "city"}


def test_an_attribute_that_the_dataset_lacks_is_told() -> None:
    with pytest.raises(BadSetting, match="no such column"):
        suggested({"city": CITIES}, [Described("height")])


def test_no_value_is_in_the_facts() -> None:
    found = suggested({"who": PEOPLE, "town": [*CITIES, "Atlantis"][:6], "dob": ["1975-05-10", "Rome", *["1976"] * 4]})
    said = json.dumps(found.facts())
    cells = {cell for cells in DATASET.values() for cell in cells if cell and len(cell) > 3} | {*PEOPLE, "Rome"}
    assert not [cell for cell in cells if cell in said]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("birthDate", "BIRTH_DATE", Likeness.SAME),
        ("Prénom", "prenom", Likeness.SAME),
        ("q1", "q2", Likeness.ALIKE),
        ("dob", "birthdate", Likeness.MEANS_THE_SAME),
        ("born", "year of birth", Likeness.MEANS_THE_SAME),
        ("town", "city", Likeness.ALIKE),
        ("---", "??", Likeness.NONE),
        ("shoe", "income", Likeness.NONE),
    ],
)
def test_names_are_compared_whatever_their_spelling(one: str, other: str, expected: Likeness) -> None:
    assert likeness(one, other) == expected
    assert likeness(other, one) == expected


DAYS = st.sampled_from(["1975-05-10", "1975-05-11", "1975-06-01", "1976-02-29", "1976-02-30", "x"])
CELLS = st.one_of(DAYS, st.sampled_from(["1975", "1976", "1980", "1975-05", "1976-02", "", "NA", "*"]))


def occurring(level: int, days: list[str], cells: set[str]) -> int:
    """How many cells are the beginnings of days in the dataset."""
    known = {day[: (10, 7, 4)[level]] for day in days if day not in ("x", "1976-02-30")}
    return len(cells & known)


@settings(deadline=None, max_examples=60)
@given(st.lists(DAYS, min_size=1, max_size=6), st.lists(CELLS, min_size=1, max_size=8))
def test_the_level_is_the_one_at_which_the_most_values_occur(days: list[str], cells: list[str]) -> None:
    attributes = [Described("born", {"dates": ["month", "year"]})]
    found: Any = column(suggested({"born": cells}, attributes, {"born": days}), "born").suggested
    different = set(cells) - {"", "NA"}
    counts = [occurring(level, days, different) for level in range(3)]
    assert found.occurring == max(counts) == counts[found.level]
    assert found.looked == len(different)
    assert found.confidence == ("certain" if different and max(counts) >= 0.9 * len(different) else found.confidence)
