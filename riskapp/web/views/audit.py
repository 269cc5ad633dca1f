"""The audit trail as pages."""

import csv
from collections.abc import Iterator
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from riskapp import selectors
from riskapp.models import AuditEvent, Project
from riskapp.services import audit
from riskapp.web.pages import Request, as_administrator, frame, in_project, page_of

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@require_safe
@in_project("audit")
def of_project(request: Request, project: Project) -> HttpResponse:
    context = frame(request, project, "audit") | {"page": page_of(request, selectors.events_of(project))}
    return render(request, "audit/project.html", context)


@require_POST
@in_project("audit")
def verify_for_project(request: Request, project: Project) -> HttpResponse:
    context = frame(request, project, "audit") | {"page": page_of(request, selectors.events_of(project))}
    return render(request, "audit/project.html", context | _verdict(request))


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
    return render(request, "audit/site.html", {"page": page_of(request, selectors.site_events())})


@require_POST
@as_administrator
def verify_for_site(request: HttpRequest) -> HttpResponse:
    context = {"page": page_of(request, selectors.site_events())} | _verdict(cast(Request, request))
    return render(request, "audit/site.html", context)


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
    yield writer.writerow(["number", "at", "who", "from", "action", "on", "id", "details", "seal"])
    for event in events:
        yield writer.writerow(
            _defused(cell)
            for cell in (
                event.number, event.at.isoformat(), event.actor, event.address, event.action, event.subject_kind,
                event.subject_id, "; ".join(f"{key}: {value}" for key, value in event.details.items()), event.seal,
            )
        )  # fmt: skip


def _defused(cell: Any) -> Any:
    """A cell that a spreadsheet would take for a formula gets an apostrophe in front."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
