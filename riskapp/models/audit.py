"""The audit trail: rows that can be added and never changed, each sealed with a keyed hash of the one before.

The chain's key and the chain's head (the last number and seal) are kept outside the database, so that somebody who
can write to the database can neither recompute the chain nor cut off its end unnoticed.
"""

import hmac
import json
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.conf import settings
from django.db import models

from riskapp.models.account import User

GENESIS = "0" * 64


@dataclass(frozen=True)
class Actor:
    """Who acts, and from where; `token` is the name of the token by which a program acts for them."""

    user: User | None
    address: str = ""
    label: str = ""
    token: str = ""

    @property
    def name(self) -> str:
        return self.user.email if self.user else self.label


class AuditEvent(models.Model):
    """Who did what, on what, when, from where."""

    number = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    actor_id = models.UUIDField(null=True)
    actor = models.CharField(max_length=254)
    address = models.CharField(max_length=45, blank=True)
    action = models.CharField(max_length=60)
    subject_kind = models.CharField(max_length=30, blank=True)
    subject_id = models.CharField(max_length=40, blank=True)
    project_id = models.UUIDField(null=True, db_index=True)
    details: Any = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, unique=True)
    seal = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number} {self.action}"

    def computed_seal(self) -> str:
        """HMAC-SHA-256 over every field and the previous seal, in a canonical form."""
        fields = {
            "number": self.number,
            "at": self.at.astimezone(UTC).isoformat(timespec="microseconds"),
            "actor_id": str(self.actor_id or ""),
            "actor": self.actor,
            "address": self.address,
            "action": self.action,
            "subject_kind": self.subject_kind,
            "subject_id": self.subject_id,
            "project_id": str(self.project_id or ""),
            "details": self.details,
            "previous": self.previous,
        }
        canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hmac.new(settings.AUDIT_KEY.encode(), canonical.encode(), "sha256").hexdigest()
