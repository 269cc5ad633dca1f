"""Files as they came, and what was read from them."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.project import Project


class UploadState(models.TextChoices):
    RECEIVED = "received", "waiting to be read"
    READING = "reading", "being read"
    READY = "ready", "ready"
    REJECTED = "rejected", "cannot be read"
    PURGED = "purged", "shredded"


UPLOAD_MOVES = {
    UploadState.RECEIVED: {UploadState.READING, UploadState.PURGED},
    UploadState.READING: {UploadState.READY, UploadState.REJECTED, UploadState.RECEIVED},
    UploadState.READY: {UploadState.READING, UploadState.PURGED},
    UploadState.REJECTED: {UploadState.READING, UploadState.PURGED},
    UploadState.PURGED: set(),
}


class Upload(models.Model):
    """One uploaded file. Its bytes are named by their hash and shared by uploads of the same bytes in the project."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="uploads")
    name = models.CharField(max_length=255)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=UploadState, default=UploadState.RECEIVED)
    wishes: Any = models.JSONField(default=dict)
    reading: Any = models.JSONField(null=True)
    profile: Any = models.JSONField(null=True)
    rows = models.BigIntegerField(null=True)
    columns = models.IntegerField(null=True)
    table = models.UUIDField(null=True)
    fault: Any = models.JSONField(null=True)
    purged_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-uploaded_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=UploadState.values), name="a_known_upload_state")
        ]

    def __str__(self) -> str:
        return f"upload {self.id}"

    @property
    def column_names(self) -> list[str]:
        """The columns by name, in the order of the table; none as long as the file has not been read."""
        return [column["name"] for column in (self.profile or {}).get("columns", [])]
