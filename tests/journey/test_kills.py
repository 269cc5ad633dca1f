"""Processes are killed at named points; nothing is lost, and nothing happens twice."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import psutil
import pytest
from redis import Redis

from riskapp.management.commands.compute import COMPUTING, WAITING
from tests.journey.conftest import StartServer
from tests.journey.serving import Server, manage, wait_until
from tests.journey.visitor import Visitor, files, rows

KILLING = Path(__file__).parent / "killing"
BLOCK = 1 << 20
Deadly = Callable[..., tuple[Server, "Trigger"]]


class Trigger:
    """The file that arms the killing, and its trace when it has happened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def arm(self) -> None:
        self.path.touch()

    def fired(self) -> bool:
        return self.path.with_name(self.path.name + ".fired").exists()

    def wait(self) -> None:
        wait_until(self.fired, "the process reaches the point and dies")


@pytest.fixture
def deadly_server(start_server: StartServer, tmp_path: Path) -> Deadly:
    """A server in which one process will be killed at a point, once armed."""

    def start(at: str, *, inside: str, whom: str = "self") -> tuple[Server, Trigger]:
        trigger = Trigger(tmp_path / "armed")
        server = start_server(
            PYTHONPATH=str(KILLING),
            KILL_AT=at,
            KILL_IN=inside,
            KILL_WHOM=whom,
            KILL_ARMED=str(trigger.path),
            RISKAPP_HEARTBEAT_SECONDS="1",
            RISKAPP_LOST_AFTER_SECONDS="3",
            RISKAPP_SWEEP_SECONDS="2",
        )
        return server.ready(), trigger

    return start


def table(lines: int) -> bytes:
    return b"id,town,born\n" + b"".join(b"%d,town %d,%d\n" % (i, i % 97, 1930 + i % 80) for i in range(lines))


def upload(visitor: Visitor, content: bytes, name: str = "people.csv") -> tuple[int, object]:
    return visitor.send(content, name, len(content))


def runs(server: Server) -> list[tuple[object, ...]]:
    return rows(server.var, "SELECT state, attempts FROM riskapp_run")


def state_of_upload(server: Server) -> str:
    return str(rows(server.var, "SELECT state FROM riskapp_upload")[0][0])


def audited(server: Server, action: str) -> int:
    return int(rows(server.var, "SELECT count(*) FROM riskapp_auditevent WHERE action = ?", action)[0][0])


def state_and_audit(server: Server) -> tuple[object, ...]:
    """The run's state and how often the audit trail says that it was taken up, at the same moment."""
    told = "(SELECT count(*) FROM riskapp_auditevent WHERE action = 'run running')"
    return rows(server.var, f"SELECT state, {told} FROM riskapp_run")[0]


def ends_ready(server: Server) -> None:
    wait_until(lambda: state_of_upload(server) == "ready", "the upload is read", seconds=60)


def ended_once(server: Server, attempts: int) -> None:
    assert runs(server) == [("succeeded", attempts)]
    assert audited(server, "run succeeded") == audited(server, "upload ready") == 1
    assert "whole" in manage("verify_audit", RISKAPP_VAR=str(server.var)).stdout


def test_a_worker_killed_after_its_claim_is_replaced_and_the_run_ends_once(deadly_server: Deadly) -> None:
    server, trigger = deadly_server("riskapp.services.runs:claim:after", inside="worker")
    visitor = Visitor.of(server)
    trigger.arm()
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    assert runs(server) == [("running", 1)]
    ends_ready(server)
    ended_once(server, attempts=2)


def test_a_worker_killed_in_mid_read_is_replaced_and_the_run_ends_once(deadly_server: Deadly) -> None:
    server, trigger = deadly_server(
        "riskapp.engine.reading.progress:Progress.at:after", inside="compute", whom="family"
    )
    visitor = Visitor.of(server)
    trigger.arm()
    assert upload(visitor, table(200_000))[0] == 201
    trigger.wait()
    assert runs(server) == [("running", 1)]
    ends_ready(server)
    ended_once(server, attempts=2)
    wait_until(
        lambda: len(list((server.var / "files").glob("*/tables/*"))) == 1, "the half-written table is swept", seconds=90
    )


def test_a_computing_process_killed_alone_is_started_again_at_once(deadly_server: Deadly) -> None:
    server, trigger = deadly_server("riskapp.engine.reading.progress:Progress.at:after", inside="compute")
    visitor = Visitor.of(server)
    worker = server.pid("worker")
    trigger.arm()
    assert upload(visitor, table(200_000))[0] == 201
    trigger.wait()
    ends_ready(server)
    ended_once(server, attempts=2)
    assert server.pid("worker") == worker


def test_killed_between_state_and_audit_row_both_or_neither_are_there(deadly_server: Deadly) -> None:
    server, trigger = deadly_server("riskapp.services.audit:record:before", inside="worker")
    visitor = Visitor.of(server)
    trigger.arm()
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    assert state_and_audit(server) in {("queued", 0), ("running", 1)}
    ends_ready(server)
    ended_once(server, attempts=1)


def test_killed_after_the_audit_row_but_before_the_commit_neither_is_there(deadly_server: Deadly) -> None:
    server, trigger = deadly_server("riskapp.services.audit:record:after", inside="worker")
    visitor = Visitor.of(server)
    trigger.arm()
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    assert state_and_audit(server) in {("queued", 0), ("running", 1)}
    ends_ready(server)
    ended_once(server, attempts=1)


def slowly(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), BLOCK):
        yield content[start : start + BLOCK]


def test_a_server_killed_in_mid_upload_leaves_nothing_half_written(deadly_server: Deadly) -> None:
    point = "riskapp.web.arriving:IntoStore.receive_data_chunk:after"
    server, trigger = deadly_server(point, inside="riskapp.wsgi", whom="family")
    visitor = Visitor.of(server)
    content = table(400_000)
    trigger.arm()
    assert visitor.send(slowly(content), "people.csv", len(content)) == (0, None)
    trigger.wait()
    wait_until(lambda: files(server.var) == [], "the half-written file is swept away", seconds=90)
    assert rows(server.var, "SELECT * FROM riskapp_upload") == []
    wait_until(lambda: server.get("/readyz")[0] == 200, "the server is back")
    assert upload(visitor, content)[0] == 201
    ends_ready(server)
    ended_once(server, attempts=1)


def test_a_server_killed_between_the_file_and_its_row_leaves_neither(deadly_server: Deadly) -> None:
    server, trigger = deadly_server("riskapp.storage:Incoming.keep:after", inside="riskapp.wsgi", whom="family")
    visitor = Visitor.of(server)
    trigger.arm()
    assert upload(visitor, table(1000)) == (0, None)
    trigger.wait()
    wait_until(lambda: files(server.var) == [], "the file without a row is swept away", seconds=90)
    assert rows(server.var, "SELECT * FROM riskapp_upload") == []


def test_a_broken_connection_leaves_nothing(server: Server) -> None:
    visitor = Visitor.of(server)
    content = table(200_000)
    begun = []

    def breaking() -> Iterator[bytes]:
        for block in slowly(content):
            yield block
            begun.append(len(block))
            wait_until(lambda: files(server.var), "the first bytes are on the disk")
            raise ConnectionError

    assert visitor.send(breaking(), "people.csv", len(content)) == (0, None)
    assert begun
    wait_until(lambda: files(server.var) == [], "the half-written file is gone")
    assert rows(server.var, "SELECT * FROM riskapp_upload") == []


def test_an_emptied_redis_loses_nothing(deadly_server: Deadly) -> None:
    """The worker is held by its death while the queue is emptied, so the message is certainly gone."""
    server, trigger = deadly_server("riskapp.services.workers:carry_out:before", inside="worker")
    visitor = Visitor.of(server)
    trigger.arm()
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    with Redis(unix_socket_path=str(server.var / "redis" / "redis.sock")) as redis:
        redis.flushall()
    ends_ready(server)
    ended_once(server, attempts=1)


def test_work_queued_while_redis_is_away_is_done_when_it_is_back(start_server: StartServer) -> None:
    server = start_server(RISKAPP_LOST_AFTER_SECONDS="3").ready()
    visitor = Visitor.of(server)
    pid = server.pid("redis")
    assert pid
    server.supervisor.send_signal(signal.SIGSTOP)  # so that Redis stays away until the upload is there
    os.kill(pid, signal.SIGKILL)
    assert upload(visitor, table(1000))[0] == 201
    assert rows(server.var, "SELECT state, sent_at FROM riskapp_run") == [("queued", None)]
    server.supervisor.send_signal(signal.SIGCONT)
    ends_ready(server)
    ended_once(server, attempts=1)


def test_a_cancelled_run_stops_within_two_seconds(deadly_server: Deadly) -> None:
    server, _ = deadly_server("", inside="nothing")
    visitor = Visitor.of(server)
    assert upload(visitor, table(3_000_000))[0] == 201
    wait_until(lambda: computing(server), "the run is being computed")
    run = UUID(rows(server.var, "SELECT id FROM riskapp_run")[0][0])
    asked = time.monotonic()
    assert visitor.post(f"/projects/{visitor.project}/runs/{run}/cancel/") == 302
    wait_until(lambda: not computing(server), "its process is gone", seconds=2)
    assert time.monotonic() - asked <= 2
    assert (runs(server), state_of_upload(server)) == ([("cancelled", 1)], "received")
    assert psutil.pid_exists(server.pid("worker") or 0)


def computing(server: Server) -> bool:
    return bool(named(server, COMPUTING))


def named(server: Server, name: str) -> list[psutil.Process]:
    return [process for process in server.processes() if process.name() == name]


def test_who_waits_for_a_run_holds_nothing_computes_one_and_can_be_killed(start_server: StartServer) -> None:
    server = start_server().ready()
    visitor = Visitor.of(server)
    spare = waiting(server)
    assert not [file.path for file in spare.open_files() if file.path.startswith(str(server.var / "riskapp"))]
    assert upload(visitor, table(1000))[0] == 201
    ends_ready(server)
    wait_until(lambda: not psutil.pid_exists(spare.pid), "it has computed its run and ended")
    waiting(server).kill()
    assert upload(visitor, table(100), "after-the-kill.csv")[0] == 201
    wait_until(lambda: runs(server) == [("succeeded", 1)] * 2, "both are read at the first attempt")
    assert len([waiting(server)]) == len(named(server, WAITING)) == 1


def waiting(server: Server) -> psutil.Process:
    return wait_until(lambda: named(server, WAITING), "a process waits for a run")[0]


def test_a_server_that_is_stopped_gives_its_run_back_and_the_next_start_ends_it(start_server: StartServer) -> None:
    server = start_server().ready()
    visitor = Visitor.of(server)
    assert upload(visitor, table(3_000_000))[0] == 201
    wait_until(lambda: computing(server), "the run is being computed")
    assert server.stop() == 0
    assert runs(server) == [("queued", 0)]
    server = start_server(server.var).ready()
    ends_ready(server)
    ended_once(server, attempts=1)
