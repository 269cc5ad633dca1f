"""Processes are killed at named points; nothing is lost, and nothing happens twice."""

import os
import signal
from collections.abc import Iterator

from redis import Redis

from tests.journey.deadly import (
    CARRY_OUT,
    KEEP,
    RECEIVE,
    RECORD,
    DeadlyServer,
    ended_once,
    ends_ready,
    state_and_audit,
    table,
    told,
    upload,
    uploads,
)
from tests.journey.serving import wait_until
from tests.journey.visitor import Visitor, files

BLOCK = 1 << 20


def test_killed_between_state_and_audit_row_both_or_neither_are_there(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    trigger = deadly_server.arm("before", RECORD, inside="worker")
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    assert state_and_audit(visitor) in {("queued", 0), ("running", 1)}
    ends_ready(visitor)
    ended_once(visitor, attempts=1)


def test_killed_after_the_audit_row_but_before_the_commit_neither_is_there(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    trigger = deadly_server.arm("after", RECORD, inside="worker")
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    assert state_and_audit(visitor) in {("queued", 0), ("running", 1)}
    ends_ready(visitor)
    ended_once(visitor, attempts=1)


def slowly(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), BLOCK):
        yield content[start : start + BLOCK]


def test_a_server_killed_in_mid_upload_leaves_nothing_half_written(deadly_server: DeadlyServer) -> None:
    visitor, before = Visitor.of(deadly_server), set(files(deadly_server.var))
    content = table(400_000)
    trigger = deadly_server.arm("after", RECEIVE, inside="riskapp.wsgi", whom="family")
    assert visitor.send(slowly(content), "people.csv", len(content)) == (0, None)
    trigger.wait()
    wait_until(lambda: set(files(deadly_server.var)) <= before, "the half-written file is swept away", seconds=90)
    assert uploads(visitor) == []
    wait_until(lambda: deadly_server.get("/readyz")[0] == 200, "the server is back")
    assert upload(visitor, content)[0] == 201
    ends_ready(visitor)
    ended_once(visitor, attempts=1)


def test_a_server_killed_between_the_file_and_its_row_leaves_neither(deadly_server: DeadlyServer) -> None:
    visitor, before = Visitor.of(deadly_server), set(files(deadly_server.var))
    trigger = deadly_server.arm("after", KEEP, inside="riskapp.wsgi", whom="family")
    assert upload(visitor, table(1000)) == (0, None)
    trigger.wait()
    wait_until(lambda: set(files(deadly_server.var)) <= before, "the file without a row is swept away", seconds=90)
    assert uploads(visitor) == []


def test_an_emptied_redis_loses_nothing(deadly_server: DeadlyServer) -> None:
    """The worker is held by its death while the queue is emptied, so the message is certainly gone."""
    visitor = Visitor.of(deadly_server)
    trigger = deadly_server.arm("before", CARRY_OUT, inside="worker")
    assert upload(visitor, table(1000))[0] == 201
    trigger.wait()
    with Redis(unix_socket_path=str(deadly_server.var / "redis" / "redis.sock")) as redis:
        redis.flushall()
    ends_ready(visitor)
    ended_once(visitor, attempts=1)


def test_work_queued_while_redis_is_away_is_done_when_it_is_back(deadly_server: DeadlyServer) -> None:
    visitor = Visitor.of(deadly_server)
    pid = deadly_server.pid("redis")
    assert pid
    deadly_server.supervisor.send_signal(signal.SIGSTOP)  # so that Redis stays away until the upload is there
    try:
        os.kill(pid, signal.SIGKILL)
        assert upload(visitor, table(1000))[0] == 201
        assert told(visitor, "SELECT state, sent_at FROM riskapp_run WHERE") == [("queued", None)]
    finally:
        deadly_server.supervisor.send_signal(signal.SIGCONT)
    ends_ready(visitor)
    ended_once(visitor, attempts=1)
