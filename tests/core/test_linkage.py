"""Linked losses: against the oracle, and in small tables where the linked rows can be counted by hand."""

import random
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.loss import Loss
from riskapp.core.measure import Measuring, measure
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.linkage import linked_losses
from riskapp.core.table.linkage_table import LinkageTable
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights
from tests.core.building import drawn, ours, released
from tests.core.measured import Chosen
from tests.oracle.assessment import nodes, same
from tests.oracle.problem import Problem as Theirs
from tests.oracle.release import from_nodes
from tests.oracle.replay import by_replay
from tests.oracle.risk import risk, risk_by_dictionary

RACE = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
SEX = from_groups("sex", {"f": ["f"], "m": ["m"]})


def leaves(*numbers: int) -> Codes:
    return np.array(numbers, dtype=np.int32)


def problem_of(
    races: Codes,
    *rows: int,
    level: int = 0,
    added: float = 0.0,
    fall: str = "step",
    weights: dict[str, float] | None = None,
    personal: float | None = None,
    person_total: PersonTotal | None = None,
    loss: Loss | None = None,
) -> Problem:
    """Races of records, and of linkage data, with a column of one sex beside them."""
    race, sex = CodedColumn(RACE, races), CodedColumn(SEX, np.ones_like(races))
    own = None if personal is None else np.full(len(races), personal)
    phi = Sensitivity(
        (Weighed(race, Weights.of(RACE, 2.0, weights, fall=fall), own), Weighed(sex, Weights.of(SEX, 1.0))),
        (Pair("race", "sex", 0.5),),
        person_total=person_total,
    )
    itself = Dictionary.itself("self", [race, sex], [0, 1])
    table = LinkageTable((Known(0, RACE, level, leaves(*rows)),), np.full(len(rows), added))
    return Problem(phi, (itself,), Utility(CodedRecords.of([race, sex])), loss or Loss(), linkage=table)


def linked_instance(seed: int, folder: Path) -> Theirs:
    """The first instance from a seed on that has linkage data."""
    theirs = drawn(seed, folder)
    return theirs if theirs.linkage else linked_instance(seed + 1000, folder)


@pytest.mark.parametrize("seed", range(600, 630))
def test_linked_risks_are_the_oracle_s(tmp_path: Path, seed: int) -> None:
    theirs = linked_instance(seed, tmp_path)
    problem, chance = ours(theirs), random.Random(seed)
    chosen = [None if chance.random() < 0.2 else chance.choice(nodes(theirs)) for _ in theirs.records]
    found = Measuring(problem).of(released(problem, chosen))
    assert same(found.risk_by_dictionary, risk_by_dictionary(theirs, from_nodes(theirs, chosen)))


@pytest.mark.parametrize("seed", range(660, 680))
def test_linked_and_replayed_risks_are_the_oracle_s(tmp_path: Path, seed: int) -> None:
    theirs = linked_instance(seed, tmp_path)
    problem, chosen = ours(theirs), Chosen(theirs, seed)
    found = measure(problem, released(problem, chosen.nodes()), chosen.as_ours(problem))
    wanted = risk(theirs, from_nodes(theirs, chosen.nodes()), by_replay(theirs, chosen.as_theirs()))
    assert same(found.risk_replay, wanted)


def test_the_loss_is_expected_over_the_rows_that_may_be_linked() -> None:
    """An Asian of three may be two Chinese, of whom there are two, or a Japanese, of whom there is one."""
    problem = problem_of(leaves(2, 2, 3, 1), 2, 2, 3)
    found = measure(problem, Released.at(problem.records, (1, 0)))
    asian = (3.5 / 2 + 3.5 / 2 + 3.5 / 1) / 3
    assert found.risk == pytest.approx((3 * asian + 3.5) / 4)
    assert found.people["self"].expected_found == pytest.approx(3 / 3 + 1)


def test_a_record_that_no_row_fits_keeps_its_loss() -> None:
    problem = problem_of(leaves(1, 1, 2), 2)
    table = Released.at(problem.records, (0, 0))
    alone = {"self": np.array([9.0, 8.0, 7.0])}
    losses = linked_losses(problem, table, alone, {"self": lambda rows, cells: np.ones(len(rows), dtype=np.int64)})
    assert losses["self"].tolist() == [9.0, 8.0, 3.5]


def test_no_row_at_all_changes_nothing() -> None:
    problem = problem_of(leaves(1, 1, 2))
    assert measure(problem, Released.at(problem.records, (0, 0))).risk == pytest.approx((3.5 / 2 * 2 + 3.5) / 3)


def test_added_columns_weigh_where_a_row_is_linked() -> None:
    problem = problem_of(leaves(1, 2), 2, added=4.0, person_total=PersonTotal("scale", 1.0))
    assert measure(problem, Released.at(problem.records, (0, 0))).risk == pytest.approx((1 + 1 + 4) / 2)


@pytest.mark.parametrize(
    ("fall", "personal", "weight"),
    [("step", None, 5.0), ("harmonic", None, 1 / (1 / 5 + 1 / 2)), ("step", 3.0, 3.0), ("harmonic", 3.0, 1.5)],
)
def test_a_gained_group_weighs_as_its_fall_says(fall: str, personal: float | None, weight: float) -> None:
    """A Chinese of weight 5, suppressed, is linked to an Asian."""
    given = {"Chinese": 5.0}
    problem = problem_of(leaves(2), 2, level=1, fall=fall, weights=given, personal=personal)
    assert measure(problem, Released.at(problem.records, (2, 2))).risk == pytest.approx(weight)


@pytest.mark.parametrize(("level", "row", "weight"), [(0, 2, 5.0), (0, 3, 2.0), (1, 2, 2.0), (1, 1, 2.0)])
def test_where_the_record_s_own_is_missing_the_gained_cell_weighs(level: int, row: int, weight: float) -> None:
    problem = problem_of(leaves(0), row, level=level, weights={"Chinese": 5.0})
    assert measure(problem, Released.at(problem.records, (0, 2))).risk == pytest.approx(weight)


def test_a_gained_cell_discloses_its_pair() -> None:
    problem = problem_of(leaves(2), 2)
    assert measure(problem, Released.at(problem.records, (2, 0))).risk == pytest.approx(2 + 1 + 0.5)


def test_without_linkage_data_there_is_nothing_to_link() -> None:
    problem = problem_of(leaves(1), 1)
    bare = Problem(problem.sensitivity, problem.dictionaries, problem.utility)
    with pytest.raises(ValueError, match="no linkage data"):
        linked_losses(bare, Released.at(bare.records, (0, 0)), {}, {})
