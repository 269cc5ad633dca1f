"""The manifest of a release: which rule, from what, with which figures, so that it can be checked and made again."""

import json
import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.engine.release.origin import Origin
from riskapp.engine.release.shown import Shown
from riskapp.engine.result import in_words

FORMAT = 1


def manifest(
    problem: Problem, node: Node, rule: Mapping[str, Any], shown: Shown, origin: Origin, *, output: str
) -> str:
    """The text of the manifest; the same release has the same text.

    Parameters
    ----------
    problem, node : what is released, and at which level each attribute
    rule : as the result lists it, with its figures
    shown : the table as text
    origin : where it comes from
    output : the SHA-256 of the released file
    """
    about = {
        "format": FORMAT,
        "rule": rule["id"],
        "node": {problem.names[place]: _level(problem, place, node[place]) for place in problem.generalised},
        "parameters": origin.parameters,
        "sha256": {**origin.sha256, "output": output},
        "rows": len(shown.order),
        "columns": shown.names,
        "figures": rule,
        "seed": origin.seed,
        "order": "kept" if origin.keep_order else "shuffled",
        "software": {**origin.versions, **_versions()},
    }
    return json.dumps(in_words(about), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _level(problem: Problem, place: int, level: int) -> dict[str, int | str]:
    return {"level": level, "name": problem.hierarchies[place].names[level]}


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__}
