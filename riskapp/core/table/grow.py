"""Hierarchies that grow from what occurs: the labels of each level come from those of the level below by a rule.

Masks, dates and intervals are such rules. A dictionary that is matched at a coarser level adds its labels there, so
that a year that only the dictionary knows has a code too.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
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

    def leaf_counts(self, labels: Sequence[Texts], parents: Sequence[Codes]) -> Sequence[Counts]:
        """n(v) for the labels of every level, the top's too; parents are positions in the labels above."""


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
    parents.append(np.zeros(len(labels[-1]), dtype=np.int32))
    return Hierarchy.of(
        ladder.attribute,
        names=ladder.names,
        labels=[*labels, [TOP]],
        parents=[above + 1 for above in parents],
        leaf_counts=ladder.leaf_counts(labels, parents),
        spelling=ladder.spelling,
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


def _distinct_leaves(written: Texts, spelling: Spelling) -> Texts:
    """Every leaf once, as it is written first."""
    coded = spelling(written).dictionary_encode()
    return written.take(first_rows(coded.indices.to_numpy(), len(coded.dictionary)))
