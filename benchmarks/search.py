"""The searches for one record: nodes visited, time and risk of each against looking at every node.

Run as `python benchmarks/search.py [records per line] [people in the dictionary] [seconds for a programme]`.
"""

import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from riskapp.core.optimum import Question
from riskapp.core.search.answer import Answer, Found, Options
from riskapp.core.search.crowd import Meets
from riskapp.core.search.methods import best
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import Record

HEIGHT = 3
MEETS = np.array([1, 2, 6, 18]) / 27
"""How many of all people meet a value at each level where every value has three below it."""
THRESHOLD = ("exhaustive", "btda", "aruba", "branch-and-bound", "genetic", "approximate")


def main(records: int = 3, people: int = 20_000, seconds: float = 20.0) -> None:
    _warm()
    _as_attributes_grow(records)
    _as_the_threshold_grows(records)
    _aggregate(people)
    _programmes(seconds)


def made(attributes: int, people: int, seed: int) -> Record:
    """A record among so many people, with random weights; it is one of them."""
    draw = np.random.default_rng(seed)
    meets = draw.choice(HEIGHT + 1, (people, attributes), p=MEETS)
    meets[0] = 0
    weights = [np.append(np.full(HEIGHT, weight), 0.0) for weight in draw.random(attributes) + 0.1]
    depths = [np.arange(HEIGHT, -1.0, -1.0)] * attributes
    return Record((HEIGHT,) * attributes, weights, depths, (Meets.of(meets),))


def _warm() -> None:
    """Compile what is compiled before anything is timed."""
    best("aggregate", made(2, 20, 0), Aggregate(1, 1))
    best("milp", made(2, 20, 0), Question("least_utility", 1))


def _timed(method: str, record: Record, question: Asked, options: Options | None = None) -> tuple[float, Answer]:
    start = time.perf_counter()
    answer = best(method, record, question, options)
    return time.perf_counter() - start, answer


def _as_attributes_grow(records: int) -> None:
    print(f"least utility at half of all steps, {records} records, 2,000 people: visited (risk above the best, time)")
    print("  attributes " + "".join(f"{method:>26}" for method in THRESHOLD))
    for attributes in (2, 3, 4, 5, 6):
        some = [made(attributes, 2_000, seed) for seed in range(records)]
        print(f"  {attributes:<11}" + _line(some, Question("least_utility", HEIGHT * attributes / 2)))


def _as_the_threshold_grows(records: int) -> None:
    print(f"five attributes, {records} records, 2,000 people, the same by the least utility")
    some = [made(5, 2_000, seed) for seed in range(records)]
    for enough in (3, 6, 9, 12):
        print(f"  u ≥ {enough:<7}" + _line(some, Question("least_utility", enough)))


def _line(records: Sequence[Record], question: Question) -> str:
    """For each method the mean of visited nodes, by how much its risk is above the best, and its time."""
    cells, exact, whole = [], [], 0.0
    for method in THRESHOLD:
        runs = [_timed(method, record, question, Options(sigma1=1.0, epsilon=0.5)) for record in records]
        took = sum(seconds for seconds, _ in runs)
        risks = [answer.risk for _, answer in runs if isinstance(answer, Found)]
        exact, whole = (risks, took) if method == "exhaustive" else (exact, whole)
        visited = np.mean([answer.visited for _, answer in runs])
        above = np.mean([risk / least - 1 for risk, least in zip(risks, exact, strict=True)])
        cells.append(f"{visited:8.0f} ({above:5.0%}, {took / whole:6.1f} x)")
    return "".join(f"{cell:>26}" for cell in cells)


def _aggregate(people: int) -> None:
    print(f"aggregate by minimum cut, {people:,} people, λ = 0.005, κ = 1")
    print("  attributes   nodes       cut s   exact   visited   exhaustive s   exhaustive / cut")
    points = []
    for attributes in (4, 6, 8, 10, 20, 40, 70):
        record = made(attributes, people, attributes)
        seconds, found = _timed("aggregate", record, Aggregate(0.005, 1))
        assert isinstance(found, Found)
        points.append((math.log(attributes), math.log(seconds)))
        told = f"  {attributes:<10} {record.lattice.size:9.1e} {seconds:9.2f}   {found.exact!s:5} {found.visited:9}"
        if attributes <= 10:
            whole, listed = _timed("exhaustive", record, Aggregate(0.005, 1))
            assert isinstance(listed, Found)
            assert listed.objective == found.objective
            told += f" {whole:14.2f} {whole / seconds:18.1f}"
        print(told)
    slope = np.polyfit(*zip(*points[2:], strict=True), 1)[0]
    print(f"  its time grows as attributes to the power of {slope:.1f}")


def _programmes(limit: float) -> None:
    print(f"least utility at 30 % of all steps by integer programmes, at most {limit:.0f} s each")
    print("  attributes  people     milp s   exact    risk   bound   genetic s   its risk / milp's")
    for attributes, people in ((6, 1_000), (10, 1_000), (15, 1_000), (15, 4_000)):
        record, question = made(attributes, people, 1), Question("least_utility", 0.3 * HEIGHT * attributes)
        seconds, found = _timed("milp", record, question, Options(seconds=limit))
        other, bred = _timed("genetic", record, question)
        assert isinstance(found, Found)
        assert found.bound is not None
        told = (
            f"  {attributes:<10} {people:7,} {seconds:10.2f}   {found.exact!s:5} {found.risk:7.3f} {found.bound:7.3f}"
        )
        print(f"{told} {other:11.2f} {bred.risk / found.risk:15.2f}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
