"""What the tests that kill processes share: the points, a server with triggers, and what must be true afterwards."""

from contextlib import suppress
from pathlib import Path
from uuid import UUID, uuid4

import psutil

from riskapp.management.commands.compute import COMPUTING
from tests.journey.serving import PATCHING, Server, manage, wait_until
from tests.journey.visitor import Visitor, locked, rows

RECORD = "riskapp.services.audit:record"
RECEIVE = "riskapp.web.arriving:IntoStore.receive_data_chunk"
KEEP = "riskapp.storage:Incoming.keep"
CARRY_OUT = "riskapp.services.workers:carry_out"
CLAIM = "riskapp.services.runs:claim"
PROGRESS = "riskapp.engine.reading.progress:Progress.at"
LINES = "riskapp.engine.outgoing.as_csv:_lines"
MANIFEST = "riskapp.engine.releasing.manifest:manifest"
SUCCEEDED = "riskapp.services.releases:succeeded"
RELEASED_IN = "riskapp.engine.releasing.reading:released_in"
LISTED = "riskapp.engine.result:listed"
ASSESS = "riskapp.bridge.assessing:assess"
POINTS = (RECORD, RECEIVE, KEEP, CARRY_OUT, CLAIM, PROGRESS, LINES, MANIFEST, SUCCEEDED, RELEASED_IN, LISTED, ASSESS)


class Trigger:
    """The file that arms a killing, and its trace when that has happened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fired(self) -> bool:
        return self.path.with_suffix(".fired").exists()

    def wait(self) -> None:
        wait_until(self.fired, "the process reaches the point", seconds=120)


class DeadlyServer(Server):
    """A server whose processes can be killed at points, and which soon gives up those that are silent."""

    def __init__(self, var: Path) -> None:
        self.armed = var.with_name("armed")
        self.armed.mkdir()
        super().__init__(
            var,
            PYTHONPATH=str(PATCHING),
            KILL_AT=" ".join(POINTS),
            KILL_ARMED=str(self.armed),
            RISKAPP_HEARTBEAT_SECONDS="1",
            RISKAPP_LOST_AFTER_SECONDS="5",
            RISKAPP_SWEEP_SECONDS="2",
        )

    def arm(self, when: str, point: str, *, inside: str, whom: str = "self") -> Trigger:
        """From now on the first process of a kind that gets to the point dies, its family too, or stands still."""
        assert point in POINTS
        path = self.armed / f"{uuid4()}.armed"
        path.with_suffix(".new").write_text(f"{point} {when} {inside} {whom}")
        path.with_suffix(".new").rename(path)
        return Trigger(path)

    def disarm(self) -> None:
        for path in self.armed.glob("*.armed"):
            path.unlink(missing_ok=True)


def table(lines: int) -> bytes:
    return b"id,town,born\n" + b"".join(b"%d,town %d,%d\n" % (i, i % 97, 1930 + i % 80) for i in range(lines))


def upload(visitor: Visitor, content: bytes, name: str = "people.csv") -> tuple[int, object]:
    return visitor.send(content, name, len(content))


# What the database says of the visitor's own project.


def told(visitor: Visitor, query: str, *parameters: object) -> list[tuple[object, ...]]:
    """A query that ends with the project's condition."""
    return rows(visitor.server.var, f"{query} project_id = ?", *parameters, UUID(visitor.project).hex)


def runs(visitor: Visitor) -> list[tuple[object, ...]]:
    return told(visitor, "SELECT state, attempts FROM riskapp_run WHERE")


def uploads(visitor: Visitor) -> list[tuple[object, ...]]:
    return told(visitor, "SELECT state FROM riskapp_upload WHERE")


def audited(visitor: Visitor, action: str) -> int:
    return int(str(told(visitor, "SELECT count(*) FROM riskapp_auditevent WHERE action = ? AND", action)[0][0]))


def state_and_audit(visitor: Visitor) -> tuple[object, ...]:
    """The run's state and how often the audit trail says that it was taken up, at the same moment."""
    taken_up = "SELECT count(*) FROM riskapp_auditevent a WHERE action = 'run running' AND a.project_id = r.project_id"
    return told(visitor, f"SELECT state, ({taken_up}) FROM riskapp_run r WHERE")[0]


def ends_ready(visitor: Visitor) -> None:
    wait_until(lambda: uploads(visitor) == [("ready",)], "the upload is read", seconds=120)


def ended_once(visitor: Visitor, attempts: int) -> None:
    assert runs(visitor) == [("succeeded", attempts)]
    assert audited(visitor, "run succeeded") == audited(visitor, "upload ready") == 1
    assert audit_is_whole(visitor.server)


def audit_is_whole(server: Server) -> bool:
    return "whole" in manage("verify_audit", "--skip-checks", RISKAPP_VAR=str(server.var)).stdout


def computing(server: Server) -> bool:
    return bool(named(server, COMPUTING))


def suspended(server: Server) -> psutil.Process:
    """The process that computes stands still from now on, and not in the middle of writing."""

    def still() -> psutil.Process | None:
        for process in named(server, COMPUTING):
            with suppress(psutil.NoSuchProcess):
                process.suspend()
                if not locked(server.var):
                    return process
                process.resume()
        return None

    found: psutil.Process = wait_until(still, "the run is being computed, and writes nothing")
    return found


def named(server: Server, name: str) -> list[psutil.Process]:
    return [process for process in server.processes() if process.name() == name]
