"""Regions: parts of a table that the released rows themselves tell apart, each with a node of its own.

A *split* is an attribute at a level. A region holds the records with the same codes at its splits, and its node is
never coarser than a split in the split's attribute: every released row shows which region it is from. An entry that is
consistent with a row agrees with it at the splits, or could for what the dictionary does not know; so the rule would
have released it as that row. Such rules are *closed*: nothing is learnt by replaying them.

Missing cells are a region of their own. They are released empty, and everybody is consistent with them; but where
cells of a column are missing anybody's may be, so the rule may have sent anybody there: still nothing is learnt.
A split is refused where the texts do not tell its values apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.keys import Places, folded, once
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask, Released, shown_codes
from riskapp.core.table.replay import Reading

Levels = npt.NDArray[np.intp]


class Split(NamedTuple):
    """An attribute, by its place, at a level."""

    place: int
    level: int


class Part(NamedTuple):
    """One of the values that a split tells apart; code 0 is missing."""

    split: Split
    code: int


@dataclass(frozen=True, eq=False)
class Region:
    """Records that agree at some splits.

    Attributes
    ----------
    parts : at which, and the code there
    cells : the numbers of the cells that it is made of, see `Cells`
    """

    parts: tuple[Part, ...]
    cells: Places

    def coarsest(self, top: Node) -> Node:
        """The coarsest node that still shows the region."""
        levels = list(top)
        for split, _ in self.parts:
            levels[split.place] = min(levels[split.place], split.level)
        return tuple(levels)

    def holds(self, leaves: Codes, hierarchies: Sequence[Hierarchy]) -> Mask:
        """Which records, rows of leaf codes, are in it."""
        inside = np.ones(len(leaves), dtype=np.bool_)
        for split, code in self.parts:
            inside &= hierarchies[split.place].ancestors[split.level][leaves[:, split.place]] == code
        return inside


@dataclass(frozen=True, eq=False)
class Cells:
    """The smallest pieces that regions are put together from: records with the same codes at all of some splits.

    Attributes
    ----------
    splits : at which
    codes : for every cell its codes at them
    of_record : the cell of every record

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"sex": ["f", "m", "f"], "town": ["a", "a", "b"]})
    >>> cells = Cells.of(asked, [Split(0, 0)])
    >>> cells.of_record.tolist(), [[part.code for part in region.parts] for region in cells.regions]
    ([0, 1, 0], [[1], [2]])
    """

    splits: tuple[Split, ...]
    codes: Codes
    of_record: Places

    @classmethod
    def of(cls, problem: Problem, splits: Sequence[Split]) -> "Cells":
        """The cells in which a problem has records."""
        columns = [problem.column(split.place).at(split.level) for split in splits]
        if not columns:
            return cls((), np.zeros((1, 0), dtype=np.int32), np.zeros(len(problem), dtype=np.intp))
        sizes = [problem.hierarchies[split.place].groups[split.level] + 1 for split in splits]
        keys = folded([columns], sizes)
        found = once(keys.numbers, keys.size)
        return cls(tuple(splits), np.stack([codes[found.first] for codes in columns], axis=1), found.kind)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def regions(self) -> list[Region]:
        """Every cell as a region."""
        rows = enumerate(self.codes.tolist())
        return [Region(tuple(map(Part, self.splits, row)), np.array([cell])) for cell, row in rows]


@dataclass(frozen=True, eq=False)
class Regional:
    """The rule that takes the records of every region to its node.

    Parameters
    ----------
    problem : whose records are released
    regions : they hold every record once
    nodes : one for each region

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"sex": ["f", "m", "f"], "town": ["a", "a", "b"]})
    >>> rule = Regional(asked, Cells.of(asked, [Split(0, 0)]).regions, [(0, 0), (0, 1)])
    >>> rule(np.array([[1, 2], [2, 2]], dtype=np.int32))[0].tolist()
    [[0, 0], [0, 1]]
    """

    problem: Problem
    regions: Sequence[Region]
    nodes: Sequence[Node]

    def __call__(self, leaves: Codes, /) -> tuple[Levels, Mask]:
        """The levels of records. Those in no region are like no record of the table; they are left as they are."""
        levels = np.zeros(leaves.shape, dtype=np.intp)
        for region, node in zip(self.regions, self.nodes, strict=True):
            levels[region.holds(leaves, self.problem.hierarchies)] = node
        return levels, np.zeros(len(leaves), dtype=np.bool_)

    @cached_property
    def replayed(self) -> Reading:
        """What an attacker runs: it looks at the split attributes only."""
        return Reading(self, frozenset(part.split.place for region in self.regions for part in region.parts))

    @cached_property
    def same(self) -> Node | None:
        """The one node, if all regions have the same: then it is a full-domain rule."""
        return self.nodes[0] if len(set(self.nodes)) == 1 else None

    def released(self, cell_of_record: Places) -> Released:
        """The table that it releases, given the cell of every record."""
        if self.same is not None:
            return Released.at(self.problem.records, self.same)
        of_cell = np.zeros((int(cell_of_record.max()) + 1, len(self.problem.columns)), dtype=np.intp)
        for region, node in zip(self.regions, self.nodes, strict=True):
            of_cell[region.cells] = node
        return Released.each(self.problem.records, of_cell[cell_of_record])


def shows(hierarchy: Hierarchy, level: int) -> bool:
    """Whether the texts at a level and below it tell the values of that level apart, and from missing.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> shows(from_groups("place", {"York": ["York", "Leeds"], "Kent": ["Dover"]}), 1)
    True
    >>> shows(from_groups("place", {"York": ["Kent", "Leeds"], "Kent": ["Dover"]}), 1)
    False
    """
    texts = shown_codes(hierarchy)[: level + 1]
    values = np.broadcast_to(hierarchy.ancestors[level], texts.shape)
    pairs = np.unique(np.stack([texts.ravel(), values.ravel()]), axis=1)
    return bool(len(np.unique(pairs[0])) == pairs.shape[1])


def given_splits(problem: Problem, given: Sequence[tuple[str, int | str]]) -> list[Split]:
    """The splits of an assessment, each an attribute and the number or the name of a level.

    Raises
    ------
    BadSetting
        If there is none, no such attribute or level, or if the released rows would not show the split.
    """
    if not given:
        raise BadSetting("search.regions", "Name at least one attribute@level.")
    return [_split(problem, f"search.regions.{number}", *one) for number, one in enumerate(given)]


def _split(problem: Problem, key: str, attribute: str, named: int | str) -> Split:
    places = {problem.names[place]: place for place in problem.generalised}
    if attribute not in places:
        raise BadSetting(key, "Name an attribute that has a hierarchy.")
    hierarchy = problem.hierarchies[places[attribute]]
    try:
        level = hierarchy.level(named)
    except BadHierarchy as error:
        raise BadSetting(key, str(error)) from error
    if level >= hierarchy.height:
        raise BadSetting(key, "At the top level nothing is told apart. Name a lower level.")
    if not shows(hierarchy, level):
        raise BadSetting(key, f'"{attribute}" shows the same text for different groups. Name another level.')
    return Split(places[attribute], level)
