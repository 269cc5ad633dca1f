"""The audit trail as pages."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskapp import selectors
from riskapp.models import AuditEvent, Project
from riskapp.services import audit
from riskapp.web import as_csv
from riskapp.web.forms.audit import TrailForm
from riskapp.web.pages import Request, as_administrator, frame, in_project, page_of
from riskapp.web.templatetags.trail import plain

BATCH = 500
IN_PROJECT = {
    "": "Everything",
    "values": "Looks at values",
    "people": "People",
    "files": "Files",
    "decisions": "Decisions and releases",
    "refusals": "Refusals",
}
ON_SITE = {kind: IN_PROJECT[kind] for kind in ("", "people", "refusals")}


@require_safe
@in_project("audit")
def of_project(request: Request, project: Project) -> HttpResponse:
    return _project_page(request, project)


@in_project("audit")
def verify_for_project(request: Request, project: Project) -> HttpResponse:
    if request.method != "POST":
        return _back(request, "project-audit", project.pk)
    return _project_page(request, project, **_verdict(request))


def _project_page(request: Request, project: Project, **more: Any) -> HttpResponse:
    trail = _trail(request, selectors.events_of(project), IN_PROJECT)
    return render(request, "audit/project.html", frame(request, project, "audit") | trail | more)


@require_safe
@in_project("audit")
def export(request: Request, project: Project) -> HttpResponse:
    """The project's events as CSV."""
    with audit.writing():
        audit.record("audit exported", by=request.actor, on=project)
    _, wanted = _wanted(request, IN_PROJECT)
    rows = _rows(wanted.of(selectors.events_of(project)).reverse().iterator())
    return as_csv.response(rows, f"audit-{project.pk}.csv")


@require_safe
@as_administrator
def of_site(request: HttpRequest) -> HttpResponse:
    return render(request, "audit/site.html", _trail(request, selectors.site_events(), ON_SITE))


@as_administrator
def verify_for_site(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _back(request, "site-audit")
    verdict = _verdict(cast(Request, request))
    return render(request, "audit/site.html", _trail(request, selectors.site_events(), ON_SITE) | verdict)


def _trail(request: HttpRequest, events: QuerySet[AuditEvent], kinds: dict[str, str]) -> dict[str, Any]:
    """A page of the events that the filters ask for."""
    form, wanted = _wanted(request, kinds)
    page = page_of(request, wanted.of(events))
    page.object_list = selectors.with_subjects(page.object_list)
    asked = {name: value for name, value in request.GET.items() if name in form.fields and value}
    narrowed = urlencode({name: value for name, value in asked.items() if name != "show"})
    return {
        "page": page,
        "kinds": kinds.items(),
        "shown": wanted.kind,
        "form": form,
        "narrowed": f"{narrowed}&" if narrowed else "",
        "asked": urlencode(asked),
        "query": f"{urlencode(asked)}&" if asked else "",
    }


def _wanted(request: HttpRequest, kinds: dict[str, str]) -> tuple[TrailForm, selectors.Wanted]:
    """The filters as they were filled in; a field that makes no sense is said so, and filters nothing."""
    form = TrailForm(request.GET)
    form.is_valid()
    given = form.cleaned_data
    kind = given.get("show") or ""
    dates = {"since": given.get("since"), "until": given.get("until")}
    return form, selectors.Wanted(kind if kind in kinds else "", given.get("who") or "", **dates)


def _back(request: HttpRequest, name: str, *args: Any) -> HttpResponse:
    """To the trail: the address of a verdict is asked for again by reloading it, and by leafing on from it."""
    return redirect(f"{resolve_url(name, *args)}?{request.GET.urlencode()}".rstrip("?"))


def _verdict(request: Request) -> dict[str, Any]:
    verdict = audit.verify()
    with audit.writing():
        audit.record("audit verified", by=request.actor, whole=verdict.whole)
    return {"verdict": verdict, "verified_at": timezone.now()}


def _rows(events: Iterator[AuditEvent]) -> Iterator[Iterable[Any]]:
    yield ["number", "at", "who", "from", "action", "on", "id", "name", "details", "seal"]
    while batch := selectors.with_subjects(islice(events, BATCH)):
        yield from (_cells(event) for event in batch)


def _cells(event: AuditEvent) -> Iterable[Any]:
    subject: selectors.Subject | None = event.subject  # type: ignore[attr-defined]
    details = "; ".join(f"{key}: {plain(value)}" for key, value in event.details.items())
    return (
        *(event.number, event.at.isoformat(), event.actor, event.address, event.action),
        *(event.subject_kind, event.subject_id, subject.name if subject else "", details, event.seal),
    )
