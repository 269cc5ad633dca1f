"""Processes are killed while a release is built: it is built once more, and there are never two files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from riskapp.engine.releasing import sealing
from tests.journey.conftest import NewVar
from tests.journey.deadly import (
    LINES,
    MANIFEST,
    RELEASED_IN,
    SUCCEEDED,
    DeadlyServer,
    audit_is_whole,
    audited,
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
