"""l-diversity: how many values a sensitive column well and truly has in each group.

Four readings of "l values", each for every group; a release has the smallest l of its groups. With r₁ ≥ r₂ ≥ … the
people who have each value and p their shares:

* *distinct*: the number of values;
* *probabilistic*: the largest l with p₁ ≤ 1/l;
* *entropy*: exp(−Σ p ln p);
* *recursive* (c, l): r₁ < c (r_l + … + r_m).
"""

import numpy as np

from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.released import Floats


def distinct(counts: ValueCounts) -> Counts:
    """For each group the number of different values.

    >>> from riskapp.core.table.anonymity import Groups, value_counts
    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.zeros(6, dtype=np.int64),), 1))
    >>> counts = value_counts(groups, np.array([1, 1, 1, 2, 2, 3], dtype=np.int32))
    >>> distinct(counts), probabilistic(counts), entropy(counts).round(4)
    (array([3]), array([2.]), array([2.7495]))
    >>> recursive_bound(counts, 2), recursive_bound(counts, 3), is_recursive(counts, c=3, least=3)
    (array([1.]), array([3.]), False)
    >>> recursive_l(counts, 3), recursive_l(counts, 0.9)
    (array([2]), array([1]))
    """
    return np.bincount(counts.group)


def probabilistic(counts: ValueCounts) -> Floats:
    """For each group one over the share of its commonest value."""
    return counts.whole / _commonest(counts)


def entropy(counts: ValueCounts) -> Floats:
    """For each group e to the power of the entropy: how many equally common values would be as hard to guess."""
    bits: Floats = np.add.reduceat(counts.shares * np.log(counts.shares), counts.starts)
    return np.exp(-bits)


def recursive_bound(counts: ValueCounts, least: int) -> Floats:
    """For each group r₁ / (r_l + … + r_m), which c must exceed; ∞ when there are fewer than l values."""
    rest = _rest(counts, least)
    bounds = np.full(len(rest), np.inf)
    np.divide(_commonest(counts), rest, out=bounds, where=rest > 0)
    return bounds


def recursive_l(counts: ValueCounts, c: float) -> Counts:
    """For each group the largest l for which it is recursive (c, l); 0 when it is for none."""
    commonest_first = np.lexsort((-counts.count, counts.group))
    own = counts.count[commonest_first]
    before = np.cumsum(own) - own
    rest = counts.whole[counts.group] - (before - before[counts.starts][counts.group])
    enough = _commonest(counts)[counts.group] < c * rest
    reached: Counts = np.add.reduceat(enough.astype(np.int64), counts.starts)
    return reached


def is_recursive(counts: ValueCounts, c: float, least: int) -> bool:
    """Whether every group is recursive (c, l)."""
    return bool((_commonest(counts) < c * _rest(counts, least)).all())


def _commonest(counts: ValueCounts) -> Counts:
    largest: Counts = np.maximum.reduceat(counts.count, counts.starts)
    return largest


def _rest(counts: ValueCounts, least: int) -> Counts:
    """For each group r_l + … + r_m."""
    if least < 1:
        raise ValueError("l is a whole number, at least 1.")
    commonest_first = np.lexsort((-counts.count, counts.group))
    rank = np.arange(len(counts.group)) - counts.starts[counts.group]
    kept = np.where(rank >= least - 1, counts.count[commonest_first], 0)
    rest: Counts = np.add.reduceat(kept, counts.starts)
    return rest
