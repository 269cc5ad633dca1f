"""What manifest, report and pages tell of the analyses: how far each answer is moved, and no label of the data.

What counts and group means say about small groups of the data must not leave beside the file, so of them only the
largest change is told.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.released import Released
from riskapp.engine.assess import Prepared
from riskapp.engine.releasing.analyses import MOST_GROUPS, Analysis, compared

NAMED = ("name", "kind", "columns", "of")


def analysed(prepared: Prepared, released: Released, wanted: Sequence[Analysis]) -> list[dict[str, Any]]:
    """Every analysis before and after, as others may read it; one that cannot be done says why."""
    return [_one(prepared, released, analysis) for analysis in wanted]


def _one(prepared: Prepared, released: Released, analysis: Analysis) -> dict[str, Any]:
    try:
        (found,) = compared(prepared, released, [analysis])
    except BadSetting as trouble:
        about = {"name": analysis.name, "kind": analysis.kind, "columns": list(analysis.columns), "of": analysis.of}
        return {**about, "not_done": trouble.message}
    return told(found)


def told(found: Mapping[str, Any]) -> dict[str, Any]:
    """One comparison without the labels.

    >>> found = {"name": "towns", "kind": "counts", "columns": ["town"], "of": None, "read": None}
    >>> told(found | {"rows": [{"values": ["a"], "before": 1, "after": 1.0}], "more": 2, "elsewhere": 0.25})["cells"]
    3
    """
    about = {name: found[name] for name in NAMED}
    if "not_done" in found:
        return {**about, "not_done": found["not_done"]}
    if found["kind"] == "counts":
        return {**about, "cells": len(found["rows"]) + found["more"], "elsewhere": found["elsewhere"]}
    answer = {key: found[key] for key in ("before", "after", "read")}
    if found["kind"] == "mean":
        answer |= {"left_out": found["left_out"], "groups": _groups(found.get("groups"))}
    return {**about, **answer}


def _groups(groups: Sequence[Mapping[str, Any]] | None) -> dict[str, Any] | None:
    """How many groups there are, and how far the mean moves in the one where it moves most."""
    if groups is None:
        return None
    moved = [abs(float(one["after"]) - float(one["before"])) for one in groups]
    return {"number": len(groups), "largest_change": max(moved, default=0.0), "all": len(groups) < MOST_GROUPS}
