"""A profile in JSON: it comes back as it was, and no cell of the table is in it."""

import json

import pytest

from riskapp.engine.profile import Profile, profile
from tests.engine.profile import slow_profile as slow

ROWS = 240
CANARY = "Qzxcanary"


def revealing_columns() -> dict[str, list[str | None]]:
    """Columns that set off every kind of suggestion, a word or number of their own in each cell."""
    at = range(ROWS)
    return {
        "member_id": [f"{CANARY}id{number // 2}" for number in at],
        "first_name": [f"{CANARY}{chr(97 + number % 26)} Peter" for number in at],
        "email": [f"{CANARY}{number}@canary.example" for number in at],
        "phone": [f"+49 171 77{number:05}" for number in at],
        "birth_date": [f"19{number % 60 + 30}-0{number % 9 + 1}-1{number % 9}" for number in at],
        "postcode": [f"9{number % 50 + 7100}" for number in at],
        "city": [f"{CANARY}town {number % 7}" for number in at],
        "note": [
            f"{CANARY} wrote {number} words to {CANARY}{number}@x.example or 0171 77{number:05} again and again"
            for number in at
        ],
        "website": [f"https://{CANARY}.example/{number}" for number in at],
        "ip": [f"203.0.113.{number}" for number in at],
        "age": [f"{number % 60 + 20}" for number in at],
        "sex": [["m", "w"][number % 2] for number in at],
        "income": [f"{number * 977 + 77_000}" for number in at],
        "smoker": [["yes", "no"][number % 2] for number in at],
        "constant": [f"{CANARY}constant"] * ROWS,
        "half empty": [f"{CANARY}half" if number % 2 else None for number in at],
        "empty": [None] * ROWS,
        "mixed": [f"{CANARY}mixed" if number % 9 == 0 else f"{number}.75" for number in at],
    }


def test_a_profile_comes_back_from_json_as_it_was() -> None:
    told = slow.profile_of(revealing_columns())
    assert Profile.from_json(json.loads(json.dumps(told.as_json()))) == told
    assert json.loads(json.dumps(told.as_json())) == told.as_json()


def test_no_cell_of_the_table_is_in_the_profile() -> None:
    columns = revealing_columns()
    told = slow.profile_of(columns)
    text = json.dumps(told.as_json(), ensure_ascii=False)
    kinds = {suggestion.kind for column in told.columns for suggestion in column.suggestions}
    assert len(kinds) >= 17
    assert CANARY.lower() not in text.lower()
    # Words for yes and sexes, and numbers that may be counts, are too short to be looked for.
    cells = {cell for column in columns.values() for cell in column if cell and len(cell) > 3}
    assert len(cells) > 1000
    assert [cell for cell in cells if cell in text] == []


def test_a_profile_of_another_format_is_refused() -> None:
    told = slow.profile_of({"a": ["1"]}).as_json()
    with pytest.raises(ValueError, match="format 2"):
        Profile.from_json({**told, "format": 2})


def test_every_suggestion_has_a_reason_in_a_sentence_and_figures_that_agree() -> None:
    told = slow.profile_of(revealing_columns())
    for column in told.columns:
        for suggestion in column.suggestions:
            assert suggestion.reason[0].isupper() or suggestion.reason[0].isdigit()
            assert suggestion.reason.endswith(".")
            assert 0 <= suggestion.cells <= told.rows - column.missing.count
            assert 0 <= suggestion.share <= 1


def test_the_same_table_gives_the_same_profile() -> None:
    with slow.table_of(revealing_columns()) as table:
        assert profile(table) == profile(table)
