"""Assessment runs: planning one, starting it, watching it, and what it was made from."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import policies, selectors
from riskapp.bridge import outcomes
from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Hidden
from riskapp.models import Project, Run, RunState, Setup
from riskapp.services import assessing, harm, notices, rehearsing, runs, setups
from riskapp.web import comparing, comparing_runs, costs
from riskapp.web.forms.search import SearchForm, filled_in
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, frame, in_project, page_of, version_seen
from riskapp.web.views.frontier import nearest, outcome_of

UNASKED = ("require", "approximate")  # what an imported assessment can hold and the page does not ask for
NAME = "name of a run"
"""What a run is to be called that cannot be started yet, until its form is shown again."""
RUN_ORDERS: Orders = {
    "new": ("Newest first", ("-created_at",)),
    "name": ("By name", ("parameters__name", "-created_at")),
    "state": ("By state", ("state", "-created_at")),
}


@in_project("see_runs")
def index(request: Request, project: Project) -> HttpResponse:
    """The plan of the next run, what it would cost, and the runs there are. Posting saves the plan and starts it."""
    setup = selectors.setup_of(project)
    form = _form(request, setup)
    if request.method == "POST":
        policies.check("run", request.user, project)
        if "fill" not in request.POST and form.is_valid() and (begun := _start(request, setup, form)):
            return begun
    asks_cost = request.POST.get("fill") == "cost"
    known = rehearsing.of(setup)
    told = {"form": form, "rehearsal": known} | _cost(known, form)
    if asks_cost and request.htmx:
        return render(request, "runs/_cost.html", told)
    context = _context(request, project, setup) | told | {"filled": "fill" in request.POST and not asks_cost}
    return render(request, "runs/index.html", context, status=422 if form.errors else 200)


def _cost(known: rehearsing.Rehearsal, form: SearchForm) -> dict[str, Any]:
    """What the ticked rules would take, as far as the set-up was checked."""
    if known.figures is None:
        return {"cost": None}
    forecast = known.figures.get("forecast") or {}
    return {"cost": costs.cost(forecast, form), "forecast": forecast}


def _form(request: Request, setup: Setup) -> SearchForm:
    """The plan as it was saved, or with `from` that of an earlier run, to be changed."""
    names = [attacker.name for attacker in setup.attackers.all()]
    earlier = _earlier(request, setup.project)
    plan = (
        assessing.plan(earlier) if earlier else {"search": setup.search, "risk": setup.risk, "utility": setup.utility}
    )
    waiting = request.session.pop(NAME, "")
    name = earlier.parameters.get("name", "") if earlier else waiting
    initial = SearchForm.shown(**plan) | ({"name": name} if name else {})
    given = request.POST if request.method == "POST" else None
    if given is not None and "fill" in given:
        known = rehearsing.of(setup).figures or {}
        return SearchForm(attackers=names, initial=filled_in(given, known.get("impossible", [])))
    return SearchForm(given, attackers=names, initial=initial)


def _earlier(request: Request, project: Project) -> Run | None:
    try:
        return selectors.assess_run(project, UUID(request.GET["from"]))
    except (KeyError, ValueError):
        return None


def _start(request: Request, setup: Setup, form: SearchForm) -> HttpResponse | None:
    """The page of the run that was started; None where the form says what is left to fill in."""
    given = form.cleaned_data
    setups.plan(
        setup,
        version_seen(request, setup),
        by=request.actor,
        search={**{key: setup.search[key] for key in UNASKED if key in setup.search}, **form.search()},
        risk=form.risk(),
        utility={**{key: told for key, told in setup.utility.items() if key != "measure"}, **form.utility()},
    )
    if "save" in request.POST:
        messages.success(request, "Saved.")
        return redirect("runs", setup.pk)
    rehearsal = rehearsing.of(setup)
    if rehearsal.figures is None and not rehearsal.obstacle:
        rehearsing.ask(setup, by=request.actor)
        request.session[NAME] = given["name"]
        messages.info(request, "The set-up is being checked after your changes. Start the run when that is done.")
        return redirect("runs", setup.pk)
    try:
        run = assessing.start(setup, by=request.actor, name=given["name"])
    except BadSetting as trouble:
        form.add_trouble(trouble)
        return None
    return redirect("run", setup.pk, run.pk)


def _context(request: Request, project: Project, setup: Setup) -> dict[str, Any]:
    return frame(request, project, "run") | {
        "setup": setup,
        "nothing": setup.risk.get("model") != "anonymity" and harm.nothing_weighs(setup),
        **_listed(request, project),
        "earlier": _earlier(request, project),
    }


def _listed(request: Request, project: Project) -> dict[str, Any]:
    every = selectors.assess_runs_of(project)
    found, listing = listed(request, every, ("parameters__name", "started_by__name"), RUN_ORDERS)
    page = page_of(request, found)
    comparable = sum(run.state == RunState.SUCCEEDED for run in page) > 1
    return {"page": page, "listing": listing, "any": every.exists(), "comparable": comparable}


@in_project("see_runs")
def rehearsal(request: Request, project: Project) -> HttpResponse:
    """What is known about the set-up as it is; posting has it checked."""
    setup = selectors.setup_of(project)
    if request.method == "POST":
        rehearsing.ask(setup, by=request.actor)
        if not request.htmx:
            return redirect("runs", project.pk)
    context = frame(request, project, "run") | {"setup": setup, "rehearsal": rehearsing.of(setup)}
    answer = render(request, "runs/_rehearsal.html" if request.htmx else "runs/rehearsal.html", context)
    if context["rehearsal"].figures:
        answer["HX-Trigger"] = "rehearsed"  # the plan of a run tells now what it would take
    return answer


@require_safe
@in_project("see_runs")
def show(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    run = selectors.assess_run(project, run_id)
    notices.seen_run(request.user, run)
    context = frame(request, project, "run") | {"run": run, "busy": not run.is_over, "frozen": assessing.frozen(run)}
    with suppress(outcomes.Lost):  # the frontier's page says so
        context |= nearest(outcome) if (outcome := outcome_of(run)) else {}
    return render(request, "runs/_body.html" if request.htmx else "runs/show.html", context)


@require_safe
@in_project("see_runs")
def compare(request: Request, project: Project) -> HttpResponse:
    """Up to four runs that have ended, side by side."""
    wanted = list(dict.fromkeys(request.GET.getlist("run")))
    found = list(_ended(project, wanted[: comparing.MOST]))
    rows = comparing_runs.rows([comparing_runs.ended(run) for run in found]) if len(found) > 1 else []
    told = {"runs": found, "rows": rows}
    context = frame(request, project, "run") | told | {"left_out": len(wanted) > len(found)}
    return render(request, "runs/compare.html", context)


def _ended(project: Project, wanted: list[str]) -> Iterator[Run]:
    for name in wanted:
        try:
            run = selectors.assess_run(project, UUID(name))
        except (ValueError, Hidden):
            continue
        if hasattr(run, "outcome"):
            yield run


@require_safe
@in_project("see_runs")
def row(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """A run's line in the list, asked for again while it is under way."""
    run = selectors.assess_run(project, run_id)
    done = selectors.assess_runs_of(project).filter(state=RunState.SUCCEEDED)
    context = frame(request, project, "run") | {"run": run, "comparable": done.count() > 1}
    return render(request, "runs/_row.html", context)


@require_POST
@in_project("run")
def repeat(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    run = assessing.repeat(selectors.assess_run(project, run_id), by=request.actor)
    return redirect("run", project.pk, run.pk)


@require_POST
@in_project("run")
def cancel(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    run: Run = selectors.run(project, run_id)
    if run.is_over:
        messages.info(request, f"Too late: it is {RunState(run.state).label}.")
    else:
        runs.cancel(run, by=request.actor)
        messages.success(request, "Cancelled.")
    if run.kind == "assess":
        return redirect("run", project.pk, run.pk)
    if run.upload_id:
        return redirect("upload", project.pk, run.upload_id)
    return redirect("runs", project.pk)
