"""Whose turn it is: the one side that must act on a proposal, and what waits for somebody."""

from enum import Enum
from typing import NamedTuple

from riskapp import policies, selectors
from riskapp.models import Proposal, User
from riskapp.services import deciding, remarks, warnings


class Side(Enum):
    WORKER = "worker"
    PROPOSER = "proposer"
    OWNER = "owner"
    OFFICER = "officer"
    OTHERS = "others"


class Turn(NamedTuple):
    """The side that must act, and what it must do in words."""

    side: Side
    words: str


def of(proposal: Proposal) -> Turn:
    """Whose turn it is now."""
    if not proposal.is_open:
        return Turn(Side.OTHERS, proposal.turn)
    if told := deciding.outdated(proposal):
        return _to_be_withdrawn(proposal, told)
    if selectors.being_built(proposal.project).exists():
        return Turn(Side.WORKER, "The worker builds another release of this project first.")
    return _before_deciding(proposal) or _deciding(proposal)


def is_orphaned(proposal: Proposal) -> bool:
    """Whether the proposer has left the project, or may no longer propose in it."""
    return not policies.can("propose", proposal.proposed_by, proposal.project)


def _to_be_withdrawn(proposal: Proposal, why: str) -> Turn:
    if is_orphaned(proposal):
        return Turn(Side.OWNER, f"An owner must withdraw it, as the proposer no longer can: {why}.")
    return Turn(Side.PROPOSER, f"The proposer must withdraw it and propose again: {why}.")


def _deciding(proposal: Proposal) -> Turn:
    if deciding.too_few(proposal):
        what = "invite another officer, or name one under Decisions"
        return Turn(Side.OWNER, f"An owner must {what}: too few are left who may decide on it.")
    return Turn(Side.OFFICER, proposal.turn)


def _before_deciding(proposal: Proposal) -> Turn | None:
    """What must be done before an officer can approve."""
    found = warnings.of(proposal)
    if found.figures is None:
        if found.run is not None and not found.run.is_over:
            return Turn(Side.WORKER, "The worker computes the warnings.")
        return Turn(Side.PROPOSER, "The proposer’s side must have the warnings computed.")
    if many := len(remarks.unanswered(proposal, found.figures)):
        return Turn(Side.PROPOSER, f"The proposer’s side must answer {many} warning{'' if many == 1 else 's'}.")
    if many := remarks.open_advice(proposal):
        advice = "a piece of advice is" if many == 1 else f"{many} pieces of advice are"
        return Turn(Side.PROPOSER, f"The proposer’s side must say whether {advice} followed.")
    return None


def waiting_for(user: User) -> list[tuple[Proposal, str]]:
    """The proposals on which somebody must act now, each with what is to be done; the oldest first."""
    told = [(proposal, of(proposal)) for proposal in selectors.open_proposals_for(user)]
    return [(proposal, _to(turn)) for proposal, turn in told if _is_theirs(proposal, turn, user)]


def _is_theirs(proposal: Proposal, turn: Turn, user: User) -> bool:
    if turn.side is Side.PROPOSER:
        return proposal.proposed_by == user or is_orphaned(proposal)
    if turn.side is Side.OWNER:
        return policies.owns(user, proposal.project)
    return turn.side is Side.OFFICER and not deciding.obstacle(proposal, user)


def _to(turn: Turn) -> str:
    """The words to the one who must act."""
    return "Your decision is asked for." if turn.side is Side.OFFICER else turn.words
