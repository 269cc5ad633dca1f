"""Upkeep of runs: nothing waits or runs for ever, and what the broker has forgotten is sent again."""

import logging
from datetime import datetime, timedelta
from typing import Any

import celery
from django.conf import settings
from django.utils import timezone

from riskapp.models import Actor, Run, RunState
from riskapp.services import runs

log = logging.getLogger(__name__)

RESEND_AFTER = timedelta(seconds=5)
BEAT = Actor(None, label="beat")


def tend() -> None:
    """Find runs whose worker fell silent, runs that take or wait too long, and runs the broker has forgotten."""
    now = timezone.now()
    lost = timedelta(seconds=settings.LOST_AFTER_SECONDS)
    silent = Run.objects.filter(state=RunState.RUNNING, heartbeat__lt=now - lost)
    endless = Run.objects.filter(state=RunState.RUNNING, started_at__lt=now - timedelta(hours=settings.RUN_HOURS))
    untaken = Run.objects.filter(state=RunState.QUEUED, queued_at__lt=now - timedelta(hours=settings.QUEUE_HOURS))
    for run in endless:
        why = _too_long("It took longer than", settings.RUN_HOURS)
        runs.unless_overtaken(runs.fail, run, why, by=BEAT, only_if={"claim": run.claim})
    for run in silent:
        runs.unless_overtaken(runs.lose, run, by=BEAT)
    for run in untaken:
        why = _too_long("No worker took it for", settings.QUEUE_HOURS)
        runs.unless_overtaken(runs.fail, run, why, by=BEAT, only_if={"claim": None})
    _send_forgotten(now - RESEND_AFTER)


def _too_long(what: str, hours: int) -> dict[str, Any]:
    return runs.fault(
        "timed-out", f"{what} {hours} hours.", "Try again; if it happens again, ask whoever runs this server."
    )


def _send_forgotten(before: datetime) -> None:
    """Send the ids of waiting runs again when the broker has none: it was emptied or was away."""
    waiting = Run.objects.filter(state=RunState.QUEUED)
    forgotten = [run for run in waiting if run.sent_at is None or run.sent_at < before]
    if forgotten and _messages_waiting() == 0:
        for run in forgotten:
            runs.send(run)


def _messages_waiting() -> int:
    try:
        with celery.current_app.connection_for_write() as connection:
            return int(connection.default_channel.client.llen(settings.CELERY_TASK_DEFAULT_QUEUE))
    except Exception as trouble:  # redis and kombu raise many kinds; all of them mean: not reachable now
        log.warning("the broker cannot be asked: %s", type(trouble).__name__)
        return -1
