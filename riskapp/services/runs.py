"""Runs: everything slow. The database says what is to be done; Celery only carries a run's id.

A worker owns a run from the moment its conditional update succeeds until it ends the run, is cancelled, or falls
silent for too long. Every write of a worker holds only while the run still carries that worker's claim, so a run
that was given to somebody else cannot be ended by its former owner.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, cast
from uuid import UUID, uuid4

import celery
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from riskapp import policies
from riskapp.core.errors import RiskappError, Stopped
from riskapp.engine.reporting import Report
from riskapp.models import Actor, Project, Run, RunState, Upload, User
from riskapp.models.run import PART_SINCE
from riskapp.services import audit
from riskapp.services.states import Overtaken, move
from riskapp.services.works import work

log = logging.getLogger(__name__)

ATTEMPTS = 3
REPORT_EVERY = 0.25
# Faults that say nothing about the file: trying once more may well succeed.
MAY_PASS = frozenset({"unexpected", "worker-lost", "timed-out", "no-room"})
WORKER = Actor(None, label="worker")


def fault(code: str, message: str, advice: str, line: int | None = None) -> dict[str, Any]:
    return {"code": code, "message": message, "advice": advice, "line": line}


# Asking for one


def start(
    kind: str,
    *,
    by: Actor,
    project: Project,
    upload: Upload | None = None,
    parameters: dict[str, Any],
    key: str = "",
) -> Run:
    """A run with frozen parameters, queued; its id goes to a worker when the transaction is committed."""
    user = cast(User, by.user)
    asked = {"kind": kind, "project": project, "upload": upload, "parameters": parameters, "key": key}
    try:
        with audit.writing():
            run = Run.objects.create(**asked, started_by=user)
            audit.record("run queued", by=by, on=run, kind=kind, upload=str(upload.pk) if upload else "")
            transaction.on_commit(lambda: send(run))
    except IntegrityError as twice:
        raise Overtaken("This is being done already.") from twice
    return run


def send(run: Run) -> None:
    """Hand a run's id to the broker. If it cannot be reached nothing is lost: the beat sends the id again."""
    try:
        celery.current_app.send_task("riskapp.tasks.compute", [str(run.pk)], retry=False)
    except (OperationalError, OSError) as trouble:
        log.warning("run %s waits for the broker: %s", run.pk, type(trouble).__name__)
        return
    Run.objects.filter(pk=run.pk, state=RunState.QUEUED).update(sent_at=timezone.now())


def cancel(run: Run, *, by: Actor) -> None:
    policies.check("run", cast(User, by.user), run.project)
    stop(run, by=by)


def stop(run: Run, *, by: Actor, why: dict[str, Any] | None = None) -> None:
    """End a run that is not over, whoever decided it; `why` is told where the answer was awaited."""
    run.refresh_from_db()
    details = {"code": why["code"]} if why else {}
    with audit.writing():
        move(run, RunState.CANCELLED, by=by, claim=None, finished_at=timezone.now(), fault=why, details=details)
        work(run).let_go(run, by)


# A worker's part


def claim(run_id: UUID | str) -> UUID | None:
    """Make a queued run ours. None if it is not waiting any more: somebody else has it, or it was cancelled."""
    run = Run.objects.filter(pk=run_id, state=RunState.QUEUED).first()
    if run is None:
        return None
    token, now = uuid4(), timezone.now()
    try:
        with audit.writing():
            move(
                run,
                RunState.RUNNING,
                by=WORKER,
                claim=token,
                attempts=run.attempts + 1,
                heartbeat=now,
                started_at=now,
                done=0,
                total=0,
                words="starting",
                details={"attempt": run.attempts + 1},
            )
            work(run).claimed(run, WORKER)
    except Overtaken:
        return None
    return token


def still_ours(run_id: UUID | str, token: UUID) -> bool:
    """Say that we are alive, and learn whether the run is still ours."""
    return bool(_ours(run_id, token).update(heartbeat=timezone.now()))


def _ours(run_id: UUID | str, token: UUID) -> Any:
    return Run.objects.filter(pk=run_id, claim=token, state=RunState.RUNNING)


def compute(run_id: UUID | str, token: UUID) -> None:
    """Carry out a run that is ours, and end it once."""
    run = _ours(run_id, token).first()
    if run is None:
        return
    try:
        result = work(run).compute(run, _reporter(run, token))
        with audit.writing():
            move(run, RunState.SUCCEEDED, by=WORKER, only_if={"claim": token}, claim=None, finished_at=timezone.now())
            work(run).succeeded(run, result, WORKER)
    except (Stopped, Overtaken):
        log.info("run %s is no longer ours", run.pk)
    except DatabaseError:  # not the run's fault: it is lost, and tried again
        raise
    except RiskappError as trouble:
        unless_overtaken(fail, run, _told(trouble), by=WORKER, only_if={"claim": token})
    except Exception as trouble:  # its words may quote data: the class and our own number are all that is kept
        reference = uuid4().hex[:8]
        log.exception("run %s failed, reference %s", run.pk, reference)
        unless_overtaken(fail, run, _unexpected(trouble, reference), by=WORKER, only_if={"claim": token})


def _told(trouble: RiskappError) -> dict[str, Any]:
    told = fault(
        getattr(trouble, "code", "mistake"),
        str(trouble),
        getattr(trouble, "advice", ""),
        getattr(trouble, "line", None),
    )
    named = {name: getattr(trouble, name) for name in ("key", "facts") if getattr(trouble, name, None)}
    return told | named


def _unexpected(trouble: Exception, reference: str) -> dict[str, Any]:
    message = f"Something went wrong that we did not foresee ({type(trouble).__name__}, reference {reference})."
    return fault(
        "unexpected", message, "Try again; if it happens again, give the reference to whoever runs this server."
    )


def _reporter(run: Run, token: UUID) -> Report:
    """Searches report from threads of their own, which must not leave a connection open behind them.

    Every part of the work counts from nothing, so its pace is that since it began.
    """
    last, home = 0.0, threading.get_ident()
    far, since = (0, 0), timezone.now()

    def report(done: int, total: int, words: str) -> None:
        nonlocal last, far, since
        if total != far[1] or done < far[0]:
            since = timezone.now()
        far = done, total
        now = time.monotonic()
        if now - last < REPORT_EVERY and done < total:
            return
        last = now
        begun = {PART_SINCE: since.isoformat()}
        told = _ours(run.pk, token).update(
            done=done, total=total, words=words[:200], heartbeat=timezone.now(), timings=begun
        )
        if threading.get_ident() != home:
            connection.close()
        if not told:
            raise Stopped

    return report


def fail(run: Run, why: dict[str, Any], *, by: Actor, only_if: dict[str, Any]) -> None:
    run.refresh_from_db()
    with audit.writing():
        move(
            run,
            RunState.FAILED,
            by=by,
            only_if=only_if,
            claim=None,
            finished_at=timezone.now(),
            fault=why,
            details={"code": why["code"]},
        )
        work(run).given_up(run, why, by)


# A run that its worker cannot end


def lose(run: Run, *, by: Actor) -> None:
    """The worker is gone. Queue the run again, or give up when that has happened too often.

    A worker that has spoken since we looked is not gone, so its last heartbeat is part of the condition.
    """
    only_if = {"claim": run.claim, "heartbeat": run.heartbeat}
    if run.attempts < ATTEMPTS:
        _queue_again(run, "the worker was lost; waiting for another", by=by, only_if=only_if)
        return
    message = f"The worker died {run.attempts} times while computing this."
    advice = "It may need more memory than this machine has. Try again, or ask whoever runs this server."
    fail(run, fault("worker-lost", message, advice), by=by, only_if=only_if)


def give_back(run_id: UUID | str, token: UUID) -> None:
    """The worker is being stopped: somebody else takes the run up, and it does not count as an attempt."""
    run = _ours(run_id, token).first()
    if run is not None:
        run.attempts -= 1
        words = "the worker was stopped; waiting for another"
        unless_overtaken(_queue_again, run, words, by=WORKER, only_if={"claim": token})


def _queue_again(run: Run, words: str, *, by: Actor, only_if: dict[str, Any]) -> None:
    with audit.writing():
        move(
            run,
            RunState.QUEUED,
            by=by,
            only_if=only_if,
            claim=None,
            heartbeat=None,
            started_at=None,
            queued_at=timezone.now(),
            sent_at=None,
            attempts=run.attempts,
            done=0,
            total=0,
            words=words,
            details={"attempt": run.attempts},
        )
        work(run).let_go(run, by)
        transaction.on_commit(lambda: send(run))


def unless_overtaken(act: Callable[..., None], run: Run, *args: Any, **kwargs: Any) -> None:
    """Do it, if nobody was faster; a fault with one run must not keep the others from being looked at."""
    try:
        act(run, *args, **kwargs)
    except Overtaken:
        log.info("run %s was overtaken", run.pk)
    except Exception:
        log.exception("run %s cannot be tended", run.pk)
