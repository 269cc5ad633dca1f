"""Projects and who belongs to them."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

MOST_DAYS_KEPT = 36_500
"""For longer than a hundred years nothing is kept on schedule, but for ever."""


class Role(models.TextChoices):
    STEWARD = "steward", "Steward"
    OFFICER = "officer", "Officer"
    AUDITOR = "auditor", "Auditor"
    RECIPIENT = "recipient", "Recipient"


class Project(models.Model):
    """A dataset to be decided on, with everything and everybody that belongs to the decision.

    `approvers` are the officers who may decide; nobody named means every officer. Empty `terms` mean the usual ones.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=150)
    purpose = models.TextField(blank=True)
    sample = models.BooleanField(default=False)
    votes_needed = models.IntegerField(default=1)
    approvers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", blank=True)
    terms = models.TextField(blank=True)
    keep_uploads_days = models.IntegerField(null=True)
    keep_releases_days = models.IntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(votes_needed__in=[1, 2]), name="one_or_two_votes_in_a_project")
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """Somebody's place in a project. An owner also manages members and may shred uploads."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    owner = models.BooleanField(default=False)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["since"]
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_place_per_person"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="a_known_role"),
            models.CheckConstraint(
                condition=models.Q(owner=False) | models.Q(role__in=[Role.STEWARD, Role.OFFICER]),
                name="owners_are_stewards_or_officers",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.project_id}"
