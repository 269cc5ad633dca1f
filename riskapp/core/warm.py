"""Compile the hot loops ahead of time, so that nobody waits for it at a click.

Besides the kernels of the lattice, every family of searches is run once on a small made-up table.
"""

from collections.abc import Iterable

from riskapp.core.optimum import Question
from riskapp.core.rolled.warm import warm as warm_lattice
from riskapp.core.search import anytime, k_anonymity, mondrian, per_record, regional
from riskapp.core.search.exact_frontier import exact_frontier
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem

TOWNS = {"groups": {"north": ["a", "b"], "south": ["c", "d"]}}


def warm() -> None:
    """Compile what a run may need, or read it from where it is kept."""
    warm_lattice()
    asked, question = _small(), Question("least_utility", 1.0)
    _exhaust(k_anonymity.candidates(asked, [2], 0.2, 0))
    _exhaust(mondrian.candidates(asked, [2], 0.2, 0))
    _exhaust(regional.candidates(asked, [("town", 1)], question))
    _exhaust(per_record.candidates(asked, ["exhaustive"], question))
    exact_frontier(asked)
    anytime.search(asked, question)


def _small() -> Problem:
    towns, sexes = list("aabbccdd") * 8, list("fm") * 32
    return problem({"town": towns, "sex": sexes}, hierarchies={"town": TOWNS})


def _exhaust(found: Iterable[object]) -> None:
    for _ in found:
        pass


if __name__ == "__main__":
    warm()
