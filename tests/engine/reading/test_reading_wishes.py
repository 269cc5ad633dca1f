"""Wishes and readings: what can be asked for, what comes back, and that both survive being stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.engine.coded import CodedTable, write
from riskapp.engine.reading import ENCODINGS, HEADERS, RAGGED, Limits, Reading, Wishes
from tests.engine.reading.twin import is_sound, read_bytes, rows_of

MARKS = st.sampled_from([",", ";", "\t", "|", "~"])
QUOTES = st.sampled_from(['"', "'", "none"])
wishes = st.builds(
    Wishes,
    encoding=st.none() | st.sampled_from(ENCODINGS),
    delimiter=st.none() | MARKS,
    quote=st.none() | QUOTES,
    header=st.none() | st.sampled_from(HEADERS),
    sheet=st.none() | st.text(max_size=5),
    ragged=st.none() | st.sampled_from(RAGGED),
    missing=st.none() | st.lists(st.text(max_size=3), max_size=3).map(tuple),
)
readings = st.builds(
    Reading,
    format=st.sampled_from(["csv", "xlsx"]),
    compression=st.sampled_from(["none", "gz", "zip"]),
    encoding=st.none() | st.sampled_from(ENCODINGS),
    delimiter=st.none() | MARKS,
    quote=st.none() | QUOTES,
    line_ending=st.none() | st.sampled_from(["LF", "CRLF", "CR"]),
    sheets=st.lists(st.text(max_size=3), max_size=3).map(tuple),
    missing=st.lists(st.text(max_size=3), max_size=3).map(tuple),
    reasons=st.dictionaries(st.sampled_from(["encoding", "header"]), st.text(max_size=5)),
)


@given(wishes | readings)
def test_what_is_stored_comes_back(record: Wishes | Reading) -> None:
    assert type(record).from_json(json.loads(json.dumps(record.as_json()))) == record


@pytest.mark.parametrize(
    "stored",
    [
        {"colour": "red"},
        {"encoding": "klingon"},
        {"delimiter": ""},
        {"delimiter": ",,"},
        {"delimiter": "\n"},
        {"delimiter": "\0"},
        {"delimiter": "é"},
        {"delimiter": 7},
        {"delimiter": ";", "quote": ";"},
        {"quote": "no"},
        {"header": "maybe"},
        {"ragged": "mend"},
        {"missing": "NA"},
        {"missing": [1]},
        {"sheet": ["a"]},
    ],
)
def test_impossible_wishes_are_errors(stored: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Wishes.from_json(stored)
    if set(stored) - {"sheet"}:
        with pytest.raises(ValueError, match=r"\w"):
            Reading.from_json({"format": "csv", **stored})


@pytest.mark.parametrize("stored", [{"format": "doc"}, {"reasons": {"x": "y"}}, {"header": None}, {"line_ending": "?"}])
def test_impossible_readings_are_errors(stored: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Reading.from_json({"format": "csv", **stored})


def test_limits_are_never_negative() -> None:
    with pytest.raises(ValueError, match="max_columns"):
        Limits(max_columns=-1)


def test_missing_is_what_the_person_says_and_nothing_else(tmp_path: Path) -> None:
    content = b'a,b\n"",NA\n-,null\n"-",x\n'
    _, table = read_bytes(tmp_path, "a.csv", content, Wishes(missing=("-", "x")))
    assert rows_of(table) == [["", "NA"], [None, "null"], [None, None]]
    assert table.missing == [2, 1]
    is_sound(table)


def test_a_chosen_thing_is_used_and_said_so(tmp_path: Path) -> None:
    chosen = Wishes(encoding="cp1252", delimiter=";", quote="'", header="none", ragged="leave-out")
    reading, table = read_bytes(tmp_path, "a.csv", "'a;b';é\nc\n".encode("cp1252"), chosen)
    assert rows_of(table) == [["a;b", "é"]]
    assert (reading.encoding, reading.delimiter, reading.quote, reading.header) == ("cp1252", ";", "'", "none")
    assert set(reading.reasons.values()) == {"Chosen by hand."}
    assert table.left_out == 1


def test_everything_detected_has_a_reason_without_a_value(tmp_path: Path) -> None:
    reading, _ = read_bytes(tmp_path, "a.csv", b"Kanarienvogel;Fink\nx;y\n")
    assert set(reading.reasons) == {"encoding", "delimiter", "quote", "header"}
    assert all(reading.reasons.values())
    assert "Kanarienvogel" not in str(reading.reasons)


def test_a_small_table_can_be_written_at_once(tmp_path: Path) -> None:
    table = write(tmp_path / "t", ["a", "b"], [["x", None, "x"], ["", "NA", "y"]])
    assert rows_of(table) == [["x", None], [None, None], ["x", "y"]]
    assert (table.rows, table.distinct, table.missing) == (3, [1, 1], [1, 2])
    is_sound(table)


def test_a_table_of_another_version_is_not_opened(tmp_path: Path) -> None:
    about = write(tmp_path / "t", ["a"], [["x"]]).folder / "table.json"
    about.write_text(about.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(ValueError, match="format 2"):
        CodedTable.open(tmp_path / "t")
