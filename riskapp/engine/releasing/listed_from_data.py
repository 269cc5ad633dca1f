"""Hierarchies that list what occurs and nothing else: they may have been made from the data, and tell what is in it."""

import numpy as np

from riskapp.engine.assessment.growing import lists_its_leaves
from riskapp.engine.ruling import Ruling


def listed_from_data(found: Ruling) -> tuple[str, ...]:
    """The columns whose hierarchy lists its leaves, in groups, and every one of them occurs in the data."""
    attributes = found.prepared.assessment.attributes
    return tuple(
        name
        for place, name in enumerate(found.problem.names)
        if lists_its_leaves(attributes[name]) and _grouped(found, place) and _all_occur(found, place)
    )


def _grouped(found: Ruling, place: int) -> bool:
    """Whether there is a level between the values and nothing at all."""
    return found.problem.hierarchies[place].height > 1


def _all_occur(found: Ruling, place: int) -> bool:
    codes = np.unique(found.problem.column(place).codes)
    return len(codes[codes > 0]) == found.problem.hierarchies[place].leaves
