"""Homes for values that a hierarchy does not cover: the groups whose leaves are most like them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from riskapp.core.table.hierarchy import Hierarchy
from riskapp.engine.shaping.fitting import Spec, lists_its_leaves

LEAST = 0.7
"""Texts less alike than this are alike by chance."""
MOST = 3
LOOKED_AT = 50
AT_ONCE = 1_000
"""Values compared at once, so that the memory does not grow with a long register."""

Scores = npt.NDArray[np.float32]


def homes(hierarchy: Hierarchy, values: Sequence[str], spec: Spec, level: int | str = 0) -> list[list[dict[str, Any]]]:
    """For each value the groups of the next level that it may belong to, the likeliest first, with its likeness.

    Likeness is Jaro and Winkler's from 0 to 1, which counts a common beginning for more; of equals the longer common
    beginning wins. Case and blanks at the ends do not count. Directly below the top there is nothing to belong to.
    """
    number = hierarchy.level(level)
    labels = [_plain(label) for label in hierarchy.labels[number][1:].to_pylist()]
    if not lists_its_leaves(spec) or number + 1 >= hierarchy.height or not values:
        return [[] for _ in values]
    plain = [_plain(value) for value in values]
    found: list[list[dict[str, Any]]] = []
    for start in range(0, len(plain), AT_ONCE):
        some = plain[start : start + AT_ONCE]
        scores = process.cdist(some, labels, scorer=JaroWinkler.similarity, score_cutoff=LEAST, dtype=np.float32)
        found += [_best(hierarchy, number, value, labels, row) for value, row in zip(some, scores, strict=True)]
    return found


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _best(hierarchy: Hierarchy, level: int, value: str, labels: Sequence[str], scores: Scores) -> list[dict[str, Any]]:
    near = np.argsort(-scores, kind="stable")[:LOOKED_AT]
    ranked = sorted(
        (int(place) for place in near if scores[place] >= LEAST),
        key=lambda place: (-round(float(scores[place]), 3), -_together(value, labels[place]), place),
    )
    found: dict[str, float] = {}
    for place in ranked:
        group = hierarchy.labels[level + 1][int(hierarchy.parents[level][place + 1])].as_py()
        found.setdefault(group, round(float(scores[place]), 3))
    return [{"group": group, "likeness": likeness} for group, likeness in list(found.items())[:MOST]]


def _together(one: str, other: str) -> int:
    """How many signs two texts begin with together."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
