"""No hierarchy given: a value, then `*`."""

from tests.oracle.hierarchies.base import TOP_LABEL, Cell, Hierarchy
from tests.oracle.reading import Refused


class Bare(Hierarchy):
    """Every value is a leaf and only `*` stands above it. The leaves are the distinct values in the files."""

    def __init__(self) -> None:
        super().__init__()
        self.height, self.level_names = 1, {}

    def labels_from(self, level: int, label: str) -> list[str]:
        if level == 0:
            return [label, TOP_LABEL]
        if (level, label) != self.top:
            raise Refused("a value is not in the hierarchy")
        return [TOP_LABEL]

    def leaves(self, occurring: list[Cell]) -> list[str]:
        return sorted({label for level, label in occurring if level == 0})

    def level_of(self, label: str) -> int:
        return self.height if label == TOP_LABEL else 0

    def some_leaf(self, level: int, label: str) -> str:
        return label
