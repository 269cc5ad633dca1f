"""What is written at the end of a run for its pages: the plane, the index, and what the verdict rests on."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from riskapp.bridge.outcomes import INDEX, PLANE, RESULT
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.engine.assess import Prepared
from riskapp.engine.hashes import sha256
from riskapp.engine.plane import document
from riskapp.engine.plane.listing import Listing
from riskapp.engine.plane.words import level_words
from riskapp.engine.rule_ids import FULL_DOMAIN
from riskapp.engine.ruling import RuleColumns, exposed
from riskapp.engine.ruling.verdicts import cheapest


def write(folder: Path, ready: Prepared, limits: Mapping[str, Any], classes: Mapping[str, Any]) -> dict[str, Any]:
    """Write the plane and the index beside the result; what the pages are told besides the rules.

    Parameters
    ----------
    limits : of the assessment
    classes : the limits of each release class, which rules are also judged by
    """
    words = phrases(ready)
    setting = document.Setting(words, limits, classes)
    with (
        (folder / RESULT).open("rb") as result,
        (folder / INDEX).open("wb") as index,
        gzip.GzipFile(folder / PLANE, "wb", mtime=0) as plane,
    ):
        about = document.write(result, cast(BinaryIO, plane), index, setting)
    return {
        "words": words,
        "limits": dict(limits),
        "classes": dict(classes),
        **_chosen(folder, ready, about, classes),
        "files": {name: _as_written(folder / name) for name in (RESULT, PLANE, INDEX)},
    }


def phrases(ready: Prepared) -> dict[str, list[str]]:
    """For each attribute with a level to choose a phrase for every level."""
    problem, given = ready.problem, ready.assessment.attributes
    places = {problem.names[place]: problem.hierarchies[place] for place in problem.generalised}
    return {
        name: level_words(given[name].hierarchy, hierarchy.names, hierarchy.groups)
        for name, hierarchy in places.items()
    }


def _chosen(folder: Path, ready: Prepared, about: Mapping[str, Any], classes: Mapping[str, Any]) -> dict[str, Any]:
    """The rule that the verdict is about, and for each class the rule that keeps its limits at the least cost."""
    with (folder / RESULT).open("rb") as result:
        columns = RuleColumns.of(Listing(result), ready.problem.limits)
    kept = {name: _cheapest(columns, limits_from(limits)) for name, limits in classes.items()}
    best = _best(columns, about["optimum"])
    alike = {} if not best.startswith(f"{FULL_DOMAIN}:") else exposed(ready, best, chances(classes))
    return {"best": best, "cheapest": kept, "exposed": {str(chance): people for chance, people in alike.items()}}


def _cheapest(columns: RuleColumns, limits: Limits) -> str | None:
    broken = columns.breaking(limits)
    kept = np.isfinite(columns.risks) & ~np.any([*broken.values(), np.zeros(len(columns), dtype=np.bool_)], axis=0)
    return columns.ids[cheapest(columns, kept)] if kept.any() else None


def _best(columns: RuleColumns, answer: Mapping[str, Any] | None) -> str:
    """The answer to the run's question; without one the most detail within the limits, or else the table as it is.

    A rule of infinite risk shows what must never be learnt: it is not the best while another will do.
    """
    if answer and "rule" in answer:
        return str(answer["rule"])
    for kept in (columns.within_limits & np.isfinite(columns.risks), columns.within_limits):
        if kept.any():
            return columns.ids[cheapest(columns, kept)]
    return columns.ids[columns.families.index(FULL_DOMAIN)]


def limits_from(given: Mapping[str, Any]) -> Limits:
    """Limits as they are kept for a release class."""
    told = {key: value for key, value in given.items() if value is not None}
    share = told.pop("share_above", None)
    return Limits(**told, share_above=ShareAbove(share["chance"], share["share"]) if share else None)


def chances(classes: Mapping[str, Any]) -> list[float]:
    """The chances above which some class counts people as too exposed."""
    limits = [limits_from(given) for given in classes.values()]
    found = {one.largest_chance for one in limits} | {one.share_above.chance for one in limits if one.share_above}
    return sorted(chance for chance in found if chance is not None)


def _as_written(path: Path) -> dict[str, Any]:
    return {"sha256": sha256(path), "size": path.stat().st_size}
