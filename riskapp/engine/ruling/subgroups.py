"""How much detail is left to those who have least of it.

A *subgroup* is the records that show the same in one attribute that is released. Its *share* is what the rule leaves of
its utility in the unchanged table; where utility is the negative of a loss, 1 minus its part of the largest loss.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from riskapp.core.table.keys import Places
from riskapp.core.table.released import Floats, Released, shown_codes
from riskapp.core.table.utility import LOSSES, Utility
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.plain_json import in_words
from riskapp.engine.reporting import Report
from riskapp.engine.ruling.ruling import Named, Ruling, ruling

WORST = 5
FEWEST = 10
"""Smaller subgroups are not looked at: what is said of them is said of single people."""


@dataclass(frozen=True)
class Subgroup:
    """Records that show the same in one attribute.

    Attributes
    ----------
    attribute, place : the attribute
    level, position : at which level they show it, and which of that level's groups; None for `*` and missing
    records, share : how many, and the detail left to them
    first : the place of one of them
    """

    attribute: str
    place: int
    level: int | None
    position: int | None
    records: int
    share: float
    first: int

    def without_value(self) -> dict[str, Any]:
        """As results tell it: by the place of the group in its hierarchy and by its size."""
        kept = ("attribute", "level", "position", "records", "share")
        return {name: getattr(self, name) for name in kept}


def worst_subgroups(found: Ruling, most: int = WORST, fewest: int = FEWEST) -> list[Subgroup]:
    """The subgroups to which least is left, the larger first where that is equal."""
    every = [one for place in range(len(found.problem.columns)) for one in _of_attribute(found, place, fewest)]
    return sorted(every, key=lambda one: (one.share, -one.records, one.place, one.first))[:most]


def seen_subgroups(
    prepared: Prepared,
    rule: Named,
    *,
    most: int = WORST,
    fewest: int = FEWEST,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> list[dict[str, Any]]:
    """The same with what they show: values of people."""
    found = ruling(prepared, rule, progress, stop)
    told: list[dict[str, Any]] = in_words(
        [{**one.without_value(), "value": _shown(found, one)} for one in worst_subgroups(found, most, fewest)]
    )
    return told


def _shown(found: Ruling, one: Subgroup) -> str | None:
    if one.level is None or one.position is None:
        return None
    text: str | None = found.problem.hierarchies[one.place].labels[one.level][one.position].as_py()
    return text


def _of_attribute(found: Ruling, place: int, fewest: int) -> Iterator[Subgroup]:
    released = found.released
    shown = released.looked_up(place, shown_codes(released.hierarchies[place]))
    shown = np.where(released.suppressed, 0, shown)
    if not shown.any():
        return
    kinds, first, kind, records = np.unique(shown, return_index=True, return_inverse=True, return_counts=True)
    shares = _shares(found, kind)
    for number in np.flatnonzero(records >= fewest).tolist():
        at = int(first[number])
        level, position = (None, None) if kinds[number] == 0 else _where(found, place, at)
        size, share = int(records[number]), float(shares[number])
        yield Subgroup(found.problem.names[place], place, level, position, size, share, at)


def _where(found: Ruling, place: int, record: int) -> tuple[int, int]:
    """The level and the code of a record's cell."""
    level = int(np.broadcast_to(found.released.levels[place], len(found.problem))[record])
    code = found.problem.column(place).codes[record]
    return level, int(found.problem.hierarchies[place].ancestors[level, code])


def _shares(found: Ruling, kind: Places) -> Floats:
    """For each kind of record its share; where there was nothing to lose it is 1."""
    utility, own = found.problem.utility, found.released.only(found.problem.generalised)
    left = np.bincount(kind, weights=utility.each(own)).astype(np.float64)
    whole = _whole(utility, own, kind)
    parts = np.divide(left, whole, out=np.ones_like(left), where=whole != 0)
    if utility.measure not in LOSSES:
        return parts
    return np.where(whole != 0, 1.0 - parts, 1.0)


def _whole(utility: Utility, own: Released, kind: Places) -> Floats:
    """For each kind of record the utility of the unchanged table, or of nothing where utility is a loss."""
    if utility.measure in LOSSES:
        return np.asarray(np.bincount(kind) * utility.of_nothing, dtype=np.float64)
    unchanged = utility.each(Released.at(own.records, own.records.lattice.bottom))
    return np.bincount(kind, weights=unchanged).astype(np.float64)
