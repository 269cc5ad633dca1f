"""t-closeness: how far a sensitive column's shares in each group are from those in the whole table.

The distance is the earth mover's: the least work that turns one distribution p into the other q. Between categories,
all equally far apart, it is ½ Σ |p − q|. Along an order of m values it is Σ |cumulative difference| / (m − 1). A
release has the largest t of its groups.
"""

from typing import NamedTuple

import numpy as np

from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.keys import Places
from riskapp.core.table.released import Floats


def categorical(counts: ValueCounts, table: ValueCounts) -> Floats:
    """For each group its distance from the table when all values are equally far apart.

    >>> from riskapp.core.table.anonymity import Groups, table_counts, value_counts
    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> values = np.array([1, 1, 2, 3], dtype=np.int32)
    >>> categorical(value_counts(groups, values), table_counts(groups, values))
    array([0.5, 0.5])
    """
    everywhere = table.shares[np.searchsorted(table.value, counts.value)]
    own = np.add.reduceat(np.abs(counts.shares - everywhere), counts.starts)
    elsewhere = 1.0 - np.add.reduceat(everywhere, counts.starts)
    distances: Floats = (own + np.maximum(elsewhere, 0.0)) / 2.0
    return distances


def ordered(counts: ValueCounts, table: ValueCounts, values: int) -> Floats:
    """For each group its distance from the table along an order.

    Parameters
    ----------
    counts, table : of a column whose codes 1, 2, … are the places in the order; missing comes last where it occurs
    values : the number of places in the order, whether they occur or not

    Examples
    --------
    >>> from riskapp.core.table.anonymity import Groups, table_counts, value_counts
    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> values = np.array([1, 2, 3, 3], dtype=np.int32)
    >>> ordered(value_counts(groups, values), table_counts(groups, values), 3)
    array([0.375, 0.375])
    """
    length = values + bool((table.value == 0).any())
    shares = np.zeros(length)
    shares[_places(table, values)] = table.shares
    steps = _steps(counts, values)
    work: Floats = np.add.reduceat(_along(steps, shares), counts.starts) + _before(steps.start[counts.starts], shares)
    return work / max(length - 1, 1)


class _Steps(NamedTuple):
    """The groups' cumulative shares: from each of a group's values up to its next they keep one height."""

    start: Places
    end: Places
    height: Floats


def _places(counts: ValueCounts, values: int) -> Places:
    """The place in the order, from 0, of each entry's value; missing comes last."""
    if counts.value.max(initial=0) > values:
        raise ValueError("A value has no place in the order.")
    return np.where(counts.value == 0, values, counts.value - 1).astype(np.intp)


def _steps(counts: ValueCounts, values: int) -> _Steps:
    places = _places(counts, values)
    order = np.lexsort((places, counts.group))
    start, total = places[order], np.cumsum(counts.count[order])
    before = (total - counts.count[order])[counts.starts]
    height = (total - before[counts.group]) / counts.whole[counts.group]
    # A group's last step goes on to the end of the order.
    end = np.append(start[1:], 0)
    end[np.append(counts.starts[1:], len(start)) - 1] = values + 1
    return _Steps(start, end, height)


def _along(steps: _Steps, shares: Floats) -> Floats:
    """For each step Σ |its height − the table's cumulative share|, along the places it covers.

    The cumulative shares only grow, so they lie below the height up to some place and above it from there on: two
    differences of sums, and no look at each place of each group.
    """
    reached = np.cumsum(shares)
    sums = np.append(0.0, np.cumsum(reached))
    end = np.minimum(steps.end, len(shares))
    turn = np.clip(np.searchsorted(reached, steps.height), steps.start, end)
    below = steps.height * (turn - steps.start) - (sums[turn] - sums[steps.start])
    above = (sums[end] - sums[turn]) - steps.height * (end - turn)
    moved: Floats = np.maximum(below, 0.0) + np.maximum(above, 0.0)
    return moved


def _before(first: Places, shares: Floats) -> Floats:
    """For each group the sum of the table's cumulative shares before the group's first value, where its own are 0."""
    sums = np.append(0.0, np.cumsum(np.cumsum(shares)))
    before: Floats = sums[first]
    return before
