"""The life of a run: asked for, claimed once, reported, ended once, whatever happens to its worker."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.utils import timezone
from redis import Redis

from riskapp import storage
from riskapp.core.errors import Stopped
from riskapp.models import Actor, AuditEvent, Run, RunState, Upload, UploadState
from riskapp.models.run import PART_SINCE
from riskapp.services import reading, runs, upkeep, uploads
from riskapp.services.states import Overtaken, move
from riskapp.web.templatetags.runs import left_words

Arrive = Callable[..., Upload]
pytestmark = pytest.mark.django_db(transaction=True)


def only_run() -> Run:
    return Run.objects.get()


def carry_out(run: Run) -> None:
    """Claim and compute in this process, as the worker's child does in its own."""
    token = runs.claim(run.pk)
    assert token
    runs.compute(run.pk, token)


def test_a_run_is_queued_with_its_parameters_frozen(arrive: Arrive) -> None:
    upload = arrive()
    run = only_run()
    assert (run.state, run.kind, run.parameters, run.upload) == (RunState.QUEUED, "read", {}, upload)


def test_only_its_id_goes_to_the_broker(broker: Redis, arrive: Arrive) -> None:
    import base64
    import json

    arrive(name="secret-name.csv")
    messages = [json.loads(message) for message in broker.lrange("runs", 0, -1)]
    assert [json.loads(base64.b64decode(message["body"]))[0] for message in messages] == [[str(only_run().pk)]]
    assert "secret" not in str(messages)
    assert only_run().sent_at


def test_a_run_that_was_read_ends_with_a_table_and_a_profile(arrive: Arrive) -> None:
    upload = arrive()
    carry_out(only_run())
    upload.refresh_from_db()
    assert (only_run().state, upload.state, upload.rows, upload.columns) == ("succeeded", "ready", 3, 3)
    assert set(only_run().timings) == {"reading", "profile"}
    assert upload.table
    assert storage.table_place(upload.project_id, upload.table).is_dir()


def test_of_many_claims_one_succeeds(arrive: Arrive) -> None:
    from concurrent.futures import ThreadPoolExecutor

    arrive()
    run = only_run()

    def claim(_: int) -> Any:
        try:
            return runs.claim(run.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        tokens = [token for token in pool.map(claim, range(12)) if token]
    assert len(tokens) == 1
    assert only_run().attempts == 1


def test_a_claimed_run_cannot_be_claimed_again(arrive: Arrive) -> None:
    arrive()
    assert runs.claim(only_run().pk)
    assert runs.claim(only_run().pk) is None


def test_a_bad_file_ends_the_run_with_a_reason_and_a_line(arrive: Arrive) -> None:
    upload = arrive("a,b\n1,2\n1,2,3\n")
    carry_out(only_run())
    upload.refresh_from_db()
    assert (only_run().state, upload.state) == ("failed", "rejected")
    assert upload.fault == only_run().fault
    assert upload.fault["line"] == 3
    assert upload.fault["advice"]


def test_a_disk_that_fills_up_stops_the_reading_with_a_reason(arrive: Arrive, by: Actor, settings: Any) -> None:
    upload = arrive()
    settings.FREE_BYTES = 10**18
    carry_out(only_run())
    upload.refresh_from_db()
    assert (upload.state, upload.fault["code"]) == ("rejected", "no-room")
    settings.FREE_BYTES = 0
    carry_out(reading.again(upload, {}, by=by))
    upload.refresh_from_db()
    assert upload.state == UploadState.READY


def test_an_unexpected_error_leaves_its_kind_and_a_reference_but_not_its_words(
    arrive: Arrive, caplog: pytest.LogCaptureFixture
) -> None:
    upload = arrive()
    storage.place(upload.project_id, upload.sha256).unlink()
    carry_out(only_run())
    fault = only_run().fault
    assert fault["code"] == "unexpected"
    assert "FileNotFoundError" in fault["message"]
    assert upload.sha256 not in str(fault)


def test_a_cancelled_run_stops_at_its_next_report(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    token = runs.claim(only_run().pk)
    assert token
    runs.cancel(only_run(), by=by)
    with pytest.raises(Stopped):
        runs._reporter(only_run(), token)(1, 2, "reading")
    runs.compute(only_run().pk, token)
    upload.refresh_from_db()
    assert (only_run().state, upload.state) == ("cancelled", "received")


def test_a_finished_run_cannot_be_cancelled(arrive: Arrive, by: Actor) -> None:
    arrive()
    carry_out(only_run())
    with pytest.raises(Overtaken):
        runs.cancel(only_run(), by=by)


def test_a_cancelled_reading_can_be_asked_for_again(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    runs.cancel(only_run(), by=by)
    upload.refresh_from_db()
    carry_out(reading.again(upload, {}, by=by))
    upload.refresh_from_db()
    assert upload.state == UploadState.READY


def test_an_upload_is_not_read_twice_at_the_same_time(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    with pytest.raises(Overtaken):
        reading.again(upload, {}, by=by)
    assert Run.objects.count() == 1


def test_a_run_whose_worker_fell_silent_is_queued_again(arrive: Arrive, broker: Redis, settings: Any) -> None:
    upload = arrive()
    token = runs.claim(only_run().pk)
    broker.flushall()
    silent_for(settings.LOST_AFTER_SECONDS + 1)
    upkeep.tend()
    upload.refresh_from_db()
    assert (only_run().state, upload.state) == ("queued", "received")
    assert broker.llen("runs") == 1
    assert token is not None
    assert not runs.still_ours(only_run().pk, token)


def silent_for(seconds: int) -> None:
    Run.objects.update(heartbeat=timezone.now() - timedelta(seconds=seconds))


def test_a_run_whose_worker_speaks_is_left_alone(arrive: Arrive, settings: Any) -> None:
    arrive()
    runs.claim(only_run().pk)
    silent_for(settings.LOST_AFTER_SECONDS - 2)
    upkeep.tend()
    assert only_run().state == RunState.RUNNING


def test_a_worker_given_up_for_dead_cannot_end_the_run_of_its_successor(arrive: Arrive, settings: Any) -> None:
    upload = arrive()
    late = runs.claim(only_run().pk)
    assert late
    silent_for(settings.LOST_AFTER_SECONDS + 1)
    upkeep.tend()
    token = runs.claim(only_run().pk)
    runs.compute(only_run().pk, late)
    assert only_run().state == RunState.RUNNING
    assert token
    runs.compute(only_run().pk, token)
    upload.refresh_from_db()
    assert (only_run().state, upload.state, only_run().attempts) == ("succeeded", "ready", 2)
    assert AuditEvent.objects.filter(action="run succeeded").count() == 1


def test_a_worker_that_dies_three_times_ends_the_run_with_a_reason(arrive: Arrive, settings: Any) -> None:
    upload = arrive()
    for _ in range(runs.ATTEMPTS):
        assert runs.claim(only_run().pk)
        silent_for(settings.LOST_AFTER_SECONDS + 1)
        upkeep.tend()
    upload.refresh_from_db()
    assert (only_run().state, upload.state) == ("failed", "rejected")
    assert upload.fault["code"] == "worker-lost"


def test_a_run_that_takes_too_long_fails_with_a_reason(arrive: Arrive, settings: Any) -> None:
    arrive()
    runs.claim(only_run().pk)
    Run.objects.update(started_at=timezone.now() - timedelta(hours=settings.RUN_HOURS, seconds=1))
    upkeep.tend()
    assert (only_run().state, only_run().fault["code"]) == ("failed", "timed-out")


def test_a_run_that_nobody_takes_fails_with_a_reason_and_can_be_asked_for_again(
    arrive: Arrive, by: Actor, settings: Any
) -> None:
    upload = arrive()
    Run.objects.update(queued_at=timezone.now() - timedelta(hours=settings.QUEUE_HOURS, seconds=1))
    upkeep.tend()
    upload.refresh_from_db()
    assert (only_run().state, upload.fault["code"]) == ("failed", "timed-out")
    assert reading.again(upload, {}, by=by).state == RunState.QUEUED


def test_an_emptied_broker_gets_the_waiting_runs_again(arrive: Arrive, broker: Redis) -> None:
    arrive()
    broker.flushall()
    Run.objects.update(sent_at=timezone.now() - timedelta(seconds=60))
    upkeep.tend()
    assert broker.llen("runs") == 1


def test_a_broker_that_still_has_the_message_does_not_get_it_twice(arrive: Arrive, broker: Redis) -> None:
    arrive()
    Run.objects.update(sent_at=timezone.now() - timedelta(seconds=60))
    upkeep.tend()
    assert broker.llen("runs") == 1


def test_a_broker_that_is_away_loses_nothing(arrive: Arrive, settings: Any, broker: Redis) -> None:
    socket = Path(settings.REDIS_SOCKET)
    hidden = socket.rename(socket.with_name("hidden"))
    broker.client_kill_filter(skipme=True, _type="normal")
    try:
        arrive()
        upkeep.tend()
        assert (only_run().state, only_run().sent_at) == ("queued", None)
    finally:
        hidden.rename(socket)
    upkeep.tend()
    assert broker.llen("runs") == 1
    assert only_run().sent_at


def test_a_move_that_is_not_in_the_table_is_refused(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    with pytest.raises(Overtaken):
        move(upload, UploadState.READY, by=by)


def test_of_two_moves_from_the_same_state_one_wins_and_one_is_told(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    other = Upload.objects.get()
    move(upload, UploadState.READING, by=by)
    before = AuditEvent.objects.count()
    with pytest.raises(Overtaken):
        move(other, UploadState.READING, by=by)
    assert AuditEvent.objects.count() == before


def test_state_and_audit_row_come_together_or_not_at_all(arrive: Arrive, by: Actor) -> None:
    upload = arrive()
    before = AuditEvent.objects.count()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        move(upload, UploadState.READING, by=by)
        raise ZeroDivisionError
    upload.refresh_from_db()
    assert (upload.state, AuditEvent.objects.count()) == (UploadState.RECEIVED, before)


def test_reading_again_replaces_the_table_and_shreds_the_old_one(arrive: Arrive, by: Actor) -> None:
    upload = arrive("a;b\n1;2\n")
    carry_out(only_run())
    upload.refresh_from_db()
    old = storage.table_place(upload.project_id, upload.table)  # type: ignore[arg-type]
    run = reading.again(upload, {"delimiter": ","}, by=by)
    assert old.exists()
    carry_out(run)
    upload.refresh_from_db()
    assert (upload.state, upload.columns) == ("ready", 1)
    assert not old.exists()


def test_time_left_follows_the_pace_so_far() -> None:
    now = timezone.now()
    run = Run(state=RunState.RUNNING, started_at=now - timedelta(seconds=10), done=25, total=100)
    assert run.time_left(now) == timedelta(seconds=30)
    assert run.percent == 25
    run.timings = {PART_SINCE: (now - timedelta(seconds=2)).isoformat()}
    assert run.time_left(now) == timedelta(seconds=6)
    assert Run(state=RunState.RUNNING, started_at=now, done=0, total=0).time_left(now) is None


def test_progress_tells_how_many_steps_are_done_and_what_is_left() -> None:
    run = Run(state=RunState.RUNNING, started_at=timezone.now() - timedelta(hours=1), done=240, total=1200)
    assert left_words(run).startswith("240 of 1\u202f200 steps, about 4 h")
    run.words = "Measuring rules: regional (2 of 6)"
    assert left_words(run).endswith(" left in this part")
    assert left_words(Run(state=RunState.RUNNING, started_at=timezone.now())) == ""


def test_a_part_whose_steps_are_all_done_is_not_told_to_be_over() -> None:
    then = timezone.now() - timedelta(hours=1)
    run = Run(state=RunState.RUNNING, started_at=then, done=960, total=960, words="Measuring rules: regional (2 of 6)")
    assert left_words(run) == "All 960 steps done; what came of it is being put together"
    shown = render_to_string("runs/_progress.html", {"run": run, "id": "progress"})
    assert "100" not in shown.replace('max="100"', "")
    assert "left" not in shown
    run.done = 959
    assert "959 of 960 steps" in render_to_string("runs/_progress.html", {"run": run, "id": "progress"})


def test_the_pace_is_that_of_the_part_which_counts_from_nothing(arrive: Arrive) -> None:
    arrive()
    run = only_run()
    token = runs.claim(run.pk)
    assert token
    report = runs._reporter(run, token)
    since = []
    for done, total in ((1, 10), (10, 10), (0, 10), (5, 10), (10, 10), (40, 40)):
        report(done, total, "Measuring rules")
        run.refresh_from_db()
        since.append(run.timings[PART_SINCE])
    parts = list(dict.fromkeys(since))
    assert len(parts) == 3
    assert [parts.index(one) for one in since] == sorted(parts.index(one) for one in since)


def test_what_a_dead_worker_wrote_is_swept_away(arrive: Arrive, settings: Any) -> None:
    upload = arrive()
    token = runs.claim(only_run().pk)
    assert token
    half = storage.table_place(upload.project_id, token)
    half.mkdir(parents=True)
    (half / "codes.parquet").write_bytes(b"half")
    uploads.sweep()
    assert half.exists()
    silent_for(settings.LOST_AFTER_SECONDS + 1)
    upkeep.tend()
    uploads.sweep()
    assert not half.exists()
