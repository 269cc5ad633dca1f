"""What of a hierarchy is shown as a tree: the branches that are open, or what was sought, with counts beside it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.value_list import Flags, flags
from riskapp.engine.shaping.fitting import Fitted
from riskapp.engine.shaping.preview import records_by_level

FEW = 200
"""So many branches of one group are shown at first; with no more leaves than this, everything is open."""

Place = tuple[int, str]
"""A level and a label in it."""


@dataclass(frozen=True)
class Branch:
    """A value or a group as a line of the tree: its place, what is in it, and where it stands among its like."""

    level: int
    label: str
    parent: str
    depth: int
    number: int
    among: int
    inside: int
    leaves: int
    records: int
    open: bool


@dataclass(frozen=True)
class More:
    """A line that stands for branches of a group which are not shown."""

    depth: int
    count: int


Line = Branch | More


def opened_at_first(fit: Fitted) -> list[Place]:
    """The groups that are open when somebody first looks: all of a small tree, none of a large one."""
    hierarchy = fit.hierarchy
    if hierarchy.groups[0] > FEW:
        return []
    return [(level, label) for level in range(1, hierarchy.height) for label in hierarchy.labels[level][1:].to_pylist()]


def branches(fit: Fitted, opened: Collection[Place], sought: str = "", most: int = FEW) -> list[Line]:
    """The lines of the tree below the top, group after group.

    Parameters
    ----------
    fit : the hierarchy over its column
    opened : the groups whose branches are shown
    sought : part of a label, whatever its case: then only labels with it are shown, and the groups they are in
    most : so many branches of one group at most
    """
    tree = _Tree(fit, set(opened), sought.strip(), most)
    return list(tree.below(fit.hierarchy.height, 1))


class _Tree:
    def __init__(self, fit: Fitted, opened: set[Place], sought: str, most: int) -> None:
        self.fit, self.opened, self.most = fit, opened, most
        self.records: list[Counts] = records_by_level(fit)
        self.met = _met(fit, sought) if sought else None

    def below(self, level: int, code: int, depth: int = 1) -> Iterator[Line]:
        """The lines of what is in a group, each followed by its own if it is open."""
        hierarchy = self.fit.hierarchy
        inside = np.flatnonzero(hierarchy.parents[level - 1] == code)
        among = len(inside)
        if self.met is not None:
            inside = inside[self.met[level - 1][inside]]
        for number, each in enumerate(inside[: self.most].tolist(), start=1):
            branch = self._branch(level - 1, each, depth, number, among)
            yield branch
            if branch.open:
                yield from self.below(level - 1, each, depth + 1)
        if len(inside) > self.most:
            yield More(depth, len(inside) - self.most)

    def _branch(self, level: int, code: int, depth: int, number: int, among: int) -> Branch:
        hierarchy = self.fit.hierarchy
        label = hierarchy.labels[level][code].as_py()
        return Branch(
            level=level,
            label=label,
            parent=hierarchy.labels[level + 1][int(hierarchy.parents[level][code])].as_py(),
            depth=depth,
            number=number,
            among=among,
            inside=int((hierarchy.parents[level - 1] == code).sum()) if level else 0,
            leaves=int(hierarchy.leaf_counts[level][code]),
            records=int(self.records[level][code]),
            open=level > 0 and (self.met is not None or (level, label) in self.opened),
        )


def _met(fit: Fitted, sought: str) -> list[Flags]:
    """For every level which codes are shown: those with the words sought, what is in them, and what they are in."""
    hierarchy = fit.hierarchy
    found = [flags(pc.fill_null(_holds(labels, sought), False)) for labels in hierarchy.labels]
    down, up = [each.copy() for each in found], [each.copy() for each in found]
    for level in range(hierarchy.height - 1, -1, -1):
        down[level] |= down[level + 1][hierarchy.parents[level]]
    for level in range(hierarchy.height):
        np.logical_or.at(up[level + 1], hierarchy.parents[level], up[level])
    return [np.logical_or(one, other) for one, other in zip(down, up, strict=True)]


def _holds(labels: pa.Array, sought: str) -> pa.Array:
    return pc.match_substring(labels, sought, ignore_case=True)
