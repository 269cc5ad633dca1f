"""Uploads: taking one in, showing it, reading it again, shredding it."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from riskapp import bridge, selectors, storage
from riskapp.core.errors import RiskappError
from riskapp.models import Project, Upload, UploadState
from riskapp.services import reading, runs, uploads
from riskapp.web import arriving
from riskapp.web.forms.uploads import WishesForm
from riskapp.web.pages import Request, as_owner, frame, in_project


@csrf_exempt  # checked by `_take` below: who may send, and how much, is decided before the first byte is read
@require_POST
@in_project("upload")
def add(request: Request, project: Project) -> HttpResponse:
    """Stream a file into the store. Answers in JSON for the page's script, with a page otherwise."""
    try:
        uploads.check_welcome(project, arriving.announced(request), by=request.actor)
        with arriving.place(), storage.Incoming() as file:
            arriving.receive(request, file)
            return _take(request, project, file)
    except uploads.Unwelcome as trouble:
        return _unwelcome(request, project, trouble)
    except UnreadablePostError:
        return _unwelcome(request, project, arriving.broken_off())
    except OSError:
        return _unwelcome(request, project, uploads.disk_full())


@csrf_protect
def _take(request: Request, project: Project, file: storage.Incoming) -> HttpResponse:
    form = request.FILES.get("file")
    if form is None:
        raise uploads.Unwelcome("No file came.", "Choose a file.", 400)
    upload = uploads.add(project, form.name or "", file, by=request.actor)
    location = reverse("upload", args=[project.pk, upload.pk])
    return JsonResponse({"location": location}, status=201) if _wants_json(request) else redirect(location)


def _wants_json(request: Request) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _unwelcome(request: Request, project: Project, trouble: uploads.Unwelcome) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"error": str(trouble), "advice": trouble.advice}, status=trouble.status)
    messages.error(request, f"{trouble} {trouble.advice}")
    return redirect("project", project.pk)


@require_POST
@in_project("upload")
def check(request: Request, project: Project) -> HttpResponse:
    """Would this file be welcome? Asked before it is sent, since a browser hears no answer while it is sending."""
    try:
        uploads.check_name(request.POST.get("name", ""))
        size = request.POST.get("size", "")
        uploads.check_welcome(project, int(size) if size.isdecimal() else None, by=request.actor)
    except uploads.Unwelcome as trouble:
        return JsonResponse({"error": str(trouble), "advice": trouble.advice}, status=trouble.status)
    return HttpResponse(status=204)


@require_safe
@in_project("see_uploads")
def show(request: Request, project: Project, upload_id: UUID) -> HttpResponse:
    upload = selectors.upload(project, upload_id)
    template = "uploads/_body.html" if request.htmx else "uploads/show.html"
    return render(request, template, _context(request, project, upload))


def _context(request: Request, project: Project, upload: Upload) -> dict[str, Any]:
    run = upload.last_run  # type: ignore[attr-defined]
    code = (upload.fault or {}).get("code")
    return frame(request, project, "data") | {
        "upload": upload,
        "setup": selectors.setup_of(project),
        "run": run,
        "busy": run is not None and not run.is_over,
        "same": selectors.same_bytes(upload),
        "good_run": selectors.last_good_run(upload),
        "mendable": code is None or code in bridge.MENDED_BY,
        "may_pass": code in runs.MAY_PASS,
        "form": WishesForm.showing(upload),
    }


@require_safe
@in_project("see_uploads")
def row(request: Request, project: Project, upload_id: UUID) -> HttpResponse:
    """An upload's line in the list of its project, asked for again while it is being read."""
    upload = selectors.upload(project, upload_id)
    setup = selectors.setup_of(project)
    context = {
        "upload": upload,
        "setup": setup,
        "identifier": selectors.identifier_of(setup),
        "passed_over": selectors.identifier_passed_over(setup),
    }
    return render(request, "uploads/row.html", frame(request, project, "data") | context)


@require_POST
@in_project("run")
def read_again(request: Request, project: Project, upload_id: UUID) -> HttpResponse:
    upload = selectors.upload(project, upload_id)
    form = WishesForm(request.POST)
    if not form.is_valid():
        context = _context(request, project, upload) | {"form": form}
        return render(request, "uploads/show.html", context, status=422)
    reading.again(upload, form.wishes(), by=request.actor)
    return redirect("upload", project.pk, upload.pk)


@require_POST
@in_project("run")
def retry(request: Request, project: Project, upload_id: UUID) -> HttpResponse:
    """Read it again just as it was tried last, or with `before` as it was last read with success."""
    upload = selectors.upload(project, upload_id)
    good = selectors.last_good_run(upload) if "before" in request.POST else None
    reading.again(upload, good.parameters if good else upload.wishes, by=request.actor)
    return redirect("upload", project.pk, upload.pk)


@require_POST
@in_project("see_values")
def values(request: Request, project: Project, upload_id: UUID, column: int) -> HttpResponse:
    """The most frequent values of a column: an audited look at people's data."""
    upload = selectors.upload(project, upload_id)
    shown = uploads.look_at_values(upload, column, by=request.actor)
    context = frame(request, project, "data") | {
        "upload": upload,
        "column": upload.profile["columns"][column],
        "values": shown,
        "most": max((times for _, times in shown), default=1),
    }
    template = "uploads/_values.html" if request.htmx else "uploads/values.html"
    return render(request, template, context)


@as_owner
def purge(request: Request, project: Project, upload_id: UUID) -> HttpResponse:
    upload = selectors.upload(project, upload_id)
    if upload.state == UploadState.PURGED:
        raise RiskappError("This upload is shredded already.")
    same = selectors.same_bytes(upload)
    if request.method != "POST":
        return render(request, "uploads/purge.html", frame(request, project, "data") | {"upload": upload, "same": same})
    uploads.purge(upload, by=request.actor)
    if same:
        messages.warning(request, f"Shredded: its table and profile are gone. The same bytes stay as {same.name}.")
    else:
        messages.success(request, "Shredded: the bytes, the coded table and the profile are gone.")
    return redirect("project", project.pk)
