"""What manifest and report tell of the decision."""

from collections.abc import Iterable, Mapping
from typing import Any

from riskapp.models import Attacker, Proposal, Release, Remark


def about(proposal: Proposal) -> dict[str, Any]:
    return {
        "purpose": proposal.purpose,
        "recipient": proposal.recipient,
        "reason": proposal.reason,
        "expires": proposal.expires_on.isoformat(),
        "data_until": proposal.data_until.isoformat() if proposal.data_until else None,
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
    days = release.proposal.evidence.get("dates", {}).get("dictionaries", {})
    rows = Attacker.objects.filter(setup_id=release.project_id, name__in=days)
    return {
        one.name: {"source": one.source, "licence": one.licence, "made": _day_in_words(days[one.name])} for one in rows
    }


def _day_in_words(told: Mapping[str, Any]) -> str:
    return f"{'as of' if told['given'] else 'uploaded'} {told['day']}"


def approvals(proposal: Proposal) -> list[dict[str, Any]]:
    votes = proposal.votes.select_related("officer")
    return [{"by": one.officer.name, "at": one.at.isoformat(timespec="seconds"), "reason": one.reason} for one in votes]


def answered(proposal: Proposal, warnings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every warning with the last answer to it."""
    given = proposal.remarks.filter(kind=Remark.Kind.ANSWER).select_related("by")
    last = {one.warning: _answer(one) for one in given}
    return [{"about": one["words"], "do": one["advice"], **last.get(one["key"], {})} for one in warnings]


def _answer(one: Remark) -> dict[str, Any]:
    return {"answer": one.text, "answered_by": one.by.name, "answered_at": one.at.isoformat(timespec="seconds")}


def advice(proposal: Proposal) -> list[dict[str, Any]]:
    given = proposal.remarks.filter(kind=Remark.Kind.ADVICE).select_related("answered_by")
    return [
        {
            **{"by": one.of, "advice": one.text, "followed": one.followed, "why": one.why},
            "answered_by": one.answered_by.name if one.answered_by else None,
        }
        for one in given
    ]
