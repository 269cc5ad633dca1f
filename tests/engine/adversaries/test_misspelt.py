"""A column with misspelt values is matched by what is right in it, and a likeness is suggested for the rest."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.table import jaro
from riskapp.core.table.value_list import texts
from riskapp.engine.adversaries.described import Described
from riskapp.engine.adversaries.matching import Guess, suggest
from riskapp.engine.adversaries.spelling import LIKENESSES, slips
from tests.engine.adversaries.coded_tables import Columns, tables

BEGINNINGS = ["Alder", "Brock", "Cran", "Dunk", "Eiben", "Farn", "Glouce", "Hasting"]
TOWNS = [f"{start}{end}" for start in BEGINNINGS for end in ("see", "feld", "mouth", "borough", "hausen")]


def slipped(word: str, draw: random.Random) -> str:
    """The word with a sign left out, doubled or put in the place of another."""
    place = draw.randrange(1, len(word))
    return word[:place] + draw.choice(["", 2 * word[place], draw.choice("aeiost")]) + word[place + 1 :]


def register(misspelt: float, name: str = "place_now", many: int = 3000) -> dict[str, list[str | None]]:
    draw = random.Random(8)
    right = [draw.choice(TOWNS) for _ in range(many)]
    return {name: [slipped(town, draw) if draw.random() < misspelt else town for town in right]}


def guessed(dictionary: Columns, hierarchy: Described, dataset: Columns) -> Guess | None:
    with tables(dataset, dictionary) as (data, held):
        found = suggest(data, [hierarchy], held)
        guess = found.columns[0].suggested
        assert found.fuzzy == ({found.columns[0].name: guess.likeness} if guess and guess.likeness else {})
        return guess


LISTED = Described("town", {"rows": [[town, town[0], "*"] for town in TOWNS]})


@pytest.mark.parametrize("described", [Described("town"), LISTED])
def test_a_town_column_with_a_tenth_misspelt_is_suggested_with_a_likeness(described: Described) -> None:
    dictionary = register(0.1)
    found = guessed(dictionary, described, {"town": TOWNS})
    assert found is not None
    assert found.occurring < found.looked / 2  # most of the different values are slips
    assert (found.match, found.confidence) == ("town", "likely")
    assert found.likeness in LIKENESSES
    assert "of the others are spelt nearly like one of them." in found.reason
    assert not [value for value in {*dictionary["place_now"], *TOWNS} if value and value in found.reason]


def test_a_column_without_slips_is_matched_exactly() -> None:
    found = guessed(register(0.0), Described("town"), {"town": TOWNS})
    assert found is not None
    assert (found.confidence, found.likeness) == ("likely", "")


def test_towns_that_are_others_are_no_slips() -> None:
    elsewhere = [f"{start}{end}" for start in ("Zwick", "Quer", "Ulm", "Xan") for end in ("au", "furt", "ten")]
    found = guessed({"town": [*TOWNS, *elsewhere]}, Described("town"), {"town": TOWNS})
    assert found is not None
    assert found.likeness == ""


def test_numbers_are_alike_whatever_they_mean() -> None:
    codes = [str(number) for number in range(47900, 47960)]
    found = guessed({"zip": [*codes * 30, *map(str, range(47960, 47990))]}, Described("zip"), {"zip": codes})
    assert found is not None
    assert found.likeness == ""


def test_names_that_are_near_each_other_anyway_say_nothing() -> None:
    names = ["Maria", "Marie", "Marla", "Mario", "Karla", "Karlo", "Marta", "Karta"]
    assert slips(texts(["Marka", "Karma", "Maris"]), texts(names)) is None


def test_where_most_is_misspelt_the_name_must_say_so() -> None:
    named, unnamed = (guessed(register(0.8, name), Described("town"), {"town": TOWNS}) for name in ("town", "x17"))
    assert unnamed is None
    assert named is not None
    assert (named.confidence, named.likeness) == ("certain", "0.9")


WORDS = st.text("abcd1 ", min_size=1, max_size=8)


def is_word(text: str) -> bool:
    return sum(sign.isalpha() for sign in text) >= 3


def share(values: list[str], labels: list[str], least: str) -> float:
    """How many of the values have three letters and are alike another word among the labels."""
    names = [label for label in labels if is_word(label)]
    near = [
        is_word(value) and any(jaro.similarity(value, name) >= Fraction(least) for name in names if name != value)
        for value in values
    ]
    return sum(near) / len(values)


@settings(deadline=None, max_examples=200)
@given(st.lists(WORDS, min_size=1, max_size=8, unique=True), st.lists(WORDS, min_size=1, max_size=5, unique=True))
def test_the_likeness_is_the_strictest_that_finds_nearly_all_and_more_than_chance(
    labels: list[str], values: list[str]
) -> None:
    others = [value for value in values if value not in labels] or ["zzz"]
    shares = [share(others, labels, least) for least in LIKENESSES]
    wanted = next(place for place, one in enumerate(shares) if one >= 0.9 * shares[-1])
    by_chance = share(labels, labels, LIKENESSES[wanted])
    found = slips(texts(others), texts(labels))
    if shares[-1] < 0.5 or shares[wanted] < 2 * by_chance:
        assert found is None
    else:
        assert found is not None
        assert (found.likeness, found.share) == (LIKENESSES[wanted], pytest.approx(shares[wanted]))
