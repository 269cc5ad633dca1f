"""Which upload is the dataset, and who is left out of it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from riskapp import policies, selectors
from riskapp.models import Project, Setup, Upload
from riskapp.services import datasets, drifting, leaving, setups
from riskapp.services.drifting import SameTwice
from riskapp.web.pages import Request, frame, in_project, version_seen
from riskapp.web.views.drifts import asked, renamed


@in_project("see_uploads")
def choose(request: Request, project: Project) -> HttpResponse:
    """Choose the dataset; one that takes the place of another is compared with what was said before."""
    upload = _upload(project, request.POST.get("upload") or request.GET.get("upload", ""))
    setup = selectors.setup_of(project)
    if request.method == "POST":
        policies.check("describe", request.user, project)
    if upload is None:
        return redirect("attributes", project.pk)
    if request.method == "POST":
        return _choose(request, setup, upload)
    if setup.dataset_id is None:
        return redirect("attributes", project.pk)
    return _compared(request, setup, upload)


def _compared(request: Request, setup: Setup, upload: Upload, refused: str = "") -> HttpResponse:
    """What is different in the file, with what somebody says to it."""
    drift = drifting.of(setup.project, drifting.from_setup(setup, upload))
    context = frame(request, setup.project, "attributes") | {"setup": setup, "upload": upload, "drift": drift}
    context |= {"asked": asked(request, drift), "refused": refused}
    page = "attributes/_dataset.html" if request.htmx else "attributes/dataset.html"
    return render(request, page, context, status=422 if refused else 200)


def _choose(request: Request, setup: Setup, upload: Upload) -> HttpResponse:
    project, seen = setup.project, version_seen(request, setup)
    if setup.dataset_id is None:
        setups.choose_dataset(setup, upload, seen, by=request.actor)
        return redirect("attributes", project.pk)
    question = drifting.from_setup(setup, upload)
    if "sure" not in request.POST or drifting.of(project, question).facts is None:
        drifting.ask(setup, question, by=request.actor)
        there = redirect("dataset", project.pk)
        there["Location"] += f"?upload={upload.pk}"
        return there
    try:
        datasets.replace(setup, upload, renamed(request, drifting.of(project, question)), seen, by=request.actor)
    except SameTwice as trouble:
        return _compared(request, setup, upload, str(trouble))
    messages.success(request, f"{upload.name} is the dataset now. What was said about its columns was carried over.")
    return redirect("attributes", project.pk)


def _upload(project: Project, key: str) -> Upload | None:
    try:
        return selectors.ready_uploads(project).filter(pk=UUID(key)).first()
    except ValueError:
        return None


@in_project("see_uploads")
def leave_out(request: Request, project: Project) -> HttpResponse:
    """The list of people to leave out, and what it takes away; posting chooses it or has it counted."""
    setup = selectors.setup_of(project)
    if request.method == "POST":
        policies.check("describe", request.user, project)
        if "upload" in request.POST:
            upload = _upload(project, request.POST["upload"])
            setups.leave_out(setup, upload, version_seen(request, setup), by=request.actor)
            messages.success(request, f"People in {upload.name} are left out." if upload else "Nobody is left out.")
            setup = selectors.setup_of(project)
        leaving.ask(setup, by=request.actor)
        return redirect("project", project.pk)
    if not request.htmx:
        return redirect("project", project.pk)
    context = frame(request, project, "data") | {"setup": setup, "left_out": leaving.of(setup)}
    return render(request, "attributes/_left-out.html", context)
