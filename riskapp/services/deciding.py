"""Deciding: another officer, or two of them, on the evidence that was frozen."""

from typing import cast

from django.utils import timezone

from riskapp import bridge, policies, selectors
from riskapp.core.errors import Refused
from riskapp.models import Actor, Membership, Project, Proposal, ProposalState, Remark, Role, Run, User, Vote, today
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
    needed = run.project.votes_needed
    if len(_others(run, proposer)) >= needed:
        return ""
    return (
        f"{'Two other officers' if needed == 2 else 'Another officer'} must decide, who neither proposed it nor "
        "started the run. Invite one to the project first, or name one under Decisions."
    )


def _others(run: Run, proposer: User) -> list[User]:
    """The officers who may decide on what somebody proposes."""
    started = starters(run)
    return [user for user in deciders(run.project) if user != proposer and user not in started]


def too_few(proposal: Proposal) -> bool:
    """Whether fewer officers are left who may decide on a proposal than it still needs."""
    voted = set(proposal.votes.values_list("officer", flat=True))
    left = [user for user in _others(proposal.run, proposal.proposed_by) if user.pk not in voted]
    return len(left) < proposal.votes_needed - len(voted)


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


def basis(proposal: Proposal) -> str:
    """The hash of what an officer sees beside the frozen evidence: the warnings, the answers and the advice."""
    found = warnings.of(proposal).figures
    said = proposal.remarks.exclude(kind=Remark.Kind.COMMENT)
    told = list(said.values_list("kind", "warning", "of", "text", "followed", "why"))
    return bridge.fingerprint({"found": found, "said": told})


def decide(proposal: Proposal, *, approves: bool, reason: str, by: Actor, seen: str = "") -> None:
    """One officer's vote; the last that is needed ends the matter, and an approval starts the building.

    `seen` is the basis that the officer was shown: nobody approves what they have not seen.
    """
    officer = cast(User, by.user)
    policies.check("decide", officer, proposal.project)
    with audit.writing():
        proposal = Proposal.objects.select_related("project", "run").get(pk=proposal.pk)
        if told := obstacle(proposal, officer):
            raise Refused(told) if proposal.is_open else Overtaken(f"Too late. {told}")
        if not reason.strip():
            raise Unfit("Say why. The reason stands in the report.")
        if approves:
            _check_seen(proposal, seen)
            _check_as_proposed(proposal)
        # Of two, a first vote that is cast before all is answered could only be a rejection.
        if approves or proposal.votes_needed > 1:
            _check_answered(proposal)
        Vote.objects.create(proposal=proposal, officer=officer, approves=approves, reason=reason)
        votes = list(proposal.votes.all())
        if len(votes) < proposal.votes_needed:
            move(proposal, ProposalState.HALF_DECIDED, by=by)
        elif all(vote.approves for vote in votes):
            warned = warnings.seen(proposal)
            move(proposal, ProposalState.APPROVED, by=by, decided_at=timezone.now(), warned=warned)
            releases.begin(proposal, by=by)
        else:
            move(proposal, ProposalState.REJECTED, by=by, decided_at=timezone.now())


def _check_seen(proposal: Proposal, seen: str) -> None:
    if not seen:
        raise Unfit(
            "An approval names what was seen: the hash of the warnings, their answers and the advice, which stands "
            "with the proposal as its basis. Open the proposal, look at them, and decide there."
        )
    if seen != basis(proposal):
        raise Unfit(
            "The warnings, their answers or the advice have changed since you opened this page. Look at them as they "
            "are now, and decide again."
        )


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
    over = ["its last day is over"] if proposal.expires_on < today() else []
    return "; ".join([*over, *_fallen(proposal), *_released_between_votes(proposal), *bridge.changes(proposal)])


def _fallen(proposal: Proposal) -> list[str]:
    """A first vote does not count any more if its officer may not decide now: both must be able to when it is final."""
    allowed = _others(proposal.run, proposal.proposed_by)
    votes = proposal.votes.select_related("officer") if proposal.is_open else []
    return [
        f"the vote of {vote.officer.name} does not count any more, who may not decide on it now; two officers must "
        "vote on it anew"
        for vote in votes
        if vote.officer not in allowed
    ]


def _released_between_votes(proposal: Proposal) -> list[str]:
    """Both officers must have seen what the rule says together with everything that others hold."""
    first = proposal.votes.first()
    if first is None or not selectors.held_releases(proposal.project).filter(ready_at__gte=first.at).exists():
        return []
    return ["since the first vote another release of the project has left, which was not seen beside it"]


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
