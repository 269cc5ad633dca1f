"""The list of attackers: adding, copying, ordering, weighing and removing them, and how they bound one another."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from riskapp import policies, selectors
from riskapp.models import Attacker, AttackerKind, Project, Setup, today
from riskapp.services import attackers, inquiries
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web.forms.attackers import PRESETS, PriorsForm
from riskapp.web.inquiring import asked, looked_up
from riskapp.web.pages import Request, frame, in_project, version_seen

REMOVED = "removed_attacker"
UNDO_WITHIN = timedelta(minutes=30)


@in_project("see_runs")
def index(request: Request, project: Project) -> HttpResponse:
    """The attackers; posting says how likely each of them is."""
    setup = selectors.setup_of(project)
    listed = list(setup.attackers.select_related("upload"))
    form = PriorsForm(request.POST if request.method == "POST" else None, attackers=listed)
    if request.method == "POST":
        policies.check("describe", request.user, project)
        if form.is_valid() and _weighed(request, setup, form):
            messages.success(request, "Saved.")
            return redirect("attackers", project.pk)
    context = _context(request, project, setup, listed) | {"form": form}
    return render(request, "attackers/index.html", context, status=422 if form.errors else 200)


def _weighed(request: Request, setup: Setup, form: PriorsForm) -> bool:
    try:
        attackers.set_priors(setup, form.given(), by=request.actor)
    except (Unfit, Overtaken) as trouble:
        form.add_error(None, str(trouble))
        return False
    return True


def _context(request: Request, project: Project, setup: Setup, listed: list[Attacker]) -> dict[str, Any]:
    known = attackers.known_to_all(setup)
    return frame(request, project, "adversary") | {
        "setup": setup,
        "attackers": [_card(project, one, known) for one in listed],
        "presets": PRESETS,
        "lacks_itself": not any(one.kind == AttackerKind.ITSELF for one in listed),
        "bounds": looked_up(project, lambda: inquiries.about_bounds(setup), inquiries.COMPARE)
        if len(listed) > 1
        else None,
        "removed": _removed(request, project),
        "linkage": selectors.ready_uploads(project).filter(pk=setup.linkage["upload"]).first()
        if setup.linkage
        else None,
    }


def _card(project: Project, attacker: Attacker, known: list[str]) -> dict[str, Any]:
    itself = attacker.kind == AttackerKind.ITSELF
    knows = [column for column in known if column in attacker.knows] if attacker.knows else known
    return {
        "attacker": attacker,
        "knows": knows if itself else list(attacker.match.values()),
        "inquiry": looked_up(project, lambda: inquiries.about_coverage(attacker), inquiries.COVERAGE),
        "overdue": bool(attacker.delete_after and attacker.delete_after <= today()),
    }


@require_POST
@in_project("describe")
def add(request: Request, project: Project) -> HttpResponse:
    preset = PRESETS.get(request.POST.get("preset", ""))
    if preset is None:
        messages.error(request, "Choose what kind of attacker to add.")
        return redirect("attackers", project.pk)
    setup = selectors.setup_of(project)
    if setup.dataset_id is None:
        messages.error(request, "Choose the dataset on the Attributes page first: attackers are about its columns.")
        return redirect("attackers", project.pk)
    attacker = attackers.add(setup, preset["kind"], attackers.free_name(setup, preset["name"]), by=request.actor)
    return redirect("attacker", project.pk, attacker.pk)


@require_POST
@in_project("describe")
def duplicate(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    copy = attackers.duplicate(selectors.attacker(project, attacker_id), by=request.actor)
    messages.success(request, f"This is a copy, under the name “{copy.name}”. Change what is different.")
    return redirect("attacker", project.pk, copy.pk)


@require_POST
@in_project("describe")
def move(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    attackers.move(selectors.attacker(project, attacker_id), request.POST.get("to") == "up", by=request.actor)
    return redirect("attackers", project.pk)


@require_POST
@in_project("describe")
def remove(request: Request, project: Project, attacker_id: int) -> HttpResponse:
    """Off the list at once; what was said is kept in the session for a while, so that it can be brought back."""
    attacker = selectors.attacker(project, attacker_id)
    told = attackers.remove(attacker, version_seen(request, attacker), by=request.actor)
    request.session[REMOVED] = {"project": str(project.pk), "told": told, "at": timezone.now().isoformat()}
    return redirect("attackers", project.pk)


@require_POST
@in_project("describe")
def restore(request: Request, project: Project) -> HttpResponse:
    removed = _removed(request, project)
    if removed is None:
        messages.info(request, "There is nothing to bring back any more.")
        return redirect("attackers", project.pk)
    attacker = attackers.restore(selectors.setup_of(project), removed, by=request.actor)
    del request.session[REMOVED]
    messages.success(request, f"“{attacker.name}” is back, at the end of the list.")
    return redirect("attackers", project.pk)


def _removed(request: Request, project: Project) -> dict[str, Any] | None:
    """What was removed here not long ago, if it was not brought back."""
    kept = request.session.get(REMOVED)
    if not kept or kept["project"] != str(project.pk):
        return None
    recent = timezone.now() - datetime.fromisoformat(kept["at"]) < UNDO_WITHIN
    return dict(kept["told"]) if recent else None


@in_project("see_runs")
def bounds(request: Request, project: Project) -> HttpResponse:
    """Whether the figures of one attacker bound another's; posting has it checked."""
    setup = selectors.setup_of(project)
    if request.method == "POST":
        policies.check("run", request.user, project)
        found = asked(request, project, lambda: inquiries.about_bounds(setup), inquiries.COMPARE)
    else:
        found = looked_up(project, lambda: inquiries.about_bounds(setup), inquiries.COMPARE)
    if not request.htmx:
        return redirect("attackers", project.pk)
    return render(request, "attackers/_bounds.html", frame(request, project, "adversary") | {"bounds": found})
