"""Warnings of a proposal, computed when it is looked at: what an officer must have seen before deciding."""

from dataclasses import dataclass
from typing import Any

from riskapp import selectors
from riskapp.models import Actor, FrozenAssessment, Proposal, Run
from riskapp.services import findings, freezing

KIND = "warn"


@dataclass(frozen=True)
class Warned:
    """The warnings of a proposal: figures, or the run that finds them."""

    figures: dict[str, Any] | None
    run: Run | None


def of(proposal: Proposal) -> Warned:
    """The warnings as of now: a release that was made since asks for them anew."""
    return Warned(*findings.known(proposal.project, KIND, question(proposal)))


def ask(proposal: Proposal, *, by: Actor) -> None:
    """Have the warnings computed, unless they are or are about to be."""
    frozen = FrozenAssessment.objects.get(pk=proposal.evidence["assessment"])
    findings.ask(proposal.project, KIND, question(proposal), freezing.uses(frozen), by=by)


def seen(proposal: Proposal) -> dict[str, Any]:
    """What is warned of and was measured now, and beside which releases: kept with an approval, which rests on it."""
    figures = of(proposal).figures
    return {"earlier": question(proposal)["earlier"], **(figures or {"warnings": []})}


def question(proposal: Proposal) -> dict[str, Any]:
    """What the warnings are about: the rule on its frozen assessment, beside the project's earlier releases.

    Of a proposal that was decided those count which were there then: its warnings stay what the officers saw.
    """
    held = selectors.held_releases(proposal.project).exclude(proposal=proposal)
    if proposal.decided_at:
        held = held.filter(ready_at__lt=proposal.decided_at)
    parts = proposal.evidence.get("details")
    return {
        **({"details": parts} if parts else {}),
        "assessment": proposal.evidence["assessment"],
        "rule": proposal.rule,
        "rules_looked_at": proposal.evidence["rules"],
        "best": proposal.evidence["asked_for"],
        "dates": proposal.evidence.get("dates"),
        "earlier": [str(release.pk) for release in held],
        **_of_now(proposal.evidence),
    }


def _of_now(evidence: dict[str, Any]) -> dict[str, Any]:
    """What proposals of old did not keep; their warnings stay what they were."""
    if "looked_at" not in evidence:
        return {}
    told = evidence["looked_at"]
    limit = evidence["limits"].get("largest_chance")
    return {"rules_looked_at": told["rules"], "runs_looked_at": told["runs"], "largest_chance": limit}
