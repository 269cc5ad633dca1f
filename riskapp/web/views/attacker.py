"""One attacker: who it is, how its table is matched, and whom it covers."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from riskapp import policies, selectors
from riskapp.models import Attacker, AttackerKind, Project, today
from riskapp.services import attackers, inquiries
from riskapp.services.inquiries import Inquiry
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.forms.attackers import KnowsForm, MoreForm, WhoForm
from riskapp.web.forms.matching import Columns, HoldingForm
from riskapp.web.inquiring import (
    about_matching,
    asked,
    could_also_know,
    count_what_is_shown,
    looked_up,
    suggestions_for,
    tell_unmatched,
)
from riskapp.web.pages import Request, frame, in_project, version_seen

Knowing = KnowsForm | HoldingForm


@in_project("see_runs")
def show(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Everything about one attacker; posting says who it is."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method != "POST":
        return _page(request, project, attacker)
    policies.check("describe", request.user, project)
    form = _who(attacker, request.POST)
    if form.is_valid() and _saved(request, project, attacker, form):
        return redirect("attacker", project.pk, attacker.pk)
    return _page(request, project, attacker, who=form, status=422)


@require_POST
@in_project("describe")
def know(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Save what an attacker knows: the columns of the dataset, or how their table is matched."""
    attacker = selectors.attacker(project, attacker_id)
    form = _knowing(project, attacker, request.POST)
    if form is None:
        return redirect("attacker", project.pk, attacker.pk)
    if form.is_valid() and _saved(request, project, attacker, form):
        return redirect("attacker", project.pk, attacker.pk)
    return _page(request, project, attacker, knowing=form, status=422)


@require_POST
@in_project("describe")
def accept(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Take over every suggestion."""
    attacker = selectors.attacker(project, attacker_id)
    suggested = suggestions_for(project, attacker).figures
    if suggested is None:
        messages.info(request, "The suggestions are not there yet. Try again in a moment.")
        return redirect("attacker", project.pk, attacker.pk)
    try:
        attackers.accept(attacker, version_seen(request, attacker), suggested, by=request.actor)
    except Overtaken as trouble:
        messages.error(request, str(trouble))
        return redirect("attacker", project.pk, attacker.pk)
    count_what_is_shown(request, project, attacker)
    messages.success(request, "The suggestions are taken over. Look at the chart whether people are covered.")
    tell_unmatched(request, suggested)
    return redirect("attacker", project.pk, attacker.pk)


@in_project("see_runs")
def suggestions(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """The columns of the attacker's table with what is suggested; posting has it looked at."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method == "POST":
        policies.check("run", request.user, project)
        asked(request, project, lambda: about_matching(attacker), inquiries.MATCHING)
    if not request.htmx or attacker.kind == AttackerKind.ITSELF:
        return redirect("attacker", project.pk, attacker.pk)
    return render(request, "attackers/_holding.html", _context(request, project, attacker))


@in_project("see_runs")
def coverage(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """The coverage chart of the attacker as it is saved, as `of` names it, or as a form that is not saved yet says."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method == "POST":
        policies.check("run", request.user, project)
        found = _counted(request, project, attacker)
    elif "of" in request.GET:
        found = inquiries.known(project, inquiries.COVERAGE, request.GET["of"])
    else:
        found = looked_up(project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE)
    if not request.htmx:
        return redirect("attacker", project.pk, attacker.pk)
    small = "small" in request.GET
    context = frame(request, project, "adversary") | _chart(request, project, attacker, found)
    return render(request, "attackers/_summary.html" if small else "attackers/_coverage.html", context)


def _counted(request: Request, project: Project, attacker: Attacker) -> Inquiry:
    if "seen" not in request.POST:
        return asked(request, project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE)
    form = _knowing(project, attacker, request.POST)
    if form is None or not form.is_valid():
        return Inquiry(inquiries.COVERAGE, obstacle=_first_error(form))
    changed = _changed(attacker, form.changes())
    question, draft = lambda: inquiries.about_coverage(changed), f"attacker {attacker.pk}"
    return asked(request, project, question, inquiries.COVERAGE, draft)


def _first_error(form: Knowing | None) -> str:
    errors = [str(error) for field in (form.errors.values() if form else []) for error in field]
    return errors[0] if errors else "Choose the file first."


def _changed(attacker: Attacker, changes: dict[str, Any]) -> Attacker:
    """The attacker as it would be, not saved."""
    draft = selectors.attacker(attacker.setup.project, attacker.pk)
    for name, value in changes.items():
        setattr(draft, name, value)
    return draft


def _chart(request: Request, project: Project, attacker: Attacker, found: Inquiry) -> dict[str, Any]:
    """A chart, or the one before it while the new one is being counted."""
    saved = looked_up(project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE)
    given = request.POST if request.method == "POST" else request.GET
    before = inquiries.known(project, inquiries.COVERAGE, given.get("shown", saved.key))
    return {
        "attacker": attacker,
        "inquiry": found,
        "before": before if found.figures is None and before.figures else None,
        "draft": found.key != saved.key,
        "replaced": found.superseded and found.key != saved.key,
    }


def _who(attacker: Attacker, given: Any = None) -> WhoForm:
    setup = attacker.setup
    uploads = selectors.ready_uploads(setup.project).exclude(pk__in=[setup.dataset_id] if setup.dataset_id else [])
    return WhoForm(given, attacker=attacker, uploads=uploads)


def _knowing(project: Project, attacker: Attacker, given: Any = None) -> Knowing | None:
    """The form of what an attacker knows; None as long as they have no table."""
    if attacker.kind == AttackerKind.ITSELF:
        return KnowsForm(given, attacker=attacker, possible=attackers.known_to_all(attacker.setup))
    names = attacker.upload.column_names if attacker.upload else []
    if not names:
        return None
    columns = Columns(attacker.setup, suggestions_for(project, attacker).figures)
    return HoldingForm(given, attacker=attacker, names=names, columns=columns)


def _saved(request: Request, project: Project, attacker: Attacker, form: Any) -> bool:
    """Whether it was saved; if not, the form says why and holds what was typed."""
    try:
        attackers.describe(attacker, form.cleaned_data["seen"], by=request.actor, **form.changes())
    except Unfit as trouble:
        form.add_error("name" if "name" in form.fields else None, str(trouble))
        return False
    except Overtaken:
        attacker.refresh_from_db()
        who = attacker.changed_by.name if attacker.changed_by else "Somebody else"
        form.data = form.data.copy()
        form.data["seen"] = attacker.version
        told = f"{who} changed this attacker in the meantime. What you chose is still here: saving now replaces theirs."
        form.add_error(None, told)
        return False
    count_what_is_shown(request, project, attacker)
    messages.success(request, "Saved.")
    return True


def _page(
    request: Request,
    project: Project,
    attacker: Attacker,
    *,
    who: WhoForm | None = None,
    knowing: Knowing | None = None,
    status: int = 200,
) -> HttpResponse:
    context = _context(request, project, attacker, knowing) | {"who": who or _who(attacker)}
    found = looked_up(project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE)
    options = could_also_know(project, attacker)
    context |= _chart(request, project, attacker, found) | {
        "options": options,
        "more": MoreForm(options=options),
        "overdue": bool(attacker.delete_after and attacker.delete_after <= today()),
    }
    return render(request, "attackers/show.html", context, status=status)


def _context(request: Request, project: Project, attacker: Attacker, knowing: Knowing | None = None) -> dict[str, Any]:
    suggested = suggestions_for(project, attacker)
    form = knowing or _knowing(project, attacker)
    return frame(request, project, "adversary") | {
        "attacker": attacker,
        "itself": attacker.kind == AttackerKind.ITSELF,
        "suggested": suggested,
        "knowing": form,
        "rows": _rows(attacker, form, suggested.figures) if isinstance(form, HoldingForm) else [],
    }


def _rows(attacker: Attacker, form: HoldingForm, suggested: Any) -> list[dict[str, Any]]:
    """The columns of a table, each with its fields and what is suggested for it."""
    guesses = {one["name"]: one["suggested"] for one in (suggested or {}).get("columns", [])}
    return [
        {
            "place": place,
            "name": name,
            "match": form[f"match_{place}"],
            "fuzzy": form[f"fuzzy_{place}"],
            "guess": guesses.get(name),
            "unreleased": name in form.columns.unreleased,
            "taken": _taken(attacker, name, guesses.get(name)),
        }
        for place, name in enumerate(form.names)
    ]


def _taken(attacker: Attacker, column: str, guess: Any) -> bool:
    """Whether a column is matched as it is suggested."""
    if not guess or attacker.match.get(column) != guess["match"]:
        return False
    least: float | None = attacker.fuzzy.get(column)
    return least == (float(guess["likeness"]) if guess.get("likeness") else None)
