"""The tree of splits that parts a table, and the rule it makes for any record.

A split sends a record to the part for its value one step below what the part had in common. A part at the end of the
tree releases its records with, in every attribute, the lowest common ancestor of their values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.keys import Places
from riskapp.core.table.released import Mask

Levels = npt.NDArray[np.int32]


@dataclass(eq=False)
class Growing:
    """A tree while it grows: part 0 is the whole table."""

    parts: int = 1
    split: list[Places] = field(default_factory=list)
    places: list[Places] = field(default_factory=list)
    levels: list[Places] = field(default_factory=list)
    owners: list[Places] = field(default_factory=list)
    codes: list[Codes] = field(default_factory=list)

    def grow(self, split: Places, places: Places, levels: Places, owners: Places, codes: Codes) -> Places:
        """Split some parts.

        Parameters
        ----------
        split, places, levels : which parts, by which attribute, by its values at which level
        owners, codes : of each new part the part it comes from, and its value

        Returns
        -------
        the numbers of the new parts
        """
        self.split.append(split)
        self.places.append(places)
        self.levels.append(levels)
        self.owners.append(owners)
        self.codes.append(codes)
        self.parts += len(owners)
        return np.arange(self.parts - len(owners), self.parts)


@dataclass(frozen=True, eq=False)
class SplitTree:
    """The rule of a grown tree.

    A record that no part would take is suppressed: one that a split has no part for, or that the values its part has in
    common do not cover. The table's own records each have their part.

    Attributes
    ----------
    hierarchies : of all attributes
    kept : for every attribute whether it stays at its leaves
    place, level : for every part by which attribute it is split and at which level; −1 where it is not
    keys, children : for every part and value, as one number and in their order, the part of these
    released : for every part the levels of its records
    common : for every part what its records have in common at these levels
    suppressed : for every part whether its records are suppressed
    """

    hierarchies: Sequence[Hierarchy]
    kept: Sequence[bool]
    place: Places
    level: Places
    keys: npt.NDArray[np.int64]
    children: Places
    released: Levels
    common: Levels
    suppressed: Mask

    @classmethod
    def of(
        cls,
        hierarchies: Sequence[Hierarchy],
        kept: Sequence[bool],
        grown: Growing,
        released: Levels,
        common: Levels,
        suppressed: Mask,
    ) -> "SplitTree":
        """The tree with what its parts release."""
        place, level = (np.full(grown.parts, -1, dtype=np.intp) for _ in range(2))
        keys = np.zeros(0, dtype=np.int64)
        if grown.split:
            split = np.concatenate(grown.split)
            place[split], level[split] = np.concatenate(grown.places), np.concatenate(grown.levels)
            keys = np.concatenate(grown.owners) * _size(hierarchies) + np.concatenate(grown.codes)
        order = np.argsort(keys)
        return cls(hierarchies, kept, place, level, keys[order], order + 1, released, common, suppressed)

    def __call__(self, leaves: Codes, /) -> tuple[Levels, Mask]:
        """The levels of some records, and which of them are suppressed."""
        part = self.parts(leaves)
        levels = self.released[part]
        hidden = (part < 0) | self.suppressed[part]
        for place, hierarchy in enumerate(self.hierarchies):
            own = hierarchy.ancestors[levels[:, place], leaves[:, place]]
            below = levels[:, place] < hierarchy.height
            if not self.kept[place]:
                hidden |= below & (own != self.common[part, place])
        return levels, hidden

    @property
    def is_closed(self) -> bool:
        """Whether everybody who fits a released row may be a record that is released as this row, whatever they hold.

        Who fits a part's row has, wherever the row shows something, a value under it or one above it. A record of the
        part with the former values put in takes the same way down the tree if no split on its way looks below what the
        row shows. Whoever is suppressed fits everybody.
        """
        ends = np.flatnonzero(self.place < 0)
        return not self.suppressed[ends].any() and not any(self._looks_below(ends))

    def _looks_below(self, ends: Places) -> Iterator[bool]:
        """Going up from some parts, whether a split looked below what they release; not at who is missing there."""
        owner, code = (np.full(len(self.place), -1, dtype=np.int64) for _ in range(2))
        owner[self.children], code[self.children] = np.divmod(self.keys, _size(self.hierarchies))
        part = ends
        while len(ends):
            up = owner[part]
            ends, part, up = ends[up >= 0], part[up >= 0], up[up >= 0]
            yield bool(((self.released[ends, self.place[up]] > self.level[up]) & (code[part] > 0)).any())
            part = up

    def parts(self, leaves: Codes) -> Places:
        """The part of every record; −1 where a split has none for it."""
        part = np.zeros(len(leaves), dtype=np.intp)
        moving = np.flatnonzero(self.place[part] >= 0)
        while len(moving):
            part[moving] = self._next(part[moving], leaves[moving])
            moving = moving[part[moving] >= 0]
            moving = moving[self.place[part[moving]] >= 0]
        return part

    def _next(self, part: Places, leaves: Codes) -> Places:
        codes = np.zeros(len(part), dtype=np.int64)
        for place in np.unique(self.place[part]):
            own = np.flatnonzero(self.place[part] == place)
            codes[own] = self.hierarchies[place].ancestors[self.level[part[own]], leaves[own, place]]
        keys = part * _size(self.hierarchies) + codes
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.children[at], -1)


def _size(hierarchies: Sequence[Hierarchy]) -> int:
    """A number above all codes."""
    return max(hierarchy.groups[0] for hierarchy in hierarchies) + 1
