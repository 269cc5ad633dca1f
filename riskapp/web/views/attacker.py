"""One attacker: who it is, how its table is matched, whom it covers, and what more knowledge would give."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from riskapp import policies, selectors
from riskapp.models import Attacker, AttackerKind, Project
from riskapp.services import attackers, inquiries
from riskapp.services.inquiries import Inquiry
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.forms.attackers import Columns, HoldingForm, KnowsForm, MoreForm, WhoForm, more_key
from riskapp.web.pages import Request, frame, in_project
from riskapp.web.views.attackers import asked, looked_up

Knowing = KnowsForm | HoldingForm


@in_project("see_runs")
def show(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Everything about one attacker; posting says who it is."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method != "POST":
        return _page(request, project, attacker)
    policies.check("describe", request.user, project)
    form = _who(attacker, request.POST)
    if form.is_valid() and _saved(request, attacker, form, form.changes):
        _begin(request, project, attacker)
        messages.success(request, "Saved.")
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
    if form.is_valid() and _saved(request, attacker, form, form.changes):
        _begin(request, project, attacker)
        messages.success(request, "Saved.")
        return redirect("attacker", project.pk, attacker.pk)
    return _page(request, project, attacker, knowing=form, status=422)


@require_POST
@in_project("describe")
def accept(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Take over every suggestion."""
    attacker = selectors.attacker(project, attacker_id)
    suggested = _suggestions(project, attacker).figures
    if suggested is None:
        messages.info(request, "The suggestions are not there yet. Try again in a moment.")
        return redirect("attacker", project.pk, attacker.pk)
    try:
        attackers.accept(attacker, _seen(request, attacker), suggested, by=request.actor)
    except Overtaken as trouble:
        messages.error(request, str(trouble))
        return redirect("attacker", project.pk, attacker.pk)
    _begin(request, project, attacker)
    messages.success(request, "The suggestions are taken over. Look at the chart whether people are covered.")
    return redirect("attacker", project.pk, attacker.pk)


@in_project("see_runs")
def suggestions(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """The columns of the attacker's table with what is suggested; posting has it looked at."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method == "POST":
        policies.check("run", request.user, project)
        asked(request, project, lambda: _about_matching(attacker), inquiries.MATCHING)
    if not request.htmx:
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
    draft = attacker
    if "seen" in request.POST:
        form = _knowing(project, attacker, request.POST)
        if form is None or not form.is_valid():
            return Inquiry(inquiries.COVERAGE, obstacle=_first_error(form))
        draft = _changed(attacker, form.changes())
    return asked(request, project, lambda: inquiries.about_coverage(draft), inquiries.COVERAGE)


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
    }


# Likeness


@in_project("see_runs")
def likeness(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """How many values of a column would be matched by likeness; posting has them compared."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method == "POST":
        policies.check("run", request.user, project)
    place, to = _column(request)
    target = _target(attacker, place, to)
    if target is None:
        found = Inquiry(inquiries.LIKENESS, obstacle="Match the column to an attribute first, then try likeness.")
    elif request.method == "POST":
        found = asked(request, project, lambda: inquiries.about_likeness(attacker, *target), inquiries.LIKENESS)
    else:
        found = looked_up(project, lambda: inquiries.about_likeness(attacker, *target), inquiries.LIKENESS)
    context = {"attacker": attacker, "inquiry": found, "place": place, "to": to, "column": target[0] if target else ""}
    return _panel(request, project, "likeness", context)


@require_POST
@in_project("see_values")
def examples(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Values that a threshold just matches and just does not: an audited look at people's data."""
    attacker = selectors.attacker(project, attacker_id)
    place, to = _column(request)
    target, threshold = _target(attacker, place, to), request.POST.get("threshold", "")
    if target is None or not _is_share(threshold):
        messages.error(request, "Match the column first, and choose a likeness from 0 to 1.")
        return redirect("attacker", project.pk, attacker.pk)
    seen = attackers.look_at_likeness(attacker, *target, threshold, by=request.actor)
    context = {"attacker": attacker, "column": target[0], "threshold": threshold, "seen": seen}
    return _panel(request, project, "examples", context)


def _panel(request: Request, project: Project, name: str, context: dict[str, Any]) -> HttpResponse:
    template = f"attackers/_{name}.html" if request.htmx else "attackers/panel.html"
    panel = {"panel": f"attackers/_{name}.html"}
    return render(request, template, frame(request, project, "adversary") | context | panel)


def _column(request: Request) -> tuple[int, str]:
    given = request.POST if request.method == "POST" else request.GET
    place = given.get("column", "")
    number = int(place) if place.isdecimal() else -1
    return number, given.get(f"match_{number}", given.get("to", ""))


def _target(attacker: Attacker, place: int, to: str) -> tuple[str, Any, str] | None:
    names = _names(attacker)
    attribute, level = Columns(attacker.setup, None).target(to)
    return (names[place], attribute, level) if attribute is not None and 0 <= place < len(names) else None


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


# What if


@in_project("see_runs")
def what_if(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """What the attacker would find who also knew further columns; posting has it counted."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method == "POST":
        policies.check("run", request.user, project)
        form = MoreForm(request.POST, options=_options(project, attacker))
        if not form.is_valid():
            found = Inquiry(inquiries.WHAT_IF, obstacle="Tick at least one column.")
        else:
            more = form.chosen()
            found = asked(request, project, lambda: inquiries.about_more(attacker, more), inquiries.WHAT_IF)
    else:
        found = inquiries.known(project, inquiries.WHAT_IF, request.GET.get("of", ""))
    return _panel(request, project, "what-if", {"attacker": attacker, "inquiry": found})


@require_POST
@in_project("describe")
def adopt(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """The attacker does know the column."""
    attacker = selectors.attacker(project, attacker_id)
    wanted = {more_key(option): option for option in _options(project, attacker)}.get(request.POST.get("more", ""))
    if wanted is None:
        messages.info(request, "The attacker knows this column already, or it is no longer released.")
        return redirect("attacker", project.pk, attacker.pk)
    attackers.learn(attacker, _seen(request, attacker), wanted, by=request.actor)
    _begin(request, project, attacker)
    messages.success(request, f"“{attacker.name}” now also knows {wanted['attribute']}.")
    return redirect("attacker", project.pk, attacker.pk)


def _options(project: Project, attacker: Attacker) -> list[dict[str, str]]:
    return inquiries.could_also_know(attacker, _suggestions(project, attacker).figures)


# The page


def _seen(request: Request, attacker: Attacker) -> int:
    seen = request.POST.get("seen", "")
    return int(seen) if seen.isdecimal() else attacker.version


def _who(attacker: Attacker, given: Any = None) -> WhoForm:
    setup = attacker.setup
    uploads = selectors.ready_uploads(setup.project).exclude(pk__in=[setup.dataset_id] if setup.dataset_id else [])
    return WhoForm(given, attacker=attacker, uploads=uploads)


def _names(attacker: Attacker) -> list[str]:
    profile = attacker.upload.profile if attacker.upload else None
    return [column["name"] for column in profile["columns"]] if profile else []


def _about_matching(attacker: Attacker) -> inquiries.Question:
    return inquiries.about_matching(attacker.setup, attacker.upload, f"the attacker “{attacker.name}”")


def _suggestions(project: Project, attacker: Attacker) -> Inquiry:
    if attacker.kind == AttackerKind.ITSELF:
        return Inquiry(inquiries.MATCHING)
    return looked_up(project, lambda: _about_matching(attacker), inquiries.MATCHING)


def _knowing(project: Project, attacker: Attacker, given: Any = None) -> Knowing | None:
    """The form of what an attacker knows; None as long as they have no table."""
    if attacker.kind == AttackerKind.ITSELF:
        return KnowsForm(given, attacker=attacker, possible=attackers.known_to_all(attacker.setup))
    if not _names(attacker):
        return None
    columns = Columns(attacker.setup, _suggestions(project, attacker).figures)
    return HoldingForm(given, attacker=attacker, names=_names(attacker), columns=columns)


def _saved(request: Request, attacker: Attacker, form: Any, changes: Any) -> bool:
    """Whether it was saved; if not, the form says why and holds what was typed."""
    try:
        attackers.describe(attacker, form.cleaned_data["seen"], by=request.actor, **changes())
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
    return True


def _begin(request: Request, project: Project, attacker: Attacker) -> None:
    """Have counted what the page is going to show."""
    if attacker.kind != AttackerKind.ITSELF and not attacker.match:
        asked(request, project, lambda: _about_matching(attacker), inquiries.MATCHING)
    else:
        asked(request, project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE)


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
    options = _options(project, attacker)
    context |= _chart(request, project, attacker, found) | {
        "options": options,
        "more": MoreForm(options=options),
        "overdue": bool(attacker.delete_after and attacker.delete_after <= timezone.localdate()),
    }
    return render(request, "attackers/show.html", context, status=status)


def _context(request: Request, project: Project, attacker: Attacker, knowing: Knowing | None = None) -> dict[str, Any]:
    suggested = _suggestions(project, attacker)
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
            "taken": bool(guesses.get(name)) and attacker.match.get(name) == guesses[name]["match"],
        }
        for place, name in enumerate(form.names)
    ]
