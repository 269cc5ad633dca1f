"""Labels that betray their one hidden value: all values under them but one are shown on their own elsewhere.

Where a release shows Chinese and Japanese as they are and somebody as Asian, whose only other value is Korean, a reader
may well guess. It is a guess and no proof, since a value may be both shown and hidden.
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
    alone = np.zeros(hierarchy.groups[0] + 1, dtype=np.bool_)
    alone[codes[there & (levels == 0)]] = True
    if not alone.any():
        return 0
    guessed = 0
    for level in np.unique(levels[there & (levels > 0)]).tolist():
        groups = _of_level(hierarchy, level, alone)
        guessed += int(groups[hierarchy.ancestors[level][codes[there & (levels == level)]]].sum())
    return guessed


def _of_level(hierarchy: Hierarchy, level: int, alone: Mask) -> Mask:
    """Which groups of a level have several leaves, all but one of them shown on their own."""
    above: Codes = hierarchy.ancestors[level][1:]
    size = hierarchy.groups[level] + 1
    leaves = np.bincount(above, minlength=size)
    hidden = np.bincount(above[~alone[1:]], minlength=size)
    found: Mask = (leaves > 1) & (hidden == 1)
    return found
