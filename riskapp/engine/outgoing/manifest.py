"""The manifest of a release: which rule, from what, with which figures, so that it can be checked and made again."""

import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from riskapp.core.search.candidate import Candidate, level_shares
from riskapp.core.table.problem import Problem
from riskapp.engine.outgoing.origin import Origin
from riskapp.engine.outgoing.shown import Shown
from riskapp.engine.releasing.sealing import sealed


def manifest(
    problem: Problem, found: Candidate, rule: Mapping[str, Any], shown: Shown, origin: Origin, *, output: str
) -> str:
    """The text of the manifest; the same release has the same text.

    Parameters
    ----------
    problem, found : what is released, and by which rule
    rule : as the result lists it, with its figures
    shown : the table as text
    origin : where it comes from
    output : the SHA-256 of the released file
    """
    about = {
        "rule": rule["id"],
        "node": node_of(problem, found),
        "levels": level_shares(shown.released, problem.names),
        "parameters": origin.parameters,
        "sha256": {**origin.sha256, "output": output},
        "rows": len(shown.order),
        "columns": shown.names,
        "figures": rule,
        "seed": origin.seed,
        "order": "kept" if origin.keep_order else "shuffled",
        "software": software(origin.versions),
    }
    return sealed(about)


def node_of(problem: Problem, found: Candidate) -> dict[str, Any] | None:
    """The levels, where all records that are released have the same."""
    if found.node is None:
        return None
    return {problem.names[place]: _level(problem, place, found.node[place]) for place in problem.generalised}


def _level(problem: Problem, place: int, level: int) -> dict[str, int | str]:
    return {"level": level, "name": problem.hierarchies[place].names[level]}


def software(versions: Mapping[str, str]) -> dict[str, str]:
    """The versions of everything that decides what is computed."""
    return {**versions, "python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__}
