"""Processes are killed while a release is built: it is built once more, and there are never two files."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journey.deciding_house import make
from tests.journey.serving import Server, manage, wait_until
from tests.journey.visitor import rows

KILLING = Path(__file__).parent / "killing"


@pytest.fixture(scope="module")
def approved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house in which an approved release waits for a worker."""
    var = tmp_path_factory.mktemp("approved") / "var"
    make(var, "approved")
    return var


@pytest.fixture
def deadly_house(approved: Path, tmp_path: Path) -> Iterator["House"]:
    house = House(tmp_path, approved)
    yield house
    house.end()


class House:
    """A copy of the house whose server is killed at a point, once."""

    def __init__(self, folder: Path, origin: Path) -> None:
        self.var, self.armed = folder / "var", folder / "armed"
        shutil.copytree(origin, self.var)
        self.server: Server | None = None

    def start(self, at: str, *, inside: str, whom: str = "self") -> None:
        """Start the server; its worker takes up the building and dies on the way."""
        self.armed.touch()
        self.server = Server(
            self.var,
            PYTHONPATH=str(KILLING),
            KILL_AT=at,
            KILL_IN=inside,
            KILL_WHOM=whom,
            KILL_ARMED=str(self.armed),
            RISKAPP_HEARTBEAT_SECONDS="1",
            RISKAPP_LOST_AFTER_SECONDS="3",
            RISKAPP_SWEEP_SECONDS="2",
        )
        fired = self.armed.with_name("armed.fired")
        wait_until(fired.exists, "the process reaches the point and dies", seconds=90)

    def end(self) -> None:
        if self.server is not None:
            self.server.kill()

    def folders(self) -> list[Path]:
        return list((self.var / "files").glob("*/releases/*"))

    def ends_with_one_file(self, attempts: int) -> None:
        """Ready once, one folder with one file, and that is the one that was sealed and recorded."""

        def state() -> str:
            return str(rows(self.var, "SELECT state FROM riskapp_release")[0][0])

        wait_until(lambda: state() in ("ready", "failed"), "the release is built", seconds=120)
        wait_until(lambda: len(self.folders()) == 1, "what the dead left is swept", seconds=60)
        wait_until(lambda: not list((self.var / "files" / "scratch").glob("*")), "tables laid out are swept")
        told = "SELECT state, folder, name, sha256, fault FROM riskapp_release"
        ((ended, folder, name, sha256, fault),) = rows(self.var, told)
        assert (ended, fault) == ("ready", None)
        assert rows(self.var, "SELECT state, attempts FROM riskapp_run WHERE kind = 'build'") == [
            ("succeeded", attempts)
        ]
        (kept,) = self.folders()
        assert kept.name.replace("-", "") == folder
        parts = {"manifest.json", "report.html", "codebook.json", "codebook.html", "footprint.parquet"}
        assert {path.name for path in kept.iterdir()} == {name, *parts}
        assert json.loads((kept / "manifest.json").read_text())["sha256"]["output"] == sha256
        assert manage("verify_release", str(kept / name), str(kept / "manifest.json")).returncode == 0
        once = "SELECT count(*) FROM riskapp_auditevent WHERE action = 'release ready'"
        assert rows(self.var, once) == [(1,)]
        assert "whole" in manage("verify_audit", RISKAPP_VAR=str(self.var)).stdout


def test_killed_in_the_middle_of_writing_it_is_built_once_more(deadly_house: House) -> None:
    deadly_house.start("riskapp.engine.releasing.writing:_lines:after", inside="compute", whom="family")
    deadly_house.ends_with_one_file(attempts=2)


def test_killed_between_the_file_and_its_manifest_it_is_built_once_more(deadly_house: House) -> None:
    deadly_house.start("riskapp.engine.releasing.manifest:manifest:before", inside="compute")
    deadly_house.ends_with_one_file(attempts=2)


def test_killed_with_everything_written_before_the_commit_it_is_built_once_more(deadly_house: House) -> None:
    deadly_house.start("riskapp.services.releases:succeeded:after", inside="compute", whom="family")
    deadly_house.ends_with_one_file(attempts=2)


def test_a_killed_measuring_process_is_started_again_and_nothing_is_built_twice(deadly_house: House) -> None:
    deadly_house.start(
        "riskapp.engine.releasing.reading:released_in:before", inside="riskapp.engine.releasing.measured"
    )
    deadly_house.ends_with_one_file(attempts=1)
