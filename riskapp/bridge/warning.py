"""Before a decision: the warnings about a rule, and what it says together with releases that others hold already."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from riskapp.bridge import assessing, footprints
from riskapp.bridge.assessing import Document
from riskapp.bridge.documents import fingerprint
from riskapp.bridge.footprints import Earlier
from riskapp.engine.releasing import warnings as warning
from riskapp.engine.releasing.attack.footprint import Footprint
from riskapp.engine.reporting import Report
from riskapp.engine.ruling import Ruling, details
from riskapp.models import FrozenAssessment

TITLES = {
    "intersection": "Together with earlier releases",
    "identifiers-in-doubt": "Earlier releases whose people may be others",
    "not-compared": "Earlier releases that cannot be compared",
    "homogeneous": "Everybody in a group has the same value",
    "skewed": "Groups that say much about a value",
    "similar": "Groups whose values are nearly the same",
    "uncovered": "People whom nobody in a dictionary fits",
    "large-losses": "Few are much more exposed than the others",
    "all-but-one": "What is hidden can be worked out",
    "chosen-after-looking": "Chosen after looking",
    "old-dictionary": "A dictionary older than the data",
    "derived-hierarchy": "Groups that may come from the data",
    "begun-at-data": "Intervals that begin where the data begin",
}
"""What each kind of warning is called on the page."""
STEPS = 2


def warned(asked: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """The warnings about a rule beside the project's earlier releases."""
    document = FrozenAssessment.objects.get(pk=asked["assessment"]).document
    with assessing.prepared(document, project, report) as ready:
        found = Ruling.of(ready, asked["rule"], progress=report)
        own, before = _beside(found, asked, document, project, report)
        given = warning.Circumstances(
            considered=asked["rules_looked_at"],
            runs=asked.get("runs_looked_at", 1),
            chance_limit=asked.get("largest_chance"),
            best=asked["best"],
            **_days(asked.get("dates")),
            intersection=before.together(own),
            without_it=before.without_it(),
            by_columns=before.by_columns(own),
            doubts=before.doubts,
            unheld=before.unheld,
        )
        report(1, STEPS, "Looking into the groups")
        told: dict[str, Any] = {"warnings": _as_told(warning.warnings(found, given))}
        return told | _measured(found, asked.get("details", []), report)


def _measured(found: Ruling, parts: Sequence[str], report: Report) -> dict[str, Any]:
    """What the decision rests on beside the run's figures; proposals of old rest on nothing else."""
    if not parts:
        return {}
    told = details(found.prepared, found, only=parts, progress=report)
    return {"details": {part: told[part] for part in parts}}


def together(asked: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """Whom a rule would single out together with the project's earlier releases: with all, with each recipient's."""
    document = FrozenAssessment.objects.get(pk=asked["assessment"]).document
    with assessing.prepared(document, project, report) as ready:
        found = Ruling.of(ready, asked["rule"], progress=report)
        own, before = _beside(found, asked, document, project, report)
    return {
        "all": before.together(own),
        "without_it": before.without_it(),
        "by_columns": before.by_columns(own),
        "recipients": before.recipients(own),
        "not_compared": before.not_compared,
        "in_doubt": sum(before.doubts.values()),
    }


def _beside(
    found: Ruling, asked: Mapping[str, Any], document: Document, project: UUID, report: Report
) -> tuple[Footprint, Earlier]:
    """The footprint of a rule, and those of the releases that it is held against."""
    report(0, STEPS, "Comparing with earlier releases" if asked["earlier"] else "Looking at the rule")
    own = footprints.own(found, "this one", assessing.known(document, project))
    return own, footprints.earlier(project, asked["earlier"], own)


def _days(told: Mapping[str, Any] | None) -> dict[str, Any]:
    """Proposals of old have no days: then nothing is said about them."""
    if not told or not told["data"]:
        return {}
    registers = told["dictionaries"]
    return {
        "data_until": date.fromisoformat(told["data"]["day"]),
        "dictionaries_from": {name: date.fromisoformat(one["day"]) for name, one in registers.items()},
        "data_by_upload": not told["data"]["given"],
        "by_upload": frozenset(name for name, one in registers.items() if not one["given"]),
    }


def _as_told(found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The warnings as pages show them, each with a key of its own: an answer to one is no answer to another."""
    every = list(found)
    keys = [_key(one) for one in every]
    return [
        {
            "key": key if keys.count(key) == 1 else f"{key[:47]}-{fingerprint(one['where'])[:12]}",
            "title": f"{TITLES[one['name']]}{': ' if one['where'] else ''}{one['where']}",
            "words": one["about"],
            "advice": one["do"],
            "count": one["count"],
        }
        for one, key in zip(every, keys, strict=True)
    ]


def _key(one: Mapping[str, Any]) -> str:
    return f"{one['name']}-{one['where']}".strip("-").replace(" ", "-").lower()[:60]
