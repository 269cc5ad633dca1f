"""The way in: a right password, then, for who has a second factor, a right code; only then is anybody signed in."""

import time
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme

from riskapp.models import Actor, User
from riskapp.services import audit, entrance
from riskapp.web.middleware import address

# axes' own backend only keeps locked-out people out; sessions belong to this one.
BACKEND = "django.contrib.auth.backends.ModelBackend"
WAITING = "waiting_for_code"
WAITING_SECONDS = 300


def with_password(request: HttpRequest, email: str, password: str, doing: str = "sign-in") -> User | None:
    """Whose password it is. Failures are counted by axes, which turns the answer into a lock-out when they are many."""
    user = authenticate(request, username=email.strip().lower(), password=password)
    if user is None:
        locked = getattr(request, "axes_locked_out", False)
        counted = getattr(request, "axes_failures_since_start", None) is not None
        entrance.failed(email, by=actor(request), locked=locked, locked_now=locked and counted, doing=doing)
    return user


def enter(request: HttpRequest, user: User, second_factor: str = "") -> None:
    """Sign somebody in, in a session with a new key."""
    request.session.pop(WAITING, None)
    with audit.writing():
        login(request, user, backend=BACKEND)
        entrance.signed_in(by=Actor(user, address(request)), second_factor=second_factor)


def leave(request: HttpRequest) -> None:
    with audit.writing():
        entrance.signed_out(by=actor(request))
        logout(request)


def wait_for_code(request: HttpRequest, user: User, then: str) -> None:
    """Remember for five minutes whose password was right. A password changed in between ends the wait."""
    request.session.cycle_key()
    proof = user.get_session_auth_hash()
    request.session[WAITING] = {"user": str(user.pk), "proof": proof, "since": time.time(), "then": then}


def waiting(request: HttpRequest) -> tuple[User, str] | None:
    """Who must still show a code, and where they were going."""
    kept: dict[str, Any] = request.session.get(WAITING) or {}
    if not kept or time.time() - kept["since"] > WAITING_SECONDS:
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(kept["proof"], user.get_session_auth_hash()):
        return None
    return user, kept["then"]


def destination(request: HttpRequest) -> str:
    """Where ?next= leads, if that is one of our own pages; else the projects."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if ours else resolve_url(settings.LOGIN_REDIRECT_URL)


def actor(request: HttpRequest) -> Actor:
    return cast(Actor, request.actor)  # type: ignore[attr-defined]
