"""Pages for what went wrong: what it is, and what to do."""

import logging
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

log = logging.getLogger(__name__)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    words = str(exception) if not isinstance(exception, PermissionDenied) else ""
    return render(request, "403.html", {"words": words}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", {"too_much": _too_much(exception)}, status=400)


def _too_much(exception: Exception) -> str:
    """What of a form was more than is taken at once, if that is what was wrong with it."""
    if isinstance(exception, TooManyFilesSent):
        return f"These were more than {settings.DATA_UPLOAD_MAX_NUMBER_FILES} files. Send fewer at once."
    if isinstance(exception, RequestDataTooBig):
        return "The form held more than is taken at once. Send less of it, or send it as a file."
    return ""


def conflict(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Something the person can mend or look at again; keys of the assessment file are for programs."""
    words = getattr(exception, "message", str(exception))
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"error": words, "advice": ""}, status=409)
    back, where = _way_back(request)
    return render(request, "409.html", {"words": words, "back": back, "where": where}, status=409)


def _way_back(request: HttpRequest) -> tuple[str, str]:
    """To the page the person came from, if it is one of ours and not this one; else to the project."""
    came = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(came, {request.get_host()}, require_https=request.is_secure())
    if ours and urlsplit(came).path != request.path:
        return came, "Go back"
    project = request.resolver_match.kwargs.get("project_id") if request.resolver_match else None
    if project:
        return reverse("project", args=[project]), "Go to the project"
    return reverse("projects"), "Go to the projects"


def broken(request: HttpRequest) -> HttpResponse:
    """Whatever we did not foresee: its kind goes to the log under a number, and the number to the person."""
    reference = uuid4().hex[:8]
    log.exception("reference %s on %s", reference, route(request))
    return HttpResponse(render_to_string("500.html", {"reference": reference}), status=500)


def route(request: HttpRequest) -> str:
    """The page's name, not its address: addresses can hold ids and one-time tokens."""
    return (request.resolver_match.view_name if request.resolver_match else "") or "unknown"


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)
