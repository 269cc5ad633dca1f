"""Measured again from the file: the oracle's figures, and nothing leaves whose figures are not those approved."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from riskapp.core.table.replay import TableRule
from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.releasing import measured as measuring
from riskapp.engine.releasing.building import build
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.differing import FiguresDiffer
from riskapp.engine.ruling import details
from tests.engine.assessing import ROOT, small
from tests.engine.every_family import as_theirs, drawn, nodes_of, one_of_each, theirs_of, written
from tests.engine.releasing.built import built
from tests.oracle.assessment import same
from tests.oracle.evaluation import evaluate as their_evaluate
from tests.oracle.evaluation import measure as their_measure
from tests.oracle.release import from_nodes
from tests.oracle.replay import table_rule
from tests.oracle.risk import by_definition

CHOICES = [
    Choices(keep_order=True),
    Choices(seed=7),
    Choices(seed=7, defuse=True, analysts=True, details=True),
]


@pytest.mark.parametrize("choices", CHOICES, ids=["kept", "shuffled", "for-analysts"])
@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_every_family_measured_from_its_file_has_the_figures_of_the_result(
    tmp_path: Path, choices: Choices, name: str
) -> None:
    path = written(tmp_path, methods=["exhaustive", "btda"], suppression_limit=0.5)
    prepared = prepare(path)
    listed = {rule["id"]: rule for rule in evaluate(prepared).mapping()["rules"]}
    for found in one_of_each(prepared, 3):
        build(prepared, found, tmp_path / name, choices)
        figures = measuring.measured(prepared, found.id, tmp_path / name, choices)
        measuring.check(figures, details(prepared, found.id))
        if found.id in listed:
            measuring.check(figures, listed[found.id])


@pytest.mark.parametrize("rule", ["full-domain:0.1.0", "full-domain:1.1.1", "full-domain:2.2.1"])
def test_repeated_labels_and_rows_of_stars_keep_their_figures(tmp_path: Path, rule: str) -> None:
    path = small(tmp_path)
    prepared, found, _ = built(path, rule, tmp_path / "a.csv", Choices(seed=1))
    measuring.check(measuring.measured(prepared, rule, tmp_path / "a.csv", Choices(seed=1)), details(prepared, found))


@pytest.mark.parametrize("seed", range(200, 206))
def test_the_file_has_the_figures_that_the_oracle_finds(tmp_path: Path, seed: int) -> None:
    path = drawn(seed, tmp_path, ["k-anonymity", "mondrian"], separable=True)
    prepared, theirs = prepare(path), theirs_of(path)
    for found in one_of_each(prepared, seed):
        choices = Choices(seed=seed, details=True, analysts=True)
        build(prepared, found, tmp_path / "a.parquet", choices)
        figures = measuring.measured(prepared, found.id, tmp_path / "a.parquet", choices)["figures"]
        rows = from_nodes(theirs, nodes_of(prepared.problem, found))
        defined = by_definition(theirs)
        expected = their_evaluate(theirs, rows, defined, defined)
        if isinstance(found.rule, TableRule):
            expected = their_measure(theirs, rows, table_rule(theirs, rows))
        elif found.rule is not None:
            expected = their_measure(theirs, rows, as_theirs(theirs, prepared.problem, found))
        assert all(same(_finite(figures[key]), _finite(expected[key])) for key in ("risk", "utility", "smallest_group"))
        assert figures["suppressed"] == expected["suppressed"]


def _finite(number: object) -> object:
    return float(number) if isinstance(number, str) else number


def test_another_file_of_the_same_records_is_stopped_and_the_figure_named(tmp_path: Path) -> None:
    path = small(tmp_path)
    prepared, found, _ = built(path, "full-domain:0.1.0", tmp_path / "a.csv", Choices(keep_order=True))
    approved = details(prepared, found)
    text = (tmp_path / "a.csv").read_text()
    assert "1990" in text
    (tmp_path / "a.csv").write_text(text.replace("1990", "1990-07-07"))
    figures = measuring.measured(prepared, "full-domain:0.1.0", tmp_path / "a.csv", Choices(keep_order=True))
    with pytest.raises(FiguresDiffer, match=r"figures\.utility") as stopped:
        measuring.check(figures, approved)
    assert "figures.utility" in stopped.value.names


def test_approved_figures_that_say_nothing_do_not_pass(tmp_path: Path) -> None:
    path = small(tmp_path)
    prepared, _, _ = built(path, "full-domain:0.1.0", tmp_path / "a.csv", Choices())
    figures = measuring.measured(prepared, "full-domain:0.1.0", tmp_path / "a.csv", Choices())
    with pytest.raises(FiguresDiffer):
        measuring.check(figures, {})


def command_of(folder: Path, assessment: Path) -> list[str]:
    return [sys.executable, "-m", "riskapp.engine.releasing.measured", str(folder / "a.csv"), str(assessment)]


def test_a_fresh_process_measures_and_ends_with_a_code_that_says_what_it_found(tmp_path: Path) -> None:
    path = written(tmp_path, methods=["btda"])
    choices = Choices(seed=5, defuse=True, analysts=True, details=True)
    prepared, found, _ = built(path, "per-record:btda", tmp_path / "a.csv", choices)
    approved = details(prepared, found)
    (tmp_path / "approved.json").write_text(json.dumps(approved))
    words = ["--rule", "per-record:btda", "--seed", "5", "--defused", "--analysts", "--details"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = command_of(tmp_path, path)
        return subprocess.run([*command, *words, *more], cwd=ROOT, capture_output=True, text=True, timeout=120)

    same_figures = run("--approved", str(tmp_path / "approved.json"))
    assert (same_figures.returncode, same_figures.stderr) == (0, "")
    assert json.loads(same_figures.stdout) == approved
    approved["figures"]["risk"] += 1e-6
    (tmp_path / "approved.json").write_text(json.dumps(approved))
    differs = run("--approved", str(tmp_path / "approved.json"), "--out", str(tmp_path / "figures.json"))
    assert differs.returncode == 3
    assert "figures.risk" in differs.stderr
    read_from_input = subprocess.run(
        [*command_of(tmp_path, path), *words[:2], "--seed", "-", *words[4:]],
        cwd=ROOT,
        input="5",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (read_from_input.returncode, json.loads(read_from_input.stdout)) == (0, json.loads(same_figures.stdout))
    words[1] = "per-record:magic"
    assert run().returncode == 2
