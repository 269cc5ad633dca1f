"""Proposing a rule, for the first time or again, and the settings of a project's decisions."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from riskapp import bridge, selectors
from riskapp.models import Project, Proposal, Run
from riskapp.services import deciding, projects, proposals, remarks
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken
from riskapp.web import rule_words
from riskapp.web.forms.analyses import AnalysesForm, as_sent
from riskapp.web.forms.proposals import DecisionsForm, ProposeForm
from riskapp.web.pages import Request, as_owner, frame, in_project


@in_project("propose")
def propose(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """The form of a proposal beside the evidence that will be frozen with it."""
    run = selectors.assess_run(project, run_id)
    given = request.POST if request.method == "POST" else request.GET
    rule, again = given.get("rule", ""), selectors.proposal_again(project, given.get("again", ""))
    evidence = bridge.evidence(run, rule)
    about: dict[str, Any] = {"project": project, "broken": bool(evidence["broken"])}
    if request.method == "POST":
        form = ProposeForm(request.POST, **about)
        analyses = AnalysesForm(bridge.can_be_analysed(run), request.POST)
        if {"add-analysis", "remove-analysis"} & request.POST.keys():
            analyses.changed(request.POST)
            form = ProposeForm(initial=as_sent(form, request.POST), **about)
        elif (proposal := _proposed(request, run, rule, form, analyses, again)) is not None:
            messages.success(request, "Proposed. Another officer decides; you can follow it here.")
            return redirect("proposal", project.pk, proposal.pk)
    else:
        form = ProposeForm(initial=ProposeForm.shown(again) if again else None, **about)
        said = again.options.get("analyses", []) if again else []
        analyses = AnalysesForm(bridge.can_be_analysed(run), shown=said)
    context = frame(request, project, "approval") | {
        "run": run,
        "rule": rule,
        **rule_words.about(evidence),
        "form": form,
        "analyses": analyses,
        "again": again,
        "undecided": proposals.undecided(run, rule),
        "unclassed": proposals.unclassed(evidence),
        "nobody": deciding.nobody_to_decide(run, request.user),
        "gone": bridge.gone(run),
        "advice": remarks.earlier_advice(run, rule, again),
        "votes": selectors.votes_shown(again, request.user) if again else [],
    }
    wrong = form.is_bound and (form.errors or not analyses.is_valid())
    return render(request, "proposals/propose.html", context, status=422 if wrong else 200)


def _proposed(
    request: Request, run: Run, rule: str, form: ProposeForm, analyses: AnalysesForm, again: Proposal | None
) -> Proposal | None:
    """The proposal, if everything was filled in as it must be; else the forms say what is wrong."""
    if not all([form.is_valid(), analyses.is_valid()]):
        return None
    try:
        return proposals.propose(run, rule, form.wish(analyses.told()), by=request.actor, replaces=again)
    except (Unfit, Overtaken) as trouble:
        form.add_error(None, str(trouble))
        return None


@as_owner
def settings(request: Request, project: Project) -> HttpResponse:
    """Who decides, under which terms files leave, and how long they are kept."""
    given = request.POST if request.method == "POST" else None
    form = DecisionsForm(given, project=project, initial=DecisionsForm.shown(project))
    if request.method == "POST" and form.is_valid():
        said = dict(form.cleaned_data)
        approvers = [form.officers[key] for key in said.pop("approvers")]
        projects.set_decisions(project, approvers, by=request.actor, **said)
        messages.success(request, "Saved. It holds for what is proposed from now on.")
        return redirect("project-decisions", project.pk)
    context = frame(request, project, "decisions") | {"form": form}
    return render(request, "proposals/settings.html", context, status=422 if form.errors else 200)
