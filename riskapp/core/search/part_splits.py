"""Splits of parts of a table: what may be split, and which splits were tried."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Places
from riskapp.core.table.released import Mask


class Range(NamedTuple):
    """What every part has in common in an attribute, and how wide that is; 0 where nothing can be split."""

    levels: Places
    widths: Numbers


class Tried(NamedTuple):
    """A split of each of some parts.

    Attributes
    ----------
    places : the attribute in which each part is split; −1 where it is not
    allowed : whether that may be, whoever is put above the chance that only a share may be above
    codes : of every record of the parts the value that sends it to its new part
    above : by dictionaries and these records, who would be above that chance
    costs : by dictionaries and parts, how many people would be put above it
    """

    places: Places
    allowed: Mask
    codes: Codes
    above: Mask
    costs: Counts

    def with_parts(self, other: "Tried", those: Mask, own: Places) -> "Tried":
        """With some parts split as another try would; `own` is the part of every record."""
        there = those[own]
        return Tried(
            np.where(those, other.places, self.places),
            self.allowed | those,
            np.where(there, other.codes, self.codes),
            np.where(there, other.above, self.above),
            np.where(those, other.costs, self.costs),
        )


def widest_first(ranges: dict[int, Range]) -> Iterator[Places]:
    """For every part its attributes, the widest first; of equally wide ones the first."""
    places = np.array(list(ranges))
    widths = np.stack([found.widths for found in ranges.values()], axis=1)
    for column in np.argsort(-widths, axis=1, kind="stable").T:
        yield places[column]
