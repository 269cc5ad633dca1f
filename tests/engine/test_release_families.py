"""Released tables of every family: what they show, what their manifests say, and names that no rule has."""

import json
from pathlib import Path
from typing import Any

import pytest

from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.outgoing import origin, release
from tests.engine.assessing import here
from tests.engine.every_family import drawn, nodes_of, theirs_of, written
from tests.engine.test_release_tables import in_csv
from tests.oracle.release import from_nodes

METHODS = ["exhaustive", "btda"]
NAMES = [
    "full-domain:1.0.2",
    "regional:town@1",
    "regional:town@1:1",
    "per-record:btda",
    "exact:0",
    "exact:3",
    "k-anonymity:2:",
    "random-k:2:0",
    "mondrian:2",
]


def listed(path: Path, out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8")) if here(path, "--out", out).code == 0 else {}
    return found


def test_every_family_is_released_with_its_manifest_and_the_result_stays_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, methods=METHODS, suppression_limit=0.5)
    result = listed(path, tmp_path / "before.json")
    ids = [rule["id"] for rule in result["rules"]]
    for name in NAMES:
        rule = next((one for one in ids if one.startswith(name)), name)
        answer = here(path, "--out", tmp_path / "r.json", "--release", rule, "--to", tmp_path / "a.csv", "--keep-order")
        assert (answer.code, answer.err) == (0, ""), rule
        again = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        assert {**again, "seconds": 0} == {**result, "seconds": 0}
        about = json.loads((tmp_path / "a.csv.manifest.json").read_text(encoding="utf-8"))
        assert (about["rule"], about["figures"]["id"], len(in_csv(tmp_path / "a.csv"))) == (rule, rule, 9)
        assert all(sum(shares) == pytest.approx(1) for shares in about["levels"].values())
        if rule in ids:
            assert about["figures"] == result["rules"][ids.index(rule)]
            assert (about["node"] is None) == (about["figures"]["node"] is None)


def test_a_suppressed_row_is_a_row_of_stars_kept_columns_too(tmp_path: Path) -> None:
    path = written(tmp_path, rules=["k-anonymity"], suppression_limit=0.9, k=[3])
    path.write_text(path.read_text().replace("sex: {}", "sex: {role: keep}"))
    rules = listed(path, tmp_path / "r.json")["rules"]
    (rule,) = [one for one in rules if one["family"] == "k-anonymity"]
    assert rule["suppressed"] > 0
    here(path, "--out", tmp_path / "r.json", "--release", rule["id"], "--to", tmp_path / "a.csv")
    assert in_csv(tmp_path / "a.csv").count(["*", "*", "*"]) == rule["suppressed"]


@pytest.mark.parametrize("seed", range(200, 205))
def test_released_rows_are_those_of_the_oracle(tmp_path: Path, seed: int) -> None:
    path = drawn(seed, tmp_path, ["regional", "per-record", "k-anonymity", "mondrian"], separable=True)
    prepared, theirs = prepare(path), theirs_of(path)
    found = [rule.id for rule in evaluate(prepared).rules]
    for name in [found[seed % len(found)], found[-1], found[len(found) // 2]]:
        result = evaluate(prepared, wanted=name)
        assert result.wanted is not None
        release(result, result.wanted, tmp_path / "a.parquet", origin(prepared, keep_order=True))
        release(result, result.wanted, tmp_path / "a.csv", origin(prepared, keep_order=True))
        rows = from_nodes(theirs, nodes_of(prepared.problem, result.wanted))
        assert in_csv(tmp_path / "a.csv")[1:] == [list(row.shown) for row in rows]


@pytest.mark.parametrize(
    "name",
    [
        *("per-record:genetic", "per-record:", "exact:x", "exact:01", "exact:999999", "mondrian:3", "mondrian:2:0"),
        *("k-anonymity:2", "k-anonymity:2:0.0.9", "k-anonymity:5:0.0.0", "k-anonymity:2:0.0.0", "random-k:2:77"),
        *("regional:sex@0", "regional:town@1:777", "regional", "psychic:1", "full-domain:0.0"),
    ],
)
def test_a_name_that_no_rule_has_ends_with_code_2_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, methods=METHODS)
    before = {one.name for one in tmp_path.iterdir()}
    answer = here(path, "--out", tmp_path / "r.json", "--release", name, "--to", tmp_path / "a.csv")
    assert (answer.code, answer.err.startswith("--release: There is no such rule.")) == (2, True)
    assert {one.name for one in tmp_path.iterdir()} == before
