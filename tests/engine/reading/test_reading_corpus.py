"""Every file of the corpus: the bad ones are refused as they should be, the odd ones read as they should be."""

import csv
import io
from pathlib import Path

import openpyxl
import pytest

from riskapp.core.errors import Unreadable
from riskapp.engine.reading import FAULTS, Wishes
from riskapp.engine.reading.excel import as_text
from tests.engine.reading import corpus
from tests.engine.reading.twin import by_csv_module, is_sound, read_bytes, rows_of, with_missing

BAD, GOOD = corpus.bad(), corpus.good()


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.title)
def test_a_bad_file_is_refused_with_its_reason_and_leaves_nothing(bad: corpus.Bad, tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        read_bytes(tmp_path, bad.name, bad.content, bad.wishes, bad.limits)
    assert (caught.value.code, caught.value.line) == (bad.code, bad.line)
    assert caught.value.message.startswith(bad.says)
    said = caught.value.message + caught.value.advice
    assert corpus.CANARY not in said
    assert not set("{}") & set(said)
    assert [entry.name for entry in tmp_path.iterdir()] == ["stored"]


def test_every_fault_has_a_file_and_every_file_a_title_of_its_own() -> None:
    assert {bad.code for bad in BAD} == set(FAULTS)
    assert len({bad.title for bad in BAD}) == len(BAD) >= 45
    assert len({good.title for good in GOOD}) == len(GOOD) >= 25


@pytest.mark.parametrize("good", GOOD, ids=lambda good: good.title)
def test_an_odd_file_is_read_cell_by_cell(good: corpus.Good, tmp_path: Path) -> None:
    reading, table = read_bytes(tmp_path, good.name, good.content, good.wishes)
    assert table.names == good.names
    assert rows_of(table) == with_missing(good.rows)
    assert {name: getattr(reading, name) for name in good.found} == good.found
    assert table.left_out == good.left_out
    assert table.reading == reading.as_json()
    is_sound(table)


def test_as_many_columns_as_allowed_are_read(tmp_path: Path) -> None:
    _, table = read_bytes(tmp_path, "a.csv", corpus.wide(2_000).encode(), Wishes(header="names"))
    assert (len(table.names), table.rows, set(table.distinct)) == (2_000, 3, {1})
    for position in (0, 999, 1_999):
        assert table.values(position).to_pylist() == [None, str(position)]
        assert table.codes(position).tolist() == [1, 1, 1]


TEXTS = [good for good in GOOD if good.name.lower().endswith("csv") and good.wishes.ragged is None]


@pytest.mark.parametrize("good", TEXTS, ids=lambda good: good.title)
def test_an_odd_text_is_read_as_the_csv_module_reads_it(good: corpus.Good, tmp_path: Path) -> None:
    reading, table = read_bytes(tmp_path, good.name, good.content, good.wishes)
    text = good.content.decode(reading.encoding or "").removeprefix("\ufeff")
    text = text.split("\n", 1)[1] if text.startswith("sep=") else text
    quoting = {"quoting": csv.QUOTE_NONE} if reading.quote == "none" else {"quotechar": reading.quote}
    rows = by_csv_module(text, delimiter=reading.delimiter, **quoting)
    assert rows_of(table) == with_missing(rows if reading.header == "none" else rows[1:])


BOOKS = [good for good in GOOD if good.name.endswith("xlsx")]


@pytest.mark.parametrize("good", BOOKS, ids=lambda good: good.title)
def test_a_sheet_is_read_as_openpyxl_reads_it(good: corpus.Good, tmp_path: Path) -> None:
    reading, table = read_bytes(tmp_path, good.name, good.content, good.wishes)
    sheet = openpyxl.load_workbook(io.BytesIO(good.content))[reading.sheet or ""]
    rows = [["" if cell is None else _text(cell) for cell in row] for row in sheet.values]
    assert rows_of(table) == with_missing([row for row in rows if any(row)][1:])


def _text(cell: object) -> str:
    shown = as_text(cell)  # type: ignore[arg-type]
    return shown.removesuffix("T00:00:00")
