"""A greedy tree of splits: the region and the split that lower the frontier most, again and again.

All splits with few enough values are tried. What they would bring is known from cells that are finer than all of them,
so the nodes are gone through once. After each split a few of the best trees are kept, some by how far they got and
some by how far for so many patterns: the best first split need not lead to the best tree.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.search.region_aim import Aim
from riskapp.core.search.region_hull import Part, undominated
from riskapp.core.search.region_pass import room
from riskapp.core.search.region_sums import Points, Sums
from riskapp.core.search.regions import Cells, Region, Split, shows
from riskapp.core.search.regions import Part as Value
from riskapp.core.table.problem import Problem

MOST_CELLS = 4_000
BEAM = 8
"""So many trees are kept by each of the two measures."""


def finest(problem: Problem, patterns: int) -> Cells:
    """Cells for all splits of at most so many values; where they would be too many, the largest splits are left out.

    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"sex": ["f", "m", "f"], "town": ["a", "b", "c"]})
    >>> finest(asked, 2).splits
    (Split(place=0, level=0),)
    """
    levels = {place: some for place in problem.generalised if (some := _levels(problem, place, patterns))}
    most = min(room(problem), MOST_CELLS)
    while True:
        cells = Cells.of(problem, [Split(place, some[0]) for place, some in levels.items()])
        if len(cells) <= most:
            return cells
        largest = max(levels, key=lambda place: (_values(problem, Split(place, levels[place][0])), place))
        levels[largest] = levels[largest][1:]
        if not levels[largest]:
            del levels[largest]


def _levels(problem: Problem, place: int, patterns: int) -> list[int]:
    """The levels of an attribute by which a table may be split."""
    hierarchy = problem.hierarchies[place]
    few = [level for level in range(hierarchy.height) if 1 < _values(problem, Split(place, level)) <= patterns]
    return [level for level in few if shows(hierarchy, level)]


def _values(problem: Problem, split: Split) -> int:
    return len(np.unique(problem.column(split.place).at(split.level)))


@dataclass(frozen=True, eq=False)
class _Leaf:
    """A region that may be split further."""

    tree: "Tree"
    region: Region
    part: Part

    @cached_property
    def ways(self) -> list[list["_Leaf"]]:
        """For each split that parts it, the leaves it becomes."""
        split = [regions for one in self.tree.splits if len(regions := self.tree.parted(self.region, one)) > 1]
        points = iter(self.tree.sums.of([region for regions in split for region in regions]) if split else [])
        return [[_Leaf(self.tree, region, self.tree.part(next(points))) for region in regions] for regions in split]

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The same for equal regions, whatever the order of their splits."""
        return (self.region.coarsest(self.tree.sums.top), self.region.cells.tobytes())


@dataclass(frozen=True, eq=False)
class Tree:
    """Grows regions.

    Parameters
    ----------
    problem : whose table is split
    cells, sums : its finest cells and what they add
    aim : what the regions are for
    patterns : how many regions there may be
    """

    problem: Problem
    cells: Cells
    sums: Sums
    aim: Aim
    patterns: int

    @cached_property
    def splits(self) -> list[Split]:
        """All that the cells can tell."""
        found = []
        for place, finest_level in self.cells.splits:
            levels = _levels(self.problem, place, self.patterns)
            found += [Split(place, level) for level in levels if level >= finest_level]
        return found

    def parted(self, region: Region, split: Split) -> list[Region]:
        """A region split further."""
        column = next(number for number, own in enumerate(self.cells.splits) if own.place == split.place)
        up = self.problem.hierarchies[split.place].up(self.cells.splits[column].level, split.level)
        codes = up[self.cells.codes[region.cells, column]]
        return [
            Region((*region.parts, Value(split, int(code))), region.cells[codes == code]) for code in np.unique(codes)
        ]

    def part(self, points: Points) -> Part:
        """What a region may choose from, as far as it matters."""
        every = self.aim.part(points)
        left = undominated(every.gains, every.costs)
        return Part(every.gains[left], every.costs[left])

    def grown(self) -> list[Region]:
        """The regions; only one when no split is worth anything."""
        region = Region((), np.arange(len(self.cells)))
        whole = best = _Grown.of((_Leaf(self, region, self.part(self.sums.of([region])[0])),))
        trees = [whole]
        while trees := self._kept([grown for tree in trees for grown in tree.further(self.patterns)], whole):
            best = min([best, *trees], key=lambda tree: tree.reached)
        return [leaf.region for leaf in best.leaves]

    @staticmethod
    def _kept(trees: list["_Grown"], whole: "_Grown") -> list["_Grown"]:
        """The best of them, equal ones once."""
        different = list({frozenset(leaf.key for leaf in tree.leaves): tree for tree in trees}.values())
        far = sorted(different, key=lambda tree: tree.worth)[:BEAM]
        cheap = sorted(different, key=lambda tree: tree.per_pattern(whole))[:BEAM]
        return far + [tree for tree in cheap if tree not in far]


@dataclass(frozen=True, eq=False)
class _Grown:
    """A tree by its leaves, and what it is worth."""

    leaves: tuple[_Leaf, ...]
    worth: tuple[float, float]

    @classmethod
    def of(cls, leaves: tuple[_Leaf, ...]) -> "_Grown":
        return cls(leaves, leaves[0].tree.aim.worth([leaf.part for leaf in leaves]))

    @cached_property
    def reached(self) -> tuple[float, float]:
        """What it is worth when only rules count and not the lines between them."""
        if self.leaves[0].tree.aim.question is None or self.worth[0]:
            return self.worth
        return 0.0, self.leaves[0].tree.aim.best([leaf.part for leaf in self.leaves]).cost

    def further(self, patterns: int) -> Iterator["_Grown"]:
        """With one leaf split, where that is worth something."""
        for place, leaf in enumerate(self.leaves):
            for way in leaf.ways:
                if len(self.leaves) - 1 + len(way) <= patterns:
                    tried = _Grown.of((*self.leaves[:place], *way, *self.leaves[place + 1 :]))
                    if tried.worth < self._a_little_less:
                        yield tried

    @property
    def _a_little_less(self) -> tuple[float, float]:
        missed, cost = self.worth
        return missed, cost - 1e-12 * abs(cost) if np.isfinite(cost) else cost

    def per_pattern(self, whole: "_Grown") -> tuple[float, float]:
        """What it is worth when what it has over the unsplit table is shared out over the patterns that took."""
        missed, cost = self.worth
        saved = whole.worth[1] - cost
        return missed, -saved / (len(self.leaves) - 1) if np.isfinite(saved) else cost


def described(problem: Problem, regions: Sequence[Region]) -> list[dict[str, str | None]]:
    """For each region what its rows show: for every attribute that it was split by the finest text."""
    told = []
    for region in regions:
        texts: dict[str, str | None] = {}
        for split, code in sorted(region.parts, key=lambda part: -part.split.level):
            texts[problem.names[split.place]] = problem.hierarchies[split.place].labels[split.level][code].as_py()
        told.append(texts)
    return told
