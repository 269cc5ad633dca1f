"""How much detail is left to those who have least of it.

A *subgroup* is people who are alike before the release: the records whose original values lie in one group of a level
of an attribute's hierarchy, at level 0 those with the same value. Its *share* is what the rule leaves of its utility in
the unchanged table; where utility is the negative of a loss, 1 minus its part of the largest loss. A share of a larger
group is the mean of those in it, so of groups inside one another only the one with the least is told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.digits import DIGITS
from riskapp.core.table.released import Floats, Released
from riskapp.core.table.utility import LOSSES, Utility
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.plain_json import in_words
from riskapp.engine.reporting import Report
from riskapp.engine.ruling.ruling import Named, Ruling, ruling

WORST = 5
FEWEST = 10
"""Smaller subgroups are not looked at: what is said of them is said of single people."""
MISSING = -1
FOUND = np.dtype(
    [("place", "i4"), ("level", "i4"), ("position", "i4"), ("leaf", "i4"), ("records", "i8"), ("share", "f8")]
)
Many = npt.NDArray[np.void]


@dataclass(frozen=True)
class Subgroup:
    """Records whose original values lie in one group of an attribute.

    Attributes
    ----------
    attribute, place : the attribute
    level, position : of which level, and which of that level's groups; None where the value is missing
    leaf : the code of one of its values
    records, share : how many, and the detail left to them
    """

    attribute: str
    place: int
    level: int | None
    position: int | None
    leaf: int
    records: int
    share: float

    def without_value(self) -> dict[str, Any]:
        """As results tell it: by the place of the group in its hierarchy and by its size."""
        kept = ("attribute", "level", "position", "records", "share")
        return {name: getattr(self, name) for name in kept}


def worst_subgroups(found: Ruling, most: int = WORST, fewest: int = FEWEST) -> list[Subgroup]:
    """The subgroups to which least is left, the larger first where that is equal; none inside another."""
    sums = _sums(found)
    levels = (one for place in range(len(sums)) for one in _of_attribute(found, place, sums, fewest))
    every = np.concatenate([np.empty(0, dtype=FOUND), *levels])
    order = np.lexsort((every["level"], every["place"], -every["records"], np.round(every["share"], DIGITS)))
    kept: list[Subgroup] = []
    for number in order.tolist():
        if len(kept) == most:
            break
        one = _subgroup(found, every[number])
        if not any(_overlap(found, one, other) for other in kept):
            kept.append(one)
    return kept


def seen_subgroups(
    prepared: Prepared,
    rule: Named,
    *,
    most: int = WORST,
    fewest: int = FEWEST,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> list[dict[str, Any]]:
    """The same with their labels: values of people."""
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


def _subgroup(found: Ruling, one: Any) -> Subgroup:
    place, leaf, records = (int(one[name]) for name in ("place", "leaf", "records"))
    missing = one["level"] == MISSING
    level, position = (None, None) if missing else (int(one["level"]), int(one["position"]))
    return Subgroup(found.problem.names[place], place, level, position, leaf, records, float(one["share"]))


def _overlap(found: Ruling, one: Subgroup, other: Subgroup) -> bool:
    """Whether one lies in the other: then the leaf of the lower is below the higher."""
    if one.place != other.place or one.level is None or other.level is None:
        return False
    low, high = sorted((one, other), key=lambda group: group.level or 0)
    return bool(found.problem.hierarchies[one.place].ancestors[high.level, low.leaf] == high.position)


def _of_attribute(found: Ruling, place: int, sums: list[Floats], fewest: int) -> Iterator[Many]:
    """For each level below the top the groups that are large enough."""
    hierarchy = found.problem.hierarchies[place]
    for level in range(hierarchy.height):
        group = hierarchy.ancestors[level]
        records, left, whole = (np.bincount(group, weights=one).astype(np.float64) for one in sums[place])
        there = np.flatnonzero(records >= max(fewest, 1))
        if level:
            there = there[there > 0]
        leaves = np.flatnonzero(sums[place][0])
        one_of = np.zeros(len(records), dtype=np.int64)
        one_of[group[leaves]] = leaves
        told = np.empty(len(there), dtype=FOUND)
        told["place"], told["level"] = place, np.where(there, level, MISSING)
        told["position"], told["leaf"], told["records"] = there, one_of[there], records[there]
        told["share"] = _shares(left[there], whole[there], loss=found.problem.utility.measure in LOSSES)
        yield told


def _shares(left: Floats, whole: Floats, *, loss: bool) -> Floats:
    """What is left of the whole, or not lost of it; where there was nothing to lose all is left."""
    parts = np.divide(left, whole, out=np.full_like(left, 0.0 if loss else 1.0), where=whole != 0)
    return 1.0 - parts if loss else parts


def _sums(found: Ruling) -> list[Floats]:
    """For each attribute and each of its values how many records have it, and their utility: left, and whole."""
    utility, own = found.problem.utility, found.released.only(found.problem.generalised)
    each = np.stack([np.ones(len(own.records)), utility.each(own), _whole(utility, own)])
    columns = [(found.problem.column(place).codes, one) for place, one in enumerate(found.problem.hierarchies)]
    return [
        np.stack([np.bincount(codes, weights=some, minlength=one.groups[0] + 1) for some in each])
        for codes, one in columns
    ]


def _whole(utility: Utility, own: Released) -> Floats:
    """For every record its utility in the unchanged table, or that of nothing where utility is a loss."""
    if utility.measure in LOSSES:
        return np.full(len(own.records), utility.of_nothing)
    return utility.each(Released.at(own.records, own.records.lattice.bottom))
