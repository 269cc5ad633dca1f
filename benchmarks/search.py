"""Searches for one record that has more attributes than can be listed: by minimum cut, and by integer programmes.

Against looking at every node all searches are set by `figures.py`.

Run as `python benchmarks/search.py [people in the dictionary] [seconds for a programme]`.
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
PRICES = (0.05, 0.005, 0.0005, 0.0002)
"""λ from where nearly nothing is best to where everything is: in between is where a cut takes longest."""
FORTY_SECONDS = 2.0
CUT = tuple[int, float, float | None]
"""Attributes, seconds by minimum cut, and seconds for every node where they can be listed."""


def main(people: int = 20_000, seconds: float = 20.0) -> None:
    warm()
    aggregate(people)
    _programmes(people, seconds)


def made(attributes: int, people: int, seed: int) -> Record:
    """A record among so many people, with random weights; it is one of them."""
    draw = np.random.default_rng(seed)
    meets = draw.choice(HEIGHT + 1, (people, attributes), p=MEETS)
    meets[0] = 0
    weights = [np.append(np.full(HEIGHT, weight), 0.0) for weight in draw.random(attributes) + 0.1]
    depths = [np.arange(HEIGHT, -1.0, -1.0)] * attributes
    return Record((HEIGHT,) * attributes, weights, depths, (Meets.of(meets),))


def warm() -> None:
    """Compile what is compiled before anything is timed."""
    best("aggregate", made(2, 20, 0), Aggregate(1, 1))
    best("milp", made(2, 20, 0), Question("least_utility", 1))


def timed(method: str, record: Record, question: Asked, options: Options | None = None) -> tuple[float, Answer]:
    start = time.perf_counter()
    answer = best(method, record, question, options)
    return time.perf_counter() - start, answer


def aggregate(people: int) -> list[CUT]:
    """How the aggregate search grows, told line by line: under the price for which it takes longest."""
    print(f"aggregate by minimum cut, {people:,} people, κ = 1, the slowest of λ = {', '.join(map(str, PRICES))}")
    print("  attributes   nodes       cut s   exact   visited   utility   exhaustive s   exhaustive / cut")
    cuts: list[CUT] = []
    for attributes in (4, 6, 8, 10, 20, 40, 70):
        record = made(attributes, people, attributes)
        runs = [(*timed("aggregate", record, Aggregate(price, 1)), price) for price in PRICES]
        seconds, found, price = max(runs, key=lambda run: run[0])
        assert isinstance(found, Found)
        assert all(isinstance(one, Found) and one.exact for _, one, _ in runs)
        told = f"  {attributes:<10} {record.lattice.size:9.1e} {seconds:9.2f}   {found.exact!s:5} {found.visited:9}"
        told += f" {found.utility:5.0f}/{HEIGHT * attributes:<3}"
        whole = None
        if attributes <= 10:
            whole, listed = timed("exhaustive", record, Aggregate(price, 1))
            assert isinstance(listed, Found)
            assert listed.objective == found.objective
            # Whoever asks for the utility that aggregate reached finds no less risk.
            threshold = best("exhaustive", record, Question("least_utility", found.utility))
            assert math.isclose(threshold.risk, found.risk)
            told += f" {whole:14.2f} {whole / seconds:18.1f}"
        cuts.append((attributes, seconds, whole))
        print(told)
    _grown(cuts)
    return cuts


def _grown(cuts: Sequence[CUT]) -> None:
    """Where it overtakes looking at every node, how fast it grows, and whether it is as fast as was asked for."""
    slope = np.polyfit([math.log(cut[0]) for cut in cuts[2:]], [math.log(cut[1]) for cut in cuts[2:]], 1)[0]
    ahead = [attributes for attributes, seconds, whole in cuts if whole is not None and seconds < whole]
    print(f"  ahead of exhaustive from {ahead[0] if ahead else 'more than 10'} attributes on;", end=" ")
    print(f"its time grows as attributes to the power of {slope:.1f};", end=" ")
    print(f"40 attributes {next(cut[1] for cut in cuts if cut[0] == 40):.2f} s, at most {FORTY_SECONDS:.0f}")


def _programmes(people: int, limit: float) -> None:
    """As the attributes grow on the same dictionary, and with fewer people, where a proof is in reach."""
    print(f"least utility at 30 % of all steps by integer programmes, at most {limit:.0f} s each")
    print("  attributes  people     milp s   exact    risk   bound     gap   genetic s   its risk / milp's")
    few = [(attributes, people // 20) for attributes in (6, 10, 15)]
    for attributes, many in (*few, *((attributes, people) for attributes in (4, 6, 10, 20, 40, 70))):
        record, question = made(attributes, many, 1), Question("least_utility", 0.3 * HEIGHT * attributes)
        seconds, found = timed("milp", record, question, Options(seconds=limit))
        told = f"  {attributes:<10} {many:7,} {seconds:10.2f}"
        if not isinstance(found, Found):
            print(f"{told}   none found in the time")
            continue
        other, bred = timed("genetic", record, question)
        gap = "unknown" if found.bound is None else f"{1 - found.bound / found.risk:7.1%}"
        bound = "-" if found.bound is None else f"{found.bound:.3f}"
        told += f"   {found.exact!s:5} {found.risk:7.3f} {bound:>7} {gap:>7}"
        print(f"{told} {other:11.2f} {bred.risk / found.risk:15.2f}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
