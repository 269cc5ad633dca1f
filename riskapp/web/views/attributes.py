"""The table of columns: what happens with each, changed one by one, together, or as suggested."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import policies, selectors
from riskapp.models import Attribute, ColumnRole, Project, Setup
from riskapp.services import ordering, setups, undoing
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.forms.attributes import BULK, BulkForm, ColumnForm, OrderForm
from riskapp.web.listing import Orders, listing
from riskapp.web.pages import Request, frame, in_project, whole

PLAIN: dict[str, Any] = {
    "typed": None,
    "wrong": "",
    "asks_reason": False,
    "overtaken": False,
    "oob": False,
    "row_oob": False,
}
"""A row as it is in the table; what is not said at all is slow to look up in hundreds of rows."""

SHOWN = {
    "": "all columns",
    "waiting": "left to confirm",
    "released": "released",
    "dropped": "not released",
    "knowable": "an attacker could know",
    "hurts": "hurts if learnt",
}

ORDERS: Orders = {
    "file": ("as in the file", (lambda one: one.position,)),
    "name": ("by name", (lambda one: one.column.lower(),)),
    "waiting": ("left to confirm first", (lambda one: one.confirmed,)),
    "role": ("by what happens with it", (lambda one: ColumnRole.values.index(one.role),)),
    "distinct": ("most different values first", (lambda one: -one.suggestion.get("distinct", 0),)),
}
"""Columns that are alike in an order stay as in the file. `static/js/attributes.js` knows the same orders."""


@require_safe
@in_project("see_uploads")
def index(request: Request, project: Project) -> HttpResponse:
    setup = selectors.setup_of(project)
    find, show = request.GET.get("find", "").strip(), request.GET.get("show", "")
    columns = list(setup.attributes.all()) if setup.dataset_id else []
    told = listing(request, ORDERS)
    found = [one for one in columns if find.casefold() in one.column.casefold() and shown(one, show)]
    context = _context(request, project, setup, columns) | {
        "columns": sorted(found, key=ORDERS[told.sort][1][0]),
        "listing": told,
        "uploads": selectors.ready_uploads(project),
        "find": find,
        "show": show,
        "kinds": SHOWN,
        "bulk": BULK,
    }
    return render(request, "attributes/index.html", PLAIN | context)


def shown(one: Attribute, show: str) -> bool:
    """Whether a column is of the kind that is looked for; of no kind that we know: all are."""
    kinds = {
        "waiting": not one.confirmed,
        "released": one.released,
        "dropped": not one.released,
        "knowable": one.knowable,
        "hurts": one.hurts,
    }
    return kinds.get(show, True)


def _context(request: Request, project: Project, setup: Setup, columns: list[Attribute]) -> dict[str, Any]:
    identifier = next((one for one in columns if one.role == ColumnRole.IDENTIFIER), None)
    return frame(request, project, "attributes") | {
        "setup": setup,
        "total": len(columns),
        "waiting": sum(not one.confirmed for one in columns),
        "generalised": sum(one.role == ColumnRole.GENERALISED for one in columns),
        "identifier": identifier,
        "passed_over": selectors.identifier_passed_over(setup),
        "undo": _undo_words(request, project),
        "overhaul": selectors.last_overhaul(project),
    }


# One column


@in_project("see_uploads")
def one(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """A column by itself; posting says what happens with it."""
    attribute = selectors.attribute(project, attribute_id)
    if request.method == "POST":
        policies.check("describe", request.user, project)
        return _save(request, project, attribute)
    if request.htmx:
        return _row(request, project, attribute)
    return _page(request, project, attribute)


def _save(request: Request, project: Project, attribute: Attribute) -> HttpResponse:
    form = ColumnForm(request.POST)
    if not form.is_valid():
        return _again(request, project, attribute, form, {"wrong": "Choose what happens with the column."})
    said = {} if "accept" in request.POST else form.said()
    before = undoing.snapshot(attribute.setup)
    try:
        setups.describe(attribute, _seen(request, attribute, form), by=request.actor, **said)
    except Unfit as trouble:
        return _again(request, project, attribute, form, {"wrong": str(trouble), "asks_reason": True})
    except Overtaken:
        attribute = selectors.attribute(project, attribute.pk)
        return _again(request, project, attribute, form, {"overtaken": True})
    changed = remember(request, attribute.setup, before, f"what was said about {attribute.column}")
    if request.htmx:
        others = [row["id"] for row in changed if row["id"] != attribute.pk]
        return _saved(request, project, attribute, others)
    messages.success(request, f"Saved: {attribute.column}.")
    return redirect("attributes", project.pk)


def _seen(request: Request, attribute: Attribute, form: ColumnForm) -> int:
    """A person who clicks faster than the server answers has not overtaken anybody else."""
    own = attribute.changed_by_id == request.user.pk
    return attribute.version if own else int(form.cleaned_data["seen"])


def _again(
    request: Request, project: Project, attribute: Attribute, form: ColumnForm, told: dict[str, Any]
) -> HttpResponse:
    """What was typed, beside what is wrong with it or what somebody else said meanwhile."""
    typed = {name: form.data.get(name, "") for name in ("role", "keep_reason")}
    ticks = {name: name in form.data for name in ("knowable", "hurts")}
    context = told | {"typed": typed | ticks}
    if request.htmx:
        return _row(request, project, attribute, context)
    return _page(request, project, attribute, context, status=409 if "overtaken" in told else 422)


def _row(request: Request, project: Project, attribute: Attribute, told: dict[str, Any] | None = None) -> HttpResponse:
    context = frame(request, project, "attributes") | PLAIN | {"one": attribute}
    return render(request, "attributes/_row.html", context | (told or {}))


def _saved(request: Request, project: Project, attribute: Attribute, others: list[int]) -> HttpResponse:
    """What changes on the page around the controls, which keep what the person has put into them."""
    columns = list(attribute.setup.attributes.all())
    context = PLAIN | _context(request, project, attribute.setup, columns)
    context |= {"one": attribute, "others": [one for one in columns if one.pk in others]}
    answer = render(request, "attributes/_saved.html", context)
    answer["HX-Reswap"] = "none"
    return answer


def _page(
    request: Request,
    project: Project,
    attribute: Attribute,
    told: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    typed = (told or {}).get("typed")
    form = ColumnForm(initial=typed | {"seen": attribute.version}) if typed else ColumnForm.showing(attribute)
    order = OrderForm(initial={"order": OrderForm.shown(attribute.order or []), "seen": attribute.version})
    context = frame(request, project, "attributes") | {"one": attribute, "form": form, "order_form": order}
    return render(request, "attributes/one.html", context | (told or {}), status=status)


@require_POST
@in_project("describe")
def order(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The order of a column's values."""
    attribute = selectors.attribute(project, attribute_id)
    form = OrderForm(request.POST)
    if form.is_valid():
        try:
            ordering.put(attribute, form.cleaned_data["order"], form.cleaned_data["seen"], by=request.actor)
        except (Unfit, Overtaken) as trouble:
            form.add_error("order", str(trouble))
            form.data = {**request.POST.dict(), "seen": str(selectors.attribute(project, attribute_id).version)}
        else:
            messages.success(request, f"Saved: the order of {attribute.column}.")
            return redirect("attribute", project.pk, attribute.pk)
    return _page(request, project, attribute, {"order_form": form}, status=422)


@require_POST
@in_project("see_values")
def values(request: Request, project: Project, attribute_id: int) -> HttpResponse:
    """The values of a column, to be put in order: an audited look at people's data."""
    attribute = selectors.attribute(project, attribute_id)
    listed = ordering.look_at_values(attribute, by=request.actor)
    form = OrderForm(initial={"order": OrderForm.shown(listed), "seen": attribute.version})
    return _page(request, project, attribute, {"order_form": form, "looked": True})


# Several at once


@require_POST
@in_project("describe")
def accept(request: Request, project: Project) -> HttpResponse:
    setup = selectors.setup_of(project)
    before = undoing.snapshot(setup)
    count = setups.accept_all(setup, by=request.actor)
    remember(request, setup, before, f"the acceptance of {count} suggestion{'' if count == 1 else 's'}")
    messages.success(request, f"Accepted for {count} column{'' if count == 1 else 's'}.")
    return redirect("attributes", project.pk)


@require_POST
@in_project("describe")
def bulk(request: Request, project: Project) -> HttpResponse:
    """One change to all ticked columns, or to none of them."""
    setup = selectors.setup_of(project)
    columns = {one.pk: one for one in setup.attributes.select_related("setup__project")}
    form = BulkForm(request.POST, ids=list(columns))
    if not form.is_valid():
        for field in form.errors.values():
            messages.error(request, " ".join(str(error) for error in field))
        return redirect("attributes", project.pk)
    ticked = [(columns[pk], _seen_in_bulk(request, columns[pk])) for pk in form.cleaned_data["ticked"]]
    before = undoing.snapshot(setup)
    try:
        setups.describe_many(ticked, by=request.actor, **form.changes())
    except (Unfit, Overtaken) as trouble:
        messages.error(request, f"Nothing was changed. {trouble}")
    else:
        many = f"{len(ticked)} column{'' if len(ticked) == 1 else 's'}"
        remember(request, setup, before, f"what was said about {many}")
        messages.success(request, f"Saved for {many}.")
    return redirect("attributes", project.pk)


def _seen_in_bulk(request: Request, attribute: Attribute) -> int:
    if attribute.changed_by_id == request.user.pk:
        return attribute.version
    return whole(request.POST.get(f"seen-{attribute.pk}", ""), -1)


# Undo


def remember(request: Request, setup: Setup, before: undoing.Rows, what: str, kept: str = "") -> undoing.Changed:
    """Keep in the session what the last change replaced: roles and ticks, no value of the data.

    Hierarchies list values: of them the session has the hash under which the set-up is kept as it was.
    """
    changed = undoing.changed(setup, before)
    if changed:
        request.session["undo"] = {"project": str(setup.pk), "what": what, "rows": changed, "kept": kept}
    return changed


def _undo_words(request: Request, project: Project) -> str:
    kept = request.session.get("undo") or {}
    return str(kept.get("what", "")) if kept.get("project") == str(project.pk) else ""


@require_POST
@in_project("describe")
def undo(request: Request, project: Project) -> HttpResponse:
    """Take the person's last change to the table back."""
    kept = request.session.pop("undo", None)
    if not kept or kept["project"] != str(project.pk):
        messages.info(request, "There is nothing to undo.")
        return redirect("attributes", project.pk)
    try:
        undoing.undo(selectors.setup_of(project), kept["rows"], by=request.actor, kept=kept.get("kept", ""))
        messages.success(request, f"Undone: {kept['what']}.")
    except Overtaken as trouble:
        messages.error(request, str(trouble))
    return redirect("attributes", project.pk)
