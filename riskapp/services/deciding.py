"""Deciding: another officer, or two of them, on the evidence that was frozen."""

from typing import cast

from django.utils import timezone

from riskapp import bridge, policies, selectors
from riskapp.core.errors import Refused
from riskapp.models import Actor, Membership, Project, Proposal, ProposalState, Role, Run, User, Vote
from riskapp.services import audit, releases, remarks, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken, move


def deciders(project: Project) -> list[User]:
    """The officers who may decide in a project."""
    places = Membership.objects.filter(project=project, role=Role.OFFICER, user__is_active=True)
    named = set(project.approvers.values_list("pk", flat=True))
    return [place.user for place in places.select_related("user") if not named or place.user_id in named]


def starters(run: Run) -> list[User]:
    """Who started the run, or one of the same assessment: who has it repeated by somebody else is not somebody else."""
    same = run.project.runs.filter(kind=run.kind, parameters__assessment=run.parameters["assessment"])
    return [one.started_by for one in same.select_related("started_by")]


def nobody_to_decide(run: Run, proposer: User) -> str:
    """Why nobody could decide on what somebody proposes; empty if there are enough others."""
    others = [user for user in deciders(run.project) if user != proposer and user not in starters(run)]
    needed = run.project.votes_needed
    if len(others) >= needed:
        return ""
    return (
        f"{'Two other officers' if needed == 2 else 'Another officer'} must decide, who neither proposed it nor "
        "started the run. Invite one to the project first."
    )


def obstacle(proposal: Proposal, user: User) -> str:
    """Why somebody may not decide on a proposal; empty if they may."""
    place = policies.membership(user, proposal.project)
    if place is None or place.role not in policies.ABILITIES["decide"]:
        return "Only officers of this project decide."
    if user == proposal.proposed_by:
        return "You proposed it: somebody else must decide."
    if user == proposal.run.started_by:
        return "You started the run it rests on: somebody else must decide."
    if user in starters(proposal.run):
        return "You started a run of the same assessment: somebody else must decide."
    if user not in deciders(proposal.project):
        return "This project names the officers who decide, and you are not among them."
    if not proposal.is_open:
        return f"It is {proposal.get_state_display()}."
    if proposal.votes.filter(officer=user).exists():
        return "You have decided. The other officer decides without seeing your vote."
    return ""


def decide(proposal: Proposal, *, approves: bool, reason: str, by: Actor) -> None:
    """One officer's vote; the last that is needed ends the matter, and an approval starts the building."""
    officer = cast(User, by.user)
    policies.check("decide", officer, proposal.project)
    with audit.writing():
        proposal = Proposal.objects.select_related("project", "run").get(pk=proposal.pk)
        if told := obstacle(proposal, officer):
            raise Refused(told) if proposal.is_open else Overtaken(f"Too late. {told}")
        if not reason.strip():
            raise Unfit("Say why. The reason stands in the report.")
        if approves:
            _check_as_proposed(proposal)
        # Of two, a first vote that is cast before all is answered could only be a rejection.
        if approves or proposal.votes_needed > 1:
            _check_answered(proposal)
        Vote.objects.create(proposal=proposal, officer=officer, approves=approves, reason=reason)
        votes = list(proposal.votes.all())
        if len(votes) < proposal.votes_needed:
            move(proposal, ProposalState.HALF_DECIDED, by=by)
        elif all(vote.approves for vote in votes):
            seen = warnings.seen(proposal)
            move(proposal, ProposalState.APPROVED, by=by, decided_at=timezone.now(), warned=seen)
            releases.begin(proposal, by=by)
        else:
            move(proposal, ProposalState.REJECTED, by=by, decided_at=timezone.now())


def _check_as_proposed(proposal: Proposal) -> None:
    """Nothing is approved that cannot be built as it was proposed, or that its warnings do not know all about."""
    if told := outdated(proposal):
        raise Unfit(f"It cannot be approved as it is: {told}. Reject it, or have it withdrawn and proposed again.")
    if selectors.being_built(proposal.project).exists():
        raise Unfit(
            "Another release of this project is being built. Decide when it is ready: what both say together must "
            "have been seen."
        )


def outdated(proposal: Proposal) -> str:
    """What has changed since the proposal, so that it must be proposed again; empty if nothing has."""
    over = ["its last day is over"] if proposal.expires_on < timezone.localdate() else []
    return "; ".join([*over, *bridge.changes(proposal)])


def _check_answered(proposal: Proposal) -> None:
    """Nothing is approved before its warnings are computed and each, like every advice, has an answer."""
    found = warnings.of(proposal)
    if found.figures is None:
        raise Unfit("The warnings are still being computed. Decide when you have seen them.")
    if open_ones := remarks.unanswered(proposal, found.figures):
        what = "an approval" if proposal.votes_needed == 1 else "the first of two votes"
        raise Unfit(f"Every warning needs an answer before {what}. Open: {'; '.join(open_ones)}.")
    if remarks.open_advice(proposal):
        raise Unfit("There is advice without an answer. Say whether it is followed, and why.")
