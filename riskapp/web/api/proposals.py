"""Proposals: put forward, talked about, decided on by somebody else; whose token it is counts as who does it."""

from typing import Any
from uuid import UUID

from ninja import Router, Status

from riskapp import policies, selectors
from riskapp.models import Membership, Project, Proposal, Role, User
from riskapp.services import deciding, proposals, remarks, warnings
from riskapp.services.proposals import Wish
from riskapp.services.setups import Unfit
from riskapp.web.api import telling
from riskapp.web.api.door import Asked, needs, project_for
from riskapp.web.api.shapes_of_decisions import (
    Advice,
    Answer,
    Answers,
    Comment,
    Decision,
    Followed,
    NewProposal,
    ProposalOut,
    Reason,
    WholeProposalOut,
)

router = Router()
OF_PROJECT = "/projects/{uuid:project_id}"
OF_PROPOSAL = OF_PROJECT + "/proposals/{uuid:proposal_id}"
SAID = ("purpose", "recipient", "reason", "expires_on", "data_until", "legal_basis", "dpia", "exception")


@router.get(f"{OF_PROJECT}/proposals", response=list[ProposalOut], url_name="proposals", **needs("read"))
def list_proposals(request: Asked, project_id: UUID) -> list[dict[str, Any]]:
    """The proposals of a project, newest first."""
    project = project_for(request, project_id, "see_proposals")
    return [telling.proposal(one) for one in selectors.proposals_of(project)]


@router.post(
    OF_PROJECT + "/runs/{uuid:run_id}/proposals", response={201: ProposalOut}, url_name="propose", **needs("propose")
)
def propose(request: Asked, project_id: UUID, run_id: UUID, wanted: NewProposal) -> Status[dict[str, Any]]:
    """Propose a rule of a run. Its evidence is frozen, and its warnings are computed: poll the proposal for them."""
    project = project_for(request, project_id, "propose")
    run = selectors.assess_run(project, run_id)
    options = wanted.file.dict()
    people = _recipients(project, wanted.recipients)
    wish = Wish(**{name: getattr(wanted, name) for name in SAID}, recipients=people, options=options)
    again = selectors.proposal_again(project, str(wanted.again or ""))
    made = proposals.propose(run, wanted.rule, wish, by=request.actor, replaces=again)
    return Status(201, telling.proposal(selectors.proposal(project, made.pk)))


def _recipients(project: Project, addresses: list[str]) -> list[User]:
    places = Membership.objects.filter(project=project, role=Role.RECIPIENT).select_related("user")
    known = {place.user.email.lower(): place.user for place in places}
    if {address.lower() for address in addresses} - known.keys():
        raise Unfit("Only recipients of this project can be given the release. Invite them as recipients first.")
    return [known[address.lower()] for address in addresses]


@router.get(OF_PROPOSAL, response=WholeProposalOut, url_name="proposal", **needs("read"))
def show_proposal(request: Asked, project_id: UUID, proposal_id: UUID) -> dict[str, Any]:
    """One proposal with its evidence, its warnings, and what was said about it."""
    return _whole(request, _proposal(request, project_id, proposal_id, "see_proposals"))


@router.post(
    f"{OF_PROPOSAL}/warnings", response={202: WholeProposalOut}, url_name="proposal-warnings", **needs("propose")
)
def compute_warnings(request: Asked, project_id: UUID, proposal_id: UUID) -> Status[dict[str, Any]]:
    """Have the warnings computed as of now; needed when something was released since."""
    proposal = _proposal(request, project_id, proposal_id, "run")
    warnings.ask(proposal, by=request.actor)
    return Status(202, _whole(request, proposal))


@router.post(f"{OF_PROPOSAL}/answers", response=WholeProposalOut, url_name="proposal-answer", **needs("propose"))
def answer_warning(request: Asked, project_id: UUID, proposal_id: UUID, said: Answer) -> dict[str, Any]:
    """Answer a warning; the last answer counts."""
    proposal = _proposal(request, project_id, proposal_id, "propose")
    remarks.answer_warning(proposal, said.warning, said.text, by=request.actor)
    return _whole(request, proposal)


@router.post(
    f"{OF_PROPOSAL}/answers/several", response=WholeProposalOut, url_name="proposal-answers", **needs("propose")
)
def answer_warnings(request: Asked, project_id: UUID, proposal_id: UUID, said: Answers) -> dict[str, Any]:
    """Give several warnings the same answer, all of them or none."""
    proposal = _proposal(request, project_id, proposal_id, "propose")
    remarks.answer_warnings(proposal, said.warnings, said.text, by=request.actor, seen=said.seen)
    return _whole(request, proposal)


@router.post(f"{OF_PROPOSAL}/comments", response=WholeProposalOut, url_name="proposal-comment", **needs("propose"))
def comment(request: Asked, project_id: UUID, proposal_id: UUID, said: Comment) -> dict[str, Any]:
    """Say something about a proposal."""
    proposal = _proposal(request, project_id, proposal_id, "propose")
    remarks.comment(proposal, said.text, by=request.actor)
    return _whole(request, proposal)


@router.post(f"{OF_PROPOSAL}/advice", response=WholeProposalOut, url_name="proposal-advise", **needs("propose"))
def advise(request: Asked, project_id: UUID, proposal_id: UUID, said: Advice) -> dict[str, Any]:
    """Record the advice of somebody who advises and does not decide."""
    proposal = _proposal(request, project_id, proposal_id, "propose")
    remarks.advise(proposal, said.text, said.of, by=request.actor)
    return _whole(request, proposal)


@router.post(
    OF_PROPOSAL + "/advice/{int:remark_id}",
    response=WholeProposalOut,
    url_name="proposal-followed",
    **needs("propose"),
)
def answer_advice(
    request: Asked, project_id: UUID, proposal_id: UUID, remark_id: int, said: Followed
) -> dict[str, Any]:
    """Say whether advice is followed, and why."""
    proposal = _proposal(request, project_id, proposal_id, "propose")
    remark = selectors.advice(proposal, remark_id)
    remarks.answer_advice(remark, followed=said.followed, why=said.why, by=request.actor)
    return _whole(request, proposal)


@router.post(f"{OF_PROPOSAL}/withdraw", response=ProposalOut, url_name="proposal-withdraw", **needs("propose"))
def withdraw(request: Asked, project_id: UUID, proposal_id: UUID, said: Reason) -> dict[str, Any]:
    """Take back a proposal of your own."""
    proposal = _proposal(request, project_id, proposal_id, "propose")
    proposals.withdraw(proposal, said.reason, by=request.actor)
    return telling.proposal(selectors.proposal(proposal.project, proposal.pk))


@router.post(f"{OF_PROPOSAL}/decision", response=ProposalOut, url_name="proposal-decide", **needs("decide"))
def decide(request: Asked, project_id: UUID, proposal_id: UUID, said: Decision) -> dict[str, Any]:
    """Approve or reject, as the officer whose token it is: never what they proposed, nor what rests on their run."""
    proposal = _proposal(request, project_id, proposal_id, "decide")
    deciding.decide(proposal, approves=said.approves, reason=said.reason, by=request.actor, seen=said.seen)
    return telling.proposal(selectors.proposal(proposal.project, proposal.pk))


def _proposal(request: Asked, project_id: UUID, proposal_id: UUID, ability: str) -> Proposal:
    return selectors.proposal(project_for(request, project_id, ability), proposal_id)


def _whole(request: Asked, proposal: Proposal) -> dict[str, Any]:
    policies.check("see_proposals", request.user, proposal.project)
    found = warnings.of(proposal)
    return telling.proposal(proposal) | {
        "evidence": proposal.evidence,
        "evidence_sha256": proposal.evidence_sha256,
        "warnings": found.figures["warnings"] if found.figures else None,
        "details": found.figures.get("details") if found.figures else None,
        "warnings_run": telling.run(found.run),
        "seen": remarks.seen(proposal),
        "votes": [telling.vote(one) for one in selectors.votes_shown(proposal, request.user)],
        "remarks": [telling.remark(one) for one in proposal.remarks.select_related("by")],
        "basis": deciding.basis(proposal),
    }
