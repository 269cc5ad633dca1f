"""Accounts: the first administrator's, and what people do with their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from axes.utils import reset as forget_failures
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.db import IntegrityError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from riskapp.core.errors import RiskappError
from riskapp.models import Actor, Invitation, User
from riskapp.services import audit, floods, links

SERVER = Actor(None, label="server")
ASK_AGAIN_AFTER = timedelta(minutes=5)
ASKED = "password reset asked for"


class AddressTaken(RiskappError):
    """Somebody has an account with this e-mail address."""

    def __init__(self) -> None:
        super().__init__("There is already an account with this e-mail address.")


def find(email: str) -> User | None:
    return User.objects.filter(email=email.strip().lower()).first()


def draft(*, email: str, name: str, password: str, administrator: bool = False) -> User:
    """A new account that is not saved yet. Its password is hashed here, which is slow: before any transaction."""
    user = User(email=email, name=name, is_administrator=administrator)
    user.set_password(password)
    return user


def add(user: User, *, address: str) -> User:
    """Save a drafted account, inside the transaction of the link by which it came."""
    if find(user.email):
        raise AddressTaken
    try:
        user.save(force_insert=True)
    except IntegrityError:
        raise AddressTaken from None
    audit.record("account created", by=Actor(user, address), on=user, administrator=user.is_administrator)
    return user


# The first administrator


def administrators() -> QuerySet[User]:
    return User.objects.filter(is_administrator=True, is_active=True)


def setup_link(base_url: str) -> str | None:
    """A fresh one-time link for the first administrator; None once there is one. Older such links stop working."""
    if administrators().exists():
        return None
    with audit.writing():
        _setup_links().filter(accepted_at=None, withdrawn_at=None).update(withdrawn_at=timezone.now())
        token, row = links.issue(administrator=True)
        audit.record("set-up link made", by=SERVER, on=row)
    # Not by reverse(): it would load every page, and what computes with them, into the server that only watches.
    return f"{base_url.rstrip('/')}/setup/{token}/"


def setup_standing(token: str) -> links.Standing:
    row = _setup_links().filter(token_hash=Invitation.hashed(token)).first()
    standing = links.standing(row)
    taken = standing == links.Standing.OPEN and administrators().exists()
    return links.Standing.USED if taken else standing


def set_up(token: str, *, name: str, email: str, password: str, address: str) -> User:
    """The first administrator's account. Of two uses of one link one wins; the other raises links.Closed."""
    user = draft(email=email, name=name, password=password, administrator=True)
    with audit.writing():
        row = _setup_links().filter(token_hash=Invitation.hashed(token)).first()
        standing = setup_standing(token)
        if row is None or standing != links.Standing.OPEN:
            raise links.Closed(standing)
        links.claim(row)
        add(user, address=address)
        links.settle(row, user)
        audit.record("set up", by=Actor(user, address), on=row)
    return user


def _setup_links() -> QuerySet[Invitation]:
    """The links that the server made; everybody else's links have a maker."""
    return Invitation.objects.filter(administrator=True, invited_by=None)


# One's own account


def rename(user: User, name: str, *, by: Actor) -> None:
    with audit.writing():
        User.objects.filter(pk=user.pk).update(name=name)
        audit.record("name changed", by=by, on=user)


def set_time_zone(user: User, zone: str, *, by: Actor) -> None:
    """In which zone somebody reads times; "" for the server's."""
    with audit.writing():
        User.objects.filter(pk=user.pk).update(time_zone=zone)
        audit.record("time zone changed", by=by, on=user)


def change_password(user: User, password: str, *, by: Actor) -> None:
    """A new password. Sessions and reset links hang on the old one, so all of them end; the caller keeps its own."""
    user.set_password(password)
    with audit.writing():
        _save_password(user)
        audit.record("password changed", by=by, on=user)


def reset_password(user: User, password: str, *, address: str) -> None:
    """A new password by a reset link. It opens no session and leaves the second factor as it is."""
    user.set_password(password)
    with audit.writing():
        _save_password(user)
        forget_failures(username=user.email)
        audit.record("password reset", by=Actor(user, address), on=user)


def _save_password(user: User) -> None:
    """Hashed already: that is slow, and nobody else can write while the audit trail is held."""
    user.reset_asked_at = None
    user.save(update_fields=["password", "reset_asked_at"])


class AskedTooOften(RiskappError):
    """More letters were asked for from one network address than any house forgets passwords."""

    def __init__(self) -> None:
        super().__init__(
            "New passwords were asked for too often from your network. Wait a while and try again, or "
            "ask an administrator for a link."
        )


def ask_for_reset(email: str, *, by: Actor) -> User | None:
    """Note that somebody forgot their password; returns the account to send a link to, unless one was just sent.

    An unknown address leaves the same trace without the address, so both take the same work. Asking again before a
    further letter is due does not put it off, or somebody else could keep the letters from coming.
    """
    if floods.room(by.address, ASKED) <= 0:
        raise AskedTooOften
    user = find(email)
    known = user is not None and user.is_active
    with audit.writing():
        now = timezone.now()
        rows = User.objects.filter(pk=user.pk if user else uuid4(), is_active=True)
        due = rows.exclude(reset_asked_at__gt=now - ASK_AGAIN_AFTER) if settings.MAIL_WORKS else rows
        noted = due.update(reset_asked_at=now)
        audit.record(ASKED, by=by, on=user if known else None, known=known)
    return user if noted else None


def reset_path(user: User) -> str:
    """The path of a link that sets a new password once; it also dies at the next sign-in, and by time."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("reset-link", args=[uid, default_token_generator.make_token(user)])


@dataclass(frozen=True)
class Sessions:
    """The keys of somebody's sessions, and from when on there may be more."""

    keys: frozenset[str]
    found_at: datetime


def find_sessions(user: User) -> Sessions:
    """Look through everybody's sessions, which is slow where they are many: before the audit trail is held."""
    now = timezone.now()
    return Sessions(frozenset(_sessions(user, Session.objects.filter(expire_date__gt=now))), now)


def end_sessions(user: User, *, keep: str | None = None, found: Sessions | None = None) -> None:
    """Sign somebody out everywhere, but for the session with the kept key.

    Of the sessions that are not `found` yet only those saved since are looked through: saving renews their end.
    """
    found = found or find_sessions(user)
    since = found.found_at + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    later = _sessions(user, Session.objects.filter(expire_date__gte=since))
    Session.objects.filter(pk__in=found.keys.union(later) - {keep}).delete()


def _sessions(user: User, rows: QuerySet[Session]) -> Iterator[str]:
    return (row.pk for row in rows.iterator() if row.get_decoded().get("_auth_user_id") == str(user.pk))
