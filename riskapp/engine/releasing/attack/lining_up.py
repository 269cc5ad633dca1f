"""Whether two releases tell the same people apart by the same thing, and if not, why.

Hashes of people that do not line up share nobody, or share the wrong people: then an intersection would find nothing,
which must not be taken for good news. Whoever has the same identifier in both is taken for the same person only where
nothing speaks against it: their values in the columns of both must agree more often than those of any two people.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from riskapp.engine.releasing.attack.footprint import AtLevel, Footprint, in_arrow, numbered

ABOVE_CHANCE = 0.1
"""Values agree if the share of agreeing people is so much above that of any two people, and no accident."""
COUNTED = 0.5
"""Row numbers agree in what two files are sorted by, too: most columns must agree more than this."""
ACCIDENT = 3.0
"""So many standard deviations are no accident."""

Levels = Mapping[str, tuple[int, int]]


class Doubt(StrEnum):
    """Why an earlier release cannot be held against a new one by its people, or not without doubt."""

    NOTHING_KEPT = "nothing-kept"
    OTHER_KEY = "other-key"
    OTHER_WAY = "other-way"
    NOBODY_IN_BOTH = "nobody-in-both"
    OTHER_VALUES = "other-values"
    ROWS_COUNTED = "rows-counted"
    TOO_LARGE = "too-large"


def doubt(one: Footprint, other: Footprint) -> Doubt | None:
    """Why it is not known who is in both; None where it is.

    Where it is `ROWS_COUNTED`, nothing speaks against the identifiers either, and they are what there is.
    """
    if one.key and other.key and one.key != other.key:
        return Doubt.OTHER_KEY
    if (one.rows_are_people, one.by) != (other.rows_are_people, other.by):
        return Doubt.OTHER_WAY
    levels = shared_columns(one, other)
    if one.rows_are_people and one.columns and other.columns:
        return None if all(levels.get(name) == (0, 0) for name in one.by) else Doubt.OTHER_WAY
    if not _have_somebody_in_common(one, other):
        # Identifiers of two names are two things, unless somebody has the same in both.
        return Doubt.NOBODY_IN_BOTH if one.identifier == other.identifier else Doubt.OTHER_WAY
    return None if one.rows_are_people else _doubt_of_identifiers(one, other, levels)


def _have_somebody_in_common(one: Footprint, other: Footprint) -> bool:
    return bool(pc.any(pc.is_in(in_arrow(one.person), value_set=in_arrow(other.person))).as_py())


def _doubt_of_identifiers(one: Footprint, other: Footprint, levels: Levels) -> Doubt | None:
    found = list(_above_chance(one, other, levels))
    counted = one.counts_rows or other.counts_rows
    if found and not (np.median(found) > COUNTED if counted else max(found) >= ABOVE_CHANCE):
        return Doubt.OTHER_VALUES
    return Doubt.ROWS_COUNTED if counted and len(found) < 2 else None


def _above_chance(one: Footprint, other: Footprint, levels: Levels) -> Iterator[float]:
    """For each column that can tell: from 0, where people agree as any two do, to 1, where all agree."""
    people, others = numbered([one.person, other.person])
    _, here, there = np.intersect1d(people, others, return_indices=True)
    for name, (low, high) in levels.items():
        mine, theirs = side_by_side(one.columns[name][low], other.columns[name][high])
        mine, theirs = mine[here], theirs[there]
        most = int(max(mine.max(), theirs.max())) + 1
        chance = float(np.bincount(mine, minlength=most) @ np.bincount(theirs, minlength=most)) / len(here) ** 2
        accident = ACCIDENT * float(np.sqrt(chance * (1 - chance) / len(here)))
        if 1 - chance > accident:
            above = float((mine == theirs).mean()) - chance
            yield above / (1 - chance) if above > accident else 0.0


def side_by_side(one: AtLevel, other: AtLevel) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows of both as numbers, the same for the same label; missing is a number of its own."""
    labels, places = np.unique(np.concatenate([one.labels, other.labels]), return_inverse=True)
    # Missing is −1, which is the last place of each.
    mine, theirs = (np.append(part, len(labels)) for part in np.split(places, [len(one.labels)]))
    return mine[one.codes], theirs[other.codes]


def shared_columns(one: Footprint, other: Footprint) -> Levels:
    """The columns that both have, each with the finest level of either at which their labels agree."""
    both = [name for name in one.columns if name in other.columns]
    found = {name: _agreeing(one.columns[name], other.columns[name]) for name in both}
    return {name: levels for name, levels in found.items() if levels is not None}


def _agreeing(one: tuple[AtLevel, ...], other: tuple[AtLevel, ...]) -> tuple[int, int] | None:
    """Levels agree where half of the labels of the one that has fewer are labels of the other too."""
    pairs = sorted(np.ndindex(len(one), len(other)), key=lambda pair: (sum(pair), pair))
    for low, high in pairs:
        here, there = one[low].labels, other[high].labels
        same = len(np.intersect1d(here, there))
        if same and 2 * same >= min(len(here), len(there)):
            return low, high
    return None
