"""The tree of splits lies between the unsplit rules and those that choose for each record, and does well on Adult."""

import importlib.util
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.optimum import Question
from riskapp.core.search import region_tree
from riskapp.core.search.region_aim import Aim
from riskapp.core.search.region_family import family
from riskapp.core.search.region_hull import Part
from riskapp.core.search.region_pass import Pass
from riskapp.core.search.region_tree import finest
from riskapp.core.search.regional import candidates
from riskapp.core.search.regions import Cells, Region, Split
from riskapp.core.table.lattice import generalises
from riskapp.core.table.problem import Problem
from tests.core.test_regional import a_question, drawn

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "adult" / "replay.py"


def for_each_record(problem: Problem, aim: Aim) -> list[Part]:
    """Equal records by themselves, with all nodes."""
    cells = Cells.of(problem, [Split(place, 0) for place in range(len(problem.columns))])
    sums = Pass(problem, cells).run()
    return [aim.part(points) for points in sums.of([Region((), np.array([cell])) for cell in range(len(cells))])]


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_the_tree_lies_between_the_unsplit_rules_and_those_for_each_record(chance: Random) -> None:
    problem = drawn(chance, one_dictionary=True)
    problem = replace(problem, people=None)
    question = a_question(chance, problem) if chance.random() < 0.7 else None
    grown = family(problem, chance.choice([2, 3, 5]), question)
    whole = grown.sums.of([Region((), np.arange(len(grown.cells)))])[0]
    if not whole.finite:
        return
    aim = Aim.of(question, False, np.ones(1), whole)
    unsplit = aim.worth([aim.part(whole)])
    tree = aim.worth([aim.part(points) for points in grown.points])
    each = aim.worth(for_each_record(problem, aim))
    slack = 1e-9 * (1 + abs(tree[1])) if np.isfinite(tree[1]) else 0.0
    assert (tree[0], tree[1] - slack) <= unsplit
    assert (each[0] - 1e-9, each[1] - slack) <= tree


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_regions_hold_every_record_once_and_their_nodes_show_them(chance: Random) -> None:
    problem, patterns = drawn(chance), chance.choice([1, 2, 4])
    found = family(problem, patterns)
    assert 1 <= len(found.regions) <= patterns
    leaves = np.stack([column.codes for column in problem.records.columns], axis=1)
    held = np.stack([region.holds(leaves, problem.hierarchies) for region in found.regions])
    assert (held.sum(axis=0) == 1).all()
    assert (np.sort(np.concatenate([region.cells for region in found.regions])) == np.arange(len(found.cells))).all()
    for region, points in zip(found.regions, found.points, strict=True):
        coarsest = region.coarsest(problem.lattice.top)
        assert all(generalises(coarsest, found.sums.node(int(number))) for number in points.nodes)
        assert (held[found.regions.index(region)] == np.isin(found.cells.of_record, region.cells)).all()


def test_where_cells_are_too_many_the_largest_splits_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = adult()
    levels = {whole.names[split.place]: split.level for split in finest(whole, 8).splits}
    assert levels == {"sex": 0, "age": 2, "race": 0, "marital-status": 0, "education": 1}
    monkeypatch.setattr(region_tree, "MOST_CELLS", 60)
    cells = finest(whole, 8)
    assert len(cells) <= 60
    assert cells.splits


@cache
def adult() -> Problem:
    """Five columns of Adult, as the example has them."""
    spec = importlib.util.spec_from_file_location("adult_replay", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["adult_replay"] = module
    spec.loader.exec_module(module)
    found: Problem = module.adult()
    return found


ENOUGH = Question("least_utility", 6.6)


def test_one_split_of_adult_halves_who_is_found() -> None:
    best = next(candidates(adult(), [("age", 3), ("marital-status", 1)], ENOUGH))
    people = best.evaluation.people["self"]
    assert best.evaluation.utility >= 6.6
    assert best.evaluation.risk <= 0.0059
    assert people.expected_found <= 127
    assert people.singled_out <= 7
    assert best.told["closed"]
    assert len({tuple(one["node"].values()) for one in best.told["patterns"]}) == 6


def test_the_tree_of_adult_does_at_least_as_well() -> None:
    for patterns in (6, 8):
        best = next(candidates(adult(), patterns, ENOUGH))
        assert best.id == f"regional:auto:{patterns}"
        assert len(best.told["patterns"]) <= patterns
        assert best.evaluation.utility >= 6.6
        assert best.evaluation.risk <= 0.0059
        assert best.told["closed"]
    assert best.evaluation.people["self"].expected_found <= 127
    assert best.evaluation.people["self"].singled_out <= 7
