"""Approval: the evidence of a proposal, its warnings, what others say, and the decision of somebody else."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models.functions import Lower
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from riskapp import selectors
from riskapp.models import Project, Proposal, Remark
from riskapp.services import deciding, proposals, remarks, turns, warnings
from riskapp.services.setups import Unfit
from riskapp.web import rule_words
from riskapp.web.forms.proposals import (
    AdviceForm,
    AnswerForm,
    AnswersForm,
    CommentForm,
    DecideForm,
    FollowedForm,
    WithdrawForm,
)
from riskapp.web.listing import Orders, listed
from riskapp.web.pages import Request, frame, in_project, page_of

FORMS: dict[str, type[forms.Form]] = {
    "decide": DecideForm,
    "comment": CommentForm,
    "advice": AdviceForm,
    "withdraw": WithdrawForm,
    "followed": FollowedForm,
    "answers": AnswersForm,
}
ORDERS: Orders = {
    "new": ("Newest first", ("-proposed_at",)),
    "recipient": ("By recipient", (Lower("recipient"), "-proposed_at")),
    "state": ("By state", ("state", "-proposed_at")),
}


@require_safe
@in_project("see_proposals")
def index(request: Request, project: Project) -> HttpResponse:
    fields = ("recipient", "purpose", "rule", "proposed_by__name")
    found, listing = listed(request, selectors.proposals_of(project), fields, ORDERS)
    page = page_of(request, found)
    told = {"proposals": [(one, turns.of(one).words) for one in page], "page": page, "listing": listing}
    return render(request, "proposals/index.html", frame(request, project, "approval") | told)


@require_safe
@in_project("see_proposals")
def show(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    return _page(request, project, selectors.proposal(project, proposal_id))


def _page(request: Request, project: Project, proposal: Proposal, **changed: forms.Form) -> HttpResponse:
    """The page of a proposal; a form that was filled in wrongly stands in it as it was filled in."""
    context = _context(request, project, proposal)
    context["forms"] |= changed
    return render(request, "proposals/show.html", context, status=422 if changed else 200)


def _days(proposal: Proposal) -> Iterator[tuple[str, date, bool]]:
    """Up to which day the data are, and as of which day each register is; whether somebody said so, or it was that of
    the upload."""
    told = proposal.evidence.get("dates") or {"data": None, "dictionaries": {}}
    if told["data"]:
        yield "data up to", date.fromisoformat(told["data"]["day"]), told["data"]["given"]
    for name, one in told["dictionaries"].items():
        yield f"{name} as of", date.fromisoformat(one["day"]), one["given"]


def _form(name: str, proposal: Proposal, given: QueryDict | None = None) -> forms.Form:
    return FORMS[name](given, prefix=name, **(_answerable(proposal) if name == "answers" else {}))


def _answerable(proposal: Proposal) -> dict[str, Any]:
    """What a form for several warnings must know."""
    figures = warnings.of(proposal).figures
    answered = set(proposal.remarks.filter(kind=Remark.Kind.ANSWER).values_list("warning", flat=True))
    warned = figures["warnings"] if figures else []
    return {"warned": warned, "answered": answered, "initial": {"seen": remarks.seen(proposal)}}


def _context(request: Request, project: Project, proposal: Proposal) -> dict[str, Any]:
    said = list(proposal.remarks.select_related("by", "answered_by"))
    return frame(request, project, "approval") | {
        "proposal": proposal,
        "forms": {name: _form(name, proposal) for name in FORMS},
        "turn": turns.of(proposal).words,
        "days": list(_days(proposal)),
        **rule_words.about(proposal.evidence),
        "warned": warnings.of(proposal),
        "answers": {one.warning: one for one in said if one.kind == Remark.Kind.ANSWER},
        "answered_before": selectors.answers_before(proposal),
        "comments": [one for one in said if one.kind == Remark.Kind.COMMENT],
        "advice": [one for one in said if one.kind == Remark.Kind.ADVICE],
        "votes": selectors.votes_shown(proposal, request.user),
        "obstacle": deciding.obstacle(proposal, request.user),
        "basis": deciding.basis(proposal),
        "may_withdraw": proposals.may_withdraw(proposal, request.user),
        "withdrawal": selectors.withdrawal(proposal),
    }


@in_project("see_proposals")
def warned(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    """The warnings and whose turn it is, asked for again while they are computed; posting has them computed."""
    proposal = selectors.proposal(project, proposal_id)
    if request.method == "POST":
        warnings.ask(proposal, by=request.actor)
        if not request.htmx:
            return redirect("proposal", project.pk, proposal.pk)
    return render(request, "proposals/_warned.html", _context(request, project, proposal))


# What is said by the forms of the page


def _said(ability: str, name: str, act: Callable[..., str | None]) -> Callable[..., HttpResponse]:
    """A view that has a service do what a form of the page says; `act` may tell in words what was done."""

    @require_POST
    @in_project(ability)
    def view(request: Request, project: Project, proposal_id: UUID, **about: Any) -> HttpResponse:
        proposal = selectors.proposal(project, proposal_id)
        form = _form(name, proposal, request.POST)
        if form.is_valid():
            try:
                told = act(request, proposal, **about, **form.cleaned_data)
            except Unfit as trouble:
                form.add_error(None, str(trouble))
            else:
                if told:
                    messages.success(request, told)
                return redirect("proposal", project.pk, proposal.pk)
        return _page(request, project, proposal, **{name: form})

    return view


def _decide(request: Request, proposal: Proposal, reason: str) -> str:
    vote, seen = request.POST.get("vote"), request.POST.get("seen", "")
    if vote not in ("approve", "reject"):
        raise Unfit("Say whether you approve or reject it.")
    deciding.decide(proposal, approves=vote == "approve", reason=reason, by=request.actor, seen=seen)
    proposal.refresh_from_db()
    if proposal.is_open:
        return f"Your decision is kept. {proposal.turn}"
    return f"Your decision is kept. The proposal is {proposal.get_state_display()}."


def _withdraw(request: Request, proposal: Proposal, reason: str) -> str:
    proposals.withdraw(proposal, reason, by=request.actor)
    return "Withdrawn. The rule can be proposed again."


def _answer_several(request: Request, proposal: Proposal, text: str, seen: str, **chosen: list[str]) -> str:
    given = remarks.answer_warnings(proposal, chosen["warnings"], text, by=request.actor, seen=seen)
    return f"Your answer is kept for {len(given)} warning{'s' * (len(given) > 1)}."


def _comment(request: Request, proposal: Proposal, text: str) -> None:
    remarks.comment(proposal, text, by=request.actor)


def _advise(request: Request, proposal: Proposal, of: str, text: str) -> None:
    remarks.advise(proposal, text, of, by=request.actor)


def _followed(request: Request, proposal: Proposal, remark_id: int, followed: bool, why: str) -> None:
    remark = selectors.advice(proposal, remark_id)
    remarks.answer_advice(remark, followed=followed, why=why, by=request.actor)


decide = _said("decide", "decide", _decide)
withdraw = _said("propose", "withdraw", _withdraw)
comment = _said("propose", "comment", _comment)
advise = _said("propose", "advice", _advise)
followed = _said("propose", "followed", _followed)
answer_several = _said("propose", "answers", _answer_several)


@require_POST
@in_project("propose")
def answer(request: Request, project: Project, proposal_id: UUID) -> HttpResponse:
    """The answer to one warning."""
    proposal = selectors.proposal(project, proposal_id)
    form = AnswerForm(request.POST)
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            remarks.answer_warning(proposal, request.POST.get("warning", ""), text, by=request.actor)
        except Unfit as trouble:
            messages.error(request, str(trouble))
    else:
        messages.error(request, "An answer needs words.")
    return redirect("proposal", project.pk, proposal.pk)
