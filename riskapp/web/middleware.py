"""What every request gets: who acts, answers that no cache keeps, and troubles told in the right words."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor
from riskapp.services import audit
from riskapp.web.views import errors

Handler = Callable[[HttpRequest], HttpResponse]


def address(request: HttpRequest) -> str:
    """Where the request came from; a forwarded address counts only as far as our own proxies wrote it."""
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if settings.PROXIES and len(forwarded) >= settings.PROXIES:
        return forwarded[-settings.PROXIES][:45]
    return str(request.META.get("REMOTE_ADDR") or "")


def never_stored(get_response: Handler) -> Handler:
    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return respond


def in_their_zone(get_response: Handler) -> Handler:
    """Times are shown in the zone that somebody has chosen, else in the server's."""

    def respond(request: Any) -> HttpResponse:
        zone = request.user.time_zone if request.user.is_authenticated else ""
        with timezone.override(ZoneInfo(zone) if zone else timezone.get_default_timezone()):
            return get_response(request)

    return respond


def acting(get_response: Handler) -> Handler:
    def actor(request: Any) -> Actor:
        return Actor(request.user if request.user.is_authenticated else None, address(request), "visitor")

    def respond(request: Any) -> HttpResponse:
        request.actor = SimpleLazyObject(lambda: actor(request))
        return _whole_page(request, get_response(request))

    return respond


def _whole_page(request: Any, response: HttpResponse) -> HttpResponse:
    """When a session has ended, a fragment's request leads the whole page to the sign-in, not the fragment."""
    sign_in = reverse(settings.LOGIN_URL)
    if not request.htmx or response.status_code != 302 or not response.headers["Location"].startswith(sign_in):
        return response
    there = urlencode({"next": request.htmx.current_url_abs_path or "/"})
    return HttpResponse(status=204, headers={"HX-Redirect": f"{sign_in}?{there}"})


class troubles:  # noqa: N801  (a middleware like the functions above)
    """Errors by meaning: hidden things are not there, refusals are open, and both are audited."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: Any, trouble: Exception) -> HttpResponse | None:
        if isinstance(trouble, policies.Hidden):
            note(request, "turned away", trouble)
            return errors.not_found(request, Http404())
        if isinstance(trouble, policies.Refused):
            note(request, "refused", trouble)
            return errors.refused(request, trouble)
        if isinstance(trouble, RiskappError):
            return errors.conflict(request, trouble)
        return None


def note(request: Any, what: str, trouble: Exception) -> None:
    """Who may not see or do a thing, and tries, stands in the audit trail."""
    if getattr(trouble, "audited", False):
        return
    asked = request.resolver_match.kwargs.get("release_id") if request.resolver_match else None
    which: dict[str, Any] = {"release": str(asked)} if asked else {}
    with audit.writing():
        audit.record(what, by=request.actor, page=errors.route(request), project=_project(request), **which)


def _project(request: HttpRequest) -> UUID | None:
    found = request.resolver_match.kwargs.get("project_id") if request.resolver_match else None
    return UUID(str(found)) if found else None
