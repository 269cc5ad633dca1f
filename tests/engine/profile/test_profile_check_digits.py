"""Official numbers: published or computed examples are valid, and every single wrong digit is noticed."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.engine.profile.suggest import check_digits
from riskapp.engine.profile.suggest.check_digits import OFFICIAL_NUMBERS, compact, luhn
from tests.engine.profile import slow_profile as slow

# Examples that issuers print in their own documentation, and test numbers.
EXAMPLES = {
    "a bank account number (IBAN)": [
        "DE89 3704 0044 0532 0130 00",
        "GB29NWBK60161331926819",
        "FR1420041010050500013M02606",
    ],
    "a payment card number": ["4111 1111 1111 1111", "5500-0000-0000-0004", "340000000000009"],
    "a French social security number (NIR)": ["2 55 08 14 168 025 38"],
    "a Spanish identity number (DNI, NIE)": ["12345678Z", "X1234567L"],
    "an Italian tax code": ["RSSMRA85T10A562S"],
    "a British National Insurance number": ["AB 12 34 56 C"],
    "a Swiss social security number (AHV)": ["756.9217.0769.85"],
    "a Finnish personal identity code": ["131052-308T"],
    "a German tax identification number": ["86095742719", "47036892816"],
    "a Polish PESEL number": ["44051401359"],
    "a Belgian national register number": ["85.07.30-033.28", "17 07 30 033 84"],
    "a Norwegian birth number": ["29029900157"],
    "a Brazilian taxpayer number (CPF)": ["111.444.777-35"],
    "an English NHS number": ["943 476 5919"],
    "a Dutch citizen service number (BSN)": ["111222333"],
}


def valid(words: str, value: str) -> bool:
    official = next(each for each in OFFICIAL_NUMBERS if each.words == words)
    return official.count([compact(value)]) == 1


@pytest.mark.parametrize(("words", "value"), [(words, value) for words, some in EXAMPLES.items() for value in some])
def test_an_example_is_valid_and_a_wrong_digit_is_noticed(words: str, value: str) -> None:
    assert valid(words, value)
    if words == "a British National Insurance number":
        return
    last = max(at for at, sign in enumerate(value) if sign.isdigit())
    assert not valid(words, value[:last] + str((int(value[last]) + 1) % 10) + value[last + 1 :])


def test_every_official_number_has_an_example() -> None:
    assert {official.words for official in OFFICIAL_NUMBERS} == set(EXAMPLES)


@given(st.text("0123456789", min_size=5, max_size=20))
def test_exactly_one_last_digit_satisfies_luhn(digits: str) -> None:
    assert sum(luhn(digits + last) for last in "0123456789") == 1


def numbers(check: check_digits.Check, digits: int, many: int = 200) -> list[str]:
    draw = random.Random(5)
    made: list[str] = []
    while len(made) < many:
        value = str(draw.randrange(10 ** (digits - 1), 10**digits))
        if check(value):
            made.append(value)
    return made


def test_a_column_of_valid_numbers_is_told_whatever_its_name() -> None:
    assert slow.kinds("v17", numbers(check_digits.bsn, 9))["national_number"] == "certain"
    assert slow.kinds("v17", numbers(check_digits.nhs, 10))["national_number"] == "certain"
    assert (
        slow.kinds("v17", ["4" + value for value in numbers(lambda v: luhn("4" + v), 15)])["card_number"] == "certain"
    )


def test_random_numbers_of_the_same_length_are_not() -> None:
    for digits in (8, 9, 10, 11, 13, 16):
        found = slow.kinds("v17", numbers(lambda value: True, digits))
        assert not {"national_number", "card_number", "iban", "phone"} & set(found)


def test_a_reason_tells_how_many_values_were_tried() -> None:
    column = slow.column_of("v17", numbers(check_digits.bsn, 9))
    reasons = {suggestion.kind: suggestion.reason for suggestion in column.suggestions}
    assert reasons["national_number"] == (
        "200 of 200\u00a0values tried have the form and valid check digits of a Dutch citizen service number (BSN)."
    )
