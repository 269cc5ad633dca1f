"""The report of a rule of every family, against several dictionaries, tells what the slow oracle finds from the file.

Each file is read by the standard library and put back in order by the seed that the house keeps; the oracle measures
those rows against the dictionaries and by the assessment that it reads itself.
"""

import csv
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riskapp.core.search.candidate import Candidate
from riskapp.core.table.replay import TableRule
from riskapp.engine.assess import Prepared, evaluate, prepare
from riskapp.engine.outgoing.origin import origin
from riskapp.engine.releasing.building import build
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.evidence import evidence
from riskapp.engine.releasing.manifest import manifest
from riskapp.engine.releasing.measured import measured, ruling_in
from riskapp.engine.releasing.report import report
from riskapp.engine.ruling import Ruling
from tests.engine.every_family import as_theirs, drawn, theirs_of
from tests.oracle.evaluation import evaluate as their_evaluate
from tests.oracle.evaluation import measure as their_measure
from tests.oracle.problem import Problem as Theirs
from tests.oracle.release import Released, from_labels
from tests.oracle.replay import table_rule
from tests.oracle.risk import by_definition
from tests.spec.test_release_report import Cells

FAMILIES = ["full-domain", "regional", "per-record", "k-anonymity", "random-k", "mondrian"]
PEOPLE = ["expected_found", "singled_out", "uncovered", "largest_chance", "gain"]
# All from 200 to 226 that have several dictionaries and room for every family, but for 207: a town there is its own
# area, and whether a row shows the town or the area nobody can tell from the file alone.
SEEDS = [201, 202, 204, 208, 211, 214, 216, 217, 221, 222, 226]


def file_and_papers(prepared: Prepared, rule: dict[str, Any], folder: Path) -> tuple[Path, dict[str, Any], Cells]:
    """The released file, its manifest, and the cells of its report."""
    file, choices = folder / "release.csv", Choices(seed=len(rule["id"]))
    made = build(prepared, Ruling.of(prepared, rule["id"]).found, file, choices)
    figures = measured(prepared, rule["id"], file, choices)
    again = ruling_in(prepared, rule["id"], file, choices)
    sealed = manifest(again, made, origin(prepared, versions={}), figures=figures["figures"])
    cells = Cells()
    cells.feed(report(evidence(again, figures, sealed, listed=rule, frontier=[rule])))
    return file, json.loads(sealed), cells


def rows_in_order(theirs: Theirs, file: Path, seed: int) -> list[Released]:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [[row[name] for name in theirs.attributes] for row in csv.DictReader(lines)]
    back: list[list[str]] = [[] for _ in rows]
    for row, record in zip(rows, np.random.Generator(np.random.PCG64(seed)).permutation(len(rows)), strict=True):
        back[record] = row
    return from_labels(theirs, back)


def by_replay(theirs: Theirs, prepared: Prepared, found: Candidate, rows: list[Released]) -> dict[str, Any]:
    """What the oracle finds by replaying the rule."""
    if isinstance(found.rule, TableRule):
        return their_measure(theirs, rows, table_rule(theirs, rows))
    if found.rule is None:
        return their_evaluate(theirs, rows, by_definition(theirs), by_definition(theirs))
    return their_measure(theirs, rows, as_theirs(theirs, prepared.problem, found))


def figure(cell: str) -> float:
    """The number that a cell begins with."""
    found = re.match(r"-?[\d.]+(e[+-]?\d+)?|∞", cell.replace("−", "-").replace("\N{NARROW NO-BREAK SPACE}", ""))
    assert found is not None, cell
    return float(found[0].replace("∞", "inf"))


def same(cells: Sequence[str], expected: Sequence[float]) -> bool:
    return [figure(cell) for cell in cells] == pytest.approx(list(expected), rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_familys_report_tells_what_the_oracle_finds_in_the_file(tmp_path: Path, seed: int) -> None:
    path = drawn(seed, tmp_path, FAMILIES, separable=True)
    prepared, theirs = prepare(path), theirs_of(path)
    assert len(theirs.dictionaries) > 1
    rules = evaluate(prepared).mapping()["rules"]
    assert {rule["family"] for rule in rules} == set(FAMILIES)
    for family in FAMILIES:
        some = [rule for rule in rules if rule["family"] == family]
        check(theirs, prepared, some[seed % len(some)], tmp_path)


def check(theirs: Theirs, prepared: Prepared, rule: dict[str, Any], folder: Path) -> None:
    file, sealed, cells = file_and_papers(prepared, rule, folder)
    rows = rows_in_order(theirs, file, len(rule["id"]))
    assert sealed["seed"] == hashlib.sha256(str(len(rule["id"])).encode()).hexdigest()
    found = Ruling.of(prepared, rule["id"]).found
    defined = their_evaluate(theirs, rows, by_definition(theirs), by_definition(theirs))
    again = by_replay(theirs, prepared, found, rows)
    told = [row for row in cells.rows if len(row) == 6]
    for place, name in enumerate(row[0] for row in told):
        if name in defined["people"]:
            assert same(told[place][1:], [defined["people"][name][key] for key in PEOPLE]), (rule["id"], name)
            own = again["people"][name]["by_replay"]
            if own and rule["risk_replay"] is not None:
                assert told[place + 1][0] == "… who replays the rule"
                assert same(told[place + 1][1:], [own[key] for key in PEOPLE]), (rule["id"], name, "by replay")
    assert [row[0] for row in told if row[0] in defined["people"]] == list(defined["people"])
    risk = cells.facts["Risk"].split(" by definition, ")
    assert same(risk[:1], [defined["risk"]])
    if rule["risk_replay"] is not None:
        assert same(risk[1:], [again["risk_replay"]])
    assert figure(cells.facts["Detail kept"]) == pytest.approx(100 * defined["utility_share"], rel=5e-3)
    # A row that was generalised to stars looks like one that was suppressed; its file alone cannot tell them apart.
    if sum(row.suppressed for row in rows) == rule["suppressed"] and defined["smallest_group"] is not None:
        assert same([cells.facts["Smallest group"]], [defined["smallest_group"]])
        assert same([cells.facts["Suppressed records"]], [defined["suppressed"]])
