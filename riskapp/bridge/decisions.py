"""What manifest and report tell of the decision."""

from collections.abc import Iterable, Mapping
from typing import Any

from riskapp.bridge.warning import days_of_dictionaries
from riskapp.models import Attacker, FrozenAssessment, Proposal, Release, Remark


def about(proposal: Proposal) -> dict[str, Any]:
    return {
        "purpose": proposal.purpose,
        "recipient": proposal.recipient,
        "reason": proposal.reason,
        "expires": proposal.expires_on.isoformat(),
        "class": proposal.evidence["class_words"],
        "legal_basis": proposal.legal_basis,
        "dpia": proposal.dpia,
        "broken": proposal.evidence["broken"],
        "exception": proposal.exception,
        "proposed_by": proposal.proposed_by.name,
        "evidence": proposal.evidence_sha256,
    }


def sources(release: Release) -> dict[str, dict[str, str]]:
    """Where the dictionaries come from, as the attackers' pages say."""
    document = FrozenAssessment.objects.get(pk=release.proposal.evidence["assessment"]).document
    days = days_of_dictionaries(document)
    rows = Attacker.objects.filter(setup_id=release.project_id, name__in=days)
    return {
        one.name: {"source": one.source, "licence": one.licence, "made": f"uploaded {days[one.name].isoformat()}"}
        for one in rows
    }


def approvals(proposal: Proposal) -> list[dict[str, Any]]:
    votes = proposal.votes.select_related("officer")
    return [{"by": one.officer.name, "at": one.at.isoformat(timespec="seconds"), "reason": one.reason} for one in votes]


def answered(proposal: Proposal, warnings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every warning with the last answer to it."""
    last = {one.warning: one.text for one in proposal.remarks.filter(kind=Remark.Kind.ANSWER)}
    return [{"about": one["words"], "do": one["advice"], "answer": last.get(one["key"])} for one in warnings]


def advice(proposal: Proposal) -> list[dict[str, Any]]:
    given = proposal.remarks.filter(kind=Remark.Kind.ADVICE)
    return [{"by": one.of, "advice": one.text, "followed": one.followed, "why": one.why} for one in given]
