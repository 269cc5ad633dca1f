"""Labels that betray their one hidden value: all values under them but one are shown on their own elsewhere.

Where a release shows Chinese and Japanese as they are and somebody as Asian, whose only other value is Korean, a reader
may well guess. It is a guess and no proof, since a value may be both shown and hidden. Likewise a suppressed row, where
every value of the column but one is shown.
"""

import numpy as np

from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.released import Mask, Released


def betrayed(released: Released, place: int) -> int:
    """How many released cells of a column show such a label.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([2, 3, 3, 1], dtype=np.int32))])
    >>> betrayed(Released.each(records, np.array([[0], [1], [1], [0]])), 0)
    2
    """
    hierarchy, codes = released.hierarchies[place], released.records.columns[place].codes
    levels = np.broadcast_to(np.asarray(released.levels[place]), len(codes))
    there = ~released.suppressed & (codes > 0)
    alone = _shown_alone(released, place)
    if not alone.any():
        return 0
    guessed = 0
    for level in np.unique(levels[there & (levels > 0)]).tolist():
        groups = _of_level(hierarchy, level, alone)
        guessed += int(groups[hierarchy.ancestors[level][codes[there & (levels == level)]]].sum())
    return guessed


def betrayed_by_absence(released: Released, place: int) -> int:
    """How many suppressed rows have the one value of a column that is nowhere shown, all others being so.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> town = from_groups("town", {"North": ["a", "b"], "South": ["c"]})
    >>> records = CodedRecords.of([CodedColumn(town, np.array([1, 2, 3, 3, 1], dtype=np.int32))])
    >>> hidden = np.array([False, False, True, True, True])
    >>> betrayed_by_absence(Released.each(records, np.zeros((5, 1), dtype=np.int8), hidden), 0)
    2
    """
    codes, alone = released.records.columns[place].codes, _shown_alone(released, place)
    if not alone.any() or (~alone[1:]).sum() != 1:
        return 0
    return int((released.suppressed & (codes > 0) & ~alone[codes]).sum())


def _shown_alone(released: Released, place: int) -> Mask:
    """Which leaf codes of a column are shown as they are in some row."""
    hierarchy, codes = released.hierarchies[place], released.records.columns[place].codes
    levels = np.broadcast_to(np.asarray(released.levels[place]), len(codes))
    alone = np.zeros(hierarchy.groups[0] + 1, dtype=np.bool_)
    alone[codes[~released.suppressed & (codes > 0) & (levels == 0)]] = True
    return alone


def _of_level(hierarchy: Hierarchy, level: int, alone: Mask) -> Mask:
    """Which groups of a level have several leaves, all but one of them shown on their own."""
    above: Codes = hierarchy.ancestors[level][1:]
    size = hierarchy.groups[level] + 1
    leaves = np.bincount(above, minlength=size)
    hidden = np.bincount(above[~alone[1:]], minlength=size)
    found: Mask = (leaves > 1) & (hidden == 1)
    return found
