"""Hierarchy files find their columns by name: cases as people have them, and what must hold for any names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.engine.shaping.file_names import Match, Why, matches

ADULT = ["age", "sex", "race", "marital_status", "native-country"]


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("age.csv", "age"),
        ("Age_hierarchy.csv", "age"),
        ("AGE.CSV", "age"),
        ("age.txt", "age"),
        ("age", "age"),
        ("hier-age.tsv", "age"),
        ("hierarchy age.csv", "age"),
        ("vgh.age.csv", "age"),
        ("hierarchies/age.csv", "age"),
        ("C:\\arx\\age.csv", "age"),
        ("marital-status.csv", "marital_status"),
        ("Marital Status.csv", "marital_status"),
        ("marital.status_VGH.csv", "marital_status"),
        ("native_country_hierarchy.csv", "native-country"),
        ("ｓｅｘ.csv", "sex"),
        ("adult_hierarchy_age.csv", None),
        ("ages.csv", None),
        ("status.csv", None),
        ("hierarchy.csv", None),
        (".csv", None),
        ("", None),
    ],
)
def test_a_file_by_itself_is_for_the_column_that_it_is_named_after(file: str, column: str | None) -> None:
    (found,) = matches([file], ADULT)
    assert found == (Match(column) if column else Match(None, Why.NOTHING))


@pytest.mark.parametrize(
    ("files", "columns"),
    [
        (["adult_hierarchy_age.csv", "adult_hierarchy_sex.csv"], ["age", "sex"]),
        (["adult_age.csv", "adult_marital-status.csv", "adult_hier_race.csv"], ["age", "marital_status", "race"]),
        (["my own data age.csv", "my own data sex.csv"], ["age", "sex"]),
        (["adult_age.csv", "sex.csv"], [None, "sex"]),
        (["adult_age.csv", "adult.csv"], [None, None]),
        (["adult_age.csv", "adult_hierarchy.csv"], [None, None]),
        (["marital_status.csv", "marital_age.csv"], ["marital_status", "age"]),
    ],
)
def test_what_all_files_begin_with_is_left_out(files: list[str], columns: list[str | None]) -> None:
    assert [one.column for one in matches(files, ADULT)] == columns


def test_of_what_all_files_begin_with_no_more_is_left_out_than_has_to_be() -> None:
    files = ["adult_birth_day.csv", "adult_birth_town.csv"]
    assert [one.column for one in matches(files, ["birth_day", "day", "town"])] == ["birth_day", "town"]


def test_the_name_of_the_dataset_is_left_out_too() -> None:
    assert matches(["adult_hierarchy_age.csv"], ADULT, "adult.csv") == [Match("age")]
    assert matches(["adult_age.csv", "race.csv"], ADULT, "Adult-2020.csv") == [Match("age"), Match("race")]
    assert matches(["age.csv"], ADULT, "age.csv") == [Match("age")]


def test_the_very_name_wins_over_one_like_it_and_the_other_is_told() -> None:
    taken = Match(None, Why.TAKEN, ("age",))
    assert matches(["Age.csv", "age.csv"], ADULT) == [taken, Match("age")]
    assert matches(["age_hierarchy.csv", "AGE.csv"], ADULT) == [taken, Match("age")]
    assert matches(["age.csv"], ["Age", "age"]) == [Match("age")]


def test_two_files_for_one_column_are_not_taken() -> None:
    both = Match(None, Why.FILES, ("age",))
    assert matches(["age.csv", "age.txt", "sex.csv"], ADULT) == [both, both, Match("sex")]
    assert matches(["age_hier.csv", "vgh-age.csv"], ADULT) == [both, both]


def test_a_looser_name_does_not_get_the_column_that_two_closer_ones_are_for() -> None:
    found = matches(["age.csv", "age.txt", "age_hier.csv"], ADULT)
    assert [one.column for one in found] == [None, None, None]


def test_a_file_for_two_columns_is_not_taken() -> None:
    both = Match(None, Why.COLUMNS, ("home-town", "home_town"))
    assert matches(["Home town.csv", "age.csv"], ["home-town", "home_town", "age"]) == [both, Match("age")]


def test_a_column_without_words_is_found_by_its_very_name_only() -> None:
    assert matches(["--.csv", "_.csv", "hierarchy.csv"], ["--"])[0] == Match("--")
    assert [one.column for one in matches(["_.csv", "hierarchy.csv"], ["--"])] == [None, None]


NAMES = st.lists(st.sampled_from(["a", "b", "hier", "A", "-", "_", " "]), max_size=4).map("".join)


@given(st.lists(NAMES, max_size=5), st.lists(NAMES, max_size=5, unique=True), NAMES)
def test_no_column_is_given_twice_and_the_order_of_the_files_does_not_count(
    files: list[str], columns: list[str], dataset: str
) -> None:
    found = matches(files, columns, dataset)
    given_out = [one.column for one in found if one.column is not None]
    assert len(given_out) == len(set(given_out))
    assert set(given_out) <= set(columns)
    assert all((one.column is None) == (one.why is not None) for one in found)
    assert matches(files[::-1], columns[::-1], dataset)[::-1] == [
        Match(one.column, one.why, one.among[::-1]) for one in found
    ]


@given(
    st.lists(st.sampled_from(ADULT), unique=True, min_size=2),
    st.sampled_from(["", "adult_", "x hierarchy ", "Our-own.files_"]),
    st.sampled_from(["", "_hier", " VGH"]),
)
def test_files_that_are_named_after_columns_find_them_whatever_they_all_begin_with(
    columns: list[str], beginning: str, end: str
) -> None:
    found = matches([f"{beginning}{column}{end}.csv" for column in columns], ADULT)
    assert [one.column for one in found] == columns
