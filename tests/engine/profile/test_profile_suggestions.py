"""Suggestions for realistic columns: what is found, how sure, and what must not be."""

import random
import uuid

import pytest

from tests.engine.profile import slow_profile as slow

draw = random.Random(3)
AT = range(400)
GIVEN = ["Anna", "Peter", "Maria", "Hans", "Julie", "Marco", "Sanne", "Olga", "Uwe", "Bart", "Zelda", "Knut"]
FAMILY = ["Fischer", "O'Neil", "Müller-Lang", "García", "van Dijk", "Rossi", "Nowak", "Dubois"]
TOWNS = ["Ulm", "Bonn", "Kiel", "Paris", "Lille", "Leeds", "York", "Turin", "Gent", "Delft"]
SENTENCES = ["was seen again", "came late and left", "asked for the results", "did not answer", "wants to move house"]

FOUND = [
    ("email", "email", [f"person{number}@example.org" for number in AT]),
    ("contact", "email", [f"first.last+{number}@mail.example.co.uk" for number in AT]),
    ("v1", "email", [f"jürgen{number}@exämple.de" for number in AT]),
    ("phone", "phone", [str(draw.randrange(2 * 10**9, 9 * 10**9)) for _ in AT]),
    ("v2", "phone", [f"+49 171 {draw.randrange(10**6, 10**7)}" for _ in AT]),
    ("v2", "phone", [f"({draw.randrange(201, 989)}) 555-{draw.randrange(1000, 9999)}" for _ in AT]),
    ("v2", "phone", [f"0{draw.randrange(1, 9)} 23 45 {draw.randrange(10, 99)} 89" for _ in AT]),
    ("v2", "phone", [f"030/{draw.randrange(10**6, 10**8)}" for _ in AT]),
    ("v2", "phone", [f"06{draw.randrange(10**7, 10**8)}" for _ in AT]),
    ("website", "url", [f"https://example.org/{number}" for number in AT]),
    ("v3", "ip_address", [f"10.{number % 256}.{number // 2 % 256}.1" for number in AT]),
    ("v3", "ip_address", [f"2001:db8:0:{number:x}::1" for number in AT]),
    ("v4", "identifier", [str(uuid.UUID(int=draw.getrandbits(128))) for _ in AT]),
    ("v4", "identifier", [f"{draw.getrandbits(256):064x}" for _ in AT]),
    ("v4", "identifier", [f"P{number:07}" for number in AT]),
    ("v4", "identifier", [str(number) for number in range(1, 401)]),
    ("v4", "identifier", [str(draw.randrange(10**6, 10**7)) for _ in AT]),
    ("member_id", "identifier", [f"M{number // 4}" for number in AT]),
    ("patient", "identifier", [f"P-{number // 4:03}" for number in AT]),
    ("Mitglied", "identifier", [f"M{number // 4:05}" for number in AT]),
    ("subject", "identifier", [str(1001 + number // 4) for number in AT]),
    ("Versichertennummer", "national_number", [f"A{number:09}" for number in AT]),
    (
        "ssn",
        "national_number",
        [f"{draw.randrange(100, 600)}-{draw.randrange(10, 99)}-{draw.randrange(1000, 9999)}" for _ in AT],
    ),
    ("name", "person_name", [f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}" for _ in AT]),
    ("Nachname", "person_name", slow.drawn(FAMILY)),
    ("v5", "person_name", [f"{draw.choice(FAMILY)}, {draw.choice(GIVEN)}" for _ in AT]),
    ("birth_date", "birth_date", [f"19{number % 80 + 10}-0{number % 9 + 1}-1{number % 9}" for number in AT]),
    ("Geburtsjahr", "birth_date", [str(1930 + number % 70) for number in AT]),
    ("v6", "date", [f"1{number % 9}.0{number % 9 + 1}.2019" for number in AT]),
    ("admitted", "date", [f"2019-01-1{number % 9} 10:0{number % 7}" for number in AT]),
    ("year", "date", [str(1990 + number % 30) for number in AT]),
    ("plz", "postcode", [f"{draw.randrange(1067, 99998):05}" for _ in AT]),
    ("zip", "postcode", [f"{draw.randrange(1067, 99998):05}" for _ in AT]),
    ("v7", "postcode", [f"SW{number % 9 + 1} {number % 8 + 1}AB" for number in AT]),
    ("v7", "postcode", [f"{1000 + number % 90} AB" for number in AT]),
    ("v7", "postcode", slow.drawn([f"{number:05}" for number in range(1067, 99998, 971)])),
    ("city", "place", slow.drawn(TOWNS)),
    ("Bundesland", "place", slow.drawn(["Hessen", "Bayern"])),
    ("latitude", "place", [f"{draw.uniform(40, 60):.5f}" for _ in AT]),
    ("address", "address", [f"Hauptstraße {number}" for number in AT]),
    ("v8", "address", [f"{number} Baker Street" for number in AT]),
    ("comments", "free_text", [f"{draw.choice(SENTENCES)} and {draw.choice(SENTENCES)} {number}" for number in AT]),
    ("v9", "free_text", [f"{draw.choice(SENTENCES)} and {draw.choice(SENTENCES)} {number}" for number in AT]),
    ("age", "age", [str(draw.randrange(0, 105)) for _ in AT]),
    ("Altersgruppe", "age", slow.drawn(["0-17", "18-64", "65+"])),
    ("sex", "sex", slow.drawn(["1", "2"])),
    ("v10", "sex", slow.drawn(["male", "female"])),
    ("v10", "sex", slow.drawn(["m", "w", "d"])),
    ("income", "amount", [str(draw.randrange(9000, 90000)) for _ in AT]),
    ("v11", "amount", [f"€ {draw.randrange(9000, 90000)},50" for _ in AT]),
    ("smoker", "yes_no", slow.drawn(["yes", "no"])),
    ("occupation", "trait", slow.drawn(["nurse", "baker", "clerk"])),
    ("v12", "constant", ["x"] * 400),
    ("v12", "empty", [""] * 400),
]


@pytest.mark.parametrize(("name", "kind", "cells"), FOUND)
def test_a_column_is_suggested_as_what_it_is(name: str, kind: str, cells: list[str]) -> None:
    assert kind in slow.kinds(name, cells)


# What each of these may be called at all; nothing else.
NOT_FOUND = [
    ("year", {"date"}, [str(1950 + number % 70) for number in AT]),
    ("v1", set(), [str(1950 + number % 70) for number in AT]),
    ("amount", {"amount"}, [str(draw.randrange(10**3, 10**8)) for _ in AT]),
    ("price", {"amount"}, [f"{draw.uniform(1, 900):.2f}" for _ in AT]),
    ("score", set(), [f"{draw.gauss(50, 10):.6f}" for _ in AT]),
    ("created", {"identifier"}, [str(draw.randrange(1_500_000_000, 1_700_000_000)) for _ in AT]),
    ("created_ms", {"identifier"}, [str(draw.randrange(1_500_000_000_000, 1_700_000_000_000)) for _ in AT]),
    ("count", set(), [str(draw.randrange(0, 60)) for _ in AT]),
    ("population", {"identifier"}, [str(int(10 ** draw.uniform(2, 7.5))) for _ in AT]),
    ("date", {"date"}, [f"0{number % 9 + 1}-0{number % 8 + 1}-2020" for number in AT]),
    ("v2", {"date"}, [f"2020-01-{number % 28 + 1:02} 0{number % 9}:30:00" for number in AT]),
    ("product_name", set(), slow.drawn(["red chair", "blue table", "green lamp"])),
    ("product", set(), slow.drawn([f"SKU-{number:04}-{number % 7}" for number in range(50)])),
    ("status", set(), slow.drawn(["open", "closed", "in progress"])),
    (
        "diagnosis",
        {"sensitive"},
        slow.drawn([f"{letter}{number}.{number % 9}" for letter in "ABEFI" for number in range(10, 60)]),
    ),
    (
        "category",
        set(),
        slow.drawn(["Employed full time in the private sector", "Not employed and not looking for it"]),
    ),
    ("grade", set(), slow.drawn(["A", "B", "C", "F"])),
    ("person", set(), [str(number % 8 + 1) for number in AT]),
    ("customer", {"person_name"}, slow.drawn(["new", "old", "lost"])),
    ("patient_group", set(), [f"G{number // 4:03}" for number in AT]),
    ("staff", set(), [str(10 ** (number % 4) * (number % 97 + 1)) for number in AT]),
    ("version", set(), slow.drawn(["1.2", "1.3", "2.0"])),
    ("email_sent", {"yes_no"}, slow.drawn(["yes", "no"])),
    ("phone", {"yes_no"}, slow.drawn(["0", "1"])),
    ("mobile", set(), slow.drawn(["0", "1", "2", "3"])),
    ("country_id", {"place"}, slow.drawn([str(number) for number in range(20)])),
    ("percentage", set(), [f"{draw.uniform(0, 100):.1f}" for _ in AT]),
    ("duration", set(), slow.drawn(["00:10", "01:30", "12:45"])),
    (
        "isbn",
        {"identifier"},
        [f"978-3-{draw.randrange(10, 99)}-{draw.randrange(10**5, 10**6)}-{number % 10}" for number in AT],
    ),
    ("part", {"identifier"}, [f"{number:06}-{number % 9}" for number in AT]),
    ("weekday", set(), slow.drawn(["Monday", "Tuesday", "Friday"])),
    ("hospital_name", set(), slow.drawn(["Saint Mary Hospital", "General Hospital North", "Clinic South"])),
]


@pytest.mark.parametrize(("name", "allowed", "cells"), NOT_FOUND)
def test_a_column_is_not_suggested_as_what_it_is_not(name: str, allowed: set[str], cells: list[str]) -> None:
    assert set(slow.kinds(name, cells)) <= allowed


def sentences(*endings: str, rows: int = 400) -> list[str]:
    return [f"{draw.choice(SENTENCES)} on day {number} {endings[number % len(endings)]}" for number in range(rows)]


def test_email_addresses_inside_text_are_counted_by_row() -> None:
    column = slow.column_of("note", [*sentences("", "to a.b@example.org.", "", ""), "to a@b.example", "to a@b.example"])
    inside = {suggestion.kind: suggestion for suggestion in column.suggestions}["email_in_text"]
    assert inside.cells == 102
    assert inside.reason == ("In 102\u00a0rows (25\u00a0% of the filled cells) the text holds an e-mail address.")


@pytest.mark.parametrize(
    "number",
    [
        "0171 1234567",
        "+49 171 1234567",
        "(030) 123456",
        "01 23 45 67 89",
        "(212) 555-0123",
        "+1-212-555-0123",
        "0044 20 7946 0018",
    ],
)
def test_phone_numbers_inside_text_are_counted_by_row(number: str) -> None:
    column = slow.column_of("note", sentences("", f"call {number}, please", "", "", ""))
    inside = {suggestion.kind: suggestion for suggestion in column.suggestions}["phone_in_text"]
    assert inside.cells == 80


@pytest.mark.parametrize(
    "words",
    [
        "on 01.02.2020 at 12:30",
        "on 01-02-2020",
        "at 2020-01-02 03:04:05",
        "paid 1 234 567.89 EUR",
        "account DE89 3704 0044 0532 0130 00",
        "card 4111 1111 1111 1111",
        "case 2019/0123456",
        "see 978-3-16-148410-0",
        "id 123e4567-e89b-12d3-a456-426614174000",
        "between 10 and 200 of 3000",
        "version 10.0.19045.3570",
        "at me @ the gate",
        "values 0.123 0.456 0.789",
    ],
)
def test_other_numbers_inside_text_are_no_phones_and_no_addresses(words: str) -> None:
    assert not {"phone_in_text", "email_in_text"} & set(slow.kinds("note", sentences("", words)))


def test_a_column_of_addresses_is_not_told_again_as_text_with_addresses_inside() -> None:
    assert "email_in_text" not in slow.kinds("email", [f"a{number}@example.org" for number in AT])
    assert "phone_in_text" not in slow.kinds("tel", [f"0171 {1234567 + number}" for number in AT])


def test_a_share_is_told_in_words_with_its_count() -> None:
    cells = [f"a{number}@example.org" for number in range(392)] + [f"none {number}" for number in range(8)]
    first = slow.column_of("contact", cells).suggestions[0]
    assert (first.kind, first.confidence, first.cells, first.share) == ("email", "certain", 392, 0.98)
    assert first.reason == "98\u00a0% of the filled cells have the form of an e-mail address."


def test_small_tables_are_all_different_by_chance() -> None:
    assert slow.kinds("v1", [f"x{number}" for number in range(15)]) == {}
    assert slow.kinds("v1", [f"x{number}" for number in range(25)]) == {"identifier": "likely"}


def test_a_column_with_one_value_and_gaps_may_still_tell_something() -> None:
    column = slow.column_of("c", ["x", None, "x"])
    assert [(each.kind, each.confidence) for each in column.suggestions] == [("constant", "possible")]
    assert "1\u00a0cell is missing" in column.suggestions[0].reason
