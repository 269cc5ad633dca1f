"""Coming in and going out: what is remembered of it, and how long somebody is locked out."""

from datetime import datetime
from typing import Any

from axes.helpers import get_cool_off
from axes.models import AccessAttempt
from axes.utils import reset as forget_failures
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Max, Q, Sum
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.models import Actor, User
from riskapp.services import accounts, audit, floods

NOISE = Q(subject_id="") | Q(details__locked_out=True)


def signed_in(*, by: Actor, second_factor: str = "") -> None:
    with audit.writing():
        audit.record("signed in", by=by, on=by.user, second_factor=second_factor)


def signed_out(*, by: Actor) -> None:
    with audit.writing():
        audit.record("signed out", by=by, on=by.user)


def failed(email: str, *, by: Actor, locked: bool, locked_now: bool, doing: str = "sign-in") -> None:
    """A wrong password. An address that is nobody's is not recorded: people type passwords into that field.

    What the lock-out does not limit by itself (made-up addresses, and tries while locked out) is recorded so many
    times for each network address, and the last record says so.
    """
    user = accounts.find(email)
    noise = user is None or (locked and not locked_now)
    room = floods.room(by.address, f"{doing} failed", NOISE) if noise else floods.AT_MOST
    if room <= 0:
        return
    last: dict[str, Any] = {"further": "not recorded for a while"} if room == 1 else {}
    with audit.writing():
        audit.record(f"{doing} failed", by=by, on=user, locked_out=locked, **last)
        if locked_now:
            audit.record("locked out", by=by, on=user)


def locked_until(email: str, address: str) -> datetime | None:
    """When the lock-out of an e-mail address from a network address ends."""
    return lockouts(username=email, ip_address=address).get(email)


def lockouts(**only: str) -> dict[str, datetime]:
    """The e-mail addresses that are locked out somewhere, and until when."""
    cool_off = get_cool_off()
    assert cool_off is not None
    attempts = AccessAttempt.objects.filter(attempt_time__gt=timezone.now() - cool_off, **only)
    grouped = attempts.values("username", "ip_address").annotate(
        failures=Sum("failures_since_start"), last=Max("attempt_time")
    )
    ends: dict[str, datetime] = {}
    for row in grouped.filter(failures__gte=settings.AXES_FAILURE_LIMIT):
        ends[row["username"]] = max(row["last"] + cool_off, ends.get(row["username"], row["last"]))
    return ends


def forget(user: User) -> None:
    """Let somebody try again at once: their failed passwords and codes are forgotten."""
    forget_failures(username=user.email)
    for device in (TOTPDevice, StaticDevice):
        device.objects.filter(user=user).update(throttling_failure_count=0, throttling_failure_timestamp=None)


def forget_expired() -> None:
    """Sessions that are over, and failures that lock nobody out any more."""
    cool_off = get_cool_off()
    assert cool_off is not None
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    AccessAttempt.objects.filter(attempt_time__lt=timezone.now() - cool_off).delete()
