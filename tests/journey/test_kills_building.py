"""Processes are killed while a release is built: it is built once more, and there are never two files."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from riskapp.engine.releasing import sealing
from tests.journey.deciding_house import make
from tests.journey.serving import Server, manage, wait_until
from tests.journey.visitor import rows

KILLING = Path(__file__).parent / "killing"
CHILD = "riskapp.engine.releasing.measured"
# Where a process is killed, which, whether its worker dies with it, and how often the building is begun.
KILLS = {
    "in the middle of writing": ("riskapp.engine.releasing.writing:_lines:after", "compute", "family", 2),
    "after the file, before the manifest": ("riskapp.engine.releasing.manifest:manifest:before", "compute", "self", 2),
    "after everything, before the commit": ("riskapp.services.releases:succeeded:after", "compute", "family", 2),
    "while it is measured again": ("riskapp.engine.releasing.reading:released_in:before", CHILD, "self", 1),
}


class House:
    """A house in which an approved release waits for a worker, under a server that is killed at a point, once."""

    def __init__(self, var: Path, kill: str) -> None:
        at, inside, whom, self.attempts = KILLS[kill]
        self.var, self.armed = var, var.with_name("armed")
        self.armed.touch()
        self.server = Server(
            var,
            PYTHONPATH=str(KILLING),
            KILL_AT=at,
            KILL_IN=inside,
            KILL_WHOM=whom,
            KILL_ARMED=str(self.armed),
            RISKAPP_HEARTBEAT_SECONDS="1",
            RISKAPP_LOST_AFTER_SECONDS="3",
            RISKAPP_SWEEP_SECONDS="2",
        )

    def folders(self) -> list[Path]:
        return list((self.var / "files").glob("*/releases/*"))

    def state(self) -> str:
        return str(rows(self.var, "SELECT state FROM riskapp_release")[0][0])


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, House]]:
    """Four of them at once: most of the time is spent waiting until a silent worker is given up."""
    origin = tmp_path_factory.mktemp("approved") / "var"
    make(origin, "approved")
    made: dict[str, House] = {}
    try:
        for kill in KILLS:
            var = tmp_path_factory.mktemp("house") / "var"
            shutil.copytree(origin, var)
            made[kill] = House(var, kill)
        yield made
    finally:
        for house in made.values():
            house.server.kill()


@pytest.mark.parametrize("kill", KILLS)
def test_a_release_is_built_once_more_and_there_is_one_file(houses: dict[str, House], kill: str) -> None:
    house = houses[kill]
    wait_until(house.armed.with_name("armed.fired").exists, "the process reaches the point and dies", seconds=120)
    wait_until(lambda: house.state() in ("ready", "failed"), "the release is built", seconds=120)
    wait_until(lambda: len(house.folders()) == 1, "what the dead left is swept", seconds=60)
    wait_until(lambda: not list((house.var / "files" / "scratch").glob("*")), "tables laid out are swept", seconds=60)

    told = "SELECT state, folder, name, sha256, fault FROM riskapp_release"
    ((state, folder, name, sha256, fault),) = rows(house.var, told)
    assert (state, fault) == ("ready", None)
    builds = rows(house.var, "SELECT state, attempts FROM riskapp_run WHERE kind = 'build'")
    assert builds == [("succeeded", house.attempts)]
    (kept,) = house.folders()
    assert kept.name.replace("-", "") == folder
    parts = {"manifest.json", "report.html", "codebook.json", "codebook.html", "footprint.parquet"}
    assert {path.name for path in kept.iterdir()} == {name, *parts}
    manifest = (kept / "manifest.json").read_text()
    assert json.loads(manifest)["sha256"]["output"] == sha256
    assert list(sealing.broken(manifest, kept / name)) == []
    ready = "SELECT count(*) FROM riskapp_auditevent WHERE action = 'release ready'"
    assert rows(house.var, ready) == [(1,)]


def test_no_death_breaks_the_audit_trail(houses: dict[str, House]) -> None:
    house = houses["after everything, before the commit"]
    assert "whole" in manage("verify_audit", RISKAPP_VAR=str(house.var)).stdout
