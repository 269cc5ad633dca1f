"""Whether the people of two releases line up: the same identifiers need not be the same people's."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from riskapp.engine.assess import prepare
from riskapp.engine.releasing.attack.footprint import AtLevel, Footprint, footprint, hashed, key_name
from riskapp.engine.releasing.attack.lining_up import Doubt, doubt
from riskapp.engine.releasing.warnings import Circumstances, earlier
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small

KEY = b"a key of the house"
SPEC = "dataset: {file: members.csv, identifier: id}\nattributes: {town: {}, born: {}}\n"
PEOPLE = [("abcdefgh"[n % 8], str(1950 + n // 8)) for n in range(64)]


def released(folder: Path, ids: list[str], key: bytes = KEY, people: list[tuple[str, str]] = PEOPLE) -> Footprint:
    rows = "id,town,born\n" + "".join(f"{one},{town},{born}\n" for one, (town, born) in zip(ids, people, strict=True))
    return footprint(Ruling.of(prepare(small(folder, SPEC, rows)), "full-domain:0.0"), "one", key)


def pseudonyms(salt: str) -> list[str]:
    return [f"{salt}{n}" for n in range(64)]


def test_the_same_people_line_up_and_footprints_of_another_key_do_not(tmp_path: Path) -> None:
    one = released(tmp_path, pseudonyms("p"))
    assert doubt(one, released(tmp_path, pseudonyms("p"))) is None
    assert doubt(one, released(tmp_path, pseudonyms("p"), b"a new key")) is Doubt.OTHER_KEY
    one.save(tmp_path / "kept.parquet")
    kept = Footprint.open(tmp_path / "kept.parquet")
    assert (kept.key, kept.counts_rows) == (key_name(KEY), False)
    assert KEY.hex() not in kept.key


def test_fresh_pseudonyms_do_not_line_up(tmp_path: Path) -> None:
    one = released(tmp_path, pseudonyms("p"))
    assert doubt(one, released(tmp_path, pseudonyms("q"))) is Doubt.NOBODY_IN_BOTH
    shuffled = pseudonyms("p")
    random.Random(3).shuffle(shuffled)
    assert doubt(one, released(tmp_path, shuffled)) is Doubt.OTHER_VALUES


def test_row_numbers_line_up_only_where_the_rows_do(tmp_path: Path) -> None:
    numbers = [str(n) for n in range(1, 65)]
    one = released(tmp_path, numbers)
    assert one.counts_rows
    one.save(tmp_path / "kept.parquet")
    assert Footprint.open(tmp_path / "kept.parquet").counts_rows
    assert doubt(one, released(tmp_path, numbers)) is None
    others = random.Random(5).sample(PEOPLE, 64)
    assert doubt(one, released(tmp_path, numbers, people=others)) is Doubt.OTHER_VALUES
    # Sorted by the same column the numbers agree in that column, and in no other.
    by_year = sorted(others, key=lambda row: row[1])
    assert doubt(released(tmp_path, numbers, people=by_year), one) is Doubt.OTHER_VALUES


def test_row_numbers_are_doubted_where_no_column_can_tell(tmp_path: Path) -> None:
    one = released(tmp_path, [str(n) for n in range(64)])
    assert doubt(one, replace(one, columns={})) is Doubt.ROWS_COUNTED
    assert doubt(one, replace(one, columns={"town": one.columns["town"]})) is Doubt.ROWS_COUNTED


def test_values_that_change_with_time_do_not_make_people_others(tmp_path: Path) -> None:
    later = [(town, str(int(born) + 1)) for town, born in PEOPLE]
    assert doubt(released(tmp_path, pseudonyms("p")), released(tmp_path, pseudonyms("p"), people=later)) is None


def identified(name: str, people: list[str], columns: dict[str, list[str]] | None = None) -> Footprint:
    told = {}
    for column, cells in (columns or {}).items():
        labels = sorted(set(cells))
        codes = np.array([labels.index(cell) for cell in cells], dtype=np.int32)
        told[column] = (AtLevel("0", hashed(labels, KEY), codes),)
    return Footprint(
        name, hashed(people, KEY), np.zeros(len(people), dtype=np.int64), {}, identifier=name, columns=told
    )


def test_identifiers_of_two_names_are_one_where_somebody_has_the_same() -> None:
    assert doubt(identified("id", ["a"]), identified("id", ["b"])) is Doubt.NOBODY_IN_BOTH
    assert doubt(identified("id", ["a", "b"]), identified("number", ["b"])) is None
    assert doubt(identified("id", ["a"]), identified("e-mail", ["b"])) is Doubt.OTHER_WAY


def test_few_in_both_whose_values_cannot_tell_are_taken_for_the_same() -> None:
    one, other = (identified("id", ["a", "b"], {"sex": ["f", sex]}) for sex in "fm")
    assert doubt(one, other) is None


@pytest.mark.parametrize("which", list(Doubt))
def test_every_doubt_is_told_in_words(which: Doubt) -> None:
    if which in earlier.IN_DOUBT:
        (told,) = earlier.in_doubt(Circumstances(doubts={which: 2}))
        assert (told.name, told.count) == ("identifiers-in-doubt", 2)
        assert earlier.IN_DOUBT[which] in told.about
    if which is not Doubt.ROWS_COUNTED:
        (told,) = earlier.not_compared(Circumstances(unheld={which: 1}))
        assert told.about == f"1 earlier release cannot be held against this one: {earlier.UNHELD[which]}."


def test_several_doubts_are_told_with_their_numbers() -> None:
    given = Circumstances(unheld={Doubt.OTHER_KEY: 2, Doubt.NOTHING_KEPT: 1})
    (told,) = earlier.not_compared(given)
    assert told.count == 3
    assert "of 2, its people were noted with another secret key" in told.about
    assert "of 1, nothing was kept" in told.about
