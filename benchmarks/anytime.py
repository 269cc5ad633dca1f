"""The anytime search over 16, 20 and 24 attributes: risk, bound and gap after 1, 3 and 10 seconds.

Run as `python benchmarks/anytime.py [records] [seconds, with commas] [attributes, with commas] [processor]`. With
`processor` seconds are those of the processor, for a machine that others use too. Beside it, with as many nodes, the
best of random nodes that have utility enough, each taken to a maximal one so that no utility is wasted. Then the other
two questions, in the longest of these times: the most utility with no more risk than was found, and a trade-off. Last
what is listed beside the answer to the first, which takes up to three eighths more.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import people
from riskapp.core.loss import Loss
from riskapp.core.optimum import Question
from riskapp.core.search.anytime import listed, search
from riskapp.core.search.anytime_beside import neighbours
from riskapp.core.search.anytime_packing import rows_of
from riskapp.core.search.anytime_rows import Rows
from riskapp.core.search.candidate import Candidate
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

SIZES: Sequence[tuple[int, ...]] = ((73, 15, 8, 4), (2,), (5, 2), (7, 3), (16, 8, 4), (41, 4), (8, 4), (14, 4))
SHARE = 0.25
"""Of the unchanged table's utility, which is asked for."""


def made(attributes: int, records: int, seed: int = 3) -> Problem:
    """People whose columns depend a little on a hidden class, so that attributes tell about each other."""
    draw = np.random.default_rng(seed)
    hidden = draw.integers(0, 6, records)
    columns = {}
    for place in range(attributes):
        sizes = SIZES[place % len(SIZES)]
        own = people.skewed(draw, sizes[0], records, 0.8)
        shifted = (own - 1 + hidden * (sizes[0] // 6)) % sizes[0] + 1
        columns[f"a{place}"] = (np.where(draw.random(records) < 0.5, shifted, own).astype(np.int32), sizes)
    problem = people.own_problem(columns)
    return Problem(problem.sensitivity, problem.dictionaries, problem.utility, Loss())


def main(records: str = "100000", seconds: str = "1,3,10", attributes: str = "16,20,24", clock: str = "") -> None:
    _warm()
    if clock == "processor":
        time.monotonic = time.perf_counter = time.process_time
    for many in map(int, attributes.split(",")):
        problem = made(many, int(records))
        rows = rows_of(problem)
        assert rows is not None
        enough = SHARE * problem.utility.unchanged
        size = float(problem.lattice.size)
        print(f"{many} attributes, {size:.1e} nodes, {int(records):,} records, utility at least {enough:.2f}")
        for each in map(float, seconds.split(",")):
            found = _report(problem, rows, Question("least_utility", enough), each)
        if found is not None:
            _others(problem, found, each)
            _beside(problem, Question("least_utility", enough), found, each)


def _warm() -> None:
    """Compile what is compiled before anything is timed."""
    search(made(4, 100), Question("least_utility", 2), seconds=5, most=20)


def _others(problem: Problem, found: Candidate, seconds: float) -> None:
    """The most utility with the risk that was found, and the trade-off in which twice that risk buys its utility."""
    risk, utility = found.evaluation.risk, found.evaluation.utility
    for question in (Question("most_risk", risk), Question("trade_off", 2 * risk / utility)):
        start = time.perf_counter()
        other = search(problem, question, seconds=seconds)
        took = time.perf_counter() - start
        assert isinstance(other, Candidate)
        own = other.evaluation
        print(
            f"  {seconds:4.0f} s ({took:5.2f} s): {question.kind} {question.bound:.3g}: risk {own.risk:.5f}, "
            f"utility {own.utility:.2f} of {problem.utility.unchanged:.2f}, bound {other.told['bound']:.4g}, "
            f"{other.number}; {other.told['nodes_visited']:,} nodes"
        )


def _beside(problem: Problem, question: Question, alone: Candidate, seconds: float) -> None:
    """How many rules are listed, how far apart, and whether the answer is as good as without them."""
    start = time.perf_counter()
    found = listed(problem, question, seconds=seconds)
    took = time.perf_counter() - start
    assert isinstance(found.answer, Candidate)
    around = {*neighbours(problem.lattice, found.answer.node or (), problem.generalised)}
    spread = sorted(one.evaluation.utility for one in found.beside if one.node not in around)
    low, high = (problem.utility.at(node) for node in (problem.lattice.top, problem.lattice.bottom))
    widest = max(np.diff([low, *spread, high])) / (high - low)
    print(
        f"  {seconds:4.0f} s ({took:5.2f} s): beside the answer {len(around & {one.node for one in found.beside})} of "
        f"{len(around)} neighbours and {len(spread)} over the range, at most {widest:.0%} of all utility apart; "
        f"the answer's risk {found.answer.evaluation.risk / alone.evaluation.risk:.3f} times that without them"
    )


def _report(problem: Problem, rows: Rows, question: Question, seconds: float) -> Candidate | None:
    start = time.perf_counter()
    found = search(problem, question, seconds=seconds)
    took = time.perf_counter() - start
    if not isinstance(found, Candidate):
        print(f"  {seconds:4.0f} s: none found yet")
        return None
    visited, bound, risk = found.told["nodes_visited"], found.told["bound"], found.evaluation.risk
    whole = rows.at(problem.lattice.bottom).risk
    gap = (
        "" if bound is None else f", bound {bound:.2e}, gap {1 - bound / risk:.1%}, {(risk - bound) / whole:.2%} of all"
    )
    other = at_random(problem, rows, question.bound, visited)
    print(
        f"  {seconds:4.0f} s ({took:5.2f} s): risk {risk:.5f}, {risk / whole:.2%} of the unchanged table's{gap}; "
        f"{visited:,} nodes, {visited / took:,.0f} a second; best of as many random nodes {other / risk:.2f} times ours"
    )
    return found


def at_random(problem: Problem, rows: Rows, least: float, most: int) -> float:
    """The least risk of so many maximal nodes drawn at random."""
    draw, best = Random(1), float("inf")
    for _ in range(most):
        best = min(best, rows.at(_drawn(problem, least, draw)).risk)
    return best


def _drawn(problem: Problem, least: float, draw: Random) -> Node:
    """Down from the top by random steps until there is utility enough, then up where there is too much."""
    node = list(problem.lattice.top)
    while problem.utility.at(tuple(node)) < least:
        node[draw.choice([place for place, level in enumerate(node) if level])] -= 1
    for place in draw.sample(range(len(node)), len(node)):
        while node[place] < problem.lattice.heights[place]:
            node[place] += 1
            if problem.utility.at(tuple(node)) < least:
                node[place] -= 1
                break
    return tuple(node)


if __name__ == "__main__":
    main(*sys.argv[1:])
