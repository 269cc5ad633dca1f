"""Parts of a table, and what the values of each have in common.

Records stand in the order of their parts. Leaves are numbered so that those under one ancestor are neighbours: then
the ancestor of a part is that of its first and its last leaf.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.keys import Places


@dataclass(frozen=True, eq=False)
class Ordered:
    """An attribute whose leaves are numbered as they stand in the tree, missing first.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> tree = from_groups("race", {"East": ["Chinese"], "White": ["White"], "South": ["Indian"]})
    >>> Ordered(tree).common(np.array([2, 0, 3]), np.array([2, 1, 1]))
    (array([0, 2, 2]), array([2, 0, 1], dtype=int32))
    """

    hierarchy: Hierarchy

    @cached_property
    def leaves(self) -> Codes:
        """The leaf with each number."""
        return np.lexsort(self.hierarchy.ancestors).astype(np.int32)

    @cached_property
    def numbers(self) -> Codes:
        """The number of each leaf."""
        return np.argsort(self.leaves).astype(np.int32)

    def common(self, first: Places, last: Places) -> tuple[Places, Codes]:
        """The level of the lowest common ancestor of the leaves from one number to another, and its code there.

        A missing value has none below the top, where its code is 0.
        """
        one, other = self.hierarchy.ancestors[:, self.leaves[first]], self.hierarchy.ancestors[:, self.leaves[last]]
        same = (one == other) & (one > 0)
        same[-1] = True
        levels = same.argmax(axis=0)
        return levels, one[levels, np.arange(len(levels))]


@dataclass(frozen=True, eq=False)
class Parts:
    """Some parts of the table at one time: their records, part by part.

    Attributes
    ----------
    records : in the order of their parts
    starts : where each part's records begin
    """

    records: Places
    starts: Places

    @classmethod
    def of(cls, part: Places, records: Places) -> "Parts":
        """The parts of some records, given the number of every record's part."""
        ordered = records[np.argsort(part[records], kind="stable")]
        return cls(ordered, np.flatnonzero(np.diff(part[ordered], prepend=-1)))

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def own(self) -> Places:
        """For each of the records which of these parts it is in, from 0."""
        return np.repeat(np.arange(len(self)), np.diff(np.append(self.starts, len(self.records))))

    def common(self, ordered: Ordered, leaves: Codes) -> tuple[Places, Codes]:
        """The level and the code of what the records of each part have in common in an attribute."""
        numbers = ordered.numbers[leaves[self.records]]
        first, last = np.minimum.reduceat(numbers, self.starts), np.maximum.reduceat(numbers, self.starts)
        return ordered.common(first, last)
