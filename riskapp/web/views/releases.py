"""Releases: what was built and measured, downloading it, and ending it."""

from functools import wraps
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import policies, selectors
from riskapp.models import Project, Release, Role
from riskapp.services import releases
from riskapp.services.setups import Unfit
from riskapp.web.forms.releases import RevokeForm
from riskapp.web.pages import Request, View, as_owner, frame, in_project

# A report may show nothing but itself: no script, no request to anywhere.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"


@require_safe
@in_project("see_proposals")
def index(request: Request, project: Project) -> HttpResponse:
    context = frame(request, project, "release") | {"releases": selectors.releases_of(project)}
    return render(request, "releases/index.html", context)


@require_safe
@in_project("visit")
def show(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """One release. A recipient sees what it is and how to get it; the others also how it was measured and attacked."""
    release = selectors.release(project, release_id)
    releases.check_sees(request.user, release)
    return _page(request, project, release, RevokeForm())


def _page(request: Request, project: Project, release: Release, form: RevokeForm) -> HttpResponse:
    recipient = request.place.role == Role.RECIPIENT
    context = frame(request, project, "release") | {
        "release": release,
        "proposal": release.proposal,
        "run": selectors.building(release),
        "accepted": not recipient or releases.has_accepted(request.user, project),
        "terms": releases.terms(project),
        "downloads": release.downloads.select_related("user"),
        "form": form,
    }
    name = "releases/recipient.html" if recipient else "releases/show.html"
    if request.htmx:
        name = "releases/_state-line.html"
    return render(request, name, context, status=422 if form.errors else 200)


@require_POST
@in_project("download")
def accept(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """Accept the terms of the project; asked on the page of a release."""
    release = selectors.release(project, release_id)
    releases.check_sees(request.user, release)
    releases.accept_terms(project, by=request.actor)
    return redirect("release", project.pk, release.pk)


def _noting_visitors(view: View) -> View:
    """Whoever is not signed in is led to the sign-in, as everywhere; that they tried to download is kept."""

    @wraps(view)
    def noted(request: HttpRequest, project_id: UUID, **asked: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            releases.note_visitor(project_id, by=request.actor, **asked)  # type: ignore[attr-defined]
        return view(request, project_id=project_id, **asked)

    return noted


@require_POST
@_noting_visitors
@in_project("download")
def download(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """Make a link that works once and for a short time, and follow it."""
    token = releases.link(selectors.release(project, release_id), by=request.actor)
    return redirect("release-file", project.pk, token)


@require_safe
@_noting_visitors
@in_project("download")
def file(request: Request, project: Project, token: str) -> Any:
    served = releases.fetch(token, project, by=request.actor)
    response = FileResponse(served.file, as_attachment=True, filename=served.name)
    response["Content-Length"] = str(served.size)
    response["Content-Type"] = "application/octet-stream"
    return response


def _part(request: Request, project: Project, release_id: UUID, part: str) -> tuple[Path, Release]:
    release = selectors.release(project, release_id)
    return releases.part(release, part, by=request.actor), release


@require_safe
@in_project("visit")
def report(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """The report as it was written, on a page that can do nothing."""
    path, _ = _part(request, project, release_id, "report")
    response = HttpResponse(path.read_bytes(), content_type="text/html; charset=utf-8")
    response["Content-Security-Policy"] = REPORT_POLICY
    return response


@require_safe
@in_project("visit")
def part(request: Request, project: Project, release_id: UUID, name: str) -> Any:
    """The manifest, the codebook or the report, to be kept."""
    path, release = _part(request, project, release_id, name)
    stem = release.name.rpartition(".")[0]
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{stem}.{path.name}")


@require_POST
@in_project("propose")
def build_again(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    releases.build_again(selectors.release(project, release_id), by=request.actor)
    return redirect("release", project.pk, release_id)


@require_POST
@in_project("decide")
def revoke(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    release = selectors.release(project, release_id)
    form = RevokeForm(request.POST)
    if not form.is_valid():
        return _page(request, project, release, form)
    try:
        releases.revoke(release, form.cleaned_data["reason"], by=request.actor)
    except Unfit as trouble:
        form.add_error("reason", str(trouble))
        return _page(request, project, release, form)
    messages.success(request, "Revoked. Nobody can download it any more.")
    return redirect("release", project.pk, release_id)


@as_owner
def purge(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    release = selectors.release(project, release_id)
    if request.method != "POST":
        context: dict[str, Any] = frame(request, project, "release") | {"release": release}
        return render(request, "releases/purge.html", context)
    policies.check_owns(request.user, project)
    releases.purge(release, by=request.actor)
    messages.success(request, "Shredded: the file is gone. The decision, the figures and the hashes stay.")
    return redirect("release", project.pk, release_id)
