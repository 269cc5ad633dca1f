"""The lattice of generalisations: how many steps to take in each attribute.

A *node* is a tuple of levels, one for each attribute: x ∈ ∏ {0 … h_j}. Node 0 releases everything as it is, node h
nothing. y generalises x when no level of y is below that of x. Nodes are also numbered, in the order in which the last
attribute changes fastest, so a lattice takes no memory however large it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

Node = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All nodes over attributes of these heights.

    Parameters
    ----------
    heights : the height of every attribute's hierarchy; 0 for an attribute that is kept as it is

    Raises
    ------
    ValueError
        If a height is negative.

    Examples
    --------
    >>> lattice = Lattice((1, 2))
    >>> list(lattice)
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    >>> lattice.size, lattice.bottom, lattice.top
    (6, (0, 0), (1, 2))
    >>> lattice.generalisations((0, 1)), lattice.specialisations((0, 1))
    ([(1, 1), (0, 2)], [(0, 0)])
    """

    heights: Node

    def __post_init__(self) -> None:
        object.__setattr__(self, "heights", tuple(self.heights))
        if any(height < 0 for height in self.heights):
            raise ValueError("A height is negative.")

    @property
    def size(self) -> int:
        """The number of nodes, ∏ (h_j + 1). (`len` cannot say it for more than 2^63.)"""
        return prod(height + 1 for height in self.heights)

    @property
    def bottom(self) -> Node:
        """The node that releases everything as it is."""
        return (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        """The node that releases nothing."""
        return self.heights

    @property
    def strides(self) -> Node:
        """How far apart in number two nodes are that differ by one step in an attribute."""
        return tuple(prod(height + 1 for height in self.heights[place + 1 :]) for place in range(len(self.heights)))

    def __iter__(self) -> Iterator[Node]:
        """All nodes by number: every node comes after those that it generalises."""
        levels = list(self.bottom)
        while True:
            yield tuple(levels)
            place = len(levels) - 1
            while place >= 0 and levels[place] == self.heights[place]:
                levels[place] = 0
                place -= 1
            if place < 0:
                return
            levels[place] += 1

    def __contains__(self, node: object) -> bool:
        return (
            isinstance(node, tuple)
            and len(node) == len(self.heights)
            and all(0 <= level <= height for level, height in zip(node, self.heights, strict=True))
        )

    def number(self, node: Sequence[int]) -> int:
        """The place of a node in the order of all.

        >>> Lattice((1, 2)).number((1, 1))
        4
        """
        self._check(tuple(node))
        return sum(level * stride for level, stride in zip(node, self.strides, strict=True))

    def node(self, number: int) -> Node:
        """The node at a place in the order of all.

        >>> Lattice((1, 2)).node(4)
        (1, 1)
        """
        if not 0 <= number < self.size:
            raise ValueError(f"There are {self.size} nodes, numbered from 0.")
        return tuple(number // stride % (height + 1) for stride, height in zip(self.strides, self.heights, strict=True))

    def generalisations(self, node: Node) -> list[Node]:
        """The nodes one step coarser in one attribute (its parents)."""
        self._check(node)
        return [_moved(node, place, 1) for place, height in enumerate(self.heights) if node[place] < height]

    def specialisations(self, node: Node) -> list[Node]:
        """The nodes one step finer in one attribute (its children)."""
        self._check(node)
        return [_moved(node, place, -1) for place in range(len(node)) if node[place] > 0]

    def on_border(self, node: Node) -> bool:
        """Whether some attribute can go no further up or no further down."""
        self._check(node)
        return any(level in (0, height) for level, height in zip(node, self.heights, strict=True))

    def _check(self, node: Node) -> None:
        if node not in self:
            raise ValueError(f"The node is not in the lattice with heights {self.heights}.")


def _moved(node: Node, place: int, steps: int) -> Node:
    return (*node[:place], node[place] + steps, *node[place + 1 :])


def generalises(coarse: Sequence[int], fine: Sequence[int]) -> bool:
    """Whether the first node is at least as coarse as the second in every attribute.

    >>> generalises((1, 2), (0, 2)), generalises((1, 0), (0, 2))
    (True, False)
    """
    return all(high >= low for high, low in zip(coarse, fine, strict=True))
