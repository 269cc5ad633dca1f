"""Projects: the list, a new one, its data, its settings."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from riskapp import bridge, policies, selectors
from riskapp.models import Project, Role
from riskapp.services import projects, samples
from riskapp.web.forms.projects import NewProjectForm, ProjectForm
from riskapp.web.pages import Request, as_owner, frame, in_project


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return redirect("projects")


@require_safe
@login_required
def index(request: HttpRequest) -> HttpResponse:
    user = cast(Request, request).user
    context = {"places": selectors.projects_of(user), "may_create": policies.can_create_projects(user)}
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
        return redirect("project", project.pk)
    return render(request, "projects/new.html", {"form": form})


@login_required
def sample(request: HttpRequest) -> HttpResponse:
    asked = cast(Request, request)
    policies.check_create_projects(asked.user)
    if request.method != "POST":
        return redirect("projects")
    project = samples.load(by=asked.actor)
    messages.success(request, "The sample project is there. Its people are invented.")
    return redirect("project", project.pk)


@require_safe
@in_project("visit")
def show(request: Request, project: Project) -> HttpResponse:
    if not policies.can("see_uploads", request.user, project):
        return render(request, "projects/recipient.html", frame(request, project, "releases"))
    context = frame(request, project, "data") | {
        "uploads": selectors.uploads_of(project),
        "max_bytes": settings.MAX_UPLOAD_BYTES,
        "endings": ",".join(bridge.ENDINGS + bridge.PACKED),
    }
    return render(request, "projects/show.html", context)


@as_owner
def describe(request: Request, project: Project) -> HttpResponse:
    form = ProjectForm(request.POST or None, initial={"name": project.name, "purpose": project.purpose})
    if request.method == "POST" and form.is_valid():
        projects.describe(project, by=request.actor, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("project", project.pk)
    return render(request, "projects/settings.html", frame(request, project, "settings") | {"form": form})
