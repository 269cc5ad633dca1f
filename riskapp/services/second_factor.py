"""The second factor: codes by time from an app, and recovery codes for the day the telephone is lost."""

from datetime import datetime
from math import ceil
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from riskapp.core.errors import RiskappError
from riskapp.models import Actor, User
from riskapp.services import accounts, audit

RECOVERY_CODES = 10
APP, RECOVERY = "app", "recovery code"
MOMENT = 10
WRONG = {
    APP: "This code is not right, or was used before. Wait for the next one and type it in.",
    RECOVERY: "This is not one of your recovery codes, or it was used before. Type another one.",
}


class WrongCode(RiskappError):
    """The code is not the one expected, or was used before."""

    def __init__(self, kind: str = APP) -> None:
        super().__init__(WRONG[kind])


class Wait(RiskappError):
    """After wrong codes the next one is not looked at before a moment has passed, a longer one each time."""

    def __init__(self, until: datetime) -> None:
        seconds = (until - timezone.now()).total_seconds()
        super().__init__("Wait a moment, then try again." if seconds < MOMENT else _long_wait(seconds))


def _long_wait(seconds: float) -> str:
    time = f"{ceil(seconds)} seconds" if seconds < 120 else f"{ceil(seconds / 60)} minutes"
    return f"Too many wrong codes. Wait {time}, then try again. An administrator can end the wait."


class AlreadyOn(RiskappError):
    """There is a second factor; it must be turned off before another is set up."""

    def __init__(self) -> None:
        super().__init__("Your second factor is already on. Turn it off to set up another one.")


class NotBegun(RiskappError):
    """There is no secret to confirm: it was cancelled, or confirmed already."""

    def __init__(self) -> None:
        super().__init__("There is nothing to confirm. Look at the page of your second factor again.")


def begin(user: User) -> TOTPDevice:
    """A secret that is not asked for until it is confirmed; an earlier unconfirmed one is forgotten."""
    with transaction.atomic():
        if user.has_second_factor:
            raise AlreadyOn
        pending(user).delete()
        return TOTPDevice.objects.create(user=user, name=APP, confirmed=False)


def pending(user: User) -> Any:
    return TOTPDevice.objects.filter(user=user, confirmed=False)


def confirm(user: User, code: str, *, by: Actor, keep: str | None) -> list[str]:
    """Turn the second factor on with a right code; returns the recovery codes. Other sessions end."""
    sessions = accounts.find_sessions(user)
    with audit.writing():
        device = pending(user).first()
        if device is None:
            raise NotBegun
        right = _try(device, code)
        if right:
            TOTPDevice.objects.filter(pk=device.pk).update(confirmed=True)
            accounts.end_sessions(user, keep=keep, found=sessions)
            audit.record("second factor turned on", by=by, on=user)
        codes = _fresh_codes(user) if right else []
    if not right:
        raise WrongCode
    return codes


def turn_off(user: User, *, by: Actor, keep: str | None = None, found: accounts.Sessions | None = None) -> None:
    """Who holds the audit trail already has `found` the sessions before."""
    sessions = found or accounts.find_sessions(user)
    with audit.writing():
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        accounts.end_sessions(user, keep=keep, found=sessions)
        audit.record("second factor turned off", by=by, on=user)


def renew_codes(user: User, *, by: Actor) -> list[str]:
    """Ten new recovery codes; the old ones stop working."""
    with audit.writing():
        audit.record("recovery codes renewed", by=by, on=user)
        return _fresh_codes(user)


def codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def verify(user: User, code: str, *, by: Actor) -> str:
    """Which factor the code proves, APP or RECOVERY; raises WrongCode, or Wait after too many wrong ones."""
    kind = APP if code.isdecimal() else RECOVERY
    with audit.writing():
        devices = TOTPDevice if kind == APP else StaticDevice
        device = devices.objects.filter(user=user, confirmed=True).first()
        right = device is not None and _try(device, code)
        if not right:
            audit.record("second factor failed", by=by, on=user)
        elif kind == RECOVERY:
            audit.record("recovery code used", by=by, on=user, left=codes_left(user))
    if not right:
        raise WrongCode(kind)
    return kind


def _try(device: Any, code: str) -> bool:
    """Raising here undoes nothing: a device that makes people wait has not counted anything."""
    allowed, why = device.verify_is_allowed()
    if not allowed:
        raise Wait(why["locked_until"])
    return bool(device.verify_token(code))


def _fresh_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=RECOVERY)
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes
