"""The release class of a project, and the organisation's limits for every class."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from riskapp import policies, selectors
from riskapp.bridge import documents
from riskapp.models import Project, ReleaseClass, ReleaseKind
from riskapp.services import classes, setups
from riskapp.web.forms.limits import CLASSES, LimitsForm, ReleaseClassForm
from riskapp.web.pages import Request, as_administrator, frame, in_project, whole


@in_project("see_uploads")
def of_project(request: Request, project: Project) -> HttpResponse:
    """For whom the release is, asked before anything else, because the limits follow from it."""
    setup = selectors.setup_of(project)
    if request.method == "POST":
        policies.check("describe", request.user, project)
    limits = documents.limits_of(setup)
    initial = {"release_class": setup.release_class, "own": setup.limits is not None, "seen": setup.version}
    form = ReleaseClassForm(request.POST or None, initial=initial | LimitsForm.shown(limits))
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        own = form.limits() if given["own"] else None
        setups.set_class(setup, given["release_class"], own, given["seen"], by=request.actor)
        messages.success(request, "Saved. The limits hold for every run from now on.")
        return redirect("project" if setup.dataset_id is None else "attributes", project.pk)
    context = frame(request, project, "class") | {"form": form, "classes": _classes(), "limits": limits}
    return render(request, "setup/release-class.html", context, status=422 if form.errors else 200)


def _classes() -> list[dict[str, Any]]:
    limits = documents.class_limits()
    return [
        {"kind": kind.value, "label": kind.label, "words": words, "limits": limits[kind.value]}
        for kind, words in CLASSES.items()
    ]


@as_administrator
def of_organisation(request: HttpRequest) -> HttpResponse:
    """The limits of every class. Each has a form of its own, told apart by its prefix."""
    asked: Any = request
    rows = {row.kind: row for row in ReleaseClass.objects.select_related("changed_by")}
    limits = documents.class_limits()
    forms = {kind: _form(request, kind, limits[kind]) for kind in ReleaseKind.values}
    changed = request.POST.get("class", "") if request.method == "POST" else ""
    if changed in forms and forms[changed].is_valid():
        classes.change(changed, forms[changed].limits(), whole(request.POST.get("seen", ""), 0), by=asked.actor)
        messages.success(request, f"Saved: the limits for {ReleaseKind(changed).label.lower()}.")
        return redirect("classes")
    listed = [
        {"kind": kind, "label": ReleaseKind(kind).label, "words": CLASSES[ReleaseKind(kind)], "form": form,
         "row": rows.get(kind), "seen": rows[kind].version if kind in rows else 0}
        for kind, form in forms.items()
    ]  # fmt: skip
    return render(request, "setup/classes.html", {"listed": listed}, status=422 if changed else 200)


def _form(request: HttpRequest, kind: str, limits: dict[str, Any]) -> LimitsForm:
    given = request.POST if request.method == "POST" and request.POST.get("class") == kind else None
    return LimitsForm(given, prefix=kind, initial=LimitsForm.shown(limits))
