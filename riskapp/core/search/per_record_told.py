"""What is told of a per-record rule beside its figures, whichever search has found it."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.evaluation import Evaluation
from riskapp.core.search.candidate import level_shares
from riskapp.core.search.kinds import Kinds
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

FAMILY = "per-record"
UNSEARCHED = ("smallest_group", "share_above", "inference", "l", "recursive", "t")
"""Limits that couple records: the finished rule is verified against them, but they do not choose nodes."""


def described(problem: Problem, kinds: Kinds, levels: npt.NDArray[np.integer], released: Released) -> dict[str, Any]:
    """What is told of a per-record rule beside its figures.

    Parameters
    ----------
    problem : what rules are measured by
    kinds : its different records
    levels : a row for each of them
    released : the table
    """
    nodes = Counter[tuple[int, ...]]()
    for row, often in zip(levels.tolist(), kinds.times.tolist(), strict=True):
        nodes[tuple(row)] += often
    node, most = min(nodes.items(), key=lambda item: (-item[1], ".".join(map(str, item[0]))))
    told: dict[str, Any] = {
        "kinds": len(kinds),
        "level_shares": level_shares(released, problem.names),
        "most_applied": {"node": list(problem.chosen(node)), "share": most / len(problem)},
    }
    coupled = [key for key in UNSEARCHED if getattr(problem.limits, key)]
    return {**told, "limits_only_verified": coupled} if coupled else told


def within_limits(question: Asked, evaluation: Evaluation, gap: float | None) -> dict[str, Any]:
    """Where a rule breaks limits that it was searched without, a bound on the rules of the family that keep them.

    Leaving limits out only adds rules, so the best of them all bounds the best within the limits.

    Parameters
    ----------
    question : what was asked
    evaluation : the figures of the rule
    gap : by how much it may be from the best without these limits; None where that is not known
    """
    if gap is None or isinstance(question, Aggregate) or not evaluation.broken:
        return {}
    price = question.bound if question.kind == "trade_off" else 0.0
    bounds = {
        "least_utility": ("least_risk", evaluation.risk - gap),
        "most_risk": ("most_utility", evaluation.utility + gap),
        "trade_off": ("least_trade_off", evaluation.risk - price * evaluation.utility - gap),
    }
    return {"at_best_within_limits": dict([bounds[question.kind]])}
