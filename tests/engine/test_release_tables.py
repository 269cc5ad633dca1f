"""Released tables: what they show, in which order, and that no file leaves that is not what was assessed."""

import csv
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.released import Released
from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing import ReleaseDiffers, origin, release
from riskapp.engine.outgoing.as_csv import write_csv
from riskapp.engine.outgoing.reading_back import shows
from riskapp.engine.outgoing.shown import Shown, shuffled
from riskapp.engine.rule_ids import node_of
from tests.engine.assessing import ASSESSMENT, here, small
from tests.oracle import reading
from tests.oracle.assessment import nodes
from tests.oracle.building import build
from tests.oracle.instances import draw
from tests.oracle.release import full_domain

RULE = "full-domain:0.1.0"
KEPT = [
    ["illness", "city", "born", "sex"],
    ["none", "Lafayette", "1975", "f"],
    ["mild", "Lafayette", "1975", "f"],
    ["none", "Delphi", "", "m"],
    ['severe, "very" so', "Delphi", "1981", "m"],
    ["", "Monon", "1990", "f"],
    ["mild", "Monon", "1975", ""],
]


def in_csv(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def in_parquet(path: Path) -> list[list[str | None]]:
    table = pq.read_table(path)
    return [list(table.column_names), *(list(row) for row in zip(*table.to_pydict().values(), strict=True))]


def released(path: Path, to: Path, rule: str, *, keep_order: bool = True) -> None:
    """Release a rule of an assessment."""
    prepared = prepare(path)
    result = evaluate(prepared, wanted=rule)
    assert result.wanted is not None
    release(result, result.wanted, to, origin(prepared, keep_order=keep_order))


def test_a_release_has_the_attributes_in_their_order_and_nothing_else(tmp_path: Path) -> None:
    for name, read, empty in (("a.csv", in_csv, ""), ("a.parquet", in_parquet, None)):
        released(small(tmp_path), tmp_path / name, RULE)
        assert read(tmp_path / name) == [[cell or empty for cell in row] for row in KEPT]  # type: ignore[operator]


def test_missing_is_a_star_at_the_top_and_a_kept_column_never_is(tmp_path: Path) -> None:
    released(small(tmp_path), tmp_path / "a.csv", "full-domain:2.2.1")
    assert in_csv(tmp_path / "a.csv")[1:] == [[row[0], "*", "*", "*"] for row in KEPT[1:]]


def test_csv_is_plain_text_with_quotes_only_where_they_are_needed(tmp_path: Path) -> None:
    released(small(tmp_path), tmp_path / "a.csv", RULE)
    lines = (tmp_path / "a.csv").read_bytes().decode("utf-8").split("\n")
    assert lines[0] == "illness,city,born,sex"
    assert lines[4] == '"severe, ""very"" so",Delphi,1981,m'
    assert lines[5] == ",Monon,1990,f"
    assert lines[-1] == ""
    assert "\r" not in "".join(lines)


def test_rows_are_shuffled_by_the_seed_and_only_by_it(tmp_path: Path) -> None:
    texts = []
    for seed in (3, 3, 4):
        path = small(tmp_path, ASSESSMENT.replace("seed: 3", f"seed: {seed}"))
        released(path, tmp_path / "a.csv", RULE, keep_order=False)
        texts.append(in_csv(tmp_path / "a.csv"))
        order = np.random.Generator(np.random.PCG64(seed)).permutation(6)
        assert texts[-1] == [KEPT[0], *(KEPT[1 + place] for place in order)]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
@pytest.mark.parametrize("order", [[], ["--keep-order"]])
def test_the_same_release_twice_has_the_same_bytes(tmp_path: Path, name: str, order: list[str]) -> None:
    path, found = small(tmp_path), []
    for _ in range(2):
        words = ["--out", tmp_path / "r.json", "--release", RULE, "--to", tmp_path / name, *order]
        answer = here(path, *words)
        assert (answer.code, answer.err) == (0, "")
        found.append([(tmp_path / file).read_bytes() for file in (name, f"{name}.manifest.json")])
    assert found[0] == found[1]
    assert json.loads(found[0][1])["order"] == ("kept" if order else "shuffled")


def test_the_manifest_says_how_the_release_came_about(tmp_path: Path) -> None:
    path = small(tmp_path)
    (tmp_path / "register.csv").write_text("town\nDelphi\n")
    path.write_text(path.read_text() + "dictionaries: [self, {file: register.csv, match: {town: city}}]\n")
    here(path, "--out", tmp_path / "r.json", "--release", RULE, "--to", tmp_path / "a.csv")
    about: dict[str, Any] = json.loads((tmp_path / "a.csv.manifest.json").read_text())
    result = json.loads((tmp_path / "r.json").read_text())
    assert about["sha256"] == {
        "assessment": sha256(path),
        "dataset": sha256(tmp_path / "members.csv"),
        "dictionaries": {"register": sha256(tmp_path / "register.csv")},
        "others": {},
        "output": sha256(tmp_path / "a.csv"),
    }
    assert about["figures"] == next(rule for rule in result["rules"] if rule["id"] == RULE)
    assert about["node"]["born"] == {"level": 1, "name": "year"}
    assert (about["rows"], about["columns"]) == (6, KEPT[0])
    assert about["parameters"]["search"] == {"least_utility": 2, "limits": {"smallest_group": 2}, "seed": 3}
    assert about["parameters"]["attributes"]["sex"] == {"weight": ".inf"}
    assert (about["format"], about["rule"], about["seed"], about["order"]) == (3, RULE, 3, "shuffled")
    assert list(about["software"]) == ["riskapp", "python", "numpy", "pyarrow"]


def test_figures_that_differ_keep_the_file_from_leaving(tmp_path: Path) -> None:
    prepared = prepare(small(tmp_path))
    result = evaluate(prepared, wanted=RULE)
    assert result.wanted is not None
    before = {path.name for path in tmp_path.iterdir()}
    told = result.wanted.evaluation
    wrong = replace(result.wanted, evaluation=replace(told, utility=told.utility + 1e-6))
    with pytest.raises(ReleaseDiffers):
        release(result, wrong, tmp_path / "a.csv", origin(prepared))
    assert {path.name for path in tmp_path.iterdir()} == before


def test_a_file_with_another_cell_or_row_or_column_is_not_the_table(tmp_path: Path) -> None:
    problem = prepare(small(tmp_path)).problem
    shown = Shown(Released.at(problem.records, node_of(RULE, problem)), problem.names, shuffled(6, 3))
    path = tmp_path / "table"
    write_csv(shown, path)
    text = path.read_text()
    assert shows(path, ".csv", shown)
    for other in (
        text.replace("1990", "1981"),
        text.replace("1990", "1990-07-07"),
        text.replace("Delphi", "north", 1),
        text + ",Monon,1990,f\n",
        text.replace("born", "birth"),
        "\n".join([*text.split("\n")[:1], *text.split("\n")[2:0:-1], *text.split("\n")[3:]]),
    ):
        path.write_text(other)
        assert not shows(path, ".csv", shown), other


def test_a_table_of_one_column_keeps_its_missing_rows(tmp_path: Path) -> None:
    path = small(tmp_path, "dataset: {file: members.csv}\nattributes: {sex: {}}\n")
    released(path, tmp_path / "a.csv", "full-domain:0")
    assert in_csv(tmp_path / "a.csv") == [["sex"], ["f"], ["f"], ["m"], ["m"], ["f"], [""]]


def test_empty_text_that_is_not_missing_is_refused_in_csv_and_told_apart_in_parquet(tmp_path: Path) -> None:
    path = small(tmp_path, "dataset: {file: members.csv, missing: [NA, f]}\nattributes: {sex: {}}\n")
    with pytest.raises(BadSetting, match=r"^--to: Column sex has empty cells"):
        released(path, tmp_path / "a.csv", "full-domain:0")
    released(path, tmp_path / "a.parquet", "full-domain:0")
    assert in_parquet(tmp_path / "a.parquet")[1:] == [[None], [None], ["m"], ["m"], [None], [""]]


def test_cells_of_any_kind_come_back(tmp_path: Path) -> None:
    odd = ['"a ""b"""', '"c\nd"', '"e,f"', "  g ", "h;i", "Ünïcödé 漢字", "=1+1", "'", "*", "\t"]
    members = "note,sex\n" + "".join(f"{cell},f\n" for cell in odd)
    path = small(tmp_path, "dataset: {file: members.csv}\nattributes: {note: {role: keep}, sex: {}}\n", members)
    released(path, tmp_path / "a.csv", "full-domain:0")
    assert in_csv(tmp_path / "a.csv")[1:] == list(csv.reader(members.splitlines(keepends=True)[1:]))


@pytest.mark.parametrize("seed", range(25))
def test_a_release_shows_what_the_oracle_shows(tmp_path: Path, seed: int) -> None:
    path = draw(seed, tmp_path)
    problem = build(reading.assessment(path), tmp_path)
    node = random.Random(seed).choice(nodes(problem))
    expected = [list(row.shown) for row in full_domain(problem, node)]
    name = "full-domain:" + ".".join(map(str, node))
    released(path, tmp_path / "a.csv", name)
    assert in_csv(tmp_path / "a.csv") == [list(problem.attributes), *expected]
