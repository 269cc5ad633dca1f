"""Templates: set-ups of the organisation, saved, shown, and used on another file."""

from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import policies, selectors
from riskapp.models import ColumnRole, Project, ReleaseKind, Template
from riskapp.services import drifting, templates, undoing
from riskapp.services.drifting import SameTwice
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.forms.attributes import TemplateForm
from riskapp.web.forms.search import FAMILIES
from riskapp.web.listing import Orders, listing
from riskapp.web.pages import Request, frame, in_project, version_seen, whole
from riskapp.web.views.drifts import as_suggested, asked, likely_renamed, renamed

ORDERS: Orders = {"name": ("By name", ()), "new": ("Newest first", ())}


@in_project("see_runs")
def index(request: Request, project: Project) -> HttpResponse:
    """The organisation's templates; posting saves this project's set-up as one."""
    setup = selectors.setup_of(project)
    form = TemplateForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        policies.check("describe", request.user, project)
        if form.is_valid():
            try:
                saved = templates.save(setup, form.cleaned_data["name"], form.cleaned_data["about"], by=request.actor)
            except Unfit as trouble:
                form.add_error(None, str(trouble))
            else:
                messages.success(request, f"Saved: {saved.name}, version {saved.version}.")
                return redirect("template", project.pk, saved.pk)
    context = frame(request, project, "templates") | {
        "setup": setup,
        "form": form,
        **_listed(request),
        "overhaul": selectors.last_overhaul(project),
    }
    return render(request, "shelf/templates.html", context, status=422 if form.errors else 200)


def _listed(request: Request) -> dict[str, Any]:
    """The templates by name, each with its versions, the newest of them first; found by the newest's words."""
    asked = listing(request, ORDERS)
    every = groupby(selectors.templates().defer("document"), key=lambda one: one.name)
    named = [(name, list(versions)) for name, versions in every]
    words = asked.words.casefold().split()
    found = [one for one in named if all(word in f"{one[0]} {one[1][0].about}".casefold() for word in words)]
    found.sort(key=lambda one: one[0].casefold())
    if asked.sort == "new":
        found.sort(key=lambda one: one[1][0].made_at, reverse=True)
    return {"named": found, "names": [name for name, _ in named], "listing": asked}


@require_safe
@in_project("see_runs")
def show(request: Request, project: Project, template_id: UUID) -> HttpResponse:
    template = selectors.template(template_id)
    context = frame(request, project, "templates") | {
        "template": template,
        "told": _told(template),
        "setup": selectors.setup_of(project),
        "uploads": selectors.ready_uploads(project),
    }
    return render(request, "shelf/template.html", context)


def _told(template: Template) -> dict[str, Any]:
    """What a template holds, in words."""
    document, kinds, roles = template.document, dict(ReleaseKind.choices), dict(ColumnRole.choices)
    return {
        "class": kinds.get(document["release_class"], "not said"),
        "limits": document["limits"],
        "columns": [{**one, "role_words": roles[one["role"]]} for one in document["attributes"]],
        "attackers": document["attackers"],
        "rules": [rule for rule in document["search"].get("rules", []) if rule in FAMILIES],
    }


@in_project("see_runs")
def apply(request: Request, project: Project, template_id: UUID) -> HttpResponse:
    """What is different in a file of this project, and what becomes of it; posting compares, or applies."""
    template, setup, refused = selectors.template(template_id), selectors.setup_of(project), ""
    if request.method == "POST":
        policies.check("describe", request.user, project)
    given = request.POST.get("upload") or request.GET.get("upload", "")
    upload = next((one for one in selectors.ready_uploads(project) if str(one.pk) == given), None)
    if upload is None:
        return redirect("template", project.pk, template.pk)
    question = drifting.from_template(template, upload)
    drift = drifting.of(project, question)
    if request.method == "POST" and "sure" in request.POST and drift.facts is not None:
        names, taken = renamed(request, drift), as_suggested(request, drift)
        try:
            done = templates.apply(
                setup, template, upload, names, taken, version_seen(request, setup), by=request.actor
            )
        except SameTwice as trouble:
            refused = str(trouble)
        else:
            _tell(request, template, done)
            return redirect("attributes", project.pk)
    elif request.method == "POST":
        drifting.ask(setup, question, by=request.actor)
        there = redirect("template-apply", project.pk, template.pk)
        there["Location"] += f"?upload={upload.pk}"
        return there
    context = frame(request, project, "templates") | {"setup": setup, "template": template, "upload": upload}
    page = "shelf/_apply.html" if request.htmx else "shelf/apply.html"
    likely = likely_renamed(drift)
    besides = templates.besides(setup, template, upload, likely) if drift.facts is not None else None
    context |= {"drift": drift, "asked": asked(request, drift), "besides": besides, "refused": refused}
    return render(request, page, context, status=422 if refused else 200)


def _tell(request: Request, template: Template, done: templates.Applied) -> None:
    messages.success(request, f"Applied: {template.name}, version {template.version}.")
    if done.without_file:
        names = ", ".join(f"“{name}”" for name in done.without_file)
        messages.warning(request, f"No file of the same name is here for the attackers {names}. Choose one for each.")
    if done.left_out:
        messages.warning(request, f"Left out: {'; '.join(done.left_out)}. Undo brings it back.")
    if done.to_confirm:
        some = "1 column differs" if done.to_confirm == 1 else f"{done.to_confirm} columns differ"
        messages.warning(request, f"{some} from the template's. Confirm what is left to confirm.")


@require_POST
@in_project("describe")
def undo(request: Request, project: Project) -> HttpResponse:
    """Go back to the set-up as it was before it was last replaced as a whole."""
    number = whole(request.POST.get("event", ""), -1)
    try:
        undoing.undo_overhaul(selectors.setup_of(project), number, by=request.actor)
        messages.success(request, "The set-up is as it was before. This can be undone too.")
    except Overtaken as trouble:
        messages.error(request, str(trouble))
    return redirect("attributes", project.pk)
