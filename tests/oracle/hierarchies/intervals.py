"""Half-open intervals over numbers, each width a multiple of the one before."""

import itertools
import math
from fractions import Fraction

from tests.oracle.arithmetic import exact, written
from tests.oracle.hierarchies.base import TOP_LABEL, Cell, Hierarchy
from tests.oracle.reading import Refused


class Intervals(Hierarchy):
    """A number, then the interval of each width that holds it, written [50,55), then `*`.

    The leaves are units: all of them from `start` to the first multiple of the largest width above every value.
    """

    textual = False

    def __init__(self, start: object, widths: list[object], unit: object) -> None:
        super().__init__()
        self._start, self._unit = exact(start), exact(unit)
        self._widths = [exact(width) for width in widths]
        check_nested([self._unit, *self._widths])
        self.height = len(self._widths) + 1
        self.level_names = {}

    def labels_from(self, level: int, label: str) -> list[str]:
        if level == self.height and label == TOP_LABEL:
            return [TOP_LABEL]
        lower = self._lower(level, label)
        above = [self._interval(lower, width) for width in self._widths[level:]]
        labels = ([label] if level == 0 else [self._interval(lower, self._widths[level - 1])]) + above
        if labels[0] != label:
            raise Refused("a value is not an interval of this level")
        return [*labels, TOP_LABEL]

    def _lower(self, level: int, label: str) -> Fraction:
        """The number itself, or the lower end of an interval."""
        value = exact(label if level == 0 else label.strip("[)").split(",")[0])
        if level >= self.height or value < self._start:
            raise Refused("a number lies below the first interval")
        return value

    def _interval(self, value: Fraction, width: Fraction) -> str:
        """The label of the interval of this width that holds the value."""
        lower = self._start + ((value - self._start) // width) * width
        return f"[{written(lower)},{written(lower + width)})"

    def leaves(self, occurring: list[Cell]) -> list[str]:
        lowers = [self._lower(level, label) for level, label in occurring if level < self.height]
        largest = self._widths[-1]
        steps = max([(value - self._start) // largest + 1 for value in lowers], default=1)
        units = math.floor(steps * largest / self._unit)
        return [written(self._start + step * self._unit) for step in range(units)]

    def level_of(self, label: str) -> int:
        if label == TOP_LABEL:
            return self.height
        return next((level for level in range(self.height) if self.covers((level, label))), self.height + 1)

    def some_leaf(self, level: int, label: str) -> str:
        return label if level == 0 else written(self._lower(level, label))


def check_nested(widths: list[Fraction]) -> None:
    """Each width is a positive multiple of the one before."""
    if len(widths) < 2 or any(width <= 0 for width in widths):
        raise Refused("widths are positive numbers, at least one")
    for smaller, larger in itertools.pairwise(widths):
        if (larger / smaller).denominator != 1:
            raise Refused("each width is a multiple of the one before")
