"""What is told of a per-record rule beside its figures, whichever search has found it."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.search.candidate import level_shares
from riskapp.core.search.kinds import Kinds
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
