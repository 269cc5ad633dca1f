"""Evidence: what a decision about a rule rests on, as it is when the rule is proposed."""

from typing import Any

from django.conf import settings

from riskapp.bridge import documents, outcomes
from riskapp.bridge.planes import limits_from
from riskapp.core.errors import Hidden, RiskappError
from riskapp.engine.outgoing import software
from riskapp.engine.ruling import RuleColumns, verdict
from riskapp.engine.standing import nothing_limited
from riskapp.models import FrozenAssessment, Outcome, ReleaseKind, Run, Setup

LIMITS = {
    "largest_chance": "the largest chance for one person is {value:.3g}, the limit {limit:.3g}",
    "smallest_group": "the smallest group counts {value:g}, the limit is {limit:g}",
    "share_above": "{value:.3g} of the people are above the chance, the limit is {limit:.3g}",
    "inference": "a belief about a sensitive value rises by {value:.3g}, the limit is {limit:.3g}",
}
ENDLESS = "the risk is infinite: what weighs “never” is shown"
NO_LIMIT = "no limit is set, neither by the release class nor by the project"


class NotFinished(RiskappError):
    """Only a rule of a run that has ended well can be proposed."""


def evidence(run: Run, rule: str) -> dict[str, Any]:
    """The rule's figures, the limits that hold for the project now, and the hashes of everything they come from."""
    outcome = Outcome.objects.filter(run=run).first()
    if outcome is None:
        raise NotFinished("This run has no result. Only a rule of a run that has ended well can be proposed.")
    listed = outcomes.rules(outcome, [rule]).get(rule)
    if listed is None:
        raise Hidden
    setup = Setup.objects.get(pk=run.project_id)
    limits = documents.limits_of(setup)
    frozen = FrozenAssessment.objects.get(pk=run.parameters["assessment"])
    told = outcome.summary
    return {
        "run": str(run.pk),
        "rule": rule,
        "listed": listed,
        "figures": _worst(listed),
        "words": told["words"],
        "people": told["dataset"]["people"],
        "records": told["dataset"]["records"],
        "rules": told["rules"],
        "looked_at": _looked_at(run, frozen),
        "asked_for": (told["optimum"] or {}).get("rule"),
        "conditions": told["conditions"],
        "release_class": setup.release_class,
        "class_words": ReleaseKind(setup.release_class).label if setup.release_class else "no release class",
        "limits": limits,
        "broken": broken(listed, limits),
        "assessment": frozen.pk,
        "result": outcome.sha256,
        "files": {name: about["sha256"] for name, about in named(frozen.document).items()},
        "software": software({"riskapp": settings.VERSION}),
    }


def _looked_at(run: Run, frozen: FrozenAssessment) -> dict[str, int]:
    """How many rules of how many assessments of the same dataset somebody has had measured: this one is one of them."""
    dataset = _dataset(frozen.document)
    found = {frozen.pk: 0}
    done = Outcome.objects.filter(run__project=run.project_id).select_related("run")
    told = {one.run.parameters["assessment"]: int(one.summary["rules"]) for one in done}
    for other in FrozenAssessment.objects.filter(pk__in=told).iterator():
        if _dataset(other.document) == dataset:
            found[other.pk] = told[other.pk]
    return {"runs": len(found), "rules": sum(found.values())}


def _dataset(document: dict[str, Any]) -> str:
    """The bytes that the people of an assessment come from."""
    return str(document["tables"][document["assessment"]["dataset"]["file"]]["sha256"])


def named(document: dict[str, Any]) -> dict[str, Any]:
    """The uploads that a frozen assessment names."""
    return {**document["tables"], **document["lists"]}


def _worst(listed: dict[str, Any]) -> dict[str, Any]:
    """The figures that are told first, each with the attacker that is worst in it, by definition or by replay."""
    replayed = [each["by_replay"] for each in listed["people"].values() if each.get("by_replay")]
    every = [*listed["people"].values(), *replayed]
    return {
        "expected_found": max(float(each["expected_found"]) for each in every),
        "singled_out": max(each["singled_out"] for each in every),
        "largest_chance": max(float(each["largest_chance"]) for each in every),
        "risk": max((listed["risk"], listed["risk_replay"] or 0), key=float),
        **{key: listed[key] for key in ("smallest_group", "utility_share", "people", "number", "holds_against")},
    }


def broken(listed: dict[str, Any], limits: dict[str, Any]) -> list[str]:
    """The limits that the rule breaks, each in words; one that cannot be told from the result counts as broken.

    Where nothing is limited nothing is known to be kept, which needs an exception like a broken limit.
    """
    if nothing_limited(limits):
        return [NO_LIMIT]
    kept = limits_from(limits)
    found = verdict(RuleColumns.of([listed], kept), {"own": kept}, listed["id"])["own"]
    endless = [ENDLESS] if found["endless"] else []
    told = [
        LIMITS[one["limit"]].format(value=float(one["value"]), limit=float(one["limit_value"]))
        for one in found["broken"]
    ]
    unmeasured = [f"{_spelt(name)} was not measured for this rule" for name in found["unmeasured"]]
    unreplayed = [
        f"{_spelt(name)} could not be counted for somebody who replays this rule" for name in found["unreplayed"]
    ]
    return [*endless, *told, *unmeasured, *unreplayed]


def _spelt(limit: str) -> str:
    return {"largest_chance": "the largest chance for one person", "share_above": "the share above the chance"}.get(
        limit, limit
    )
