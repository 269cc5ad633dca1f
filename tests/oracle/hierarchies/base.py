"""What every value generalisation hierarchy has in common.

A cell is a pair (level, label). Level 0 holds the original values, the top level holds only `*`. A value's path is its
label at every level from 0 to the top.
"""

from collections.abc import Iterable

from tests.oracle.reading import Refused

Cell = tuple[int, str]
TOP_LABEL = "*"


class Hierarchy:
    """A tree over the values of one attribute, all leaves at the same depth.

    `settle` must be told once which cells occur before leaves are counted.
    """

    height: int
    level_names: dict[str, int]
    textual = True

    def __init__(self) -> None:
        self.domain: list[str] = []
        self._counts: dict[Cell, int] = {}
        self._children: dict[Cell, list[str]] = {}
        self._remembered: dict[Cell, list[str]] = {}

    # what each kind says for itself

    def labels_from(self, level: int, label: str) -> list[str]:
        """The labels of a cell from its own level up to the top; refused when the hierarchy does not cover it."""
        raise NotImplementedError

    def leaves(self, occurring: list[Cell]) -> list[str]:
        """The leaves of the domain, each once, given the cells that occur."""
        raise NotImplementedError

    def level_of(self, label: str) -> int:
        """The lowest level at which the label can stand."""
        raise NotImplementedError

    def some_leaf(self, level: int, label: str) -> str:
        """A leaf under the cell, whether or not it is in the domain."""
        raise NotImplementedError

    # what follows from that

    @property
    def top(self) -> Cell:
        """The suppressed cell ⊥."""
        return (self.height, TOP_LABEL)

    def settle(self, occurring: Iterable[Cell]) -> None:
        """Fix the domain from the cells that occur in the files."""
        self.domain = self.leaves(list(occurring))
        self._counts, self._children = {}, {}
        for leaf in self.domain:
            self._place(self.path(leaf))

    def _place(self, path: list[str]) -> None:
        for level, label in enumerate(path):
            self._counts[level, label] = self._counts.get((level, label), 0) + 1
            below = self._children.setdefault((level, label), [])
            if level > 0 and path[level - 1] not in below:
                below.append(path[level - 1])

    def path(self, leaf: str) -> list[str]:
        """The labels of a leaf at the levels 0 to the top."""
        return self.labels(0, leaf)

    def labels(self, level: int, label: str) -> list[str]:
        """`labels_from`, worked out once for each cell."""
        if (level, label) not in self._remembered:
            self._remembered[level, label] = self.labels_from(level, label)
        return self._remembered[level, label]

    def above(self, cell: Cell, level: int) -> Cell:
        """The ancestor of a cell at a level not below its own."""
        own, label = cell
        return (level, self.labels(own, label)[level - own])

    def covers(self, cell: Cell) -> bool:
        """Whether the cell belongs to the hierarchy."""
        try:
            self.labels_from(*cell)
        except Refused:
            return False
        return True

    def size(self) -> int:
        """m: the number of leaves in the domain."""
        return len(self.domain)

    def leaves_under(self, cell: Cell) -> int:
        """n(v): the number of leaves of the domain under a cell; 1 for a leaf."""
        return 1 if cell[0] == 0 else self._counts.get(cell, 0)

    def children(self, cell: Cell) -> list[Cell]:
        """The cells directly under this one that have a leaf of the domain."""
        return [(cell[0] - 1, label) for label in self._children.get(cell, [])]

    def level(self, name: object) -> int:
        """A level given by its number or by its name."""
        text = str(name)
        if text in self.level_names:
            return self.level_names[text]
        if text.isdecimal() and int(text) <= self.height:
            return int(text)
        raise Refused(f"there is no level {text}")
