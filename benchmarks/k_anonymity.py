"""The best k-anonymous node, beside what ARX 3.9.2 needs and finds on a machine with two cores.

Adult with nine quasi-identifiers is read from ../shared/data/adult where that is, and the loss must be ARX's; otherwise
a synthetic table of its size takes its place. The search itself is what is compared; beside it stands the time with all
figures of the released table, replay included, which ARX does not work out. The large table is synthetic, with as many
records and columns as the one that ARX was timed on. anjana, which looks for any k-anonymous node and not for the best,
is run on the very same table in the same run, in an environment of its own (`peers/`).

Run as `python benchmarks/k_anonymity.py [records of the large table]`.
"""

import csv
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import people
from benchmarks.peers.given_to_anjana import k_anonymous
from riskapp.core.measure import Measuring
from riskapp.core.search import k_anonymity
from riskapp.core.search.allowed import Allowed, allowed
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.k_anonymity import Choice
from riskapp.core.search.suppressing import suppressed_at
from riskapp.core.table.information import arx_loss
from riskapp.core.table.lattice import Node
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem
from riskapp.core.table.utility import Utility
from riskapp.core.watching import never, silent

T = TypeVar("T")
ADULT = Path(__file__).parents[2] / "shared" / "data" / "adult"
K = 5


class Arx(NamedTuple):
    """What ARX 3.9.2 does under a suppression limit: its loss as printed, and its seconds on two cores."""

    limit: float
    loss: str
    seconds: float


ON_ADULT = (Arx(0.0, "0.573", 0.055), Arx(0.05, "0.24193", 1.4), Arx(1.0, "0.22041", 4.4))
WITHIN = {
    "largest chance 0.05": Limits(largest_chance=0.05),
    "smallest group 20": Limits(smallest_group=20),
    "1 % of the people above a chance of 0.05": Limits(share_above=ShareAbove(0.05, 0.01)),
}
LARGE, LARGE_LIMIT, LARGE_SECONDS, PROMISED = 1_190_000, 0.05, 390.0, 5


def main(records: int = LARGE) -> None:
    real = ADULT.is_dir()
    table = adult() if real else _by_loss(people.own_problem(people.adult_sized()))
    print(f"{'Adult' if real else 'a synthetic table of the size of Adult'}: {_size(table)}, k = {K}")
    print("  suppressed at most   search s   ARX s   ARX / ours   with all figures s    loss   suppressed   node")
    for arx in ON_ADULT:
        _on_adult(table, arx, real)
    _within_limits(table)
    _beside_anjana(table)
    _large(records)


def adult() -> Problem:
    """Adult as ARX ships it, all nine columns as quasi-identifiers."""
    with (ADULT / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    texts = {name: (ADULT / f"adult_hierarchy_{name}.csv").read_text(encoding="utf-8") for name in rows[0]}
    return problem({name: [row[name] for row in rows] for name in texts}, hierarchies=texts, utility="lm")


def _by_loss(table: Problem) -> Problem:
    return replace(table, utility=Utility(table.records, "lm"))


def _size(table: Problem) -> str:
    return f"{len(table):,} x {len(table.columns)}, {table.lattice.size:,} nodes"


def _on_adult(table: Problem, arx: Arx, real: bool) -> None:
    seconds, node = _shortest(lambda: search(table, arx.limit), 5)
    whole, found = _shortest(lambda: _measured(table, arx.limit), 2)
    loss = arx_loss(found.released)
    assert found.node == node
    if real:
        assert f"{loss:.{len(arx.loss) - 2}f}" == arx.loss, f"ARX's loss is {arx.loss}, ours {loss}"
    print(
        f"  {arx.limit:<18.0%} {seconds:10.3f} {arx.seconds:7.3f} {arx.seconds / seconds:12.1f} {whole:20.3f}"
        f" {loss:7.5f} {found.evaluation.suppressed:12,}   {'.'.join(map(str, node))}"
    )


def _within_limits(table: Problem) -> None:
    """How many times as long it takes when the best nodes break a limit, all figures included."""
    free, _ = _shortest(lambda: _measured(table, LARGE_LIMIT), 2)
    print(f"  within limits, {LARGE_LIMIT:.0%} suppressed at most: times the {free:.2f} s without")
    for words, limits in WITHIN.items():
        limited = replace(table, limits=limits)
        seconds, found = _shortest(lambda limited=limited: _measured(limited, LARGE_LIMIT), 2)  # type: ignore[misc]
        assert not found.evaluation.broken
        print(f"  {words:<40} {seconds / free:6.1f}   tried {found.told.get('tried_for_limits', 1):>3}   {found.id}")


def _beside_anjana(table: Problem) -> None:
    """Not at 100 %, where it generalises nothing and drops most of the records."""
    limits = [arx.limit for arx in ON_ADULT if arx.limit < 1]
    found = k_anonymous(table, K, limits)
    if found is None:
        print("  no ratio to anjana: its packages cannot be installed here")
        return
    print("  suppressed at most   search s   anjana s   anjana / ours   its loss   suppressed   k   its node")
    for limit, theirs in zip(limits, found, strict=True):
        seconds, _ = _shortest(lambda limit=limit: search(table, limit), 3)  # type: ignore[misc]
        loss = arx_loss(suppressed_at(table, theirs.node, K))
        print(
            f"  {limit:<18.0%} {seconds:10.3f} {theirs.seconds:10.2f} {theirs.seconds / seconds:15.0f} {loss:10.5f}"
            f" {theirs.suppressed:12,} {theirs.k:3}   {'.'.join(map(str, theirs.node))}"
        )


def search(table: Problem, limit: float) -> Node:
    """The best node, without the figures of its table."""
    (found,) = allowed(table, [K], limit, "k-anonymity", progress=silent, stop=never, log=None)
    assert isinstance(found, Allowed)
    return Choice(Measuring(table), K, found.nodes, never).best(found.places)


def _measured(table: Problem, limit: float) -> Candidate:
    (found,) = k_anonymity.candidates(table, [K], limit, 0)
    assert isinstance(found, Candidate)
    return found


def _shortest(run: Callable[[], T], times: int) -> tuple[float, T]:
    """The shortest of several times after one that compiles what is compiled, and what was found."""
    found, seconds = run(), []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds), found


def _large(records: int) -> None:
    """Compiled already, so it is run once."""
    table = _by_loss(people.own_problem(people.census(records)))
    start, own = time.perf_counter(), time.process_time()
    node = search(table, LARGE_LIMIT)
    seconds, own = time.perf_counter() - start, time.process_time() - own
    print(f"a synthetic census: {_size(table)}, {LARGE_LIMIT:.0%} suppressed at most: {'.'.join(map(str, node))}")
    told = f"ARX {LARGE_SECONDS:.0f} s: {LARGE_SECONDS / seconds:.1f} times, at least {PROMISED} are promised"
    if records != LARGE:
        told = "of a smaller table than ARX was tried with"
    print(f"  search {seconds:.1f} s ({own:.1f} s of the processors), {told}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
