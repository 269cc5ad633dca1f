"""Proposals: a rule put forward, decided on by somebody else on the same evidence."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from django.db import IntegrityError
from django.utils import timezone

from riskapp import bridge, policies
from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Refused
from riskapp.models import Actor, Membership, Project, Proposal, ProposalState, Remark, Role, Run, User, Vote
from riskapp.services import audit, releases, warnings
from riskapp.services.setups import Unfit
from riskapp.services.states import Overtaken, move


@dataclass(frozen=True)
class Wish:
    """What the proposer says about the release."""

    purpose: str
    recipient: str
    reason: str
    expires_on: date
    recipients: Iterable[User] = ()
    legal_basis: str = ""
    dpia: str = ""
    exception: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def propose(run: Run, rule: str, wish: Wish, *, by: Actor, replaces: Proposal | None = None) -> Proposal:
    """Put a rule of a finished run forward, with its evidence as it is now."""
    proposer = cast(User, by.user)
    policies.check("propose", proposer, run.project)
    evidence = bridge.evidence(run, rule)
    _check(run, wish, evidence, proposer)
    _check_file(run, wish.options)
    _check_replaced(run, replaces)
    try:
        with audit.writing():
            proposal = Proposal.objects.create(
                project=run.project,
                run=run,
                rule=rule,
                evidence=evidence,
                evidence_sha256=bridge.fingerprint(evidence),
                votes_needed=run.project.votes_needed,
                proposed_by=proposer,
                replaces=replaces,
                **_said(wish),
            )
            proposal.recipients.set(wish.recipients)
            told: dict[str, Any] = {
                "rule": rule,
                "evidence": proposal.evidence_sha256,
                "exception": bool(wish.exception),
            }
            audit.record("proposal pending", by=by, on=proposal, **told)
    except IntegrityError as twice:
        raise Overtaken("This rule is proposed already, and nobody has decided yet.") from twice
    warnings.ask(proposal, by=by)
    return proposal


def _said(wish: Wish) -> dict[str, Any]:
    names = ("purpose", "recipient", "reason", "expires_on", "legal_basis", "dpia", "exception", "options")
    return {name: getattr(wish, name) for name in names}


def _check(run: Run, wish: Wish, evidence: dict[str, Any], proposer: User) -> None:
    if wish.expires_on <= timezone.localdate():
        raise Unfit("The release must expire on a day that is still to come.")
    if evidence["broken"] and not wish.exception.strip():
        raise Unfit(
            f"The rule breaks limits of its release class: {'; '.join(evidence['broken'])}. Choose another rule, or "
            "say in your name why an exception is right."
        )
    places = Membership.objects.filter(project=run.project, user__in=list(wish.recipients), role=Role.RECIPIENT)
    if places.count() != len(set(wish.recipients)):
        raise Unfit("Only recipients of this project can be given the release. Invite them as recipients first.")
    others = [user for user in deciders(run.project) if user not in (proposer, run.started_by)]
    if len(others) < run.project.votes_needed:
        needed = run.project.votes_needed
        raise Unfit(
            f"{'Two other officers' if needed == 2 else 'Another officer'} must decide, who neither proposed it nor "
            "started the run. Invite one to the project first."
        )


FORMATS = ("csv", "parquet")


def _check_file(run: Run, options: dict[str, Any]) -> None:
    if options.get("format", "csv") not in FORMATS:
        raise Unfit("The file is written as CSV or as Parquet.")
    try:
        bridge.check_analyses(run, options.get("analyses", []))
    except BadSetting as trouble:
        _, _, name = trouble.key.partition(".")
        raise Unfit(f"Analysis “{name}”: {trouble.message}" if name else trouble.message) from trouble


def _check_replaced(run: Run, replaces: Proposal | None) -> None:
    if replaces is not None and (replaces.project_id != run.project_id or not replaces.can_be_proposed_again):
        raise Overtaken("Only what was rejected or withdrawn is proposed again.")


def deciders(project: Project) -> list[User]:
    """The officers who may decide in a project."""
    places = Membership.objects.filter(project=project, role=Role.OFFICER, user__is_active=True)
    named = set(project.approvers.values_list("pk", flat=True))
    return [place.user for place in places.select_related("user") if not named or place.user_id in named]


def withdraw(proposal: Proposal, reason: str, *, by: Actor) -> None:
    """The proposer takes it back."""
    if by.user != proposal.proposed_by:
        raise Refused("Only whoever proposed it can withdraw it. You can reject it.")
    move(proposal, ProposalState.WITHDRAWN, by=by, decided_at=timezone.now(), details={"reason": reason})


# Deciding


def obstacle(proposal: Proposal, user: User) -> str:
    """Why somebody may not decide on a proposal; empty if they may."""
    place = policies.membership(user, proposal.project)
    if place is None or place.role not in policies.ABILITIES["decide"]:
        return "Only officers of this project decide."
    if user == proposal.proposed_by:
        return "You proposed it: somebody else must decide."
    if user == proposal.run.started_by:
        return "You started the run it rests on: somebody else must decide."
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
            _check_answered(proposal)
        Vote.objects.create(proposal=proposal, officer=officer, approves=approves, reason=reason)
        votes = list(proposal.votes.all())
        if len(votes) < proposal.votes_needed:
            move(proposal, ProposalState.HALF_DECIDED, by=by)
        elif all(vote.approves for vote in votes):
            move(proposal, ProposalState.APPROVED, by=by, decided_at=timezone.now())
            releases.begin(proposal, by=by)
        else:
            move(proposal, ProposalState.REJECTED, by=by, decided_at=timezone.now())


def _check_answered(proposal: Proposal) -> None:
    """Nothing is approved before its warnings are computed and each, like every advice, has an answer."""
    found = warnings.of(proposal)
    if found.figures is None:
        raise Unfit("The warnings are still being computed. Decide when you have seen them.")
    if open_ones := _unanswered(proposal, found.figures):
        raise Unfit(f"Every warning needs an answer before an approval. Open: {'; '.join(open_ones)}.")
    if _open_advice(proposal):
        raise Unfit("There is advice without an answer. Say whether it is followed, and why.")


def _unanswered(proposal: Proposal, figures: dict[str, Any]) -> list[str]:
    """The warnings that nobody has answered."""
    answered = set(proposal.remarks.filter(kind=Remark.Kind.ANSWER).values_list("warning", flat=True))
    return [one["title"] for one in figures["warnings"] if one["key"] not in answered]


def _open_advice(proposal: Proposal) -> int:
    return proposal.remarks.filter(kind=Remark.Kind.ADVICE, followed=None).count()


def turn(proposal: Proposal) -> str:
    """Which one side must act now, in words."""
    if not proposal.is_open:
        return proposal.turn
    found = warnings.of(proposal)
    if found.figures is None:
        waits = found.run is not None and not found.run.is_over
        return "The worker computes the warnings." if waits else "The proposer’s side must have the warnings computed."
    if many := len(_unanswered(proposal, found.figures)):
        return f"The proposer’s side must answer {many} warning{'' if many == 1 else 's'}."
    if many := _open_advice(proposal):
        return f"The proposer’s side must say whether {many} advice {'is' if many == 1 else 'are'} followed."
    return proposal.turn


# What others say


def comment(proposal: Proposal, text: str, *, by: Actor) -> Remark:
    return _remark(proposal, Remark.Kind.COMMENT, text, by=by, action="comment given")


def answer_warning(proposal: Proposal, warning: str, text: str, *, by: Actor) -> Remark:
    """What is to be said to a warning; the last answer counts."""
    _check_open(proposal)
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
