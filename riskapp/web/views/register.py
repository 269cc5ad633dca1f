"""The organisation's register of releases, and the page on which anybody can check a file."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from riskapp import selectors
from riskapp.core.errors import Hidden
from riskapp.models import Release
from riskapp.models.proposal import spelled
from riskapp.selectors.register import Held
from riskapp.services import audit
from riskapp.web import as_csv
from riskapp.web.listing import Listing, Orders, listing
from riskapp.web.pages import Request, page_of

HEADER = (
    *("released", "project", "recipient", "purpose", "rule", "people", "expected found", "state", "until"),
    *("downloads", "proposed by", "sha-256", "digest of the manifest", "evidence"),
    *("singled out", "would be singled out", "releases its recipient holds", "in projects"),
    *("expected found, summed", "singled out at least, together", "more if they are in several"),
)
ORDERS: Orders = {
    "new": ("The latest first", ("-ready_at",)),
    "recipient": ("By recipient", (Lower("proposal__recipient"), "-ready_at")),
    "project": ("By project", (Lower("project__name"), "-ready_at")),
    "people": ("Most people first", ("-people", "-ready_at")),
    "found": ("Most expected found first", ("-expected_found", "-ready_at")),
    "until": ("By the last day", ("expires_on", "-ready_at")),
}


@require_safe
@login_required
def index(request: HttpRequest) -> HttpResponse:
    rows, asked = _asked(request)
    context = {
        "page": page_of(request, selectors.with_downloads(rows)),
        "listing": asked,
        "held": list(selectors.by_recipient(rows)) if not request.GET.get("page") else [],
        "places": selectors.places_of(cast(Request, request).user),
    }
    return render(request, "register/index.html", context)


def _asked(request: HttpRequest) -> tuple[Any, Listing]:
    """The releases that are searched for, in the order that is asked for."""
    user = cast(Request, request).user
    if not selectors.keeps_register(user):
        raise Hidden
    asked = listing(request, ORDERS)
    return selectors.register_for(user, asked.words).order_by(*ORDERS[asked.sort][1]), asked


@require_safe
@login_required
def export(request: HttpRequest) -> HttpResponse:
    rows, _ = _asked(request)
    with audit.writing():
        audit.record("register exported", by=cast(Request, request).actor)
    return as_csv.response(_rows(selectors.with_downloads(rows), selectors.held(rows)), "register-of-releases.csv")


def _rows(releases: Iterable[Release], held: Mapping[str, Held]) -> Iterator[Iterable[Any]]:
    """A line for each release, which ends with what its recipient holds in all that is exported."""
    yield HEADER
    for one in releases:
        whole = held[spelled(one.proposal.recipient)]
        yield (
            *(cast(Any, one.ready_at).isoformat(), one.project.name, one.proposal.recipient, one.proposal.purpose),
            *(one.proposal.rule, one.people, one.expected_found, one.get_state_display()),
            *(one.expires_on.isoformat(), one.fetched, one.proposal.proposed_by.email),  # type: ignore[attr-defined]
            *(one.sha256, one.digest, one.proposal.evidence_sha256, one.singled_out, one.would_be_singled_out),
            *(whole.releases, whole.projects, whole.expected_found, whole.singled_out, whole.would_be),
        )


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Drop a file and its manifest: everything is computed in the browser, and nothing is sent."""
    return render(request, "register/verify.html")
