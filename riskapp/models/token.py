"""Tokens by which programs act for somebody. Only the hash of a token is kept."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone


class ApiToken(models.Model):
    """A token of somebody, for some of what they may do, until it ends or is withdrawn."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes: Any = models.JSONField(default=list)
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        return self.withdrawn_at is None and self.expires_at > timezone.now()
