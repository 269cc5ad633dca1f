"""What is tried on one attacker before it is said of them: likeness of spellings, and further columns."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from riskapp import policies, selectors
from riskapp.models import Attacker, Project
from riskapp.services import attackers, inquiries
from riskapp.services.inquiries import Inquiry
from riskapp.web.forms.attackers import MoreForm, more_key
from riskapp.web.forms.matching import Columns
from riskapp.web.inquiring import asked, could_also_know, count_what_is_shown, looked_up
from riskapp.web.pages import Request, frame, in_project, version_seen, whole

USUAL = "0.9"
"""The likeness with which examples begin where the column is matched exactly so far."""


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
    column = target[0] if target else ""
    context = {"attacker": attacker, "inquiry": found, "which": place, "to": to, "column": column}
    return _panel(request, project, "likeness", context | {"least": _least(request, place)})


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
    number = whole(given.get("column", ""), -1)
    return number, given.get(f"match_{number}", given.get("to", ""))


def _least(request: Request, place: int) -> str:
    """The likeness that stands in the column's field, where examples begin; none there stands for a usual one."""
    given = request.POST if request.method == "POST" else request.GET
    typed = given.get(f"fuzzy_{place}", given.get("least", ""))
    return f"{float(typed):g}" if _is_share(typed) else USUAL


def _target(attacker: Attacker, place: int, to: str) -> tuple[str, Any, str] | None:
    names = attacker.upload.column_names if attacker.upload else []
    attribute, level = Columns(attacker.setup, None).target(to)
    return (names[place], attribute, level) if attribute is not None and 0 <= place < len(names) else None


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


@in_project("see_runs")
def what_if(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """What the attacker would find who also knew further columns; posting has it counted."""
    attacker = selectors.attacker(project, attacker_id)
    if request.method == "POST":
        policies.check("run", request.user, project)
        form = MoreForm(request.POST, options=could_also_know(project, attacker))
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
    possible = {more_key(option): option for option in could_also_know(project, attacker)}
    wanted = possible.get(request.POST.get("more", ""))
    if wanted is None:
        messages.info(request, "The attacker knows this column already, or it is no longer released.")
        return redirect("attacker", project.pk, attacker.pk)
    attackers.learn(attacker, version_seen(request, attacker), wanted, by=request.actor)
    count_what_is_shown(request, project, attacker)
    messages.success(request, f"“{attacker.name}” now also knows {wanted['attribute']}.")
    return redirect("attacker", project.pk, attacker.pk)
