"""Intervals that begin where the data begin: the end of the first one tells the least value that somebody has."""

from decimal import Decimal, InvalidOperation

import numpy as np

from riskapp.engine.ruling import Ruling


def begun_at_data(found: Ruling) -> tuple[str, ...]:
    """The columns whose intervals begin at the least value of the data, which is no multiple of their width."""
    attributes = found.prepared.assessment.attributes
    return tuple(name for name in found.problem.names if _begins_there(found, name, attributes[name].hierarchy or {}))


def _begins_there(found: Ruling, name: str, hierarchy: object) -> bool:
    told = hierarchy.get("intervals") if isinstance(hierarchy, dict) else None
    if not told:
        return False
    begin, width = Decimal(str(told.get("from", 0))), Decimal(str(told["widths"][0]))
    return begin % width != 0 and begin == _least(found, found.problem.names.index(name))


def _least(found: Ruling, place: int) -> Decimal | None:
    codes = np.unique(found.problem.column(place).codes)
    labels = found.problem.hierarchies[place].shown(0, codes[codes > 0]).to_pylist()
    try:
        return min(map(Decimal, labels), default=None)
    except InvalidOperation:
        return None
