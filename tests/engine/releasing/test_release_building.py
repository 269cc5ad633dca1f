"""Built files: what they show, which types they have, and what stands beside a label."""

import datetime as dt
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Unreadable
from riskapp.core.table.cells import matrix
from riskapp.engine.assess import prepare
from riskapp.engine.hashes import sha256
from riskapp.engine.releasing.building import build
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.columns import extra_names
from riskapp.engine.releasing.reading import released_in
from tests.engine.assessing import small
from tests.engine.every_family import drawn, nodes_of, one_of_each, theirs_of, written
from tests.engine.releasing.built import built, rows_in
from tests.engine.releasing.injections import FORMULAS, HARMLESS
from tests.oracle.release import from_nodes

MEMBERS = """who,age,born,zip,income,note,town
a,52,1976-02-10,47906,1.50,=1+1,north
b,7,1975-12-01,47901,-2,plain,south
c,,1976-02-11,10115,3.25,-5,north
d,19,,,0.1,@x,
"""
ASSESSMENT = """
dataset: {file: members.csv, identifier: who}
attributes:
  age: {hierarchy: {intervals: {from: 0, widths: [5, 20], unit: 1}}}
  born: {hierarchy: {dates: [month, year]}}
  zip: {hierarchy: {mask: 5}}
  income: {role: keep}
  note: {role: keep}
  town: {}
search: {seed: 3}
"""
KEPT = Choices(keep_order=True)


def test_types_stay_where_nothing_is_generalised(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT, MEMBERS)
    built(path, "full-domain:0.0.0.0", tmp_path / "a.parquet", Choices(keep_order=True, analysts=True))
    table = pq.read_table(tmp_path / "a.parquet")
    category = pa.dictionary(pa.int32(), pa.string())
    assert [field.type for field in table.schema] == [
        pa.int64(),
        pa.date32(),
        pa.int64(),
        pa.float64(),
        category,
        category,
    ]
    assert table.column("age").to_pylist() == [52, 7, None, 19]
    assert table.column("income").to_pylist() == [1.5, -2.0, 3.25, 0.1]
    assert table.column("born").to_pylist()[0] == dt.date(1976, 2, 10)


def test_a_generalised_column_shows_labels_with_from_to_and_level_beside_them(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT, MEMBERS)
    choices = Choices(keep_order=True, analysts=True, details=True)
    _, _, file = built(path, "full-domain:1.1.2.0", tmp_path / "a.csv", choices)
    rows = rows_in(tmp_path / "a.csv")
    assert [column["name"] for column in file.columns] == [
        *("age", "age_from", "age_to", "age_level", "born", "born_from", "born_to", "born_level"),
        *("zip", "zip_from", "zip_to", "zip_level", "income", "note", "town"),
    ]
    assert [rows[0][name] for name in ("age", "age_from", "age_to", "age_level")] == ["[50,55)", "50", "55", "1"]
    assert [rows[0][name] for name in ("born", "born_from", "born_to")] == ["1976-02", "1976-02-01", "1976-02-29"]
    assert [rows[0][name] for name in ("zip", "zip_from", "zip_to", "zip_level")] == ["479**", "47900", "47999", "2"]
    assert [rows[2][name] for name in ("age", "age_from", "age_to", "age_level")] == ["", "", "", ""]


def test_identifiers_and_columns_without_a_name_in_the_assessment_are_gone(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT.replace("  note: {role: keep}\n", ""), MEMBERS)
    built(path, "full-domain:0.0.0.0", tmp_path / "a.csv", Choices(details=True, analysts=True))
    assert set(rows_in(tmp_path / "a.csv")[0]) == {"age", "born", "zip", "income", "town"}


def test_formulas_are_defused_on_request_and_counted_and_numbers_stay(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT, MEMBERS)
    _, _, file = built(path, "full-domain:0.0.0.0", tmp_path / "a.csv", Choices(keep_order=True, defuse=True))
    assert [row["note"] for row in rows_in(tmp_path / "a.csv")] == ["'=1+1", "plain", "-5", "'@x"]
    assert file.defused == {"note": 2}
    _, _, plain = built(path, "full-domain:0.0.0.0", tmp_path / "b.csv", KEPT)
    assert (plain.defused, rows_in(tmp_path / "b.csv")[0]["note"]) == ({}, "=1+1")


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_the_whole_corpus_of_injections_leaves_harmless_and_is_read_back(tmp_path: Path, name: str) -> None:
    cells = [cell for cell in FORMULAS + HARMLESS if "\0" not in cell and "\r" not in cell]
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    members = '"=name",sex\n' + "".join(f"{cell},f\n" for cell in quoted)
    spec = 'dataset: {file: members.csv}\nattributes: {"=name": {role: keep}, sex: {}}\n'
    path = small(tmp_path, spec, members)
    choices = Choices(defuse=True, seed=4)
    prepared, found, file = built(path, "full-domain:0", tmp_path / name, choices)
    assert next(iter(rows_in(tmp_path / name)[0])) == "'=name"
    assert file.defused["'=name"] == len([cell for cell in FORMULAS if "\0" not in cell and "\r" not in cell])
    attributes = list(prepared.assessment.attributes.values())
    back = released_in(tmp_path / name, attributes, found.released, choices)
    assert np.array_equal(matrix(back), matrix(found.released))


def test_suppressed_and_missing_are_told_apart_in_typed_columns(tmp_path: Path) -> None:
    spec = """
dataset: {file: members.csv}
attributes: {town: {}, born: {role: keep}}
search: {rules: [k-anonymity], k: [2], suppression_limit: 0.5}
"""
    path = small(tmp_path, spec, "town,born\na,1971\na,\nb,1985\nb,1986\nc,1971\n")
    prepared = prepare(path)
    (found,) = [one for one in one_of_each(prepared, 0) if one.family == "k-anonymity"]
    assert found.released.suppressed.any()
    for name in ("a.parquet", "a.csv"):
        choices = Choices(keep_order=True, analysts=True, details=True)
        file = build(prepared, found, tmp_path / name, choices)
        rows = rows_in(tmp_path / name)
        hidden = [str(row["suppressed"]).lower() == "true" for row in rows]
        assert hidden == found.released.suppressed.tolist()
        assert all(not row["born"] for row, out in zip(rows, hidden, strict=True) if out)
        assert next(column["type"] for column in file.columns if column["name"] == "born") == "integer"
        attributes = list(prepared.assessment.attributes.values())
        back = released_in(tmp_path / name, attributes, found.released, choices)
        assert back.suppressed.tolist() == hidden


@pytest.mark.parametrize("seed", range(200, 206))
@pytest.mark.parametrize("details", [False, True])
def test_every_family_is_built_as_the_oracle_shows_it_and_read_back(tmp_path: Path, seed: int, details: bool) -> None:
    path = drawn(seed, tmp_path, ["regional", "per-record", "k-anonymity", "mondrian"], separable=True)
    prepared, theirs = prepare(path), theirs_of(path)
    attributes = list(prepared.assessment.attributes.values())
    for found, analysts, name in product(one_of_each(prepared, seed), [False, True], ["a.csv", "a.parquet"]):
        choices = Choices(seed=seed, defuse=True, analysts=analysts, details=details)
        file = build(prepared, found, tmp_path / name, choices)
        assert file.sha256 == sha256(tmp_path / name)
        back = released_in(tmp_path / name, attributes, found.released, choices)
        assert np.array_equal(matrix(back), matrix(found.released))
        assert np.array_equal(back.suppressed, found.released.suppressed)
        if name == "a.csv" and not analysts:
            rows = from_nodes(theirs, nodes_of(prepared.problem, found))
            order = np.random.Generator(np.random.PCG64(seed)).permutation(len(rows))
            shown = [[row[label] for label in theirs.attributes] for row in rows_in(tmp_path / name)]
            assert shown == [list(rows[place].shown) for place in order]


def test_the_same_choices_give_the_same_bytes_and_another_seed_other_ones(tmp_path: Path) -> None:
    path = written(tmp_path)
    for name in ("a.csv", "a.parquet"):
        one, again, other = (
            built(path, "full-domain:1.0.2", tmp_path / name, Choices(seed=seed))[2].sha256 for seed in (1, 1, 2)
        )
        assert one == again != other


def test_from_to_or_level_that_say_more_than_the_label_are_refused(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT, MEMBERS)
    choices = Choices(keep_order=True, details=True)
    prepared, found, _ = built(path, "full-domain:1.1.2.0", tmp_path / "a.csv", choices)
    attributes, text = list(prepared.assessment.attributes.values()), (tmp_path / "a.csv").read_text()
    changes = [('"[50,55)",50,55,1', '"[50,55)",52,55,1'), ("1976-02-29,1", "1976-02-29,0"), ("47999,2", "47906,2")]
    for before, after in changes:
        assert before in text
        (tmp_path / "b.csv").write_text(text.replace(before, after, 1))
        with pytest.raises(Unreadable, match="does not say what the label beside it says"):
            released_in(tmp_path / "b.csv", attributes, found.released, choices)


@pytest.mark.parametrize(
    ("before", "after"),
    [("north", "south"), ("1976-02", "1975-12"), ("age", "years"), ("\n", "\nnobody,,,,,\n"), ("47906", "47907")],
)
def test_a_changed_cell_row_or_column_is_refused_without_its_value(tmp_path: Path, before: str, after: str) -> None:
    path = small(tmp_path, ASSESSMENT, MEMBERS)
    prepared, found, _ = built(path, "full-domain:0.1.0.0", tmp_path / "a.csv", KEPT)
    text = (tmp_path / "a.csv").read_text()
    (tmp_path / "b.csv").write_text(text.replace(before, after, 1))
    with pytest.raises(Unreadable) as wrong:
        released_in(tmp_path / "b.csv", list(prepared.assessment.attributes.values()), found.released, KEPT)
    assert after not in str(wrong.value)


def test_names_beside_labels_are_new_even_where_the_dataset_has_such_names() -> None:
    names = ["age", "age_from", "age_from_", "suppressed"]
    extra = extra_names(names)
    assert len({*names, *extra.values()}) == len(names) + len(extra)


def test_another_ending_or_choice_is_refused(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT, MEMBERS)
    with pytest.raises(BadSetting, match=r"\.csv or \.parquet"):
        built(path, "full-domain:0.0.0.0", tmp_path / "a.xlsx", KEPT)
    with pytest.raises(BadSetting, match=r"choices\.color"):
        Choices.of({"color": True})
