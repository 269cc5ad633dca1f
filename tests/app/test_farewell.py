"""Who has ended a run may finish what follows, such as the letter about it; who only lost it is stopped."""

import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

from riskapp.models import Actor, Project, Run, RunState
from riskapp.services import runs, workers
from riskapp.services.spares import Child, Spare

pytestmark = pytest.mark.django_db
WRITES_A_LETTER = "import pathlib, sys; sys.stdin.read(); pathlib.Path(sys.argv[1]).write_text('Dear Ada')"


class Writer(subprocess.Popen[bytes]):
    """Writes its letter once somebody waits for longer than until the next look."""

    def wait(self, timeout: float | None = None) -> int:
        if timeout == workers.LONGEST_FAREWELL:
            assert self.stdin is not None
            self.stdin.close()
        return super().wait(timeout)


class Ended(Spare):
    """Gives a process that goes on after its run has come to a state."""

    def __init__(self, state: RunState, letter: Path) -> None:
        super().__init__()
        self.state, self.letter = state, letter

    def give(self, run_id: str, token: UUID) -> Child:
        command = [sys.executable, "-c", WRITES_A_LETTER, str(self.letter)]
        self.child = Writer(command, stdin=subprocess.PIPE, bufsize=0)
        Run.objects.filter(pk=run_id).update(state=self.state, claim=None)
        return self.child

    def prepare(self) -> None:
        """Nobody else is to compute."""


@pytest.mark.parametrize(
    ("state", "written"), [(RunState.SUCCEEDED, True), (RunState.FAILED, True), (RunState.CANCELLED, False)]
)
def test_the_letter_about_a_run_is_written_to_its_end_and_what_was_cancelled_is_stopped(
    state: RunState, written: bool, project: Project, by: Actor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare = Ended(state, tmp_path / "letter")
    monkeypatch.setattr(workers, "spare", spare)
    monkeypatch.setattr(workers, "LOOK_EVERY", 0.01)
    run = runs.start("assess", by=by, project=project, parameters={}, key="any")
    workers.carry_out(str(run.pk))
    assert spare.letter.exists() is written
    assert (spare.child.poll() == 0) is written
