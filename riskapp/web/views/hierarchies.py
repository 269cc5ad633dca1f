"""The hierarchy studio of a column: builders with a preview, the tree, files, and the way to the shelf.

What is being built travels in the form from request to request until it is saved; nothing of it is kept elsewhere.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from riskapp import policies, selectors
from riskapp.bridge import holding, shaping, trees
from riskapp.bridge.holding import Holder
from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import RiskappError
from riskapp.models import Attribute, Project, ShelvedHierarchy
from riskapp.services import hierarchies, ordering, shelf
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web import studio as studios
from riskapp.web.forms.hierarchies import HierarchyFileForm, ShelveForm
from riskapp.web.pages import Request, frame, in_project
from riskapp.web.studio import Studio
from riskapp.web.templatetags.steps import what_words

FILE, SHELF = "csv", "shelf"
"""What the fields of the forms beside the builder begin with: all are part of one form, so that nothing is lost."""


@in_project("see_runs")
def show(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    attribute = selectors.attribute(project, attribute_id)
    if request.method == "POST":
        policies.check("describe", request.user, project)
        return _save(request, project, attribute)
    return page(request, project, studios.opening(attribute))


def page(request: Request, project: Project, studio: Studio, status: int = 200, **more: Any) -> HttpResponse:
    """The studio: whole, or the parts that a step of htmx changes."""
    told = {"studio": studio, "attribute": studio.attribute, "preview": studio.shown}
    if request.htmx:
        part = "_preview" if request.htmx.target == "preview" else "_parts"
        return render(request, f"hierarchies/{part}.html", told | {"project": project, "looks": True, **more})
    beside = {
        "file_form": HierarchyFileForm(prefix=FILE),
        "shelve_form": ShelveForm(prefix=SHELF),
        "next": selectors.next_with_hierarchy(studio.attribute),
    }
    return render(
        request, "hierarchies/show.html", frame(request, project, "attributes") | beside | told | more, status=status
    )


def _save(request: Request, project: Project, attribute: Attribute) -> HttpResponse:
    studio = studios.asked(attribute, request.POST)
    if studio.shown is None:
        return page(request, project, studio, 422)
    try:
        knowing = "knowing" in request.POST
        order = shaping.whole_order(studio.column) if studio.own_order else None
        hierarchies.save(attribute, studio.spec, studio.seen, by=request.actor, knowing=knowing, order=order)
    except hierarchies.Homeless as trouble:
        studio.homeless = str(trouble)
        return page(request, project, studio, 422)
    except Overtaken:
        return _conflict(request, project, studio)
    messages.success(request, f"Saved: the hierarchy of {attribute.column}.")
    return redirect("hierarchy", project.pk, attribute.pk)


def _conflict(request: Request, project: Project, studio: Studio) -> HttpResponse:
    """Somebody else changed the column: tell who and what, and keep what was built. Saving again is then meant."""
    now = studio.attribute
    now.refresh_from_db()
    who = now.changed_by.name if now.changed_by else "Somebody"
    studio.conflict = {"who": who, "at": now.changed_at, "what": what_words(selectors.last_said_about(now))}
    studio.seen = now.version
    return page(request, project, studio, 409)


@require_POST
@in_project("describe")
def preview(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    attribute = selectors.attribute(project, attribute_id)
    return page(request, project, studios.asked(attribute, request.POST))


# Looks at values


@require_POST
@in_project("see_values")
def examples(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The commonest values at every level: an audited look."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    if studio.shown is None:
        return page(request, project, studio)
    seen = hierarchies.examples(studio.attribute, studio.spec, by=request.actor)
    return page(request, project, studio, examples=seen)


@require_POST
@in_project("see_values")
def put_in_order(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The values in their order, each to be moved up and down: an audited look."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    if studio.shown is None:
        return page(request, project, studio)
    try:
        listed = ordering.look_at_values(studio.attribute, by=request.actor)
    except (Unfit, Overtaken) as trouble:
        studio.refused = str(trouble)
        return page(request, project, studio)
    return page(request, project, studio.arranged(listed))


@require_POST
@in_project("see_values")
def uncovered(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The values without a place, with homes for them: an audited look."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    if studio.shown is None:
        return page(request, project, studio)
    of = holder_of(request, studio)
    seen = hierarchies.uncovered(studio.attribute, studio.spec, by=request.actor, of=of)
    return page(request, project, studio, uncovered=seen, of=of)


def holder_of(request: Request, studio: Studio) -> Holder | None:
    """The column of another table whose values are asked for; None for the dataset's own."""
    return holding.holder(studio.attribute, request.GET.get("of", ""))


# Files


@require_POST
@in_project("describe")
def upload(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """A hierarchy from a CSV file, to be looked at and saved."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    form = HierarchyFileForm(request.POST, request.FILES, prefix=FILE)
    if form.is_valid():
        try:
            rows = hierarchies.read(studio.attribute, form.cleaned_data["file"], form.has_header(), by=request.actor)
            return page(request, project, studio.rebuilt(rows, "Read from the file. Save it to keep it."))
        except RiskappError as trouble:
            form.add_error("file", getattr(trouble, "message", str(trouble)))
    return page(request, project, studio, 422, file_form=form)


@require_POST
@in_project("see_values")
def download(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The hierarchy as it is in the page, one row for each value: an audited look."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    if studio.trouble:
        return page(request, project, studio, 422)
    try:
        rows = hierarchies.written_out(studio.attribute, studio.spec, by=request.actor)
    except BadSetting as trouble:
        studio.refused = trouble.message
        return page(request, project, studio, 422)
    answer = HttpResponse(trees.as_csv(rows, "names" in request.POST), content_type="text/csv; charset=utf-8")
    plain = studio.attribute.column.encode("ascii", "ignore").decode()
    name = "".join(sign if sign.isalnum() else "-" for sign in plain).strip("-") or "hierarchy"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


# The shelf


@require_POST
@in_project("describe")
def shelve(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """Put the hierarchy as it is in the page on the organisation's shelf."""
    studio = studios.asked(selectors.attribute(project, attribute_id), request.POST)
    form = ShelveForm(request.POST, prefix=SHELF)
    if studio.shown is None:
        return page(request, project, studio, 422, shelve_form=form)
    if form.is_valid():
        given = form.cleaned_data
        try:
            shelf.add(given["name"], given["about"], studio.spec, by=request.actor, open_to_all=given["open_to_all"])
        except shelf.NotShelved as trouble:
            form.add_error(None, str(trouble))
        else:
            messages.success(request, f"“{given['name']}” is on the organisation's shelf.")
            return page(request, project, studio)
    return page(request, project, studio, 422, shelve_form=form)


@in_project("describe")
def take(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """What is on the shelf, and how each would fit the column; choosing one brings it into the studio."""
    attribute = selectors.attribute(project, attribute_id)
    if request.method == "POST":
        row = selectors.shelved_hierarchy(request.POST.get("shelved", ""))
        return page(request, project, _taken(request, attribute, row))
    words, column = request.GET.get("words", ""), shaping.column_of(attribute)
    glance = shaping.glance(column)
    rows = [(row, _fit(glance, row.hierarchy)) for row in selectors.shelved(words)[:50]]
    looked_at = len(glance.values) if glance is not column else None
    context = {"attribute": attribute, "rows": rows, "words": words, "looked_at": looked_at}
    context |= frame(request, project, "attributes")
    return render(request, "hierarchies/take.html", context)


def _taken(request: Request, attribute: Attribute, row: ShelvedHierarchy) -> Studio:
    studio, told = studios.opening(attribute), f"Taken from the shelf: {row.name}. Save it to keep it."
    try:
        if not shaping.lists_values(row.hierarchy):
            return studio.ruled(row.hierarchy, told)
        return studio.rebuilt(hierarchies.written_out(attribute, row.hierarchy, by=request.actor), told)
    except BadSetting as trouble:
        studio.refused = trouble.message
        return studio


def _fit(column: Any, spec: Any) -> shaping.Shown | None:
    """How a hierarchy would fit; None if it cannot be used at all."""
    try:
        return shaping.shown(column, shaping.ready(column, spec))
    except RiskappError:
        return None
