"""|ρ| in random assessments, against the independent oracle that reads them from files."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from riskapp.core.table.coverage import coverage
from riskapp.core.table.identification import Identification
from riskapp.core.table.problem import Problem
from tests.core import building
from tests.oracle.assessment import nodes
from tests.oracle.consistency import consistent_people
from tests.oracle.people import coverage as oracle_coverage
from tests.oracle.problem import Dictionary
from tests.oracle.problem import Problem as Theirs
from tests.oracle.release import Released, from_nodes, full_domain


class Drawn:
    """An assessment drawn at random, as the oracle's and as ours."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        folder.mkdir()
        self.theirs: Theirs = building.drawn(seed, folder)
        self.ours: Problem = building.ours(self.theirs)
        self.nodes = nodes(self.theirs)

    def dictionaries(self) -> Iterator[tuple[Identification, Dictionary]]:
        columns = [weighed.column for weighed in self.ours.columns]
        for one, other in zip(self.ours.dictionaries, self.theirs.dictionaries, strict=True):
            yield Identification(one, columns), other

    def people(self, dictionary: Dictionary, rows: list[Released]) -> list[int]:
        return [consistent_people(self.theirs.attributes, dictionary, row.cells) for row in rows]

    def whole(self, node: tuple[int, ...]) -> tuple[int, ...]:
        """With the kept columns too."""
        steps = iter(node)
        return tuple(0 if weighed.kept else next(steps) for weighed in self.ours.columns)


@pytest.fixture(params=range(30))
def some(request: pytest.FixtureRequest, tmp_path: Path) -> list[Drawn]:
    return [Drawn(seed, tmp_path / str(seed)) for seed in range(3 * request.param, 3 * request.param + 3)]


def test_the_people_met_are_the_oracle_s(some: list[Drawn]) -> None:
    for drawn in some:
        mixed = [drawn.chance.choice([None, *drawn.nodes]) for _ in drawn.theirs.records]
        for found, theirs in drawn.dictionaries():
            for node in drawn.chance.sample(drawn.nodes, min(4, len(drawn.nodes))):
                expected = drawn.people(theirs, full_domain(drawn.theirs, node))
                assert found.at(drawn.whole(node)).tolist() == expected
                assert found.of(building.released(drawn.ours, [node] * len(expected))).tolist() == expected
            expected = drawn.people(theirs, from_nodes(drawn.theirs, mixed))
            assert found.of(building.released(drawn.ours, mixed)).tolist() == expected
            unchanged = full_domain(drawn.theirs, drawn.nodes[0])
            bottom = found.at(drawn.whole(drawn.nodes[0]))
            assert coverage(bottom) == oracle_coverage(drawn.theirs, theirs, unchanged)
