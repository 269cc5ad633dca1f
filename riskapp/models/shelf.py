"""What an organisation uses again: hierarchies on a shelf, and whole set-ups as templates."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp.models.ordered import OrderedJSONField


class ShelvedHierarchy(models.Model):
    """A hierarchy that somebody put on the organisation's shelf."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=150, unique=True)
    about = models.CharField(max_length=300, blank=True)
    hierarchy: Any = OrderedJSONField(null=True)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Template(models.Model):
    """A finished set-up under a name and a version, to be applied to another file. A version never changes."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=150)
    version = models.IntegerField()
    about = models.CharField(max_length=300, blank=True)
    document: Any = OrderedJSONField()
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["name", "-version"]
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="one_template_of_a_version")]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"
