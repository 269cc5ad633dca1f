"""Before a decision: the warnings about a rule, and what it says together with releases that others hold already."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.utils import timezone

from riskapp.bridge import assessing, footprints
from riskapp.bridge.footprints import spelled
from riskapp.bridge.uploads import Report
from riskapp.engine.releasing import warnings as warning
from riskapp.engine.ruling import Ruling
from riskapp.models import FrozenAssessment, Upload


def warned(asked: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """The warnings about a rule beside the project's earlier releases."""
    document = FrozenAssessment.objects.get(pk=asked["assessment"]).document
    with assessing.prepared(document, project, report) as ready:
        found = Ruling.of(ready, asked["rule"], progress=report)
        own = footprints.own(found, "this one", assessing.known(document, project))
        before = footprints.earlier(project, asked["earlier"], own)
        given = warning.Circumstances(
            considered=asked["rules_looked_at"],
            best=asked["best"],
            dictionaries_from=days_of_dictionaries(document),
            data_until=_day_of(document["assessment"]["dataset"]["file"], document),
            derived=_derived(document),
            intersection=before.together(own),
            not_compared=before.not_compared,
        )
        return {"warnings": [_as_told(one) for one in warning.warnings(found, given)]}


def together(asked: Mapping[str, Any], project: UUID, report: Report) -> dict[str, Any]:
    """Whom a rule would single out together with the project's earlier releases: with all, with each recipient's."""
    document = FrozenAssessment.objects.get(pk=asked["assessment"]).document
    with assessing.prepared(document, project, report) as ready:
        found = Ruling.of(ready, asked["rule"], progress=report)
        own = footprints.own(found, "this one", assessing.known(document, project))
    before = footprints.earlier(project, asked["earlier"], own)
    names = {spelled(one.proposal.recipient): one.proposal.recipient for one, _ in before.footprints}
    return {
        "all": before.together(own),
        "recipients": [{"recipient": names[key], **(before.together(own, key) or {})} for key in names],
        "not_compared": before.not_compared,
    }


def _as_told(one: Mapping[str, Any]) -> dict[str, Any]:
    where = f" ({one['where']})" if one["where"] else ""
    key = f"{one['name']}-{one['where']}".strip("-").replace(" ", "-").lower()[:60]
    title = f"{one['name'].replace('-', ' ').replace('_', ' ').capitalize()}{where}"
    return {"key": key, "title": title, "words": one["about"], "advice": one["do"], "count": one["count"]}


def _day_of(name: str, document: Mapping[str, Any]) -> date | None:
    about = document["tables"].get(name)
    upload = Upload.objects.filter(pk=about["upload"]).first() if about else None
    return timezone.localdate(upload.uploaded_at) if upload else None


def days_of_dictionaries(document: Mapping[str, Any]) -> dict[str, date]:
    """When each register was uploaded, the latest that it can be from."""
    named = {one["name"]: one["file"] for one in document["assessment"].get("dictionaries", []) if "file" in one}
    days = {name: _day_of(file, document) for name, file in named.items()}
    return {name: day for name, day in days.items() if day}


def _derived(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Columns whose leaves are those that happen to occur: masks, and no hierarchy at all."""
    told = document["assessment"]["attributes"]
    return tuple(
        name for name, one in told.items() if one.get("role") != "keep" and "mask" in one.get("hierarchy", {"mask": 0})
    )
