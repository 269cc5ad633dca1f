"""Evidence: what a report tells, gathered from a rule, its file, the attack and the manifest."""

from collections.abc import Iterable, Mapping
from typing import Any

from riskapp.engine.plain_json import in_words
from riskapp.engine.releasing.sealing import read
from riskapp.engine.ruling import Ruling

NOTHING, UNCHANGED = "withheld", "as it was"


def evidence(
    found: Ruling,
    figures: Mapping[str, Any],
    manifest: str,
    *,
    listed: Mapping[str, Any],
    frontier: Iterable[Mapping[str, Any]] = (),
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The plain values that `report` takes.

    Parameters
    ----------
    found : the rule with the table of the built file
    figures : from `measured`
    manifest : its text
    listed : the rule as RESULT.json lists it
    frontier : the rules as RESULT.json lists them, or those to draw
    more : title, project, release, warnings, limits and the like; `sources` says where each dictionary comes from
    """
    about, told = read(manifest), dict(more or {})
    sources = told.pop("sources", {})
    return {
        "title": f"Release by {found.found.id}",
        "dataset": {"records": len(found.problem), "people": found.problem.persons},
        "rule": {key: listed[key] for key in ("id", "family", "number", "holds_against", "conditions")},
        "columns": [{"column": one["name"], "text": _released_as(one)} for one in figures["attributes"]],
        "figures": figures["figures"],
        "groups": figures["groups"],
        "losses": {name: told["losses"]["definition"] for name, told in figures["attackers"].items()},
        "frontier": [_point(one) for one in frontier],
        "dictionaries": _dictionaries(found, about["sha256"]["dictionaries"], sources),
        "attack": about.get("attack"),
        "analyses": about.get("analyses", []),
        "approvals": about.get("approvals", []),
        "manifest": {key: about[key] for key in ("bound", "binding", "digest", "seed", "order")},
        "software": about["software"],
        "parameters": about["parameters"],
        **in_words(told),
    }


def _dictionaries(found: Ruling, hashes: Mapping[str, str], sources: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": one.name, "everybody": one.everybody, "sha256": hashes.get(one.name), **sources.get(one.name, {})}
        for one in found.problem.dictionaries
    ]


def _point(rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule in the plane, with the larger of its risks."""
    risks = [float(risk) for risk in (rule["risk"], rule["risk_replay"]) if risk is not None]
    return {"id": rule["id"], "risk": max(risks), **{key: rule[key] for key in ("utility_share", "on_frontier")}}


def _released_as(attribute: Mapping[str, Any]) -> str:
    """In words, the levels by their shares where there are several."""
    levels = [(_level(one["shape"]), one["share"]) for one in attribute["levels"]]
    if len(levels) == 1:
        return levels[0][0]
    return "; ".join(f"{words} for {_percent(share)} of the records" for words, share in levels)


def _percent(share: float) -> str:
    """A share in whole percent; what is not quite none or all never looks like it.

    >>> _percent(0.66), _percent(0.004), _percent(0.999)
    ('66 %', 'less than 1 %', 'more than 99 %')
    >>> _percent(1 / 200), _percent(0.125), _percent(0)
    ('less than 1 %', '12 %', '0 %')
    """
    if 0 < share <= 0.005:
        return "less than 1 %"
    return "more than 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"


def _level(shape: Mapping[str, Any]) -> str:
    if shape["kind"] == "unchanged":
        return UNCHANGED
    if shape["kind"] == "nothing":
        return NOTHING
    if shape["kind"] == "example":
        return f"coarser, such as {shape['after']} for {shape['before']}"
    return f"one of {shape['groups']} groups"
