"""The audit trail as pages."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import islice
from typing import Any, cast
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.http import require_safe

from riskapp import selectors
from riskapp.core.errors import Hidden
from riskapp.models import AuditEvent, Project
from riskapp.services import audit
from riskapp.web import as_csv
from riskapp.web.detail_words import plain
from riskapp.web.forms.audit import TrailForm, TrailsForm
from riskapp.web.pages import Request, as_administrator, frame, in_project, page_of

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
    wanted = _wanted(TrailForm(request.GET), IN_PROJECT)
    rows = _rows(wanted.of(selectors.events_of(project)).reverse().iterator())
    return as_csv.response(rows, f"audit-{project.pk}.csv")


# Over all projects whose trail somebody reads


def _reads_trails(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For officers and auditors of any project; for others the page does not exist."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        asked = cast(Request, request)
        projects = list(selectors.audited_projects(asked.user))
        if not projects:
            raise Hidden
        return view(asked, projects)

    return checked


@require_safe
@_reads_trails
def of_projects(request: Request, projects: list[Project]) -> HttpResponse:
    return _projects_page(request, projects)


@_reads_trails
def verify_for_projects(request: Request, projects: list[Project]) -> HttpResponse:
    if request.method != "POST":
        return _back(request, "audit-projects")
    return _projects_page(request, projects, **_verdict(request))


def _projects_page(request: Request, projects: list[Project], **more: Any) -> HttpResponse:
    form = TrailsForm(request.GET, projects=projects)
    trail = _trail(request, selectors.events_for(request.user), IN_PROJECT, form)
    names = {one.pk: one.name for one in projects}
    return render(request, "audit/projects.html", trail | {"names": names} | more)


@require_safe
@_reads_trails
def export_for_projects(request: Request, projects: list[Project]) -> HttpResponse:
    """The events of these projects as CSV."""
    wanted = _wanted(TrailsForm(request.GET, projects=projects), IN_PROJECT)
    with audit.writing():
        told = [one for one in projects if wanted.project in (None, one.pk)]
        audit.record_each("audit exported", by=request.actor, on=told)
    events = wanted.of(selectors.events_for(request.user)).reverse().iterator()
    return as_csv.response(_rows(events, {one.pk: one.name for one in projects}), "audit-of-projects.csv")


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


def _trail(
    request: HttpRequest, events: QuerySet[AuditEvent], kinds: dict[str, str], form: TrailForm | None = None
) -> dict[str, Any]:
    """A page of the events that the filters ask for."""
    form = form or TrailForm(request.GET)
    wanted = _wanted(form, kinds)
    page = page_of(request, wanted.of(events))
    page.object_list = selectors.with_subjects(page.object_list)
    asked = {name: value for name, value in request.GET.items() if name in form.fields and value}
    narrowed = urlencode({name: value for name, value in asked.items() if name != "show"})
    return {
        "page": page,
        "names": {},
        "kinds": kinds.items(),
        "shown": wanted.kind,
        "form": form,
        "narrowed": f"{narrowed}&" if narrowed else "",
        "asked": urlencode(asked),
        "query": f"{urlencode(asked)}&" if asked else "",
    }


def _wanted(form: TrailForm, kinds: dict[str, str]) -> selectors.Wanted:
    """The filters as they were filled in; a field that makes no sense is said so, and filters nothing."""
    form.is_valid()
    given = form.cleaned_data
    kind = given.get("show") or ""
    dates = {"since": given.get("since"), "until": given.get("until")}
    project = UUID(given["project"]) if given.get("project") else None
    return selectors.Wanted(kind if kind in kinds else "", given.get("who") or "", project=project, **dates)


def _back(request: HttpRequest, name: str, *args: Any) -> HttpResponse:
    """To the trail: the address of a verdict is asked for again by reloading it, and by leafing on from it."""
    return redirect(f"{resolve_url(name, *args)}?{request.GET.urlencode()}".rstrip("?"))


def _verdict(request: Request) -> dict[str, Any]:
    verdict = audit.verify()
    with audit.writing():
        audit.record("audit verified", by=request.actor, whole=verdict.whole)
    return {"verdict": verdict, "verified_at": timezone.now()}


def _rows(events: Iterator[AuditEvent], projects: dict[UUID, str] | None = None) -> Iterator[Iterable[Any]]:
    """The events, each with the name of its project where there are several."""
    head = ["number", "at", "who", "from", "action", "on", "id", "name", "details", "seal"]
    yield [*(["project"] if projects else []), *head]
    while batch := selectors.with_subjects(islice(events, BATCH)):
        for event in batch:
            yield [*([projects[cast(UUID, event.project_id)]] if projects else []), *_cells(event)]


def _cells(event: AuditEvent) -> Iterable[Any]:
    subject: selectors.Subject | None = event.subject  # type: ignore[attr-defined]
    details = "; ".join(f"{key}: {plain(value)}" for key, value in event.details.items())
    return (
        *(event.number, event.at.isoformat(), event.actor, event.address, event.action),
        *(event.subject_kind, event.subject_id, subject.name if subject else "", details, event.seal),
    )
