"""What every cell of a table adds to risk and utility at every node.

Losses and utilities are sums over records, so those of a region are those of its cells added up. At a node that shows
the region, the group of a record lies within the region; so the chance, the group and the inference of a record are
those of the full-domain rule at that node, and limits on them are kept by a region when all of its cells keep them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.core.search.regions import Region
from riskapp.core.table.keys import Places
from riskapp.core.table.lattice import Node
from riskapp.core.table.released import Mask

Levels = npt.NDArray[np.intp]
Marks = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Points:
    """The nodes that a region may have.

    Attributes
    ----------
    nodes : their numbers
    losses : for each dictionary that counts, what the region adds to its risk at each node
    utilities : what the region adds to the utility
    above : for each dictionary, the region's records above a chance that only a share of the people may be above
    kept, finite : whether limits are kept and losses finite at them; where not, there was no such node
    """

    nodes: Places
    losses: Numbers
    utilities: Numbers
    above: Numbers
    kept: bool = True
    finite: bool = True

    def risks(self, shares: Numbers) -> Numbers:
        """What the region adds to the risk, with such shares of the dictionaries."""
        risks: Numbers = shares @ self.losses
        return risks


@dataclass(frozen=True, eq=False)
class Sums:
    """The figures of all cells.

    Attributes
    ----------
    levels : of every node
    losses : by dictionaries, nodes and cells; 0 in place of ∞
    broken : by nodes and cells, 1 where some record breaks a limit
    infinite : by nodes and cells, 1 where some loss is infinite
    utilities : for each attribute that has a level to choose, by cells and levels
    places : those attributes
    above : by dictionaries, nodes and cells, the records above a chance that only a share of the people may be above;
        no dictionary where there is no such limit
    """

    levels: Levels
    losses: Numbers
    broken: Marks
    infinite: Marks
    utilities: tuple[Numbers, ...]
    places: tuple[int, ...]
    above: Marks

    def of(self, regions: Sequence[Region]) -> list[Points]:
        """For each region the nodes that show it and keep the limits.

        Without any, those where no loss is infinite; and without these, all that show it.
        """
        cells = np.unique(np.concatenate([region.cells for region in regions]))
        inside = np.zeros((len(cells), len(regions)))
        for number, region in enumerate(regions):
            inside[np.searchsorted(cells, region.cells), number] = 1.0
        whole = len(cells) == self.losses.shape[2]
        losses = (self.losses if whole else self.losses[:, :, cells]) @ inside
        marks = inside.astype(np.float32)
        above = (self.above[:, :, cells].astype(np.float64) @ inside).transpose(2, 0, 1)
        infinite = (self.infinite[:, cells] @ marks) > 0
        broken = infinite | ((self.broken[:, cells] @ marks) > 0)
        pairs = zip(regions, losses.transpose(2, 0, 1), above, broken.T, infinite.T, strict=True)
        return [self._points(*some) for some in pairs]

    def _points(self, region: Region, losses: Numbers, above: Numbers, broken: Mask, infinite: Mask) -> Points:
        shown = (self.levels <= np.array(region.coarsest(self.top))).all(axis=1)
        kept, finite = shown & ~broken, shown & ~infinite
        nodes = np.flatnonzero(kept if kept.any() else finite if finite.any() else shown)
        utilities = self.utility(region, nodes)
        return Points(nodes, losses[:, nodes], utilities, above[:, nodes], bool(kept.any()), bool(finite.any()))

    @cached_property
    def top(self) -> Node:
        """The coarsest node."""
        return tuple(self.levels[-1].tolist())

    def node(self, number: int) -> Node:
        """A node by its number."""
        return tuple(self.levels[number].tolist())

    def utility(self, region: Region, nodes: Places) -> Numbers:
        """What a region adds to the utility at some nodes."""
        found = np.zeros(len(nodes))
        for place, table in zip(self.places, self.utilities, strict=True):
            found += table[region.cells].sum(axis=0)[self.levels[nodes, place]]
        return found
