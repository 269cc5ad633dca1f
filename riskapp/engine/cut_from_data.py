"""Hierarchies that were cut from the data, or may have been: what their groups are called tells what is in the data."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

import numpy as np

from riskapp.core.table.problem import Problem
from riskapp.engine.assessment.growing import lists_its_leaves
from riskapp.engine.assessment.settings import AttributeKey

Attributes = Mapping[str, AttributeKey]


def listed_from_data(problem: Problem, attributes: Attributes) -> tuple[str, ...]:
    """The columns whose hierarchy lists its leaves, in groups, and every one of them occurs in the data."""
    return tuple(
        name
        for place, name in enumerate(problem.names)
        if lists_its_leaves(attributes[name]) and _grouped(problem, place) and _all_occur(problem, place)
    )


def _grouped(problem: Problem, place: int) -> bool:
    """Whether there is a level between the values and nothing at all."""
    return problem.hierarchies[place].height > 1


def _all_occur(problem: Problem, place: int) -> bool:
    return len(_occurring(problem, place)) == problem.hierarchies[place].leaves


def _occurring(problem: Problem, place: int) -> np.ndarray:
    codes = np.unique(problem.column(place).codes)
    return codes[codes > 0]


def begun_at_data(problem: Problem, attributes: Attributes) -> tuple[str, ...]:
    """The columns whose intervals begin at the least value of the data, which is no multiple of their width."""
    return tuple(
        name
        for place, name in enumerate(problem.names)
        if _begins_there(problem, place, attributes[name].hierarchy or {})
    )


def _begins_there(problem: Problem, place: int, hierarchy: object) -> bool:
    told = hierarchy.get("intervals") if isinstance(hierarchy, dict) else None
    if not told:
        return False
    begin, width = Decimal(str(told.get("from", 0))), Decimal(str(told["widths"][0]))
    return begin % width != 0 and begin == _least(problem, place)


def _least(problem: Problem, place: int) -> Decimal | None:
    labels = problem.hierarchies[place].shown(0, _occurring(problem, place)).to_pylist()
    try:
        return min(map(Decimal, labels), default=None)
    except InvalidOperation:
        return None
