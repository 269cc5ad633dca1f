"""The organisation's register of releases, and the page on which anybody can check a file."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from riskapp import selectors
from riskapp.core.errors import Hidden
from riskapp.models import Release
from riskapp.services import audit
from riskapp.web import as_csv
from riskapp.web.pages import Request, page_of

HEADER = (
    *("released", "project", "recipient", "purpose", "rule", "people", "expected found", "state", "until"),
    *("downloads", "proposed by", "sha-256", "digest of the manifest", "evidence"),
)


@require_safe
@login_required
def index(request: HttpRequest) -> HttpResponse:
    rows, words = _asked(request)
    context = {
        "page": page_of(request, rows),
        "held": list(selectors.by_recipient(rows)) if not request.GET.get("page") else [],
        "words": words,
        "places": selectors.places_of(cast(Request, request).user),
        "query": f"q={words}&" if words else "",
    }
    return render(request, "register/index.html", context)


def _asked(request: HttpRequest) -> tuple[Any, str]:
    user = cast(Request, request).user
    if not selectors.keeps_register(user):
        raise Hidden
    words = request.GET.get("q", "").strip()[:100]
    return selectors.register_for(user, words), words


@require_safe
@login_required
def export(request: HttpRequest) -> HttpResponse:
    rows, _ = _asked(request)
    with audit.writing():
        audit.record("register exported", by=cast(Request, request).actor)
    return as_csv.response(_rows(rows), "register-of-releases.csv")


def _rows(releases: Iterable[Release]) -> Iterator[Iterable[Any]]:
    yield HEADER
    for one in releases:
        evidence = one.proposal.evidence
        yield (
            *(cast(Any, one.ready_at).isoformat(), one.project.name, one.proposal.recipient, one.proposal.purpose),
            *(one.proposal.rule, evidence["people"], selectors.found_in(one), one.get_state_display()),
            *(one.expires_on.isoformat(), one.fetched, one.proposal.proposed_by.email),  # type: ignore[attr-defined]
            *(one.sha256, one.digest, one.proposal.evidence_sha256),
        )


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Drop a file and its manifest: everything is computed in the browser, and nothing is sent."""
    return render(request, "register/verify.html")
