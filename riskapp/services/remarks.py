"""What is said about a proposal: comments, answers to its warnings, advice and what became of it."""

from collections.abc import Collection, Iterable
from typing import Any, cast

from django.db.models import Q

from riskapp import bridge, policies
from riskapp.models import Actor, Proposal, ProposalState, Remark, Run, User
from riskapp.services import audit, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken


def comment(proposal: Proposal, text: str, *, by: Actor) -> Remark:
    return _remark(proposal, Remark.Kind.COMMENT, text, by=by, action="comment given")


def answer_warning(proposal: Proposal, warning: str, text: str, *, by: Actor) -> Remark:
    """What is to be said to a warning; the last answer counts."""
    return answer_warnings(proposal, [warning], text, by=by)[0]


def answer_warnings(
    proposal: Proposal, chosen: Collection[str], text: str, *, by: Actor, seen: str = ""
) -> list[Remark]:
    """The same said to several warnings, all of them or none.

    `seen`, from the function of that name, lets it be said only while the warnings are those that were seen and nobody
    has answered one of the chosen since.
    """
    policies.check("propose", cast(User, by.user), proposal.project)
    with audit.writing():  # nobody votes in between
        _check_open(proposal)
        if proposal.state == ProposalState.HALF_DECIDED:
            raise Overtaken("Too late: an officer has decided on the answers as they are.")
        known = _known(proposal)
        if not chosen or not set(chosen) <= set(known):
            raise Unfit(
                "There is no such warning, or it is still being computed. Look at the warnings as they are now."
            )
        if seen:
            _check_as_seen(proposal, chosen, seen)
        return [
            _remark(proposal, Remark.Kind.ANSWER, text, by=by, action="warning answered", warning=key)
            for key in known
            if key in chosen
        ]


def _known(proposal: Proposal) -> list[str]:
    found = warnings.of(proposal).figures
    return [one["key"] for one in found["warnings"]] if found else []


def seen(proposal: Proposal) -> str:
    """What stands for the warnings as they are now, and for all that has been answered."""
    return f"{_warned_of(proposal)}-{_last_answer(proposal)}"


def _warned_of(proposal: Proposal) -> str:
    return bridge.fingerprint({"warned": warnings.of(proposal).figures})[:16]


def _last_answer(proposal: Proposal) -> int:
    answers = proposal.remarks.filter(kind=Remark.Kind.ANSWER)
    return max(answers.values_list("pk", flat=True), default=0)


def _check_as_seen(proposal: Proposal, chosen: Collection[str], told: str) -> None:
    warned_of, _, last = told.rpartition("-")
    later = proposal.remarks.filter(kind=Remark.Kind.ANSWER, warning__in=chosen)
    if warned_of != _warned_of(proposal):
        raise Overtaken("The warnings have changed in the meantime. Look at them as they are now.")
    if not last.isdecimal() or later.filter(pk__gt=int(last)).exists():
        raise Overtaken("Some of these warnings were answered in the meantime. Look at the answers.")


def advise(proposal: Proposal, text: str, of: str, *, by: Actor) -> Remark:
    """Record the advice of somebody who advises and does not decide, such as a data protection officer."""
    with audit.writing():
        _check_open(proposal)
        return _remark(proposal, Remark.Kind.ADVICE, text, by=by, action="advice recorded", of=of)


def earlier_advice(run: Run, rule: str, replaces: Proposal | None = None) -> list[Remark]:
    """What was advised on the same rule of the same assessment, or on what is proposed again: each advice once."""
    same = Q(proposal__rule=rule, proposal__run__parameters__assessment=run.parameters["assessment"])
    before = Q(proposal__project=run.project) & (same | Q(proposal=replaces) if replaces else same)
    given = Remark.objects.filter(before, kind=Remark.Kind.ADVICE).select_related("by")
    return list({(one.of, one.text, one.at): one for one in given}.values())


def carry_advice(given: Iterable[Remark], proposal: Proposal, *, by: Actor) -> None:
    """Advice holds for the next proposal of the rule too, and is answered anew."""
    for one in given:
        Remark.objects.create(proposal=proposal, kind=one.kind, text=one.text, of=one.of, by=one.by, at=one.at)
        audit.record("advice recorded", by=by, on=proposal, warning="")


def answer_advice(remark: Remark, *, followed: bool, why: str, by: Actor) -> None:
    policies.check("propose", cast(User, by.user), remark.proposal.project)
    if not why.strip():
        raise Unfit("Say why.")
    with audit.writing():
        _check_open(remark.proposal)
        waiting = Remark.objects.filter(pk=remark.pk, kind=Remark.Kind.ADVICE, followed=None)
        if not waiting.update(followed=followed, why=why, answered_by=by.user):
            raise Overtaken("Somebody else has answered this advice.")
        audit.record("advice answered", by=by, on=remark.proposal, followed=followed)


def _check_open(proposal: Proposal) -> None:
    proposal.refresh_from_db()
    if not proposal.is_open:
        raise Overtaken(f"Too late: the proposal is {proposal.get_state_display()}.")


def _remark(proposal: Proposal, kind: Remark.Kind, text: str, *, by: Actor, action: str, **about: str) -> Remark:
    policies.check("propose", cast(User, by.user), proposal.project)
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
