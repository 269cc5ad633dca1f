"""One integer programme over a box of nodes, solved until its answer holds by the definition too."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.search.closure import Closure, Linear
from riskapp.core.search.solver import APART, TIME_IS_UP, Reply, answered
from riskapp.core.table.lattice import Node

LEAST_SECONDS, LONG = 0.01, 1e9
MANY, LARGE = 30_000, 1_000_000
"""With so many entries in its rows a programme is solved apart where time is limited, for the solver overruns it; with
more than the latter it is not begun."""


class Verdict(NamedTuple):
    """What an infeasible node rules out besides itself."""

    good: bool
    too_coarse: bool = False


class Solved(NamedTuple):
    """The best node, None when there is none or none was found in time, and what no node exceeds."""

    node: Node | None
    most: float
    in_time: bool


@dataclass(frozen=True, eq=False)
class Programme:
    """The most of a linear function over a box.

    Parameters
    ----------
    box : its nodes
    goal : what is made large
    rows : functions that are not below 0
    judge : whether a node is feasible by the definition; else whether coarser nodes are not either, or finer ones
    """

    box: Closure
    goal: Linear
    rows: Sequence[Linear]
    judge: Callable[[Node], Verdict]

    def solve(self, end: float) -> Solved:
        """The best node; `end` is when to stop, by the monotonic clock."""
        if not self.box.steps:
            good = self.judge(self.box.fine).good
            return Solved(self.box.fine if good else None, self.goal.constant if good else -INFINITE, True)
        if end < INFINITE and self.box.implied.nnz > LARGE:
            return Solved(None, INFINITE, False)
        rows = list(self.rows)
        while True:
            result = self._solved(rows, end)
            in_time = result.status != TIME_IS_UP
            if result.x is None:
                return Solved(None, -INFINITE if in_time else self._most(result), in_time)
            node = self.box.node(result.x)
            verdict = self.judge(node)
            if verdict.good:
                return Solved(node, self._most(result), in_time)
            row = self._without(node, verdict)
            if row is None or not in_time:
                return Solved(None, -INFINITE if in_time else self._most(result), in_time)
            rows.append(row)

    def relaxed(self) -> float:
        """What no node exceeds, nor anything between nodes; −∞ when there is nothing."""
        if not self.box.steps:
            return self.goal.constant
        result = self._solved(self.rows, INFINITE, whole=False)
        return -INFINITE if result.fun is None else self.goal.constant - float(result.fun)

    def _solved(self, rows: Sequence[Linear], end: float, *, whole: bool = True) -> Reply:
        constraints = [LinearConstraint(self.box.implied, ub=0)]
        constraints += [LinearConstraint(row.slopes[None, :], lb=-row.constant) for row in rows]
        integers = (np.arange(self.box.size) < self.box.steps * whole).astype(np.int64)
        left = LONG if end == INFINITE else max(end - time.monotonic(), LEAST_SECONDS)
        task = {
            "c": -self.goal.slopes,
            "integrality": integers,
            "bounds": Bounds(0, 1),
            "constraints": constraints,
            "options": {"mip_rel_gap": 0.0, "time_limit": left},
        }
        return APART.solve(task, end) if end < INFINITE and self.box.implied.nnz > MANY else answered(task)

    def _most(self, result: Reply) -> float:
        return INFINITE if result.bound is None else self.goal.constant - float(result.bound)

    def _without(self, node: Node, verdict: Verdict) -> Linear | None:
        """The row that excludes a node and the coarser ones, or the finer ones; None when that would be all."""
        slopes: Numbers = np.zeros(self.box.size)
        if verdict.too_coarse:
            some = [(at, level) for at, level in enumerate(node) if level > self.box.fine[at]]
            slopes[[self.box.taken(at, level) for at, level in some]] = -1
            return Linear(len(some) - 1.0, slopes) if some else None
        others = [(at, level + 1) for at, level in enumerate(node) if level < self.box.coarse[at]]
        slopes[[self.box.taken(at, level) for at, level in others]] = 1
        return Linear(-1.0, slopes) if others else None
