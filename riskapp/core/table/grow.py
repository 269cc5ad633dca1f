"""Hierarchies that grow from what occurs: the labels of each level come from those of the level below by a rule.

Masks, dates and intervals are such rules. A dictionary that is matched at a coarser level adds its labels there, so
that a year that only the dictionary knows has a code too, and a stand-in below it.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.build_rows import first_rows
from riskapp.core.table.hierarchy import TOP, Codes, Counts, Hierarchy
from riskapp.core.table.level_names import level_number
from riskapp.core.table.spelling import Spelling
from riskapp.core.table.value_list import Texts, ValueList, flags, joined


class Ladder(Protocol):
    """How labels get coarser, rung by rung, from the leaves up to, but not with, the top."""

    @property
    def attribute(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]:
        """One for each level, the top's too."""

    @property
    def spelling(self) -> Spelling:
        """When two leaves are one."""

    def refuse(self, listed: ValueList, level: int) -> None:
        """Raise `OutsideHierarchy` if some of the values are no labels of the level."""

    def coarser(self, level: int, labels: Texts) -> Texts:
        """The labels of a level from the labels of the level below."""

    def finer(self, level: int, labels: Texts) -> Texts:
        """For each label of a level above the leaves some label of the level below that belongs to it."""

    def leaf_counts(self, labels: Sequence[Texts], parents: Sequence[Codes], leaves: Counts) -> Sequence[Counts]:
        """n(v) for the labels of every level, the top's too.

        Parents are positions in the labels above; `leaves` says 1 for the leaves that occur and 0 for stand-ins.
        """


def grown(ladder: Ladder, lists: Sequence[ValueList]) -> Hierarchy:
    """The hierarchy of all that occurs. Leaf codes follow the order in which the leaves first occur in the lists.

    Parameters
    ----------
    ladder : how labels get coarser
    lists : the value lists of the dataset's column and of the dictionaries' columns that are matched with it

    Raises
    ------
    OutsideHierarchy
        If a value is no label of the level at which its column is matched.
    """
    height = len(ladder.names) - 1
    labels, parents = _climbed(ladder, _by_level(ladder, lists, height))
    occurring = [*map(len, labels), 1]
    _stand_in(ladder, labels, parents)
    parents.append(np.zeros(len(labels[-1]), dtype=np.int32))
    leaves = (np.arange(len(labels[0])) < occurring[0]).astype(np.int64)
    return Hierarchy.of(
        ladder.attribute,
        names=ladder.names,
        labels=[*labels, [TOP]],
        parents=[above + 1 for above in parents],
        leaf_counts=ladder.leaf_counts(labels, parents, leaves),
        spelling=ladder.spelling,
        stand_ins=[len(some) - many for some, many in zip([*labels, [TOP]], occurring, strict=True)],
    )


def _by_level(ladder: Ladder, lists: Sequence[ValueList], height: int) -> list[list[Texts]]:
    """The values of every level below the top."""
    found: list[list[Texts]] = [[] for _ in range(height + 1)]
    for listed in lists:
        level = level_number(ladder.attribute, ladder.names, listed.level)
        if level == height:
            listed.refuse(ladder.attribute, level, flags(pc.not_equal(listed.values, TOP)))
        else:
            ladder.refuse(listed, level)
        found[level].append(listed.known)
    return found[:-1]


def _climbed(ladder: Ladder, found: Sequence[Sequence[Texts]]) -> tuple[list[Texts], list[Codes]]:
    """The distinct labels of every level below the top, and for each label the position of its parent."""
    labels, parents = [_distinct_leaves(joined(found[0]), ladder.spelling)], []
    for level, added in enumerate(found[1:], start=1):
        derived = ladder.coarser(level, labels[-1])
        coded = joined([derived, *added]).dictionary_encode()
        parents.append(coded.indices.to_numpy()[: len(derived)].astype(np.int32))
        labels.append(coded.dictionary)
    return labels, parents


def _stand_in(ladder: Ladder, labels: list[Texts], parents: list[Codes]) -> None:
    """Below every label that has none hang one of the level below, from the highest level down to the leaves."""
    for level in range(len(labels) - 1, 0, -1):
        below = level - 1
        childless = np.setdiff1d(np.arange(len(labels[level]), dtype=np.int32), parents[below])
        labels[below] = joined([labels[below], ladder.finer(level, labels[level].take(pa.array(childless)))])
        parents[below] = np.append(parents[below], childless)


def _distinct_leaves(written: Texts, spelling: Spelling) -> Texts:
    """Every leaf once, as it is written first."""
    coded = spelling(written).dictionary_encode()
    return written.take(first_rows(coded.indices.to_numpy(), len(coded.dictionary)))
