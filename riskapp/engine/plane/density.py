"""How many rules lie where, for planes with more rules than can be drawn one by one."""

from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.engine.plane.packing import bits, packed

ACROSS, UP = 160, 100
"""Cells along the risk, without those for none and for infinite risk; and along the utility."""


def density(risks: Numbers, shares: Numbers, within: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """The number of rules in every cell, and whether one of them keeps the limits.

    Cells are as wide as each other in the logarithm of the risk, from `from` to `to`; the first column is for no risk,
    the last for infinite risk. They are as high as each other in the share, from 0 to 1. Columns come one after the
    other.
    """
    finite = risks[(risks > 0) & np.isfinite(risks)]
    least, most = (float(finite.min()), float(finite.max())) if len(finite) else (1.0, 1.0)
    places = columns(risks, least, most) * UP + rows(shares)
    many = np.bincount(places, minlength=(ACROSS + 2) * UP).astype(np.float64)
    kept = np.bincount(places[within], minlength=(ACROSS + 2) * UP) > 0
    return {"from": least, "to": most, "across": ACROSS, "up": UP, "many": packed(many), "within": bits(kept)}


def columns(risks: Numbers, least: float, most: float) -> npt.NDArray[np.intp]:
    """The column of every risk.

    >>> columns(np.array([0.0, 0.1, 10.0, np.inf]), 0.1, 10.0)
    array([  0,   1, 160, 161])
    """
    span = np.log10(most / least) or 1.0
    with np.errstate(divide="ignore"):
        steps = (np.log10(risks) - np.log10(least)) / span * ACROSS
    inside = 1 + np.clip(np.floor(np.clip(steps, 0, ACROSS)), 0, ACROSS - 1).astype(np.intp)
    return np.where(risks <= 0, 0, np.where(np.isinf(risks), ACROSS + 1, inside))


def rows(shares: Numbers) -> npt.NDArray[np.intp]:
    """The row of every share.

    >>> rows(np.array([0.0, 0.5, 1.0]))
    array([ 0, 50, 99])
    """
    return np.clip(np.floor(shares * UP), 0, UP - 1).astype(np.intp)
