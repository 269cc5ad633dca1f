"""What a release says that the product built, worked out again by the slow oracle from what lies in the house.

Nothing of the product computes here: the assessment is the one printed in the report, the rows are read from the file
by the standard library and put back in order by the seed that the house keeps, and the oracle measures them.
"""

import csv
import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from riskapp import storage
from riskapp.models import Actor, Project, Release, Setup, Upload, User
from riskapp.services import attackers
from tests.app.deciding import PEOPLE, Way, assessed, way
from tests.app.working import work_off
from tests.oracle import diversity
from tests.oracle.building import build
from tests.oracle.evaluation import evaluate
from tests.oracle.problem import Problem
from tests.oracle.release import Released, from_labels
from tests.oracle.replay import by_replay, full_domain_rule
from tests.oracle.risk import Count, by_definition, losses
from tests.spec.test_release_report import Cells, number

pytestmark = pytest.mark.django_db(transaction=True)
REGISTER = "name,town,born\n" + "".join(f"n{i},Town {i % 16},{1950 + i % 15}\n" for i in range(0, 300, 7))
PEOPLE_FIGURES = ["expected_found", "singled_out", "uncovered", "largest_chance", "gain"]
RULES = ["full-domain:1.0.1", "full-domain:1.1.0", "full-domain:0.2.1"]


@pytest.fixture
def house(project: Project, by: Actor, person: Callable[..., User], arrive: Callable[..., Upload]) -> Way:
    """The members, whom a neighbour knows and some of whom stand in a register."""
    made = way(project, by, person, arrive)
    upload = arrive(REGISTER, name="register.csv")
    work_off("read")
    upload.refresh_from_db()
    setup = Setup.objects.get(pk=project.pk)
    stranger = attackers.add(setup, "register", "stranger", by=by)
    said: dict[str, Any] = {"upload": upload, "identity": "name", "match": {"town": "town", "born": "born"}}
    attackers.describe(stranger, stranger.version, by=by, **said)
    made.run = assessed(setup, by)
    return made


def assessment_in(report: str, folder: Path) -> Problem:
    """The problem that the report prints, of files that lie beside it."""
    folder.joinpath("people.csv").write_text(PEOPLE)
    folder.joinpath("register.csv").write_text(REGISTER)
    (printed,) = re.findall("<pre>(.*?)</pre>", report, re.DOTALL)
    return build({**yaml.safe_load(unescape(printed)), "search": {}}, folder)


def rows_of(problem: Problem, file: Path, seed: str) -> list[Released]:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [[row[name] for name in problem.attributes] for row in csv.DictReader(lines)]
    order = np.random.Generator(np.random.PCG64(int(seed, 16))).permutation(len(rows)).tolist()
    back: list[list[str]] = [[] for _ in rows]
    for row, record in zip(rows, order, strict=True):
        back[record] = row
    return from_labels(problem, back)


def near(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_the_report_and_the_manifest_of_a_release_tell_what_the_oracle_finds(
    house: Way, tmp_path: Path, rule: str
) -> None:
    release = house.release(rule=rule)
    folder = storage.release_place(release.project_id, release.folder)  # type: ignore[arg-type]
    report = (folder / "report.html").read_text(encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    problem = assessment_in(report, tmp_path)
    rows = rows_of(problem, folder / release.name, release.proposal.seed)
    node = tuple(int(level) for level in rule.partition(":")[2].split("."))
    counts = {"definition": by_definition(problem), "replay": by_replay(problem, full_domain_rule(problem, node))}
    theirs = evaluate(problem, rows, counts["definition"], counts["replay"])
    cells = Cells()
    cells.feed(report)
    check_figures(cells, theirs)
    check_groups(cells, manifest, problem, rows)
    check_losses(report, manifest, problem, rows, counts)
    check_register(release, theirs)


def check_figures(cells: Cells, theirs: dict[str, Any]) -> None:
    assert set(theirs["people"]) == {"neighbour", "stranger"}
    told = [row for row in cells.rows if len(row) == 6]
    for name, one in theirs["people"].items():
        at = next(place for place, row in enumerate(told) if row[0] == name)
        assert [number(cell) for cell in told[at][1:]] == near([one[key] for key in PEOPLE_FIGURES])
        assert told[at + 1][0] == "… who replays the rule"
        assert [number(cell) for cell in told[at + 1][1:]] == near([one["by_replay"][key] for key in PEOPLE_FIGURES])
    by_both = [number(part) for part in cells.facts["Risk"].split(" by definition, ")]
    assert by_both == near([theirs["risk"], theirs["risk_replay"]])
    for name, risk in theirs["risk_by_dictionary"].items():
        assert number(next(row for row in cells.rows if len(row) == 2 and row[0] == name)[1]) == near(risk)
    assert number(cells.facts["Detail kept"].split(" %")[0]) / 100 == pytest.approx(theirs["utility_share"], rel=1e-2)
    assert number(cells.facts["Suppressed records"]) == theirs["suppressed"]


def check_groups(cells: Cells, manifest: dict[str, Any], problem: Problem, rows: list[Released]) -> None:
    """k, l and t."""
    least, most = (
        diversity.smallest_l(problem, rows, "ill"),
        diversity.largest_t(problem, rows, problem.attributes["ill"]),
    )
    theirs = evaluate(problem, rows, by_definition(problem), by_definition(problem))
    row = next(row for row in cells.rows if len(row) == 5 and row[0] == "ill")
    learnt = theirs["inference"]["ill"]
    assert [number(cell) for cell in row[1:]] == near([learnt["mean"], learnt["worst"], least["distinct"], most])
    assert number(cells.facts["Smallest group"]) == theirs["smallest_group"] == manifest["groups"]["k"]
    told = manifest["groups"]["sensitive"]["ill"]
    assert {kind: told["l"][kind] for kind in least} == pytest.approx(least, rel=1e-9)
    assert told["t"] == pytest.approx(most, rel=1e-9)


def check_losses(
    report: str, manifest: dict[str, Any], problem: Problem, rows: list[Released], counts: dict[str, Count]
) -> None:
    captions = re.findall("<figcaption>Chance times harm of each record, against (.*?)</figcaption>", report)
    assert len(captions) == len(problem.dictionaries)
    for dictionary, caption in zip(problem.dictionaries, captions, strict=True):
        for how, count in counts.items():
            every = sorted(losses(problem, dictionary, rows, count))
            told = manifest["losses"][dictionary.name][how]
            assert (told["records"], told["zero"]) == (len(every), every.count(0.0))
            assert [count for _, _, count in told["bins"]] == [
                sum(low * (1 - 1e-9) <= loss < high * (1 - 1e-9) for loss in every) for low, high, _ in told["bins"]
            ]
            assert sum(count for _, _, count in told["bins"]) + told["zero"] == len(every)
            middle, worst = every[(len(every) + 1) // 2 - 1], every[-1]
            assert [told["quantiles"]["0.5"], told["quantiles"]["1.0"]] == pytest.approx([middle, worst], rel=1e-9)
            if how == "definition":
                assert caption.startswith(f"{dictionary.name}. ")
                shown = re.search("half of them at (.*?) or below, the worst at (.*?)[.]$", caption)
                assert shown is not None
                assert [number(shown[1]), number(shown[2])] == near([middle, worst])


def check_register(release: Release, theirs: dict[str, Any]) -> None:
    every = [side for one in theirs["people"].values() for side in (one, one["by_replay"])]
    assert release.expected_found == pytest.approx(max(one["expected_found"] for one in every), rel=1e-9)
