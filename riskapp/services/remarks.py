"""What is said about a proposal: comments, answers to its warnings, advice and what became of it."""

from typing import Any, cast

from riskapp import policies
from riskapp.models import Actor, Proposal, Remark, User
from riskapp.services import audit, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken


def comment(proposal: Proposal, text: str, *, by: Actor) -> Remark:
    return _remark(proposal, Remark.Kind.COMMENT, text, by=by, action="comment given")


def answer_warning(proposal: Proposal, warning: str, text: str, *, by: Actor) -> Remark:
    """What is to be said to a warning; the last answer counts."""
    _check_open(proposal)
    found = warnings.of(proposal).figures
    if found is None or warning not in {one["key"] for one in found["warnings"]}:
        raise Unfit("There is no such warning, or it is still being computed. Look at the warnings as they are now.")
    return _remark(proposal, Remark.Kind.ANSWER, text, by=by, action="warning answered", warning=warning)


def advise(proposal: Proposal, text: str, of: str, *, by: Actor) -> Remark:
    """Record the advice of somebody who advises and does not decide, such as a data protection officer."""
    _check_open(proposal)
    return _remark(proposal, Remark.Kind.ADVICE, text, by=by, action="advice recorded", of=of)


def answer_advice(remark: Remark, *, followed: bool, why: str, by: Actor) -> None:
    policies.check("propose", cast(User, by.user), remark.proposal.project)
    _check_open(remark.proposal)
    if not why.strip():
        raise Unfit("Say why.")
    with audit.writing():
        waiting = Remark.objects.filter(pk=remark.pk, kind=Remark.Kind.ADVICE, followed=None)
        if not waiting.update(followed=followed, why=why, answered_by=by.user):
            raise Overtaken("Somebody else has answered this advice.")
        audit.record("advice answered", by=by, on=remark.proposal, followed=followed)


def _check_open(proposal: Proposal) -> None:
    proposal.refresh_from_db()
    if not proposal.is_open:
        raise Overtaken(f"Too late: the proposal is {proposal.get_state_display()}.")


def _remark(proposal: Proposal, kind: Remark.Kind, text: str, *, by: Actor, action: str, **about: str) -> Remark:
    policies.check("see_proposals", cast(User, by.user), proposal.project)
    if not text.strip():
        raise Unfit("There is nothing to keep: write something.")
    with audit.writing():
        remark = Remark.objects.create(proposal=proposal, kind=kind, text=text, by=cast(User, by.user), **about)
        audit.record(action, by=by, on=proposal, warning=about.get("warning", ""))
    return remark


def unanswered(proposal: Proposal, figures: dict[str, Any]) -> list[str]:
    """The warnings that nobody has answered."""
    answered = set(proposal.remarks.filter(kind=Remark.Kind.ANSWER).values_list("warning", flat=True))
    return [one["title"] for one in figures["warnings"] if one["key"] not in answered]


def open_advice(proposal: Proposal) -> int:
    return proposal.remarks.filter(kind=Remark.Kind.ADVICE, followed=None).count()
