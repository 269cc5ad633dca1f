"""The codebook: every generalised label with its meaning, and lines that really read the file."""

import json
import re
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from riskapp.core.table.released import Released
from riskapp.engine.releasing.building import build, sheet
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.codebook import codebook, codebook_html
from tests.engine.assessing import small
from tests.engine.releasing.built import built, rows_in
from tests.engine.releasing.test_release_building import ASSESSMENT, MEMBERS

FOR_ANALYSTS = Choices(keep_order=True, analysts=True, details=True, defuse=True)


def book_of(folder: Path, rule: str, name: str, choices: Choices = FOR_ANALYSTS, more: str = "") -> dict[str, object]:
    path = small(folder, ASSESSMENT.replace("  town: {}", f"  town: {{{more}}}"), MEMBERS)
    prepared, found, _ = built(path, rule, folder / name, choices)
    return codebook(sheet(prepared, found.found, choices), name, rule)


def test_every_label_of_the_file_that_is_no_value_has_a_meaning(tmp_path: Path) -> None:
    groups = "hierarchy: {groups: {all: [north, south]}}"
    book = book_of(tmp_path, "full-domain:1.1.2.1", "a.csv", more=groups)
    told = {column["name"]: {one["label"]: one for one in column.get("labels", [])} for column in book["columns"]}
    for row in rows_in(tmp_path / "a.csv"):
        for name in ("age", "born", "zip", "town"):
            assert row[name] in {"", *told[name]}
    assert told["age"]["[50,55)"] == {
        "label": "[50,55)",
        "level": 1,
        "means": "At least 50 and less than 55.",
        "rows": 1,
    }
    assert told["born"]["1976-02"]["means"] == "Some day of 1976-02."
    assert told["zip"]["479**"] == {
        "label": "479**",
        "level": 2,
        "means": "Begins with 479; 2 signs are hidden.",
        "rows": 2,
    }
    assert told["town"]["all"]["means"] == "One of: north, south."
    assert json.loads(json.dumps(book)) == book


@pytest.mark.parametrize(("labels", "told"), [(2001, "1 more label:"), (2003, "3 more labels:"), (2000, "")])
def test_the_page_lists_the_first_of_many_labels_and_the_json_all(tmp_path: Path, labels: int, told: str) -> None:
    people = "code,sex\n" + "".join(f"{10 * at:05},f\n{10 * at + 1:05},m\n" for at in range(labels))
    spec = "dataset: {file: members.csv}\nattributes: {code: {hierarchy: {mask: 5}}, sex: {}}\n"
    prepared, found, _ = built(small(tmp_path, spec, people), "full-domain:1.0", tmp_path / "a.csv", FOR_ANALYSTS)
    book = codebook(sheet(prepared, found.found, FOR_ANALYSTS), "a.csv", "full-domain:1.0")
    (code,) = (column for column in book["columns"] if column["name"] == "code")
    assert len(code["labels"]) == labels
    assert all(one["means"] and one["rows"] == 2 for one in code["labels"])
    page = codebook_html(book)
    assert page.count("<tr><td>") - len(book["columns"]) == 2000
    assert told in page
    assert ("codebook.json lists all of them" in page) is bool(told)


def test_rows_of_each_label_are_those_of_the_file(tmp_path: Path) -> None:
    book = book_of(tmp_path, "full-domain:3.1.1.1", "a.csv")
    rows = rows_in(tmp_path / "a.csv")
    for column in book["columns"]:
        for one in column.get("labels", []):
            assert one["rows"] == sum(row[column["name"]] == one["label"] for row in rows)


PLACES = "Hawaii;Hawaii;America;*\nOslo;Norway;Europe;*\nBergen;Norway;Europe;*\nParis;Europe;Europe;*\n"
TRAVELS = "who,place\n" + "".join(
    f"{at},{place}\n" for at, place in enumerate(["Hawaii", "Hawaii", "Oslo", "Oslo", "Bergen", "Paris", "Paris"])
)


def test_a_label_of_several_levels_is_told_once_with_all_that_it_may_be(tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text(PLACES)
    spec = "dataset: {file: members.csv}\nattributes: {place: {hierarchy: {file: places.csv}}}\n"
    prepared, found, _ = built(small(tmp_path, spec, TRAVELS), "full-domain:1", tmp_path / "a.csv", FOR_ANALYSTS)
    levels = np.array([[0], [1], [2], [1], [2], [1], [2]])
    candidate = replace(found.found, released=Released.each(found.released.records, levels))
    build(prepared, candidate, tmp_path / "b.csv", FOR_ANALYSTS)
    book = codebook(sheet(prepared, candidate, FOR_ANALYSTS), "b.csv", "mixed")
    (place,) = (column for column in book["columns"] if column["name"] == "place")
    assert {one["label"]: (one["level"], one["means"]) for one in place["labels"]} == {
        "Hawaii": (0, "One of: Hawaii."),
        "Norway": (1, "One of: Oslo, Bergen."),
        "Europe": (1, "One of: Oslo, Bergen, Paris."),
    }
    rows = rows_in(tmp_path / "b.csv")
    for one in place["labels"]:
        mine = [row for row in rows if row["place"] == one["label"]]
        assert (one["rows"], {str(one["level"])}) == (len(mine), {row["place_level"] for row in mine})


@pytest.mark.parametrize("rule", ["full-domain:0.0.0.0", "full-domain:1.1.2.0", "full-domain:3.3.5.1"])
@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_the_lines_for_python_read_the_file(
    tmp_path: Path, rule: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_of(tmp_path, rule, name)
    lines = book["reading"]
    assert {language: len(some) for language, some in lines.items()} == {"python": 3, "r": 3, "stata": 3}
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec("\n".join(lines["python"]), names)
    table = names["table"]
    assert isinstance(table, pd.DataFrame)
    assert list(table.columns) == [column["name"] for column in book["columns"]]
    assert len(table) == 4
    types = {column["name"]: column["type"] for column in book["columns"]}
    assert pd.api.types.is_numeric_dtype(table["income"])
    if types["age"] == "integer":
        assert table["age"].isna().tolist() == [False, False, True, False]
        assert float(table["age"].sum()) == 78
    assert table["town"].isna().sum() == (rule != "full-domain:3.3.5.1")


def test_the_page_holds_everything_and_nothing_that_a_browser_would_run(tmp_path: Path) -> None:
    book = book_of(tmp_path, "full-domain:1.1.2.1", "a.csv", more="hierarchy: {groups: {<script>: [north, south]}}")
    page = codebook_html(book)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page
    assert all(escape(line) in page for some in book["reading"].values() for line in some)


def test_labels_stand_as_people_would_put_them_and_ends_say_whether_they_are_in_it(tmp_path: Path) -> None:
    book = book_of(tmp_path, "full-domain:1.1.2.0", "a.csv")
    columns = {str(column["name"]): column for column in book["columns"]}
    for name in ("age", "born", "zip"):
        labels = [one["label"] for one in columns[name]["labels"]]
        assert labels == sorted(labels, key=lambda label: [int(digits) for digits in re.findall(r"\d+", label)])
    told = {name: str(columns[f"{name}_to"]["meaning"]) for name in ("age", "born", "zip")}
    assert "this end is not in it" in told["age"]
    assert "the last day is in it" in told["born"]
    assert "the last code is in it" in told["zip"]


def test_it_says_where_apostrophes_were_put_before_formulas(tmp_path: Path) -> None:
    spec = "dataset: {file: members.csv}\nattributes:\n  age: {}\n  note: {role: keep}\n"
    path = small(tmp_path, spec, "age,note\n50,=1+1\n51,@x\n52,ok\n52,=1+1\n")
    prepared, found, _ = built(path, "full-domain:0", tmp_path / "a.csv", FOR_ANALYSTS)
    book = codebook(sheet(prepared, found.found, FOR_ANALYSTS), "a.csv", "full-domain:0")
    told = {str(column["name"]): str(column["meaning"]) for column in book["columns"]}
    changed = sum(row["note"].startswith("'") for row in rows_in(tmp_path / "a.csv"))
    assert changed == 3
    assert f"In {changed} rows an apostrophe was put before text" in told["note"]
    assert told["age"] == "The value as it was."
    assert escape(told["note"]) in codebook_html(book)
