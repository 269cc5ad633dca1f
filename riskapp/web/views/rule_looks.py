"""Looks at records under a rule: values of people, each look recorded in the audit trail before anything is shown."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from riskapp.models import Project
from riskapp.services import looks
from riskapp.web.pages import Request, in_project
from riskapp.web.views.rules import about, asked_for, record_and_attacker


def _shown(request: Request, part: str, context: dict[str, object]) -> HttpResponse:
    """A fragment for the page that asked, or a page of its own."""
    template = f"rules/_{part}.html"
    return render(request, template if request.htmx else "rules/look.html", context | {"part": template})


@require_POST
@in_project("see_values")
def sample(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """Some records before and after."""
    outcome, rule = asked_for(request, project, run_id)
    seen = looks.sample(outcome, rule["id"], by=request.actor)
    return _shown(request, "sample", about(request, project, outcome, rule) | {"records": seen})


@require_POST
@in_project("see_values")
def subgroups(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """The subgroups to which least is left, by the values that they had."""
    outcome, rule = asked_for(request, project, run_id)
    seen = looks.subgroups(outcome, rule["id"], by=request.actor)
    return _shown(request, "subgroups", about(request, project, outcome, rule) | {"subgroups": seen})


@require_POST
@in_project("see_values")
def one_record(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """One record before and after."""
    outcome, rule = asked_for(request, project, run_id)
    number, _ = record_and_attacker(request, outcome)
    seen = looks.one_record(outcome, rule["id"], number, by=request.actor)
    return _shown(request, "sample", about(request, project, outcome, rule) | {"records": [seen], "alone": True})


@require_POST
@in_project("see_values")
def entries(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """What the attacker would find about one record."""
    outcome, rule = asked_for(request, project, run_id)
    number, attacker = record_and_attacker(request, outcome)
    seen = looks.entries(outcome, rule["id"], number, attacker, by=request.actor)
    context = about(request, project, outcome, rule) | {"record": number, "attacker": attacker, "entries": seen}
    return _shown(request, "entries", context)
