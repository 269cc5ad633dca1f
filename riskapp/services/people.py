"""What an administrator does with other people's accounts. None of it opens a view of anybody's data."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from axes.models import AccessAttempt
from django.db.models import Exists, OuterRef, QuerySet
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Invitation, User
from riskapp.services import accounts, audit, entrance, links, second_factor


class LastAdministrator(RiskappError):
    """The house must not be left without an administrator."""

    def __init__(self) -> None:
        super().__init__("This is the last active administrator. Make somebody else an administrator first.")


class NotActive(RiskappError):
    """The account is deactivated."""

    def __init__(self) -> None:
        super().__init__("This account is deactivated. Reactivate it first.")


def make_administrator(user: User, *, by: Actor) -> None:
    with audit.writing():
        _check(by)
        _change(user, "made administrator", by, is_administrator=True)


def withdraw_administrator(user: User, *, by: Actor) -> None:
    with audit.writing():
        _check(by)
        _keep_an_administrator(user)
        _change(user, "administrator withdrawn", by, is_administrator=False)


def allow_projects(user: User, *, by: Actor) -> None:
    with audit.writing():
        _check(by)
        _change(user, "allowed to start projects", by, may_create_projects=True)


def forbid_projects(user: User, *, by: Actor) -> None:
    with audit.writing():
        _check(by)
        _change(user, "no longer allowed to start projects", by, may_create_projects=False)


def deactivate(user: User, *, by: Actor) -> None:
    """The account stays, with everything it did; nobody can sign in to it, and its sessions end."""
    sessions = accounts.find_sessions(user)
    with audit.writing():
        _check(by)
        _keep_an_administrator(user)
        accounts.end_sessions(user, found=sessions)
        _change(user, "account deactivated", by, is_active=False)


def reactivate(user: User, *, by: Actor) -> None:
    with audit.writing():
        _check(by)
        _change(user, "account reactivated", by, is_active=True)


def unlock(user: User, *, by: Actor) -> None:
    """Let somebody try again at once after too many wrong passwords or codes."""
    with audit.writing():
        _check(by)
        entrance.forget(user)
        audit.record("unlocked", by=by, on=user)


def turn_off_second_factor(user: User, *, by: Actor) -> None:
    """For somebody who has lost both the telephone and the recovery codes."""
    sessions = accounts.find_sessions(user)
    with audit.writing():
        _check(by)
        second_factor.turn_off(user, by=by, found=sessions)


def reset_path(user: User, *, by: Actor) -> str:
    """The path of a one-time link for a new password, to be passed on by hand."""
    with audit.writing():
        _check(by)
        if not user.is_active:
            raise NotActive
        audit.record("reset link made", by=by, on=user)
        return accounts.reset_path(user)


def _check(by: Actor) -> None:
    """Judged by what is true inside the transaction: two administrators must not each demote the other."""
    if by.user is None:
        raise policies.Hidden
    policies.check_administers(User.objects.get(pk=by.user.pk))


def _keep_an_administrator(user: User) -> None:
    if not accounts.administrators().exclude(pk=user.pk).exists():
        raise LastAdministrator


def _change(user: User, action: str, by: Actor, **fields: bool) -> None:
    User.objects.filter(pk=user.pk).update(**fields)
    audit.record(action, by=by, on=user)


# What the administrator sees of them


@dataclass(frozen=True)
class Person:
    """An account as its administrator sees it."""

    user: User
    second_factor: bool
    locked_until: datetime | None
    failed: bool = False


def everybody() -> QuerySet[User]:
    """All accounts."""
    return User.objects.annotate(second=Exists(_factors()))


def seen(users: Iterable[User]) -> list[Person]:
    """Some of everybody, as their administrator sees them."""
    locked = entrance.lockouts()
    return [Person(user, cast(Any, user).second, locked.get(user.email)) for user in users]


def one(person_id: UUID) -> Person:
    user = User.objects.filter(pk=person_id).first()
    if user is None:
        raise policies.Hidden
    locked = entrance.lockouts(username=user.email).get(user.email)
    return Person(user, user.has_second_factor, locked, failed=_has_failed(user))


def _has_failed(user: User) -> bool:
    """Whether there are wrong passwords or codes to forget."""
    devices = (TOTPDevice, StaticDevice)
    return AccessAttempt.objects.filter(username=user.email).exists() or any(
        device.objects.filter(user=user, throttling_failure_count__gt=0).exists() for device in devices
    )


def open_invitations() -> list[Invitation]:
    rows = links.open_ones().filter(invited_by__isnull=False).select_related("invited_by")
    return list(rows.order_by("-created_at"))


def invitation(invitation_id: UUID) -> Invitation:
    row = Invitation.objects.filter(pk=invitation_id, invited_by__isnull=False).select_related("project").first()
    if row is None:
        raise policies.Hidden
    return row


def _factors() -> Any:
    return TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
