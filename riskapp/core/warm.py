"""Compile the hot loops ahead of time, so that nobody waits for it at a click.

Besides the kernels of the lattice, every family of searches is run once on a small made-up table.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from riskapp.core.optimum import Question
from riskapp.core.rolled.warm import warming as warming_lattice
from riskapp.core.search import anytime, k_anonymity, mondrian, per_record, regional
from riskapp.core.search.exact_frontier import exact_frontier
from riskapp.core.table.in_common import in_common
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem

TOWNS = {"groups": {"north": ["a", "b"], "south": ["c", "d"]}}


def warm() -> None:
    """Compile what a run may need, or read it from where it is kept."""
    _exhaust(warming())


def warming() -> Iterator[None]:
    """The same in small steps, so that whoever is needed elsewhere can leave off."""
    yield from warming_lattice()
    asked, question = _small(), Question("least_utility", 1.0)
    for found in (
        k_anonymity.candidates(asked, [2], 0.2, 0),
        mondrian.candidates(asked, [2], 0.2, 0),
        regional.candidates(asked, [("town", 1)], question),
        per_record.candidates(asked, ["exhaustive"], question),
    ):
        _exhaust(found)
        yield
    exact_frontier(asked)
    yield
    anytime.search(asked, question)
    yield
    in_common(np.array([0, 1]), np.zeros(1, dtype=np.int32), np.zeros((1, 1), dtype=np.int64))


def _small() -> Problem:
    towns, sexes = list("aabbccdd") * 8, list("fm") * 32
    return problem({"town": towns, "sex": sexes}, hierarchies={"town": TOWNS})


def _exhaust(found: Iterable[object]) -> None:
    for _ in found:
        pass


if __name__ == "__main__":
    warm()
