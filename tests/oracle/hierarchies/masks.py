"""Characters replaced by stars, one more at each level."""

from tests.oracle.hierarchies.base import TOP_LABEL, Cell, Hierarchy
from tests.oracle.reading import Refused


class Mask(Hierarchy):
    """47906, 4790*, …, 4****, `*` for five characters; from the left *7906, **906, ….

    Level i shows i stars, the last level `*`. The leaves are the distinct leaf values in the files.
    """

    def __init__(self, characters: int, side: str) -> None:
        super().__init__()
        if characters < 1 or side not in ("right", "left"):
            raise Refused("a mask has at least one character and goes from the left or from the right")
        self.height, self._side = characters, side
        self.level_names = {}

    def labels_from(self, level: int, label: str) -> list[str]:
        if level == self.height:
            if label != TOP_LABEL:
                raise Refused("a value is not a masked one of this level")
            return [TOP_LABEL]
        if self._stars(label, level) != label:
            raise Refused("a value is not a masked one of this level")
        return [self._stars(label, stars) for stars in range(level, self.height)] + [TOP_LABEL]

    def _stars(self, value: str, stars: int) -> str:
        """The value with so many of its characters replaced."""
        stars = min(stars, len(value))
        kept = len(value) - stars
        return value[:kept] + "*" * stars if self._side == "right" else "*" * stars + value[stars:]

    def leaves(self, occurring: list[Cell]) -> list[str]:
        return sorted({label for level, label in occurring if level == 0})

    def level_of(self, label: str) -> int:
        if label == TOP_LABEL:
            return self.height
        shown = label.rstrip("*") if self._side == "right" else label.lstrip("*")
        return len(label) - len(shown)

    def some_leaf(self, level: int, label: str) -> str:
        return label.replace("*", "0")
