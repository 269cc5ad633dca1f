"""Who computes is killed, stopped or told to leave off; the run ends once, or is given back."""

from uuid import UUID

import psutil

from riskapp.management.commands.compute import WAITING
from riskapp.services.workers import LOOK_EVERY
from tests.journey.conftest import StartServer
from tests.journey.deadly import (
    CLAIM,
    PROGRESS,
    DeadlyServer,
    computing,
    ended_once,
    ends_ready,
    named,
    runs,
    suspended,
    table,
    told,
    upload,
    uploads,
)
from tests.journey.serving import Server, wait_until
from tests.journey.visitor import Visitor


def test_a_worker_killed_after_its_claim_is_replaced_and_the_run_ends_once(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    trigger = deadly_server.arm("after", CLAIM, inside="worker")
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    assert runs(visitor) == [("running", 1)]
    ends_ready(visitor)
    ended_once(visitor, attempts=2)


def test_a_worker_killed_in_mid_read_is_replaced_and_the_run_ends_once(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    trigger = deadly_server.arm("after", PROGRESS, inside="compute", whom="family")
    assert upload(visitor, table(200_000))[0] == 201
    trigger.wait()
    assert runs(visitor) == [("running", 1)]
    ends_ready(visitor)
    ended_once(visitor, attempts=2)
    tables = deadly_server.var / "files" / visitor.project / "tables"
    wait_until(lambda: len(list(tables.iterdir())) == 1, "the half-written table is swept", seconds=90)


def test_a_computing_process_killed_alone_is_started_again_at_once(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    worker = wait_until(lambda: deadly_server.pid("worker"), "there is a worker")
    trigger = deadly_server.arm("after", PROGRESS, inside="compute")
    assert upload(visitor, table(200_000))[0] == 201
    trigger.wait()
    ends_ready(visitor)
    ended_once(visitor, attempts=2)
    assert deadly_server.pid("worker") == worker


def test_a_cancelled_run_is_stopped_though_its_process_answers_to_nothing(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    worker = wait_until(lambda: deadly_server.pid("worker"), "there is a worker")
    wait_until(lambda: not computing(deadly_server), "nothing else is computed")
    assert upload(visitor, table(500_000))[0] == 201
    suspended(deadly_server)
    run = UUID(str(told(visitor, "SELECT id FROM riskapp_run WHERE")[0][0]))
    assert visitor.post(f"/projects/{visitor.project}/runs/{run}/cancel/") == 302
    wait_until(lambda: not computing(deadly_server), "its process is gone")
    assert (runs(visitor), uploads(visitor)) == ([("cancelled", 1)], [("received",)])
    assert deadly_server.pid("worker") == worker
    assert LOOK_EVERY <= 1, "cancel is heard at the next look, which is to be less than two seconds away"


def test_who_waits_for_a_run_holds_nothing_computes_one_and_can_be_killed(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    wait_until(lambda: not computing(deadly_server), "nothing else is computed")
    spare = waiting(deadly_server)
    database = str(deadly_server.var / "riskapp")
    assert not [file.path for file in spare.open_files() if file.path.startswith(database)]
    assert upload(visitor, table(1000))[0] == 201
    ends_ready(visitor)
    wait_until(lambda: not psutil.pid_exists(spare.pid), "it has computed its run and ended")
    waiting(deadly_server).kill()
    assert upload(visitor, table(100), "after-the-kill.csv")[0] == 201
    wait_until(lambda: runs(visitor) == [("succeeded", 1)] * 2, "both are read at the first attempt", seconds=120)
    assert len([waiting(deadly_server)]) == len(named(deadly_server, WAITING)) == 1


def waiting(server: Server) -> psutil.Process:
    """Who waits for a run of the worker that there is; those of a dead one are about to end."""

    def of_the_worker() -> list[psutil.Process]:
        return [process for process in named(server, WAITING) if process.ppid() == server.pid("worker")]

    return wait_until(of_the_worker, "a process waits for a run")[0]


def test_a_server_that_is_stopped_gives_its_run_back_and_the_next_start_ends_it(start_server: StartServer) -> None:
    server = start_server().ready()
    visitor = Visitor.of(server)
    assert upload(visitor, table(500_000))[0] == 201
    suspended(server)  # so that it cannot end
    assert server.stop() == 0
    assert runs(visitor) == [("queued", 0)]
    start_server(server.var).ready()
    ends_ready(visitor)
    ended_once(visitor, attempts=1)
