"""Regional rules are closed: who replays them learns nothing. Computed on random instances, never declared."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question
from riskapp.core.search.regional import candidates
from riskapp.core.search.regions import Cells, Regional, Split
from riskapp.core.table.completions import MOST_IN_ALL
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.plain_register import Register
from riskapp.core.table.problem import Problem
from riskapp.core.table.replay import closed
from tests.core.building import drawn, ours
from tests.core.rolled_drawing import a_problem
from tests.core.slow_regional import some_splits


def a_rule(chance: Random, problem: Problem) -> tuple[Regional, Cells]:
    """Some regions, each with any node that shows it."""
    cells = Cells.of(problem, some_splits(chance, problem, 10**12))
    coarsest = [region.coarsest(problem.lattice.top) for region in cells.regions]
    nodes = [tuple(chance.randint(0, level) for level in node) for node in coarsest]
    return Regional(problem, cells.regions, nodes), cells


def assert_closed(chance: Random, problem: Problem) -> int:
    """The number of different nodes of the rule that was tried."""
    rule, cells = a_rule(chance, problem)
    table = rule.released(cells.of_record)
    assert closed(problem, table, rule.replayed)
    assert closed(problem, table, rule)
    return len(set(rule.nodes))


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_a_rule_by_regions_is_closed(first: int) -> None:
    """With missing cells in the table and in dictionaries, coarser dictionaries, and columns they do not know."""
    different = []
    for seed in range(first, first + 40):
        chance = Random(seed)
        different.append(assert_closed(chance, replace(a_problem(chance), linkage=None)))
    assert sum(many > 1 for many in different) >= 5


@pytest.mark.parametrize("seed", range(600, 615))
def test_a_rule_by_regions_is_closed_where_values_are_matched_by_likeness(tmp_path: Path, seed: int) -> None:
    assert_closed(Random(seed), ours(drawn(seed, tmp_path)))


def test_a_rule_that_hides_its_regions_is_not_closed() -> None:
    """The proof would fail if a region could be coarser than its split: the test of closedness would notice."""
    problem = plain({"sex": ["f", "m", "f"], "town": ["a", "a", "b"]})
    cells = Cells.of(problem, [Split(0, 0)])
    rule = Regional(problem, cells.regions, [(0, 0), (1, 0)])
    assert not closed(problem, rule.released(cells.of_record), rule.replayed)


def test_missing_cells_are_a_region_of_their_own_and_nothing_is_learnt() -> None:
    problem = plain({"sex": ["f", "m", "", "f"], "town": ["a", "a", "b", "b"]})
    found = list(candidates(problem, [("sex", 0)]))
    assert {one["where"]["sex"] for one in found[0].told["patterns"]} == {"f", "m", None}
    assert all(one.told["closed"] for one in found)
    measuring = Measuring(problem)
    cells = Cells.of(problem, [Split(0, 0)])
    rule = Regional(problem, cells.regions, [(0, 0), (0, 1), (0, 0)])
    table = rule.released(cells.of_record)
    assert measuring.of(table, rule.replayed) == measuring.of(table)


def test_somebody_of_a_place_that_nobody_in_the_table_is_from_counts_in_a_replay_too() -> None:
    """Nobody of 3** is in the table, so no rule can be run on them; where zips are hidden they fit all the same."""
    zips = {"zip": ["47906", "47901", "10101", "10101"], "sex": list("ffmm")}
    strangers = Register({"zip@4": ["4****", "1****", "3****", "3****"]})
    problem = plain(zips, hierarchies={"zip": {"mask": 5}}, dictionaries={"register": strangers})
    cells = Cells.of(problem, [Split(1, 0)])
    rule = Regional(problem, cells.regions, [(5, 0), (0, 0)])
    table = rule.released(cells.of_record)
    assert closed(problem, table, rule.replayed)
    assert Measuring(problem).of(table).people["register"].largest_chance == 1
    for found in candidates(problem, [("sex", 0)], Question("least_utility", 3)):
        assert found.told["closed"]
        assert found.evaluation.risk_replay == found.evaluation.risk


def test_where_replaying_is_too_much_the_construction_counts() -> None:
    """Four columns of 101 values that the dictionary does not know have more completions than anybody runs."""
    assert MOST_IN_ALL < 101**4
    unknown = {name: [str(number) for number in range(101)] for name in "abcd"}
    problem = plain(unknown | {"sex": ["f", "m"] * 50 + ["f"]}, dictionaries={"neighbour": ["sex"]})
    one = next(candidates(problem, [("sex", 0)], most=2))
    assert one.told["closed"]
    assert one.evaluation.risk_replay == one.evaluation.risk
