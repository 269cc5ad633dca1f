"""The Jensen–Shannon distance of an attribute: how far its distribution in the release is from the original one.

Both are distributions over the leaves: a cell stands for the leaves under it, all equally likely; missing, like `*`,
for all. With p and q the two and a = (p + q)/2, the distance is √((D(p‖a) + D(q‖a)) / 2), where D(p‖a) = Σ p ln(p/a).
It is 0 when they are equal and √ln 2 ≈ 0.83 when they have no leaf in common.

J. Lin: Divergence measures based on the Shannon entropy, 1991.
"""

import numpy as np

from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.released import Floats, Level, Released


def jensen_shannon(released: Released) -> Floats:
    """For each attribute the distance between the original values and the released ones.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedRecords
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 1], dtype=np.int32))])
    >>> [float(jensen_shannon(Released.at(records, (level,)))[0].round(4)) for level in (0, 1, 2)]
    [0.0, 0.3285, 0.3637]
    """
    pairs = zip(released.records.columns, released.levels, strict=True)
    times = released.records.times
    return np.array([between(spread(column, 0, times), spread(column, level, times)) for column, level in pairs])


def spread(column: CodedColumn, level: Level, times: Counts) -> Floats:
    """The distribution over leaves: at position 0 for all leaves together that nobody has, then for each leaf code."""
    levels = np.broadcast_to(np.asarray(level, dtype=np.intp), column.codes.shape)
    shares: Floats = np.zeros(column.hierarchy.ancestors.shape[1])
    for number in range(column.hierarchy.height + 1):
        here = levels == number
        shares += _spread_at(column, number, np.where(here, times, 0))
    shares /= times.sum()
    return shares


def _spread_at(column: CodedColumn, level: int, times: Counts) -> Floats:
    hierarchy = column.hierarchy
    ancestors, leaves = hierarchy.ancestors[level], hierarchy.leaf_counts[level]
    records = np.bincount(ancestors[column.codes], weights=times, minlength=len(leaves))
    for_each_leaf: Floats = records / leaves
    shares: Floats = for_each_leaf[ancestors] + for_each_leaf[0]
    occurring = len(shares) - hierarchy.stand_ins[0]
    shares[occurring:] = 0
    listed = np.bincount(ancestors[1:occurring], minlength=len(leaves))
    listed[0] = occurring - 1
    shares[0] = for_each_leaf @ (leaves - listed)
    return shares


def between(one: Floats, other: Floats) -> float:
    """The Jensen–Shannon distance of two distributions over the same things.

    >>> round(between(np.array([1.0, 0.0]), np.array([0.0, 1.0])), 4)
    0.8326
    """
    middle = (one + other) / 2
    divergence = (_divergence(one, middle) + _divergence(other, middle)) / 2
    return float(np.sqrt(max(divergence, 0.0)))


def _divergence(one: Floats, middle: Floats) -> float:
    there = one > 0
    return float(one[there] @ np.log(one[there] / middle[there]))
