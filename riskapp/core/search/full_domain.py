"""Every full-domain rule: all nodes of the lattice, evaluated exactly.

Where a plan can be made, all nodes are counted at once, by classes of records that look alike. Otherwise every node is
measured from its records. Both ways give the same figures.
"""

import time
from collections.abc import Callable, Sequence

from riskapp.core.errors import Stopped
from riskapp.core.evaluation import Evaluation
from riskapp.core.measure import Measuring
from riskapp.core.rolled.forecast import Forecast
from riskapp.core.search.log import Log, NoLog
from riskapp.core.search.plan import planned
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.watching import Progress, Stop, never, silent

SORTING_SECONDS, SORTING_BYTES, MEASURING_BYTES = 2e-7, 48, 400
"""About what a row costs while it is sorted, and while a table is measured."""


def evaluate(
    problem: Problem,
    *,
    progress: Progress = silent,
    stop: Stop = never,
    foreseen: Callable[[Forecast], None] = lambda forecast: None,
    worst_risk: bool = False,
    worst_utility: bool = False,
    threads: int = 2,
    log: Log[Evaluation] | None = None,
) -> Sequence[Evaluation]:
    """The figures of every node, in the order of the lattice.

    Parameters
    ----------
    problem : what rules are measured by
    progress : told how much of the work is done
    stop : asked often whether to stop
    foreseen : told what it will cost before it begins; what it raises ends the matter
    worst_risk, worst_utility : whether the largest risk, or the smallest utility, of a single record is wanted too
    threads : how many work at once
    log : where nodes are measured one by one, what is known from an earlier start, and who keeps what is measured

    Raises
    ------
    Stopped
        If `stop` said so.
    """
    foreseen(_preparing(problem))
    plan = planned(problem, worst_risk=worst_risk, worst_utility=worst_utility)
    if plan is None:
        measuring = Measuring(problem)
        foreseen(measuring_cost(measuring))
        return measured(measuring, progress, stop, log)
    foreseen(plan.forecast(threads))
    return plan.run(progress, stop, threads)


def _preparing(problem: Problem) -> Forecast:
    """What it costs to sort records and entries, before anything is known about them."""
    rows = len(problem) + max(len(dictionary) for dictionary in problem.dictionaries)
    return Forecast(0, 0, rows * SORTING_SECONDS, rows * SORTING_BYTES)


def measuring_cost(measuring: Measuring) -> Forecast:
    """What it costs to measure every node, from how long the finest, a middle and the coarsest take."""
    problem = measuring.problem
    lattice = problem.lattice
    seconds = []
    for place in (0, lattice.size // 2, lattice.size - 1):
        start = time.perf_counter()
        measuring.of(Released.at(problem.records, lattice.node(place)))
        seconds.append(time.perf_counter() - start)
    return Forecast(lattice.size, 0, lattice.size * sum(seconds) / len(seconds), len(problem) * MEASURING_BYTES)


def measured(
    measuring: Measuring, progress: Progress, stop: Stop, log: Log[Evaluation] | None = None
) -> list[Evaluation]:
    """Every node measured from its records: slow, and possible for every problem."""
    problem, size, log = measuring.problem, measuring.problem.lattice.size, log or NoLog()
    found = log.taken(size)
    for place in range(len(found), size):
        progress(place, size)
        if stop():
            raise Stopped
        found.append(measuring.of(Released.at(problem.records, problem.lattice.node(place))))
        log.keep(found[-1:])
    progress(size, size)
    return found
