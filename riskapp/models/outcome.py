"""What runs computed: frozen assessments, their outcomes, and answers to single questions about them."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.ordered import OrderedJSONField
from riskapp.models.project import Project
from riskapp.models.run import Run


class FrozenAssessment(models.Model):
    """An assessment as it was when a run was started, named by its hash; it never changes.

    `document` holds the assessment file as a mapping, the small files that it names as texts, and for each table that
    it names the upload with its hash.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    document: Any = OrderedJSONField()

    def __str__(self) -> str:
        return self.sha256[:12]


class WaitingImport(models.Model):
    """An assessment that came in from outside, until somebody confirms that it shall replace the set-up."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    document: Any = OrderedJSONField()
    came_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"import {self.id}"


class Outcome(models.Model):
    """The result of an assessment run: a folder in the store with the rules, and their summary."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="outcome")
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="outcomes")
    folder = models.UUIDField(unique=True)
    sha256 = models.CharField(max_length=64)
    summary: Any = OrderedJSONField()

    def __str__(self) -> str:
        return f"outcome of {self.run_id}"


class Finding(models.Model):
    """What a short run found out about a set-up or a rule; the same question is answered once.

    `key` is the hash of the question. Figures only: no value of a person has room here.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="findings")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=64)
    figures: Any = OrderedJSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "kind", "key"], name="one_answer_to_a_question")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key[:12]}"


class Notice(models.Model):
    """Something that happened while somebody was not looking: a run of theirs has ended."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10)
    at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at"]
        indexes = [models.Index(fields=["user", "seen_at"], name="notices_by_user")]

    def __str__(self) -> str:
        return f"notice {self.id}"
