"""Everything slow: what is to be computed, by whom it was asked for, and how far it is."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.project import Project
from riskapp.models.upload import Upload


class RunState(models.TextChoices):
    QUEUED = "queued", "waiting for a worker"
    RUNNING = "running", "running"
    SUCCEEDED = "succeeded", "done"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


RUN_MOVES = {
    RunState.QUEUED: {RunState.RUNNING, RunState.CANCELLED, RunState.FAILED},
    RunState.RUNNING: {RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.QUEUED},
    RunState.SUCCEEDED: set(),
    RunState.FAILED: set(),
    RunState.CANCELLED: set(),
}


PART_SINCE = "part_since"
"""Among the timings of a run at work: when the part at work began."""


class Run(models.Model):
    """One computation with frozen parameters. A worker owns it while `claim` is the worker's own."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=20)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="runs")
    upload = models.ForeignKey(Upload, null=True, on_delete=models.PROTECT, related_name="runs")
    parameters: Any = models.JSONField(default=dict)
    key = models.CharField(max_length=64, blank=True, db_index=True)
    state = models.CharField(max_length=10, choices=RunState, default=RunState.QUEUED)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    queued_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    claim = models.UUIDField(null=True)
    attempts = models.IntegerField(default=0)
    heartbeat = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    words = models.CharField(max_length=200, blank=True)
    timings: Any = models.JSONField(default=dict)
    fault: Any = models.JSONField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="runs_by_state")]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=RunState.values), name="a_known_run_state"),
            models.UniqueConstraint(
                fields=["upload", "kind"],
                condition=models.Q(state__in=[RunState.QUEUED, RunState.RUNNING]),
                name="one_unfinished_run_per_upload",
            ),
            models.UniqueConstraint(
                fields=["project", "kind", "key"],
                condition=models.Q(state__in=[RunState.QUEUED, RunState.RUNNING]) & ~models.Q(key=""),
                name="one_unfinished_run_per_question",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.id}"

    @property
    def is_over(self) -> bool:
        return not RUN_MOVES[RunState(self.state)]

    @property
    def all_done(self) -> bool:
        """Whether every step of the part at work is done; nobody knows how long it then puts together what it found."""
        return bool(self.total) and self.done >= self.total

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0

    def time_left(self, now: datetime | None = None) -> timedelta | None:
        """The time the rest of the part at work would take at its pace so far; None before there is a pace."""
        if self.state != RunState.RUNNING or not (self.started_at and self.done and self.total):
            return None
        since = self.timings.get(PART_SINCE)
        spent = (now or timezone.now()) - (datetime.fromisoformat(since) if since else self.started_at)
        return max(spent * (self.total - self.done) / self.done, timedelta(0))
