"""What manifest, report and pages tell of the analyses, and no label of the data.

Inside the house it is told exactly how far each answer is moved. What leaves with the file is coarser: whoever has the
release has every answer after, and an exact answer before would give away the sum over the rows that are hidden. So
others learn the answer after and roughly how far it was moved, and nothing where few rows were hidden or coarsened.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.released import Released
from riskapp.engine.assess import Prepared
from riskapp.engine.releasing.analyses import MOST_GROUPS, Analysis, compared

NAMED = ("name", "kind", "columns", "of")
FEWEST = 10
"""What is moved by fewer rows is not told outside the house."""
STEPS = (0.05, 0.2, 0.5)
FEW = f"The release hides or coarsens fewer than {FEWEST} rows of it, and how far it is moved would tell about them."

Found = Mapping[str, Any]


def analysed(prepared: Prepared, released: Released, wanted: Sequence[Analysis]) -> list[dict[str, Any]]:
    """Every analysis before and after, for `told_inside` and `told_outside`; one that cannot be done says why."""
    return [_one(prepared, released, analysis) for analysis in wanted]


def _one(prepared: Prepared, released: Released, analysis: Analysis) -> dict[str, Any]:
    try:
        (found,) = compared(prepared, released, [analysis])
    except BadSetting as trouble:
        about = {"name": analysis.name, "kind": analysis.kind, "columns": list(analysis.columns), "of": analysis.of}
        return {**about, "not_done": trouble.message}
    return found


def told_inside(found: Found) -> dict[str, Any]:
    """One comparison for those who see the figures of the project: exact, without the labels.

    >>> found = {"name": "towns", "kind": "counts", "columns": ["town"], "of": None, "read": None}
    >>> found |= {"rows": [{"values": ["a"], "before": 1, "after": 1.0}], "more": 2, "elsewhere": 0.25}
    >>> told_inside(found)["cells"]
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


def _groups(groups: Sequence[Found] | None) -> dict[str, Any] | None:
    """How many groups there are, and how far the mean moves in the one where it moves most."""
    if groups is None:
        return None
    moved = [_moved(one) for one in groups]
    return {"number": len(groups), "largest_change": max(moved, default=0.0), "all": len(groups) < MOST_GROUPS}


def _moved(told: Found) -> float:
    return abs(float(told["after"]) - float(told["before"]))


def told_outside(found: Found) -> dict[str, Any]:
    """One comparison for whoever has the file: the answer after, and roughly how far the release moves it.

    Means are moved by parts of the standard deviation in the data, coefficients by parts of the larger one of both,
    counts by the share of the records that stand elsewhere.
    """
    about = {name: found[name] for name in NAMED}
    if "not_done" in found:
        return {**about, "not_done": found["not_done"]}
    if _few(found):
        return {**about, "not_done": FEW}
    return {**about, **_OUTSIDE[found["kind"]](found)}


def _few(found: Found) -> bool:
    return bool(found["touched"]) and found["taking_part"] < FEWEST


def _counts_outside(found: Found) -> dict[str, Any]:
    return {"change": _roughly(found["touched"], found["elsewhere"], 1.0)}


def _mean_outside(found: Found) -> dict[str, Any]:
    return {
        "after": found["after"],
        "change": _of_numbers(found["touched"], found, found["spread"]),
        "groups": _groups_outside(found.get("groups"), found["spread"]),
        "read": None if found["after"] is None else found["read"],
    }


def _groups_outside(groups: Sequence[Found] | None, spread: float | None) -> dict[str, Any] | None:
    """The largest change of the groups in which enough rows are moved, or none is."""
    if groups is None:
        return None
    enough = [one for one in groups if not _few(one)]
    most = max(enough, key=lambda one: (one["touched"] > 0, _moved(one)), default=None)
    change = None if most is None else _of_numbers(most["touched"], most, spread)
    return {"number": len(groups), "compared": len(enough), "largest_change": change}


def _regression_outside(found: Found) -> dict[str, Any]:
    before, after = ((found[how] or {}).get("coefficients", {}) for how in ("before", "after"))
    pairs = {name: {"before": before.get(name), "after": after[name]} for name in after}
    larger = {name: max(abs(one["before"] or 0.0), abs(one["after"])) for name, one in pairs.items()}
    changes = {name: _of_numbers(found["touched"], one, larger[name]) for name, one in pairs.items()}
    return {"after": found["after"], "change": changes or None, "read": found["read"]}


_OUTSIDE = {"counts": _counts_outside, "mean": _mean_outside, "regression": _regression_outside}


def _of_numbers(touched: int, pair: Found, scale: float | None) -> dict[str, float] | None:
    """None where one of both answers cannot be computed."""
    if pair["before"] is None or pair["after"] is None:
        return None
    return _roughly(touched, _moved(pair), scale or 0.0)


def _roughly(touched: int, moved: float, scale: float) -> dict[str, float]:
    """Only where nothing is hidden is it told that nothing moves.

    >>> _roughly(0, 0.0, 2.0), _roughly(10, 0.0, 2.0), _roughly(10, 0.3, 2.0), _roughly(10, 3.0, 2.0)
    ({'at_most': 0.0}, {'at_most': 0.05}, {'at_most': 0.2}, {'above': 0.5})
    """
    if not touched:
        return {"at_most": 0.0}
    step = next((step for step in STEPS if moved <= step * scale), None)
    return {"above": STEPS[-1]} if step is None else {"at_most": step}
