"""Figures in the report of a release equal those that the slow oracle finds from the file, dictionary and assessment.

Nothing of the product computes here: rows are read by the standard library, put back in order by the seed that the
house keeps, and measured by the oracle.
"""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from examples.customers import release as example
from tests.oracle.building import build
from tests.oracle.evaluation import evaluate
from tests.oracle.release import from_labels
from tests.oracle.risk import by_definition


class Cells(HTMLParser):
    """The text of all cells of tables, and of names with what they are."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.facts: dict[str, str] = {}
        self._tag, self._name = "", ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag if tag in ("td", "dt", "dd", "tr") else self._tag
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._tag = "" if tag == self._tag else self._tag

    def handle_data(self, data: str) -> None:
        if self._tag == "td":
            self.rows[-1][-1] += data
        if self._tag == "dt":
            self._name = data
        if self._tag == "dd":
            self.facts[self._name] = self.facts.get(self._name, "") + data


def number(text: str) -> float:
    """The first number in a text."""
    found = re.search(r"[\d.]+(e-?\d+)?", text.replace("−", "-").replace("\N{NARROW NO-BREAK SPACE}", ""))
    assert found is not None
    return float(found[0])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    example.main(folder)
    return folder


@pytest.fixture(scope="module")
def theirs(made: Path) -> dict[str, Any]:
    """The oracle's figures of the file."""
    spec = yaml.safe_load(example.ASSESSMENT.read_text(encoding="utf-8"))
    problem = build({**spec, "search": {}}, example.ASSESSMENT.parent)
    with (made / "release.csv").open(encoding="utf-8", newline="") as lines:
        rows = [[row[name] for name in problem.attributes] for row in csv.DictReader(lines)]
    order = np.random.Generator(np.random.PCG64(example.CHOICES.seed)).permutation(len(rows)).tolist()
    back: list[list[str]] = [[] for _ in rows]
    for row, record in zip(rows, order, strict=True):
        back[record] = row
    # A regional rule is closed: to replay it tells nothing more than the definition.
    count = by_definition(problem)
    return evaluate(problem, from_labels(problem, back), count, count)


def test_the_report_tells_what_the_oracle_finds(made: Path, theirs: dict[str, Any]) -> None:
    cells = Cells()
    cells.feed((made / "report.html").read_text(encoding="utf-8"))
    people = theirs["people"]["register"]
    expected = ["expected_found", "singled_out", "uncovered", "largest_chance", "gain"]
    for name in ("register", "… who replays the rule"):
        row = next(row for row in cells.rows if len(row) == 6 and row[0] == name)
        assert [number(cell) for cell in row[1:]] == pytest.approx([people[key] for key in expected], rel=1e-3)
    assert number(cells.facts["Risk"].split(" by ")[0]) == pytest.approx(theirs["risk"], rel=1e-3)
    assert number(cells.facts["Detail kept"].split(" %")[0]) / 100 == pytest.approx(theirs["utility_share"], rel=1e-2)
    assert number(cells.facts["Smallest group"]) == theirs["smallest_group"]
    assert number(cells.facts["Suppressed records"]) == theirs["suppressed"]


def test_the_manifest_holds_the_same_figures_to_the_last_digit(made: Path, theirs: dict[str, Any]) -> None:
    figures = json.loads((made / "release.csv.manifest.json").read_text(encoding="utf-8"))["figures"]["figures"]
    for key in ("risk", "risk_replay", "utility", "utility_share", "smallest_group", "suppressed"):
        assert figures[key] == pytest.approx(theirs[key], rel=1e-9), key
    assert figures["risk_by_dictionary"] == pytest.approx(theirs["risk_by_dictionary"], rel=1e-9)
    for key in ("expected_found", "singled_out", "uncovered", "largest_chance", "gain"):
        assert figures["people"]["register"][key] == pytest.approx(theirs["people"]["register"][key], rel=1e-9)


def test_the_report_needs_nothing_else_and_runs_nothing(made: Path) -> None:
    for name in ("report.html", "codebook.html"):
        page = (made / name).read_text(encoding="utf-8")
        assert not re.search(r"<(script|link|img|iframe|object)|\bsrc=|url\(|https?://|\bon\w+=", page)
