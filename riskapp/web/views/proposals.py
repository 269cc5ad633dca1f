"""Approval: proposing a rule, the evidence and the warnings, and the decision of somebody else."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import bridge, selectors
from riskapp.models import Project, Proposal, Remark
from riskapp.services import projects, proposals, warnings
from riskapp.services.setups import Unfit
from riskapp.web import rule_words
from riskapp.web.forms.proposals import (
    AdviceForm,
    AnswerForm,
    CommentForm,
    DecideForm,
    DecisionsForm,
    FollowedForm,
    ProposeForm,
    WithdrawForm,
)
from riskapp.web.pages import Request, as_owner, frame, in_project


@require_safe
@in_project("see_proposals")
def index(request: Request, project: Project) -> HttpResponse:
    context = frame(request, project, "approval") | {"proposals": selectors.proposals_of(project)}
    return render(request, "proposals/index.html", context)


@in_project("propose")
def propose(request: Request, project: Project, run_id: UUID) -> HttpResponse:
    """The form of a proposal beside the evidence that will be frozen with it."""
    run = selectors.assess_run(project, run_id)
    rule = request.POST.get("rule", "") if request.method == "POST" else request.GET.get("rule", "")
    evidence = bridge.evidence(run, rule)
    given = request.POST if request.method == "POST" else None
    form = ProposeForm(given, project=project, broken=bool(evidence["broken"]))
    if request.method == "POST" and form.is_valid():
        try:
            proposal = proposals.propose(run, rule, form.wish(), by=request.actor)
        except Unfit as trouble:
            form.add_error(None, str(trouble))
        else:
            messages.success(request, "Proposed. Another officer decides; you can follow it here.")
            return redirect("proposal", project.pk, proposal.pk)
    context = frame(request, project, "approval") | {
        "run": run,
        "rule": rule,
        "evidence": evidence,
        "sentence": rule_words.sentence(evidence["listed"], evidence["words"]),
        "form": form,
    }
    return render(request, "proposals/propose.html", context, status=422 if form.errors else 200)


@require_safe
@in_project("see_proposals")
def show(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    return _page(request, project, selectors.proposal(project, proposal_id))


def _page(request: Request, project: Project, proposal: Proposal, **changed: forms.Form) -> HttpResponse:
    """The page of a proposal; a form that was filled in wrongly stands in it as it was filled in."""
    told = {
        "decide": DecideForm(prefix="decide"),
        "comment": CommentForm(prefix="comment"),
        "advice": AdviceForm(prefix="advice"),
        "withdraw": WithdrawForm(prefix="withdraw"),
        "followed": FollowedForm(prefix="followed"),
    }
    context = _context(request, project, proposal) | {"forms": told | changed}
    return render(request, "proposals/show.html", context, status=422 if changed else 200)


def _context(request: Request, project: Project, proposal: Proposal) -> dict[str, Any]:
    remarks = list(proposal.remarks.select_related("by", "answered_by"))
    return frame(request, project, "approval") | {
        "proposal": proposal,
        "evidence": proposal.evidence,
        "sentence": rule_words.sentence(proposal.evidence["listed"], proposal.evidence["words"]),
        "warned": warnings.of(proposal),
        "answers": {one.warning: one for one in remarks if one.kind == Remark.Kind.ANSWER},
        "comments": [one for one in remarks if one.kind == Remark.Kind.COMMENT],
        "advice": [one for one in remarks if one.kind == Remark.Kind.ADVICE],
        "votes": selectors.votes_shown(proposal, request.user),
        "obstacle": proposals.obstacle(proposal, request.user),
        "own": proposal.proposed_by == request.user,
    }


@in_project("see_proposals")
def warned(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    """The warnings, asked for again while they are computed; posting has them computed."""
    proposal = selectors.proposal(project, proposal_id)
    if request.method == "POST":
        warnings.ask(proposal, by=request.actor)
        if not request.htmx:
            return redirect("proposal", project.pk, proposal.pk)
    return render(request, "proposals/_warnings.html", _context(request, project, proposal))


@require_POST
@in_project("decide")
def decide(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    proposal = selectors.proposal(project, proposal_id)
    form = DecideForm(request.POST, prefix="decide")
    if form.is_valid():
        try:
            approves = request.POST.get("vote") == "approve"
            proposals.decide(proposal, approves=approves, reason=form.cleaned_data["reason"], by=request.actor)
        except Unfit as trouble:
            form.add_error(None, str(trouble))
        else:
            proposal.refresh_from_db()
            messages.success(request, f"Your decision is kept. The proposal is {proposal.get_state_display()}.")
            return redirect("proposal", project.pk, proposal.pk)
    return _page(request, project, proposal, decide=form)


@require_POST
@in_project("propose")
def withdraw(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    proposal = selectors.proposal(project, proposal_id)
    form = WithdrawForm(request.POST, prefix="withdraw")
    if not form.is_valid():
        return _page(request, project, proposal, withdraw=form)
    proposals.withdraw(proposal, form.cleaned_data["reason"], by=request.actor)
    messages.success(request, "Withdrawn. The rule can be proposed again.")
    return redirect("proposal", project.pk, proposal.pk)


@require_POST
@in_project("see_proposals")
def comment(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    proposal = selectors.proposal(project, proposal_id)
    form = CommentForm(request.POST, prefix="comment")
    if not form.is_valid():
        return _page(request, project, proposal, comment=form)
    proposals.comment(proposal, form.cleaned_data["text"], by=request.actor)
    return redirect("proposal", project.pk, proposal.pk)


@require_POST
@in_project("propose")
def answer(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    """The answer to one warning."""
    proposal = selectors.proposal(project, proposal_id)
    form = AnswerForm(request.POST)
    if form.is_valid():
        text = form.cleaned_data["text"]
        proposals.answer_warning(proposal, request.POST.get("warning", "")[:60], text, by=request.actor)
    else:
        messages.error(request, "An answer needs words.")
    return redirect("proposal", project.pk, proposal.pk)


@require_POST
@in_project("see_proposals")
def advise(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    proposal = selectors.proposal(project, proposal_id)
    form = AdviceForm(request.POST, prefix="advice")
    if not form.is_valid():
        return _page(request, project, proposal, advice=form)
    proposals.advise(proposal, form.cleaned_data["text"], form.cleaned_data["of"], by=request.actor)
    return redirect("proposal", project.pk, proposal.pk)


@require_POST
@in_project("propose")
def followed(request: Request, project: Project, proposal_id: UUID, remark_id: int) -> HttpResponse:
    """Whether advice is followed, and why."""
    proposal = selectors.proposal(project, proposal_id)
    form = FollowedForm(request.POST, prefix="followed")
    if not form.is_valid():
        return _page(request, project, proposal, followed=form)
    given = form.cleaned_data
    remark = selectors.advice(proposal, remark_id)
    proposals.answer_advice(remark, followed=given["followed"], why=given["why"], by=request.actor)
    return redirect("proposal", project.pk, proposal.pk)


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
