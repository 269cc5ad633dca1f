"""Masks: 47906 → 4790* → 479** → 47*** → 4**** → `*`. And no hierarchy at all: value → `*`."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.build_rows import rolled_up
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.grow import grown
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.spelling import Spelling, as_written
from riskapp.core.table.value_list import TEXT, Texts, ValueList, flags, side_by_side

MOST_SIGNS = 100
ENDS = ("right", "left")
SIGN = pa.scalar("*", TEXT)


def from_masks(attribute: str, lists: Sequence[ValueList], signs: int, *, end: str = "right") -> Hierarchy:
    """The hierarchy in which level i hides i signs with stars, beginning at one end, and level `signs` is the top.

    n(v) counts the distinct leaves in dataset and dictionaries. A value shorter than the mask becomes as many stars as
    it has signs; a longer one shows its other signs until the top.

    Parameters
    ----------
    attribute : the name of the attribute
    lists : the value lists of dataset and dictionaries; at level i they hold labels such as 4790*
    signs : the number of steps to the top
    end : the end at which hiding begins, right or left

    Raises
    ------
    BadHierarchy
        If `signs` is not a whole number from 1, or `end` is neither right nor left.
    OutsideHierarchy
        If a column that is matched at level i holds something else than labels with i stars at that end.

    Examples
    --------
    >>> codes = from_masks("zip", [ValueList.of(["47906", "47901"])], 5)
    >>> [labels.to_pylist()[1:] for labels in codes.labels]
    [['47906', '47901'], ['4790*'], ['479**'], ['47***'], ['4****'], ['*']]
    """
    if not isinstance(signs, int) or isinstance(signs, bool) or signs < 1:
        raise BadHierarchy(attribute, "A mask is a whole number of signs, at least 1.", key="mask")
    if signs > MOST_SIGNS:
        raise BadHierarchy(attribute, f"A mask has at most {MOST_SIGNS} signs.", key="mask")
    if end not in ENDS:
        raise BadHierarchy(attribute, "A mask begins at the right or at the left.", key="from")
    return grown(Masks(attribute, signs, end), lists)


def flat(attribute: str, lists: Sequence[ValueList]) -> Hierarchy:
    """No hierarchy: every value has `*` above it. n(v) counts the distinct values in dataset and dictionaries.

    >>> sex = flat("sex", [ValueList.of(["F", "M"]), ValueList.of(["M", "X"])])
    >>> sex.height, sex.leaves, sex.labels[0].to_pylist()
    (1, 3, [None, 'F', 'M', 'X'])
    """
    return from_masks(attribute, lists, 1)


@dataclass(frozen=True)
class Masks:
    """The ladder on which every rung hides one sign more."""

    attribute: str
    signs: int
    end: str
    spelling: Spelling = as_written

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.signs + 1)))

    def refuse(self, listed: ValueList, level: int) -> None:
        listed.refuse(self.attribute, level, flags(pc.not_equal(self.coarser(level, listed.values), listed.values)))

    def coarser(self, level: int, labels: Texts) -> Texts:
        """The labels with as many signs hidden; what the level below hid already stays hidden."""
        stars = pc.binary_repeat(SIGN, pc.min_element_wise(pc.utf8_length(labels), level, skip_nulls=False))
        if self.end == "left":
            return side_by_side(stars, pc.utf8_slice_codeunits(labels, level))
        kept = pc.utf8_slice_codeunits(labels, 0, -level) if level else labels
        return side_by_side(kept, stars)

    def finer(self, level: int, labels: Texts) -> Texts:
        """The labels with a 0 for the sign that only this level hides; those that are too short have none."""
        stars = "*" * (level - 1)
        if self.end == "left":
            shown = side_by_side(stars, "0", pc.utf8_slice_codeunits(labels, level))
        else:
            shown = side_by_side(pc.utf8_slice_codeunits(labels, 0, -level), "0", stars)
        return pc.if_else(pc.greater_equal(pc.utf8_length(labels), level), shown, labels)

    def leaf_counts(self, labels: Sequence[Texts], parents: Sequence[Codes], leaves: Counts) -> list[Counts]:
        return rolled_up(leaves, parents, [*map(len, labels), 1])
