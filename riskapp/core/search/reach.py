"""What could be asked for instead, where no node keeps k or a required l.

At a node every group has a number of its own: its people, or the least l of its sensitive columns. To ask for less
releases more groups, so the most that can be asked for is the number of the group with which enough records are
released. Where those groups are not all close enough to the table, more of them would not be either.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.measure import grouped
from riskapp.core.search.each_group import KINDS, asks_l, asks_t, compared, too_far, too_uniform
from riskapp.core.table.anonymity import Groups, value_counts
from riskapp.core.table.diversity import recursive_l
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask, Released
from riskapp.core.watching import Stop, never

RECURSIVE = "recursive"
MOST_ROWS = 10**8
"""Nodes are looked at from the top on until so many rows were grouped: what they reach can be asked for in any case."""


@dataclass(frozen=True)
class Reached:
    """The setting that could be met if it were this, at this node, and everything else as it is."""

    key: str
    value: float | tuple[float, int]
    node: Node


def reachable_k(
    problem: Problem, most: int, *, nodes: Iterable[Node] | None = None, stop: Stop = never
) -> Reached | None:
    """The largest k for which some node suppresses no more records than these.

    Groups only grow under generalisation, so where nothing else is required the top tells.

    >>> from riskapp.core.table.plain_problem import problem
    >>> some = problem({"sex": ["f", "m", "f"], "note": ["a", "a", "b"]}, keep=["note"], dictionaries={"x": ["note"]})
    >>> [reachable_k(some, most).value for most in (0, 1)]
    [1.0, 2.0]
    """
    alone = not asks_l(problem) and not asks_t(problem)
    asked = [problem.lattice.top] if alone else _from_the_top(problem) if nodes is None else nodes
    largest, at = 0.0, problem.lattice.top
    for node in asked:
        groups = _groups(problem, node, stop)
        value = _largest(problem, groups, groups.people.astype(np.float64), ~too_uniform(problem, groups), most)
        if value > largest:
            largest, at = value, node
    return Reached("search.k", largest, at) if largest else None


def nearest_k(
    problem: Problem, most: int, *, nodes: Iterable[Node] | None = None, stop: Stop = never
) -> Reached | None:
    """The same; where no k will do with what else is required, the largest that would without it.

    >>> from riskapp.core.table.limits import Limits
    >>> from riskapp.core.table.plain_problem import problem
    >>> same = {"zip": ["1", "1", "2"], "ill": ["flu", "flu", "flu"]}
    >>> asked = problem(same, keep=["ill"], sensitive=["ill"], limits=Limits(l={"distinct": 2}))
    >>> reachable_k(asked, 0), nearest_k(asked, 0)
    (None, Reached(key='search.k', value=3.0, node=(1, 0)))
    """
    found = reachable_k(problem, most, nodes=nodes, stop=stop)
    if found is not None:
        return found
    free = replace(problem, limits=replace(problem.limits, l={}, recursive=None, t=None))
    return reachable_k(free, most, nodes=nodes, stop=stop)


def reachable_l(
    problem: Problem, k: int, most: int, *, nodes: Iterable[Node] | None = None, stop: Stop = never
) -> Reached | None:
    """The first kind of l for which less would do, with the most that can be asked for; None where no single one is.

    Of recursive (c, l) the c stays as it is.

    >>> from riskapp.core.table.limits import Limits
    >>> from riskapp.core.table.plain_problem import problem
    >>> ill = {"zip": ["1", "1", "2", "2"], "ill": ["flu", "cold", "flu", "flu"]}
    >>> asked = problem(ill, keep=["ill"], sensitive=["ill"], limits=Limits(l={"distinct": 3}))
    >>> reachable_l(asked, 2, 0)
    Reached(key='search.require.l.distinct', value=2.0, node=(1, 0))
    """
    asked = list(_from_the_top(problem) if nodes is None else nodes)
    for kind in [*problem.limits.l, *([RECURSIVE] if problem.limits.recursive else [])]:
        others, largest, at = _without(problem, kind), 0.0, problem.lattice.top
        for node in asked:
            groups = _groups(problem, node, stop)
            fine = ~too_uniform(others, groups) & (groups.people >= k)
            value = _largest(problem, groups, _values(problem, groups, kind), fine, most)
            if value > largest:
                largest, at = value, node
        if largest:
            return Reached(f"search.require.l.{kind}", _asked(problem, kind, largest), at)
    return None


def _without(problem: Problem, kind: str) -> Problem:
    """The problem when this kind of l is not required."""
    limits = problem.limits
    if kind == RECURSIVE:
        return replace(problem, limits=replace(limits, recursive=None))
    least = {other: own for other, own in limits.l.items() if other != kind}
    return replace(problem, limits=replace(limits, l=least))


def _asked(problem: Problem, kind: str, value: float) -> float | tuple[float, int]:
    """The setting that asks for so much."""
    if kind != RECURSIVE or problem.limits.recursive is None:
        return value
    return problem.limits.recursive[0], int(value)


def _from_the_top(problem: Problem) -> Iterable[Node]:
    last = problem.lattice.size - 1
    return map(problem.lattice.node, range(last, max(-1, last - max(1, MOST_ROWS // len(problem))), -1))


def _groups(problem: Problem, node: Node, stop: Stop) -> Groups:
    if stop():
        raise Stopped
    return grouped(problem, Released.at(problem.records, node))


def _values(problem: Problem, groups: Groups, kind: str) -> Numbers:
    """For each group the least l of this kind among the sensitive columns."""
    recursive = problem.limits.recursive
    reached = partial(recursive_l, c=recursive[0]) if kind == RECURSIVE and recursive else KINDS[kind]
    found = [reached(value_counts(groups, column.codes)) for column in problem.sensitive]
    least: Numbers = np.minimum.reduce(found).astype(np.float64)
    return least


def _largest(problem: Problem, groups: Groups, values: Numbers, fine: Mask, most: int) -> float:
    """The largest number that enough records' groups reach, if those are close enough to the table; else 0."""
    records = np.bincount(groups.group, minlength=len(groups))
    chosen = np.flatnonzero(fine)[np.argsort(-values[fine], kind="stable")]
    released = np.cumsum(records[chosen])
    enough = int(np.searchsorted(released, max(1, len(problem) - most)))
    if enough == len(chosen):
        return 0.0
    value = float(values[chosen[enough]])
    shown = fine & (compared(values, value) >= 0)
    return 0.0 if (too_far(problem, groups) & shown).any() else value
