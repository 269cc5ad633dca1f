"""The best node of every record, and the exact frontier of all such rules, against the time for every full-domain rule.

Run as `python benchmarks/per_record.py [share of the records] [share for several dictionaries]`. All three are measured
in one process, one after the other, on two threads; what is promised are ratios in the same run, and the memory at its
highest. Then a smaller table against one dictionary, and against two of them, by their priors and by the worse one.
"""

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import people
from benchmarks.lattice import ENTRIES, RECORDS
from riskapp.core.evaluations import Evaluations
from riskapp.core.optimum import Question
from riskapp.core.risk import Risk
from riskapp.core.rolled.warm import warm
from riskapp.core.search.all_at_once import Parts, best_of_each
from riskapp.core.search.best_so_far import Best
from riskapp.core.search.exact_frontier import ExactFrontier, Prefix, exact_frontier, why_not
from riskapp.core.search.kinds import Kinds
from riskapp.core.search.plan import planned
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.problem import Problem

UTILITY = 7.0
THREADS = 2
RATIO, MOST_MB = 3, 10_000

Found = TypeVar("Found")


def main(share: str = "1", several: str = "0.02") -> None:
    _all(_problem(2_000, 3_000))
    _several(_problem(2_000, 3_000), tell=lambda line: None)
    part = float(share)
    problem = _problem(int(RECORDS * part), int(ENTRIES * part))
    print(f"case study, {len(problem):,} records x 4 against {len(problem.dictionaries[0]):,} entries x 3")
    (rules, full), (best, optimum), (frontier, exact) = _all(problem)
    print(f"  {len(rules)} full-domain rules            {full:8.2f} s")
    _line("per-record optimum, utility 7", optimum, full)
    _line("exact frontier", exact, full)
    print(f"  peak memory {_peak():,.0f} MB, at most {MOST_MB:,}")
    _figures(rules, best, frontier)
    assert _peak() <= MOST_MB
    _several(_problem(int(RECORDS * float(several)), int(ENTRIES * float(several))))


def _several(one: Problem, tell: Callable[[str], None] = print) -> None:
    """The same table against one dictionary and against two."""
    itself = Dictionary.itself("self", [column.column for column in one.columns], range(len(one.columns)))
    two = replace(one, dictionaries=(*one.dictionaries, itself))
    tell(f"{len(one):,} records, against {len(one.dictionaries[0]):,} entries x 3 and against themselves too")
    for name, problem in (
        ("one dictionary", one),
        ("two by priors", replace(two, risk=Risk(over_dictionaries="bayes"))),
        ("the worse of two", replace(two, risk=Risk(over_dictionaries="worst"))),
    ):
        (rules, full), (_, optimum) = _timed(lambda: _rules(problem)), _timed(lambda: _optimum(problem))  # noqa: B023
        told = f"  {name:18} {len(rules)} rules {full:6.2f} s, optimum {optimum:6.2f} s, {optimum / full:4.1f} times"
        if why_not(problem) is None:
            _, exact = _timed(lambda: _frontier(problem))  # noqa: B023
            told += f", exact frontier {exact:6.2f} s, {exact / full:4.1f} times"
        tell(told)


def _problem(records: int, entries: int) -> Problem:
    return people.problem(*people.case_study(records, entries), family="multiplicative")


Timed = tuple[tuple[Evaluations, float], tuple[tuple[Kinds, Best], float], tuple[ExactFrontier, float]]


def _all(problem: Problem) -> Timed:
    warm()
    return _timed(lambda: _rules(problem)), _timed(lambda: _optimum(problem)), _timed(lambda: _frontier(problem))


def _timed(work: Callable[[], Found]) -> tuple[Found, float]:
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def _rules(problem: Problem) -> Evaluations:
    plan = planned(problem)
    assert plan is not None
    return plan.run(lambda done, total: None, lambda: False)


def _optimum(problem: Problem) -> tuple[Kinds, Best]:
    kinds = Kinds.of(problem)
    return kinds, best_of_each(kinds.problem, Question("least_utility", UTILITY), threads=THREADS)


def _frontier(problem: Problem) -> ExactFrontier:
    found = exact_frontier(problem, Parts(threads=THREADS))
    assert isinstance(found, ExactFrontier)
    assert len(found.utilities) == len(found.risks)
    return found


def _line(name: str, seconds: float, full: float) -> None:
    print(f"  {name:30}    {seconds:8.2f} s   {seconds / full:5.2f} times that, at most {RATIO}")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _figures(rules: Evaluations, best: tuple[Kinds, Best], frontier: ExactFrontier) -> None:
    """The three families at the same utility: the exact frontier is never above the others."""
    kinds, found = best
    each = float(kinds.shares @ found.risk)
    enough = frontier.answer(Question("least_utility", UTILITY))
    assert isinstance(enough, Prefix)
    exact = float(frontier.risks[enough.steps])
    whole = float(rules.risks[rules.utilities >= UTILITY].min())
    print(f"  least risk at utility 7: full-domain {whole:.3g}, each record {each:.3g}, on the mean {exact:.3g}")
    print(f"  {len(kinds):,} kinds of records, {len(frontier):,} breakpoints")
    assert exact <= each + enough.gap <= whole + enough.gap + 1e-9


if __name__ == "__main__":
    main(*sys.argv[1:])
