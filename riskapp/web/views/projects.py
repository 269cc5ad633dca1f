"""Projects: the list, a new one, its data, its settings."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from riskapp import bridge, policies, selectors
from riskapp.models import Project, Role
from riskapp.services import leaving, projects, samples, turns
from riskapp.web.forms.projects import NewProjectForm, ProjectForm
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, as_owner, frame, in_project, page_of

PROJECT_ORDERS: Orders = {
    "new": ("Newest first", ("-project__created_at",)),
    "name": ("By name", (Lower("project__name"),)),
    "role": ("By your role", ("role", "-project__created_at")),
}
UPLOAD_ORDERS: Orders = {
    "new": ("Newest first", ("-uploaded_at",)),
    "name": ("By name", (Lower("name"),)),
    "size": ("Largest first", ("-size",)),
    "state": ("By state", ("state", "-uploaded_at")),
}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return redirect("projects")


@require_safe
@login_required
def index(request: HttpRequest) -> HttpResponse:
    user = cast(Request, request).user
    every = selectors.projects_of(user)
    places, listing = listed(request, every, ("project__name", "project__purpose"), PROJECT_ORDERS)
    context = {
        "page": page_of(request, places),
        "listing": listing,
        "any": every.exists(),
        "waiting": turns.waiting_for(user),
        "may_create": policies.can_create_projects(user),
        "sample": samples.of(user),
    }
    return render(request, "projects/index.html", context)


@login_required
def new(request: HttpRequest) -> HttpResponse:
    asked = cast(Request, request)
    policies.check_create_projects(asked.user)
    form = NewProjectForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        project = projects.create(
            by=asked.actor, name=wanted["name"], purpose=wanted["purpose"], role=Role(wanted["role"])
        )
        return redirect("release-class", project.pk)
    return render(request, "projects/new.html", {"form": form, "sample": samples.of(asked.user)})


@login_required
def sample(request: HttpRequest) -> HttpResponse:
    asked = cast(Request, request)
    policies.check_create_projects(asked.user)
    if request.method != "POST":
        return redirect("projects")
    known = samples.of(asked.user)
    project = known or samples.load(by=asked.actor)
    told = "This is your sample project. You have it already." if known else "The sample project is there."
    messages.success(request, f"{told} Its people are invented.")
    return redirect("project", project.pk)


@require_safe
@in_project("visit")
def show(request: Request, project: Project) -> HttpResponse:
    if not policies.can("see_uploads", request.user, project):
        context = frame(request, project, "releases") | {"releases": selectors.releases_for(request.user, project)}
        return render(request, "projects/recipient.html", context)
    setup = selectors.setup_of(project)
    context = frame(request, project, "data") | {
        "setup": setup,
        "identifier": selectors.identifier_of(setup),
        "passed_over": selectors.identifier_passed_over(setup),
        "left_out": leaving.of(setup),
        "sample": samples.stage(project),
        **_uploads(request, project),
        "max_bytes": settings.MAX_UPLOAD_BYTES,
        "endings": ",".join(bridge.ENDINGS + bridge.PACKED),
    }
    return render(request, "projects/show.html", context)


def _uploads(request: Request, project: Project) -> dict[str, Any]:
    found, listing = listed(request, project.uploads.all(), ("name",), UPLOAD_ORDERS)
    return {"uploads": selectors.uploads_of(project, found), "listing": listing, "any": project.uploads.exists()}


@require_safe
@in_project("see_uploads")
def sample_progress(request: Request, project: Project) -> HttpResponse:
    """Where the sample stands, asked for again while it is being prepared; its end changes the whole page."""
    stage = samples.stage(project)
    if stage is None or not stage.busy:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return render(request, "projects/_sample.html", {"project": project, "sample": stage})


@as_owner
def describe(request: Request, project: Project) -> HttpResponse:
    form = ProjectForm(request.POST or None, initial={"name": project.name, "purpose": project.purpose})
    if request.method == "POST" and form.is_valid():
        projects.describe(project, by=request.actor, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("project", project.pk)
    return render(request, "projects/settings.html", frame(request, project, "settings") | {"form": form})
