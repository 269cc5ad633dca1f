"""Two at the same time: what one of them saw may no longer be true when its turn comes."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from riskapp import storage
from riskapp.models import Actor, Run, RunState, Upload, UploadState
from riskapp.services import reading, runs, upkeep, uploads
from riskapp.services.states import Overtaken

Arrive = Callable[..., Upload]
pytestmark = pytest.mark.django_db(transaction=True)


def begun() -> tuple[Run, Any]:
    run = Run.objects.get()
    token = runs.claim(run.pk)
    assert token
    return run, token


def silent(run: Run, seconds: int = 600) -> None:
    Run.objects.filter(pk=run.pk).update(heartbeat=timezone.now() - timedelta(seconds=seconds))


def test_reading_again_sees_what_finished_while_it_waited_for_its_turn(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    run, token = begun()
    seen_before = Upload.objects.get()
    runs.compute(run.pk, token)
    again = reading.again(seen_before, {}, by=by)
    token = runs.claim(again.pk)
    assert token
    runs.compute(again.pk, token)
    upload.refresh_from_db()
    again.refresh_from_db()
    assert (again.state, upload.state) == (RunState.SUCCEEDED, UploadState.READY)


def test_reading_again_sees_what_was_shredded_while_it_waited(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    seen_before = Upload.objects.get()
    uploads.purge(upload, by=by)
    with pytest.raises(Overtaken):
        reading.again(seen_before, {"delimiter": ";"}, by=by)
    assert Run.objects.count() == 1
    assert Upload.objects.get().wishes == {}


def test_a_worker_that_spoke_in_the_meantime_is_not_given_up(arrive: Arrive) -> None:
    arrive()
    run, token = begun()
    silent(run)
    seen_silent = Run.objects.get()
    assert runs.still_ours(run.pk, token)
    with pytest.raises(Overtaken):
        runs.lose(seen_silent, by=upkeep.BEAT)
    assert Run.objects.get().claim == token


def test_a_worker_that_is_stopped_gives_its_run_back_without_using_up_an_attempt(arrive: Arrive) -> None:
    upload = arrive()
    run, token = begun()
    runs.give_back(run.pk, token)
    upload.refresh_from_db()
    run.refresh_from_db()
    assert (run.state, run.attempts, upload.state) == ("queued", 0, "received")
    runs.give_back(run.pk, token)
    assert Run.objects.get().attempts == 0


def test_an_error_at_the_very_end_is_told_as_what_it_is(arrive: Arrive, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = arrive()
    run, token = begun()

    def fails(*args: Any) -> None:
        raise ValueError("could not convert Zebediah")

    monkeypatch.setattr(reading, "succeeded", fails)
    runs.compute(run.pk, token)
    run.refresh_from_db()
    upload.refresh_from_db()
    assert (run.state, run.fault["code"], upload.state) == ("failed", "unexpected", "rejected")
    assert "Zebediah" not in str(run.fault)


def test_an_error_of_a_run_that_was_cancelled_prints_nothing_of_itself(
    arrive: Arrive, by: Actor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arrive()
    run, token = begun()

    def fails(*args: Any) -> None:
        runs.cancel(Run.objects.get(), by=by)
        raise ValueError("could not convert Zebediah")

    monkeypatch.setattr(reading, "compute", fails)
    runs.compute(run.pk, token)
    assert Run.objects.get().state == RunState.CANCELLED
    told = capsys.readouterr()
    assert "Zebediah" not in told.out + told.err


def test_the_computing_process_prints_no_words_of_an_error(settings: Any) -> None:
    program = (
        "import django; django.setup()\n"
        "from riskapp.services import runs\n"
        "def fails(*args): raise ValueError('could not convert Zebediah')\n"
        "runs.compute = fails\n"
        "from django.core.management import call_command\n"
        "call_command('compute')\n"
    )
    with computing(settings, "-c", program) as child:
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(f"{uuid4()} {uuid4()}\n")
        child.stdin.flush()
        told = child.stderr.read()
    assert child.returncode == 1
    assert "ValueError" in told
    assert "Zebediah" not in told


def test_a_process_that_waits_for_a_run_ends_with_its_watcher(settings: Any) -> None:
    with computing(settings, "manage.py", "compute") as child:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(60) == 1
        assert child.stderr is not None
        assert "Traceback" not in child.stderr.read()


def computing(settings: Any, *words: str) -> subprocess.Popen[str]:
    """A fresh process; what it reads and prints is in our hands."""
    environment = {"DJANGO_SETTINGS_MODULE": "riskapp.settings", "RISKAPP_VAR": str(settings.VAR)}
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, *words]
    return subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR, text=True, **pipes)


def test_sweeping_spares_a_table_that_is_finished_while_it_looks(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = arrive()
    run, token = begun()
    place = storage.table_place(upload.project_id, token)
    listed = [(token, place)]

    def finished_after_the_list() -> Any:
        runs.compute(run.pk, token)
        return iter(listed)

    monkeypatch.setattr(storage, "stored_tables", finished_after_the_list)
    uploads.sweep()
    upload.refresh_from_db()
    assert upload.table == token
    assert place.exists()


def test_a_table_is_looked_for_where_it_comes_from_before_where_it_goes(arrive: Arrive) -> None:
    arrive()
    run, token = begun()
    asked: list[str] = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        answer = execute(sql, params, many, context)
        if len(asked) == 1:
            Run.objects.filter(pk=run.pk).update(claim=None)
            Upload.objects.update(table=token)
        return answer

    Run.objects.filter(pk=run.pk).update(claim=None)
    with connection.execute_wrapper(look):
        assert uploads._in_use(token)


def test_two_that_shred_the_same_do_not_trip_over_each_other(arrive: Arrive) -> None:
    folder = storage.table_place(arrive().project_id, begun()[1])
    (folder / "values").mkdir(parents=True)
    for number in range(200):
        (folder / "values" / f"{number}.parquet").write_bytes(b"values of people")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(storage.shred, [folder] * 4))
    assert not folder.exists()


def test_folders_that_are_not_ours_do_not_stop_the_sweeping(arrive: Arrive) -> None:
    upload = arrive()
    (storage.root() / "lost+found").mkdir()
    (storage.root() / str(upload.project_id) / "tables" / "notes").mkdir(parents=True)
    orphan = storage.place(upload.project_id, "f" * 64)
    orphan.write_bytes(b"left by a crash")
    uploads.sweep()
    assert not orphan.exists()


def test_shredding_takes_a_half_written_table_along(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    _, token = begun()
    half = storage.table_place(upload.project_id, token)
    half.mkdir(parents=True)
    (half / "codes.parquet").write_bytes(b"half")
    uploads.purge(upload, by=by)
    assert not half.exists()


def test_a_fault_with_one_run_does_not_keep_the_others_from_being_tended(
    arrive: Arrive, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = arrive(), arrive("a,b\n1,2\n")
    for run in Run.objects.all():
        assert runs.claim(run.pk)
        silent(run)
    plain = reading.let_go

    def fails_for_the_first(run: Run, by: Actor) -> None:
        if run.upload_id == first.pk:
            raise ZeroDivisionError
        plain(run, by)

    monkeypatch.setattr(reading, "let_go", fails_for_the_first)
    upkeep.tend()
    assert second.runs.get().state == RunState.QUEUED
    assert first.runs.get().state == RunState.RUNNING
