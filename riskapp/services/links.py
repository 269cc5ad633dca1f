"""One-time links: only the hash of a link's token is kept, and of two simultaneous uses one wins."""

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Invitation, User


class Standing(models.TextChoices):
    """Whether a link can still be used; if not, why not."""

    OPEN = "open", "This link can be used."
    USED = "used", "This link has already been used. It works only once."
    WITHDRAWN = "withdrawn", "This link was withdrawn, or replaced by a newer one."
    EXPIRED = "expired", "This link has expired."
    UNVOUCHED = "unvouched", "The person who made this link may no longer invite anybody."
    UNKNOWN = "unknown", "This link is not one of ours. Perhaps a part of it is missing."


class Closed(RiskappError):
    """A link that can no longer be used."""

    def __init__(self, standing: Standing) -> None:
        super().__init__(standing.label)
        self.standing = standing


def issue(**fields: Any) -> tuple[str, Invitation]:
    """A new link: its token, which nobody will see again, and the row that remembers it."""
    token = secrets.token_urlsafe(32)
    expires = timezone.now() + timedelta(days=settings.INVITATION_DAYS)
    row = Invitation.objects.create(token_hash=Invitation.hashed(token), expires_at=expires, **fields)
    return token, row


def find(token: str) -> Invitation | None:
    rows = Invitation.objects.select_related("project", "invited_by")
    return rows.filter(token_hash=Invitation.hashed(token)).first()


def standing(invitation: Invitation | None) -> Standing:
    if invitation is None:
        return Standing.UNKNOWN
    if invitation.accepted_at:
        return Standing.USED
    if invitation.withdrawn_at:
        return Standing.WITHDRAWN
    if invitation.expires_at <= timezone.now():
        return Standing.EXPIRED
    return Standing.OPEN if _vouched(invitation) else Standing.UNVOUCHED


def _vouched(invitation: Invitation) -> bool:
    """Whether who made the link could still make it today. The server itself makes the set-up link."""
    person, project = invitation.invited_by, invitation.project
    if person is None:
        return True
    return person.is_active and (policies.owns(person, project) if project else person.is_administrator)


def claim(invitation: Invitation) -> None:
    """Use the link up, or raise Closed. The account that used it is noted by `settle`."""
    now = timezone.now()
    if standing(invitation) != Standing.OPEN:
        raise Closed(standing(invitation))
    rows = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, withdrawn_at=None, expires_at__gt=now)
    if not rows.update(accepted_at=now):
        invitation.refresh_from_db()
        raise Closed(standing(invitation))


def settle(invitation: Invitation, user: User) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(accepted_by=user)


def open_ones() -> models.QuerySet[Invitation]:
    return Invitation.objects.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=timezone.now())
