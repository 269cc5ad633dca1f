"""The report in five lines, for whoever reads no further."""

from collections.abc import Mapping
from typing import Any

from riskapp.engine.releasing.report.attackers import NOTHING_LIMITED
from riskapp.engine.releasing.report.elements import Html, facts, section
from riskapp.engine.releasing.report.words import day, figure, in_a_row, share, strongest
from riskapp.engine.standing import nothing_limited

Evidence = Mapping[str, Any]


def in_short(evidence: Evidence) -> Html:
    """Who decided, whether the limits are kept, how exposed people are, what is left of the data."""
    return section(
        "In short",
        facts(
            {
                "Decision": _decision(evidence),
                "Limits": _limits(evidence),
                "People": _people(evidence),
                "Detail": f"{share(evidence['figures']['utility_share'])} of what the data said is kept.",
                "Warnings": _warnings(evidence),
            }
        ),
    )


def _decision(evidence: Evidence) -> str:
    said = [f"{one['by']} on {day(one['at'])}" for one in evidence.get("approvals", [])]
    return f"Approved by {in_a_row(said, 'and by')}." if said else ""


def _limits(evidence: Evidence) -> str:
    told, release = evidence.get("limits"), evidence.get("release", {})
    if not told:
        return ""
    if nothing_limited(told["limits"]):
        signed = f" {release['proposed_by']} signed an exception for that." if release.get("exception") else ""
        return NOTHING_LIMITED + signed
    if not told["broken"]:
        return "Every limit of its release class is kept."
    many = len(told["broken"])
    signed = f", by an exception that {release['proposed_by']} signed" if release.get("exception") else ""
    return (
        f"{many} limit{'' if many == 1 else 's'} of its release class {'is' if many == 1 else 'are'} not kept{signed}."
    )


def _people(evidence: Evidence) -> str:
    people, worst = evidence["dataset"]["people"], strongest(evidence["figures"])
    single = f"{figure(worst.singled_out)} would be" if worst.singled_out else "nobody would be"
    return (
        f"The strongest attacker, {worst.name}, would be expected to name {figure(worst.expected_found)} of "
        f"{figure(people)} people correctly ({share(worst.expected_found / max(people, 1))}); {single} singled out. "
        f"For the person most exposed the chance is {_one_in(worst.largest_chance)}."
    )


def _one_in(chance: float) -> str:
    """
    >>> _one_in(0.125), _one_in(1.0), _one_in(0.0)
    ('1 in 8', '1, a certainty', 'none')
    """
    if chance >= 1:
        return "1, a certainty"
    return f"1 in {figure(1 / chance, 3)}" if chance > 0 else "none"


def _warnings(evidence: Evidence) -> str:
    told = evidence.get("warnings")
    if told is None:
        return ""
    many = len(told)
    return f"{many}, each with its answer below." if many > 1 else "One, with its answer below." if many else "None."
