"""Releases: what was built and measured, downloading it, and ending it."""

from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST, require_safe

from riskapp import bridge, policies, selectors
from riskapp.models import Project, Release, ReleaseState, Role
from riskapp.services import downloads, notices, releases
from riskapp.services.setups import Unfit
from riskapp.web.forms.releases import RevokeForm
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, View, as_owner, frame, in_project, page_of
from riskapp.web.sending import sent

# A report may show nothing but itself: no script, no request to anywhere.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
ORDERS: Orders = {
    "new": ("Newest first", ("-made_at",)),
    "recipient": ("By recipient", (Lower("proposal__recipient"), "-made_at")),
    "until": ("By the last day", ("expires_on", "-made_at")),
    "state": ("By state", ("state", "-made_at")),
}


@require_safe
@in_project("see_proposals")
def index(request: Request, project: Project) -> HttpResponse:
    found, listing = listed(request, selectors.releases_of(project), ("proposal__recipient", "name"), ORDERS)
    told = {"page": page_of(request, found), "listing": listing}
    return render(request, "releases/index.html", frame(request, project, "release") | told)


@require_safe
@in_project("visit")
def show(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """One release. A recipient sees what it is and how to get it; the others also how it was measured and attacked."""
    release = selectors.release(project, release_id)
    downloads.check_sees(request.user, release)
    if run := selectors.building(release):
        notices.seen_run(request.user, run)
    return _page(request, project, release, RevokeForm())


def _page(request: Request, project: Project, release: Release, form: RevokeForm) -> HttpResponse:
    recipient, failed = request.place.role == Role.RECIPIENT, release.state == ReleaseState.FAILED
    context = frame(request, project, "release") | {
        "release": release,
        "proposal": release.proposal,
        "run": selectors.building(release),
        "overtaken": failed and selectors.released_since(release.proposal).exists(),
        "gone": bridge.gone(release.proposal.run) if failed else [],
        "accepted": not recipient or downloads.has_accepted(request.user, project),
        "terms": downloads.terms(project),
        "wording": downloads.wording(project),
        "downloads": release.downloads.select_related("user"),
        "form": form,
    }
    name = "releases/recipient.html" if recipient else "releases/show.html"
    if not request.htmx:
        return render(request, name, context, status=422 if form.errors else 200)
    response = render(request, "releases/_state-line.html", context)
    if release.state != ReleaseState.BUILDING:
        response["HX-Refresh"] = "true"  # what was measured stands outside the part that polls
    return response


@require_POST
@in_project("download")
def accept(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """Accept the terms of the project; asked on the page of a release."""
    release = selectors.release(project, release_id)
    downloads.check_sees(request.user, release)
    try:
        if not request.POST.get("accept"):
            raise Unfit("Tick that you accept the terms.")
        downloads.accept_terms(project, by=request.actor, read=request.POST.get("wording", ""))
    except Unfit as trouble:
        messages.error(request, str(trouble))
    return redirect("release", project.pk, release.pk)


def _noting_visitors(view: View) -> View:
    """Whoever is not signed in is led to the sign-in, as everywhere; that they tried to download is kept."""

    @wraps(view)
    def noted(request: HttpRequest, project_id: UUID, **asked: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            which = {name: asked[name] for name in ("release_id", "token") if name in asked}
            downloads.note_visitor(project_id, by=request.actor, **which)  # type: ignore[attr-defined]
        return view(request, project_id=project_id, **asked)

    return noted


@require_POST
@_noting_visitors
@in_project("download")
def download(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """Make a link that works once and for a short time, and follow it."""
    token = downloads.link(selectors.release(project, release_id), by=request.actor)
    return redirect("release-file", project.pk, token)


@require_GET
@_noting_visitors
@in_project("download")
def file(request: Request, project: Project, token: str) -> Any:
    served = downloads.fetch(token, project, by=request.actor)
    response = sent(served)
    response["Content-Type"] = "application/octet-stream"
    return response


@require_safe
@_noting_visitors
@in_project("visit")
def report(request: Request, project: Project, release_id: UUID) -> HttpResponse:
    """The report as it was written, on a page that can do nothing."""
    served = downloads.part(selectors.release(project, release_id), "report", by=request.actor)
    with served.file as file:
        response = HttpResponse(file.read(), content_type="text/html; charset=utf-8")
    response["Content-Security-Policy"] = REPORT_POLICY
    return response


@require_safe
@_noting_visitors
@in_project("visit")
def part(request: Request, project: Project, release_id: UUID, name: str) -> Any:
    """The manifest, the codebook or the report, to be kept."""
    release = selectors.release(project, release_id)
    served = downloads.part(release, name, by=request.actor)
    stem = release.name.rpartition(".")[0]
    return sent(served, f"{stem}.{served.name}")


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
    gone = "Shredded: the file is gone. The decision, the figures and the hashes stay."
    messages.success(request, gone if release.ready_at else "Given up. The decision stays.")
    return redirect("release", project.pk, release_id)
