"""Processes are killed while a release is built: it is built once more, and there are never two files.

In the same house runs are cancelled while they write their results: nothing of these is left, and nothing else is lost.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from riskapp.engine.releasing import sealing
from tests.journey.conftest import NewVar
from tests.journey.deadly import (
    ASSESS,
    LINES,
    LISTED,
    MANIFEST,
    RELEASED_IN,
    SUCCEEDED,
    DeadlyServer,
    audit_is_whole,
    audited,
    computing,
    told,
)
from tests.journey.deciding_house import make
from tests.journey.serving import wait_until
from tests.journey.visitor import Visitor

CHILD = "riskapp.engine.releasing.measured"
# When a process is killed and where, which, whether its worker dies with it, and how often the building is begun.
KILLS = {
    "in the middle of writing": ("after", LINES, "compute", "family", 2),
    "after the file, before the manifest": ("before", MANIFEST, "compute", "self", 2),
    "after everything, before the commit": ("after", SUCCEEDED, "compute", "family", 2),
    "while it is measured again": ("before", RELEASED_IN, CHILD, "self", 1),
}


@pytest.fixture(scope="module")
def house(new_var: NewVar) -> tuple[Path, dict[str, Any]]:
    """A house with a study for each kill, whose proposal waits for an officer's vote."""
    var = new_var("house")
    return var, make(var, studies=len(KILLS))


@pytest.fixture(scope="module")
def deadly(house: tuple[Path, dict[str, Any]]) -> Iterator[DeadlyServer]:
    running = DeadlyServer(house[0])
    try:
        yield running.ready()
    finally:
        running.kill()


@pytest.mark.parametrize("kill", KILLS)
def test_a_release_is_built_once_more_and_there_is_one_file(
    deadly_server: DeadlyServer, house: tuple[Path, dict[str, Any]], kill: str
) -> None:
    when, point, inside, whom, attempts = KILLS[kill]
    study = house[1]["waiting"][list(KILLS).index(kill)]
    officer = Visitor(deadly_server, house[1]["officer"], study["project"])
    trigger = deadly_server.arm(when, point, inside=inside, whom=whom)
    decide = f"/projects/{study['project']}/proposals/{study['proposal']}/decide/"
    said = {"vote": "approve", "decide-reason": "The figures convince me.", "seen": study["seen"]}
    assert officer.post(decide, **said) == 302
    trigger.wait()
    wait_until(lambda: state_of_release(officer) in ("ready", "failed"), "the release is built", seconds=120)
    releases, scratch = (deadly_server.var / "files" / name for name in (f"{officer.project}/releases", "scratch"))
    wait_until(lambda: len(list(releases.iterdir())) == 1, "what the dead left is swept", seconds=60)
    wait_until(lambda: not list(scratch.iterdir()), "tables laid out are swept", seconds=60)

    ((state, folder, name, sha256, fault),) = told(
        officer, "SELECT state, folder, name, sha256, fault FROM riskapp_release WHERE"
    )
    assert (state, fault) == ("ready", None)
    builds = told(officer, "SELECT state, attempts FROM riskapp_run WHERE kind = 'build' AND")
    assert builds == [("succeeded", attempts)]
    (kept,) = releases.iterdir()
    assert kept.name.replace("-", "") == folder
    parts = {"manifest.json", "report.html", "codebook.json", "codebook.html", "footprint.parquet"}
    assert {path.name for path in kept.iterdir()} == {name, *parts}
    manifest = (kept / "manifest.json").read_text()
    assert json.loads(manifest)["sha256"]["output"] == sha256
    assert list(sealing.broken(manifest, kept / str(name))) == []
    assert audited(officer, "release ready") == 1
    assert audit_is_whole(deadly_server)


def state_of_release(officer: Visitor) -> object:
    return told(officer, "SELECT state FROM riskapp_release WHERE")[0][0]


# Cancelled while the result is written

STAGES = {
    "in the middle of the result": ("before", LISTED),
    "after all of it, before the commit": ("after", ASSESS),
}


@pytest.mark.parametrize("stage", STAGES)
def test_of_a_run_that_is_cancelled_while_it_writes_nothing_is_left_and_it_can_be_run_again(
    deadly_server: DeadlyServer, house: tuple[Path, dict[str, Any]], stage: str
) -> None:
    when, point = STAGES[stage]
    ids, folder = house[1], deadly_server.var / "files" / house[1]["project"]
    officer = Visitor(deadly_server, ids["officer"], ids["project"])
    before, kept = set((folder / "outcomes").iterdir()), outcomes(officer)
    trigger = deadly_server.arm(when, point, inside="compute", whom="nobody")
    run = repeated(officer, ids["run"])
    trigger.wait()
    (written,) = set((folder / "outcomes").iterdir()) - before
    assert list(written.iterdir()), "the result is being written"

    assert officer.post(f"/projects/{officer.project}/runs/{run}/cancel/") == 302
    wait_until(lambda: not computing(deadly_server), "its process is gone")
    wait_until(lambda: set((folder / "outcomes").iterdir()) == before, "what it wrote is swept", seconds=60)
    wait_until(lambda: not list((folder / "keeping").iterdir()), "its finished parts are swept", seconds=60)
    assert (state_of(officer, run), outcomes(officer)) == ("cancelled", kept)

    again = repeated(officer, str(run))
    wait_until(lambda: state_of(officer, again) == "succeeded", "it is run again", seconds=120)
    assert summary(officer, again)["rules"] == summary(officer, UUID(ids["run"]))["rules"]
    assert audit_is_whole(deadly_server)


def repeated(officer: Visitor, run: str) -> UUID:
    """Run it again as it was; the run that was started."""
    assert officer.post(f"/projects/{officer.project}/runs/{run}/repeat/") == 302
    newest = told(officer, "SELECT id, max(created_at) FROM riskapp_run WHERE kind = 'assess' AND")
    return UUID(str(newest[0][0]))


def state_of(officer: Visitor, run: UUID) -> object:
    return told(officer, "SELECT state FROM riskapp_run WHERE id = ? AND", run.hex)[0][0]


def outcomes(officer: Visitor) -> list[tuple[object, ...]]:
    return told(officer, "SELECT run_id, sha256 FROM riskapp_outcome WHERE")


def summary(officer: Visitor, run: UUID) -> Any:
    return json.loads(str(told(officer, "SELECT summary FROM riskapp_outcome WHERE run_id = ? AND", run.hex)[0][0]))
