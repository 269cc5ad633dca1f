"""The audit trail as pages."""

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskapp import selectors
from riskapp.models import AuditEvent, Project
from riskapp.services import audit
from riskapp.web.pages import Request, as_administrator, frame, in_project, page_of
from riskapp.web.templatetags.trail import plain

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
BATCH = 500
IN_PROJECT = {
    "": "Everything",
    "values": "Looks at values",
    "people": "People",
    "files": "Files",
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
    rows = _lines(selectors.events_of(project).reverse().iterator())
    response = StreamingHttpResponse(rows, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="audit-{project.pk}.csv"'
    return cast(HttpResponse, response)


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
    """A page of the events that ?show= asks for."""
    wanted = request.GET.get("show", "")
    shown = wanted if wanted in kinds else ""
    page = page_of(request, selectors.of_kind(events, shown))
    page.object_list = selectors.with_subjects(page.object_list)
    return {"page": page, "kinds": kinds.items(), "shown": shown, "query": f"show={shown}&" if shown else ""}


def _back(request: HttpRequest, name: str, *args: Any) -> HttpResponse:
    """To the trail: the address of a verdict is asked for again by reloading it, and by leafing on from it."""
    return redirect(f"{resolve_url(name, *args)}?{request.GET.urlencode()}".rstrip("?"))


def _verdict(request: Request) -> dict[str, Any]:
    verdict = audit.verify()
    with audit.writing():
        audit.record("audit verified", by=request.actor, whole=verdict.whole)
    return {"verdict": verdict, "verified_at": timezone.now()}


class _Echo:
    def write(self, line: str) -> str:
        return line


def _lines(events: Iterator[AuditEvent]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(["number", "at", "who", "from", "action", "on", "id", "name", "details", "seal"])
    while batch := selectors.with_subjects(islice(events, BATCH)):
        yield from (writer.writerow(_defused(cell) for cell in _cells(event)) for event in batch)


def _cells(event: AuditEvent) -> Iterable[Any]:
    subject: selectors.Subject | None = event.subject  # type: ignore[attr-defined]
    details = "; ".join(f"{key}: {plain(value)}" for key, value in event.details.items())
    return (
        *(event.number, event.at.isoformat(), event.actor, event.address, event.action),
        *(event.subject_kind, event.subject_id, subject.name if subject else "", details, event.seal),
    )


def _defused(cell: Any) -> Any:
    """A cell that a spreadsheet would take for a formula gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
