"""Which rules are told in full where there is no room for all of them."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.engine.plain_json import text

Places = npt.NDArray[np.intp]
NUMBER, FAMILY = 0, 2
"""Where a row that tells a rule has its number and its family; the flag of the frontier is found from its figures."""


def thinned(
    rows: Sequence[Sequence[Any]], room: int, *, needed: Collection[int], share: int, frontier: int
) -> list[Sequence[Any]]:
    """The needed rules, then those on the frontier and whole-table rules, then the others, all in the order given.

    Of what there is no room for as a whole, as many as there is room for are kept, evenly spread over the detail.

    Parameters
    ----------
    rows : what tells the rules
    room : for so many bytes of JSON
    needed : the numbers of rules that are always kept
    share, frontier : where a row has the share of the detail, and the flag of the frontier

    >>> rows = [[number, None, 0, [], number / 10, 1] for number in range(11)]
    >>> [row[0] for row in thinned(rows, 120, needed=[0], share=4, frontier=5)]
    [0, 1, 5, 10]
    """
    sizes = np.array([len(text(row).encode()) + len(", ") for row in rows])
    always = np.array([row[NUMBER] in needed for row in rows])
    worth = np.array([row[FAMILY] == 0 or bool(row[frontier]) for row in rows])
    shares = np.array([float(row[share]) for row in rows])
    kept, left = always.copy(), room - int(sizes[always].sum())
    for group in (worth & ~always, ~worth & ~always):
        chosen = _spread(np.flatnonzero(group), sizes, shares, left)
        kept[chosen] = True
        left -= int(sizes[chosen].sum())
    return [row for row, keep in zip(rows, kept, strict=True) if keep]


def _spread(places: Places, sizes: Places, shares: npt.NDArray[np.float64], room: int) -> Places:
    """As many of some places as certainly fit, from the least share to the most."""
    if sizes[places].sum() <= room:
        return places
    many = max(0, room // int(sizes[places].max()))
    ordered = places[np.argsort(shares[places], kind="stable")]
    return ordered[np.linspace(0, len(ordered) - 1, many).round().astype(np.intp)]
