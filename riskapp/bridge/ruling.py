"""One rule of an outcome: its verdict and its neighbours at once, everything else computed from the frozen assessment.

The functions named `seen_…` return values of people and are called only by services that audit the look.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from riskapp.bridge import assessing, outcomes
from riskapp.bridge.planes import chances, limits_from
from riskapp.core.optimum import Question
from riskapp.engine import ruling
from riskapp.engine.assess import Prepared
from riskapp.engine.reporting import Report, silent
from riskapp.engine.rule_ids import full_domain_id
from riskapp.models import FrozenAssessment, Outcome

Asked = Mapping[str, Any]
Figures = dict[str, Any]
Seen = list[dict[str, Any]]


# At once, from the index


def verdict(outcome: Outcome, rule: str, detail: Figures | None = None) -> Figures:
    """For each release class whether a rule keeps its limits, how many people it is about, and the cheapest repair.

    Parameters
    ----------
    detail : of the rule, where it is known: it counts the people who are too exposed
    """
    told = outcome.summary
    wanted = {rule, *(name for name in told["cheapest"].values() if name)}
    listing = ruling.RuleColumns.of(outcomes.rules(outcome, wanted).values(), limits_from(told["limits"]))
    counted = detail["exposed"] if detail else told["exposed"] if rule == told["best"] else {}
    classes = {name: limits_from(limits) for name, limits in told["classes"].items()}
    people = {float(chance): number for chance, number in counted.items()}
    return ruling.verdict(listing, classes, rule, exposed=people)


def neighbours(outcome: Outcome, rule: outcomes.Listed) -> Figures:
    """The rules one step away, each with its attribute.

    Where a rule does not treat everybody alike, or not all of those were measured, the next ones on the frontier.
    """
    limits = outcome.summary["limits"]
    with outcomes.opened(outcome) as known:
        found = ruling.neighbours(known, rule["node"], rule, limits=limits) if rule["node"] else {}
        if found and len(found["finer"]) + len(found["coarser"]) == _steps(outcome, rule["node"]):
            return found
        finer, coarser = outcomes.next_on_frontier(outcome, float(rule["utility"]))
        return ruling.beside(rule, known.get(finer), known.get(coarser), limits=limits)


def _steps(outcome: Outcome, node: Mapping[str, int]) -> int:
    """How many rules are one step away."""
    heights = {name: len(levels) - 1 for name, levels in outcome.summary["words"].items()}
    return sum((level > 0) + (level < heights[name]) for name, level in node.items())


def unchanged(outcome: Outcome) -> str:
    """The name of the rule that changes nothing."""
    return full_domain_id([0] * len(outcome.summary["words"]))


def share_of(outcome: Outcome, utility: float) -> float:
    """A utility as a share of the unchanged table's, which is a straight function of it."""
    told = outcome.summary
    heights = [len(levels) - 1 for levels in told["words"].values()]
    ends = [unchanged(outcome), full_domain_id(heights)]
    most, least = (outcomes.rules(outcome, [end])[end] for end in ends)
    slope = (most["utility_share"] - least["utility_share"]) / ((most["utility"] - least["utility"]) or 1.0)
    return float(least["utility_share"] + slope * (utility - least["utility"]))


# What is asked of a worker


def detail_asked(outcome: Outcome, rule: str) -> dict[str, Any]:
    """The question about everything behind a rule's page."""
    return {**_asked(outcome, rule), "chances": chances(outcome.summary["classes"])}


def detail(asked: Asked, project: UUID, report: Report) -> Figures:
    with _prepared(asked, project, report) as ready:
        found = ruling.ruling(ready, asked["rule"], report)
        told = ruling.details(ready, found, progress=report)
        counted = ruling.exposed(ready, found, asked["chances"])
        return told | {"exposed": {str(chance): people for chance, people in counted.items()}}


def stability_asked(outcome: Outcome, rule: outcomes.Listed) -> dict[str, Any]:
    """Whether a rule stays the choice: under the run's own question, or as the least risk that keeps what it keeps."""
    own = _question(outcome) if rule["id"] == outcome.summary["best"] else None
    asked = own or {"kind": "least_utility", "bound": rule["utility"]}
    return {**_asked(outcome, rule["id"]), "run": str(outcome.run_id), "question": asked}


def stability(asked: Asked, project: UUID, report: Report) -> Figures:
    outcome = Outcome.objects.get(pk=asked["run"], project_id=project)
    with _prepared(asked, project, report) as ready:
        listing = outcomes.columns_of(outcome, ready.problem.limits)
        return ruling.stability(ready, listing, Question(**asked["question"]), progress=report)


def attacker_asked(outcome: Outcome, rule: str, record: int, dictionary: str) -> dict[str, Any]:
    """What an attacker sees of one record, in numbers."""
    return {**_asked(outcome, rule), "record": record, "dictionary": dictionary}


def attacker(asked: Asked, project: UUID, report: Report) -> Figures:
    with _prepared(asked, project, report) as ready:
        return ruling.attacker_view(ready, asked["rule"], asked["record"], asked["dictionary"], progress=report)


def _asked(outcome: Outcome, rule: str) -> dict[str, Any]:
    return {"assessment": outcome.run.parameters["assessment"], "rule": rule}


def _question(outcome: Outcome) -> dict[str, Any] | None:
    """The question that the run was asked, where it has one about the table."""
    search = _document(outcome.run.parameters)["assessment"].get("search", {})
    kinds = [kind for kind in ("least_utility", "most_risk", "trade_off") if search.get(kind) is not None]
    return {"kind": kinds[0], "bound": float(search[kinds[0]])} if kinds else None


def _document(asked: Asked) -> Any:
    return FrozenAssessment.objects.get(pk=asked["assessment"]).document


def _prepared(asked: Asked, project: UUID, report: Report) -> AbstractContextManager[Prepared]:
    return assessing.prepared(_document(asked), project, report)


# Values of people


def seen_sample(outcome: Outcome, rule: str) -> Seen:
    """Some records before and after."""
    with _here(outcome) as ready:
        return ruling.seen_sample(ready, rule)


def seen_subgroups(outcome: Outcome, rule: str) -> Seen:
    """The subgroups to which least detail is left, with the values that they had."""
    with _here(outcome) as ready:
        return ruling.seen_subgroups(ready, rule)


def seen_record(outcome: Outcome, rule: str, record: int) -> dict[str, Any]:
    """One record before and after."""
    with _here(outcome) as ready:
        return ruling.seen_record(ready, rule, record)


def seen_entries(outcome: Outcome, rule: str, record: int, dictionary: str) -> Seen:
    """The entries of an attacker's table that may be a record's person."""
    with _here(outcome) as ready:
        return ruling.seen_entries(ready, rule, record, dictionary)


def _here(outcome: Outcome) -> AbstractContextManager[Prepared]:
    """The assessment read in this process, by the one who looks."""
    return _prepared(outcome.run.parameters, outcome.project_id, silent)


def seconds_to_look(outcome: Outcome, rule: str) -> float:
    """About how long a look takes: reading, and the search for the rule unless it follows from its name."""
    spent = outcome.summary["seconds"]
    return float(spent["reading"] if rule.startswith("full-domain:") else sum(spent.values()))
