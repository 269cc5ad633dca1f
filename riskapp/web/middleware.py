"""What every request gets: who acts, answers that no cache keeps, and troubles told in the right words."""

import logging
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from riskapp import policies
from riskapp.core.errors import RiskappError
from riskapp.models import Actor
from riskapp.services import audit
from riskapp.web.views import errors

Handler = Callable[[HttpRequest], HttpResponse]
log = logging.getLogger(__name__)


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


def acting(get_response: Handler) -> Handler:
    def actor(request: Any) -> Actor:
        return Actor(request.user if request.user.is_authenticated else None, address(request), "visitor")

    def respond(request: Any) -> HttpResponse:
        request.actor = SimpleLazyObject(lambda: actor(request))
        return get_response(request)

    return respond


class troubles:  # noqa: N801  (a middleware like the functions above)
    """Errors by meaning: hidden things are not there, refusals are open and audited, the rest has a number."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: Any, trouble: Exception) -> HttpResponse | None:
        if isinstance(trouble, policies.Hidden):
            return errors.not_found(request, Http404())
        if isinstance(trouble, policies.Refused):
            with audit.writing():
                audit.record("refused", by=request.actor, page=_route(request), project=_project(request))
            return errors.refused(request, trouble)
        if isinstance(trouble, RiskappError):
            return errors.conflict(request, trouble)
        if isinstance(trouble, Http404):
            return None
        request.reference = uuid4().hex[:8]
        log.exception("reference %s on %s", request.reference, _route(request))
        return None


def _route(request: HttpRequest) -> str:
    """The page's name, not its address: addresses can hold ids and one-time tokens."""
    return (request.resolver_match.view_name if request.resolver_match else "") or "unknown"


def _project(request: HttpRequest) -> UUID | None:
    return request.resolver_match.kwargs.get("project_id") if request.resolver_match else None
