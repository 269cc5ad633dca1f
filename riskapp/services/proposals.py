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
from riskapp.models import (
    Actor,
    Membership,
    Proposal,
    ProposalState,
    Remark,
    Role,
    Run,
    User,
    today,
)
from riskapp.models.proposal import OPEN, new_seed
from riskapp.services import audit, deciding, remarks, turns, warnings
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
    data_until: date | None = None
    legal_basis: str = ""
    dpia: str = ""
    exception: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def propose(run: Run, rule: str, wish: Wish, *, by: Actor, replaces: Proposal | None = None) -> Proposal:
    """Put a rule of a finished run forward, with its evidence as it is now."""
    proposer = cast(User, by.user)
    policies.check("propose", proposer, run.project)
    if missing := bridge.gone(run):
        raise Unfit(f"No file can be built by this run. {' '.join(missing)}")
    seed = new_seed()
    frozen = {"seed": bridge.seed_sha256(seed), "dates": bridge.dates(run, wish.data_until)}
    evidence = bridge.evidence(run, rule) | frozen | {"details": list(bridge.FROZEN)}
    _check(run, wish, evidence, proposer)
    _check_file(run, wish.options)
    _check_replaced(run, replaces)
    try:
        with audit.writing():
            advice = remarks.earlier_advice(run, rule, replaces)
            proposal = Proposal.objects.create(
                project=run.project,
                run=run,
                rule=rule,
                seed=seed,
                evidence=evidence,
                evidence_sha256=bridge.fingerprint(evidence),
                votes_needed=run.project.votes_needed,
                proposed_by=proposer,
                replaces=replaces,
                **_said(wish, evidence),
            )
            proposal.recipients.set(wish.recipients)
            told: dict[str, Any] = {
                "rule": rule,
                "evidence": proposal.evidence_sha256,
                "exception": bool(proposal.exception),
            }
            audit.record("proposal pending", by=by, on=proposal, **told)
            remarks.carry_advice(advice, proposal, by=by)
    except IntegrityError as twice:
        raise Overtaken("This rule is proposed already, and nobody has decided yet.") from twice
    warnings.ask(proposal, by=by)
    return proposal


def _said(wish: Wish, evidence: dict[str, Any]) -> dict[str, Any]:
    """What stands in the proposal. Where no limit is broken there is nothing to make an exception from."""
    names = (
        "purpose",
        "recipient",
        "reason",
        "expires_on",
        "data_until",
        "legal_basis",
        "dpia",
        "options",
    )
    exception = wish.exception if evidence["broken"] else ""
    recipient = " ".join(wish.recipient.split())
    return {name: getattr(wish, name) for name in names} | {"recipient": recipient, "exception": exception}


def _check(run: Run, wish: Wish, evidence: dict[str, Any], proposer: User) -> None:
    if wish.expires_on <= today():
        raise Unfit("The release must expire on a day that is still to come.")
    if wish.data_until is not None and wish.data_until > today():
        raise Unfit("Data cannot be about days that are still to come.")
    if missing := unclassed(evidence):
        raise Unfit(missing)
    if evidence["broken"] and not wish.exception.strip():
        raise Unfit(
            f"The rule breaks limits of its release class: {'; '.join(evidence['broken'])}. Choose another rule, or "
            "say in your name why an exception is right."
        )
    places = Membership.objects.filter(project=run.project, user__in=list(wish.recipients), role=Role.RECIPIENT)
    if places.count() != len(set(wish.recipients)):
        raise Unfit("Only recipients of this project can be given the release. Invite them as recipients first.")
    if missing := deciding.nobody_to_decide(run, proposer):
        raise Unfit(missing)


def unclassed(evidence: dict[str, Any]) -> str:
    """Why nothing can be proposed while nobody has said what kind of release it is; empty if somebody has."""
    if evidence["release_class"]:
        return ""
    return (
        "The project has no release class, so no limit holds for what may leave the house. Choose who will have the "
        "release (public, under contract, in a safe setting) and look at its limits; then propose the rule."
    )


def undecided(run: Run, rule: str) -> Proposal | None:
    """The proposal of the same rule that nobody has decided on yet."""
    return Proposal.objects.filter(run=run, rule=rule, state__in=OPEN).first()


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
        raise Overtaken("Only what was rejected or withdrawn, or whose release failed or ended, is proposed again.")


def may_withdraw(proposal: Proposal, user: User) -> bool:
    """The proposer may; where they no longer can, an owner of the project."""
    if not policies.can("propose", user, proposal.project):
        return False
    return user == proposal.proposed_by or (turns.is_orphaned(proposal) and policies.owns(user, proposal.project))


def withdraw(proposal: Proposal, reason: str, *, by: Actor) -> None:
    """Take it back before it is decided."""
    user = cast(User, by.user)
    if not may_withdraw(proposal, user):
        raise Refused("Only whoever proposed it can withdraw it, or an owner once they cannot. You can reject it.")
    with audit.writing():
        move(proposal, ProposalState.WITHDRAWN, by=by, decided_at=timezone.now(), details={"reason": reason})
        Remark.objects.create(proposal=proposal, kind=Remark.Kind.COMMENT, text=f"Withdrawn: {reason}", by=user)
