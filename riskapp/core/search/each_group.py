"""What every single group reaches of l and t: which groups have to go, and how far the others are from the table."""

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.core.table import closeness, diversity
from riskapp.core.table.anonymity import Groups, ValueCounts, table_counts, value_counts
from riskapp.core.table.breaking import above
from riskapp.core.table.limits import Limits
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask

KINDS = {"distinct": diversity.distinct, "probabilistic": diversity.probabilistic, "entropy": diversity.entropy}
NEAR = 1e-9


def uniform(limits: Limits, counts: ValueCounts) -> Mask:
    """Which groups have too few values, in one of the senses of l that are asked for.

    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> counts = value_counts(groups, np.array([1, 1, 2, 3], dtype=np.int32))
    >>> uniform(Limits(l={"entropy": 2}), counts), uniform(Limits(recursive=(2, 2)), counts)
    (array([ True, False]), array([ True, False]))
    """
    found = np.zeros(len(counts.starts), dtype=np.bool_)
    for kind, least in limits.l.items():
        found |= compared(KINDS[kind](counts).astype(np.float64), least) < 0
    if limits.recursive is not None:
        found |= ~_recursive(counts, *limits.recursive)
    return found


def distances(counts: ValueCounts, table: ValueCounts, ordered: int | None) -> Numbers:
    """For each group its distance from the table, by which t is measured."""
    if ordered is None:
        return closeness.categorical(counts, table)
    return closeness.ordered(counts, table, ordered)


def betrayals(counts: ValueCounts, table: ValueCounts, ordered: int | None) -> Numbers:
    """For each group the worst inference of a value, by which that limit is measured; the order of values is nothing.

    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> values = np.array([1, 1, 2, 3], dtype=np.int32)
    >>> betrayals(value_counts(groups, values), table_counts(groups, values), None)
    array([0.5 , 0.25])
    """
    everywhere = table.shares[np.searchsorted(table.value, counts.value)]
    worst: Numbers = np.maximum.reduceat(np.maximum(counts.shares - everywhere, 0.0), counts.starts)
    return worst


def too_uniform(problem: Problem, groups: Groups) -> Mask:
    """Which groups have too few values of a sensitive column."""
    found = np.zeros(len(groups), dtype=np.bool_)
    if asks_l(problem) and len(groups):
        for column in problem.sensitive:
            found |= uniform(problem.limits, value_counts(groups, column.codes))
    return found


def farthest(problem: Problem, groups: Groups) -> Numbers:
    """For each group its largest distance from the table among the sensitive columns; 0 where no t is asked for."""
    found = np.zeros(len(groups))
    if problem.limits.t is not None and len(groups):
        for column in problem.sensitive:
            counts, table = value_counts(groups, column.codes), table_counts(groups, column.codes)
            found = np.maximum(found, distances(counts, table, column.ordered))
    return found


def too_far(problem: Problem, groups: Groups) -> Mask:
    """Which groups are farther from the table than t allows."""
    if problem.limits.t is None:
        return np.zeros(len(groups), dtype=np.bool_)
    found: Mask = compared(farthest(problem, groups), problem.limits.t) > 0
    return found


def asks_l(problem: Problem) -> bool:
    """Whether groups have to be diverse."""
    return bool(problem.sensitive) and (bool(problem.limits.l) or problem.limits.recursive is not None)


def asks_t(problem: Problem) -> bool:
    """Whether groups have to be close to the table."""
    return bool(problem.sensitive) and problem.limits.t is not None


def compared(numbers: Numbers, bound: float) -> npt.NDArray[np.int8]:
    """−1, 0 or 1 for numbers below, at or above a bound in twelve digits; those near it are looked at one by one.

    >>> compared(np.array([0.1, 0.1 + 0.2, 0.5]), 0.3)
    array([-1,  0,  1], dtype=int8)
    """
    found = np.sign(numbers - bound).astype(np.int8)
    near = np.flatnonzero(np.abs(numbers - bound) <= NEAR * max(bound, 1.0))
    different, kind = np.unique(numbers[near], return_inverse=True)
    signs = [above(number, bound) - above(bound, number) for number in different.tolist()]
    found[near] = np.array(signs, dtype=np.int8)[kind]
    return found


def _recursive(counts: ValueCounts, c: float, least: int) -> Mask:
    commonest = np.maximum.reduceat(counts.count, counts.starts)
    # Both are whole numbers, so their quotient tells the second one exactly.
    rest = np.rint(commonest / diversity.recursive_bound(counts, least))
    found: Mask = commonest < c * rest
    return found
