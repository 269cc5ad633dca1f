"""The attacker who knows the rule: small tables in which it is plain what replaying tells."""

import random
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from riskapp.core.measure import measure
from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_masks import flat
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.identification import Identification
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask, Released
from riskapp.core.table.replay import NotDone, Reading, Replay, Rule, TableRule, closed
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.value_list import ValueList
from riskapp.core.table.weights import Weights
from tests.core.building import drawn, ours, released
from tests.core.measured import Chosen
from tests.oracle.assessment import nodes
from tests.oracle.release import from_nodes, full_domain
from tests.oracle.replay import closed as their_closed
from tests.oracle.replay import full_domain_rule

RACE = from_groups("race", {"European": ["White", "Pale"], "Asian": ["Chinese", "Japanese"]})
PLACE = from_groups("place", {"York": ["York", "Leeds"], "Kent": ["Dover", "Deal"]})


def coded(*codes: int, tree: Hierarchy = RACE) -> CodedColumn:
    return CodedColumn(tree, np.array(codes, dtype=np.int32))


def problem_of(*columns: CodedColumn, dictionaries: tuple[Dictionary, ...] = ()) -> Problem:
    itself = Dictionary.itself("self", columns, range(len(columns)))
    phi = Sensitivity(tuple(Weighed(column, Weights.of(column.hierarchy)) for column in columns))
    return Problem(phi, dictionaries or (itself,), Utility(CodedRecords.of(columns)))


def by_leaf(*levels: int) -> Rule:
    """The rule for one attribute that shows each leaf code, missing first, at a level of its own."""

    def rule(leaves: Codes) -> tuple[Codes, Mask]:
        return np.array(levels, dtype=np.int32)[leaves], np.zeros(len(leaves), dtype=np.bool_)

    return rule


def released_by(problem: Problem, rule: Rule) -> Released:
    leaves = np.stack([weighed.column.codes for weighed in problem.columns], axis=1)
    return Released.each(problem.records, *rule(leaves))


def counted(problem: Problem, rule: Rule) -> tuple[list[int], list[int]]:
    """|ρ| and |ρ_replay| of every record, for the first dictionary."""
    table, dictionary = released_by(problem, rule), problem.dictionaries[0]
    defined = Identification(dictionary, problem.records.columns).of(table)
    return defined.tolist(), Replay(problem, table, rule).counts(dictionary).tolist()


def test_a_rule_that_hides_the_rare_among_the_common_is_undone_by_replay() -> None:
    problem = problem_of(coded(1, 1, 1, 2, 3, 3, 4, 4))
    assert counted(problem, by_leaf(0, 0, 1, 0, 0)) == ([3, 3, 3, 4, 2, 2, 2, 2], [3, 3, 3, 1, 2, 2, 2, 2])
    table = released_by(problem, by_leaf(0, 0, 1, 0, 0))
    found = measure(problem, table, by_leaf(0, 0, 1, 0, 0))
    assert found.people["self"].singled_out == 0
    assert found.people_replay is not None
    assert found.people_replay["self"].singled_out == 1
    assert found.risk_replay is not None
    assert found.risk_that_counts == found.risk_replay > found.risk
    assert not closed(problem, table, by_leaf(0, 0, 1, 0, 0))


def test_a_rule_for_each_group_as_a_whole_is_closed() -> None:
    problem, rule = problem_of(coded(1, 1, 2, 3, 3, 4)), by_leaf(0, 1, 1, 0, 0)
    assert counted(problem, rule) == ([3, 3, 3, 2, 2, 1], [3, 3, 3, 2, 2, 1])
    assert closed(problem, released_by(problem, rule), rule)


def test_suppressed_rows_are_not_closed() -> None:
    problem = problem_of(coded(1, 2, 2, 3))

    def rule(leaves: Codes) -> tuple[Codes, Mask]:
        return np.zeros(leaves.shape, dtype=np.int32), (leaves[:, 0] == 1)

    assert counted(problem, rule) == ([4, 2, 2, 1], [1, 2, 2, 1])


def test_a_text_of_two_levels_is_not_one_place() -> None:
    """Leeds is shown as the county of York, which reads like the town: the town's people stay apart from it."""
    problem = problem_of(coded(1, 1, 2, tree=PLACE))
    assert counted(problem, by_leaf(0, 0, 1, 0, 0)) == ([2, 2, 3], [2, 2, 3])


def test_an_empty_cell_is_not_a_star() -> None:
    register = Dictionary("register", (Known.of(0, coded(1, 2)),))
    problem = problem_of(coded(0, 1), dictionaries=(register,))
    assert counted(problem, by_leaf(0, 2, 0, 0, 0)) == ([2, 2], [2, 1])
    assert counted(problem, by_leaf(2, 2, 0, 0, 0)) == ([2, 2], [2, 2])


def test_what_a_dictionary_knows_only_coarsely_runs_over_the_leaves_that_occur() -> None:
    column = coded(1, 1, 2, 3)
    coarse = Dictionary("register", (Known.of(0, CodedColumn(RACE, np.array([1, 2, 2, 0], dtype=np.int32), 1)),))
    problem = problem_of(column, dictionaries=(coarse,))
    assert counted(problem, by_leaf(0, 0, 2, 1, 0)) == ([2, 2, 4, 3], [2, 2, 2, 3])


def test_a_year_that_nobody_in_the_table_has_is_replayed_with_some_day_of_it() -> None:
    days, years = ["1975-05-10", "1975-05-11"], ["1975", "1990", "1990"]
    born = from_dates("born", [ValueList.of(days), ValueList.of(years[:2], level="year")], ["year"])
    register = Dictionary("register", (Known.of(0, CodedColumn(born, born.codes_at("year", years), 1)),))
    problem = problem_of(coded(1, 2, tree=born), dictionaries=(register,))
    shown_to_nobody_else = by_leaf(0, 2, 2, 1)
    assert counted(problem, shown_to_nobody_else) == ([3, 3], [1, 1])
    assert counted(problem, by_leaf(0, 2, 1, 2)) == ([3, 1], [3, 1])


def test_what_a_dictionary_does_not_know_runs_over_what_occurs() -> None:
    columns = (coded(1, 1, 3), coded(1, 3, 3, tree=PLACE))
    problem = problem_of(*columns, dictionaries=(Dictionary.itself("neighbour", columns, [0]),))

    def rule(leaves: Codes) -> tuple[Codes, Mask]:
        hidden = (leaves[:, 0] == 1) & (leaves[:, 1] == 3)
        return np.where(hidden[:, None], [2, 0], [0, 0]), np.zeros(len(leaves), dtype=np.bool_)

    assert counted(problem, rule) == ([2, 3, 1], [2, 2, 1])


def test_a_record_that_is_not_in_the_table_gets_no_row_from_it() -> None:
    column = coded(1, 3)
    register = Dictionary("register", (Known.of(0, coded(1, 2, 2, 3)),))
    problem = problem_of(column, dictionaries=(register,))
    table = Released.each(problem.records, np.array([[1], [1]]))
    assert Replay(problem, table, TableRule(table)).counts(register).tolist() == [1, 1]
    assert Identification(register, [column]).of(table).tolist() == [3, 1]


def test_people_with_several_entries_count_once() -> None:
    entries = Dictionary("register", (Known.of(0, coded(1, 2, 3)),), identities=np.array([0, 0, 1], dtype=np.int32))
    problem = problem_of(coded(1, 2), dictionaries=(entries,))
    assert counted(problem, by_leaf(0, 1, 1, 0, 0)) == ([1, 1], [1, 1])
    assert counted(problem, by_leaf(0, 2, 2, 2, 2)) == ([2, 2], [2, 2])


def test_too_many_completions_are_not_run() -> None:
    leaves = [f"leaf {number}" for number in range(101)]
    trees = [from_groups(name, {"all": leaves}) for name in ("a", "b", "c", "d")]
    columns = tuple(coded(*range(1, 102), tree=tree) for tree in trees)
    problem = problem_of(*columns, dictionaries=(Dictionary.itself("self", columns, [0]),))

    def rule(some: Codes) -> tuple[Codes, Mask]:
        raise AssertionError("nothing is run")

    table = Released.at(problem.records, (0, 0, 0, 0))
    found = measure(problem, table, rule)
    assert (found.risk_replay, found.people_replay) == (None, None)
    assert found.risk_that_counts == found.risk == 4
    assert not closed(problem, table, rule)
    with pytest.raises(NotDone):
        Replay(problem, table, rule).counts(problem.dictionaries[0])


@pytest.mark.parametrize("seed", range(400, 415))
def test_replaying_a_node_tells_nothing(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, node = ours(theirs), random.Random(seed).choice(nodes(theirs))

    def rule(leaves: Codes) -> tuple[Codes, Mask]:
        levels = np.zeros(leaves.shape, dtype=np.int32)
        levels[:, problem.generalised] = node
        return levels, np.zeros(len(leaves), dtype=np.bool_)

    table = released(problem, [node] * len(problem))
    rows = full_domain(theirs, node)
    everywhere = [their_closed(theirs, one, rows, full_domain_rule(theirs, node)) for one in theirs.dictionaries]
    assert closed(problem, table, rule) == all(everywhere)
    if all(everywhere):
        assert measure(problem, table, rule) == measure(problem, table)


@pytest.mark.parametrize("seed", range(425, 440))
def test_a_rule_is_closed_when_the_oracle_says_so(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chosen = ours(theirs), Chosen(theirs, seed)
    rows = from_nodes(theirs, chosen.nodes())
    wanted = all(their_closed(theirs, one, rows, chosen.as_theirs()) for one in theirs.dictionaries)
    assert closed(problem, released(problem, chosen.nodes()), chosen.as_ours(problem)) == wanted


@pytest.mark.parametrize("seed", range(450, 465))
def test_columns_a_rule_does_not_look_at_need_not_be_completed(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chosen = ours(theirs), Chosen(theirs, seed)
    blind = chosen.as_ours(problem)

    def rule(leaves: Codes) -> tuple[npt.NDArray[np.integer], Mask]:
        seen = np.zeros_like(leaves)
        seen[:, problem.generalised] = leaves[:, problem.generalised]
        return blind(seen)

    table = released_by(problem, rule)
    reading = Reading(rule, frozenset(problem.generalised))
    assert measure(problem, table, reading) == measure(problem, table, rule)


def test_a_kept_column_of_many_values_is_no_hindrance_where_the_rule_does_not_look_at_it() -> None:
    notes = [f"note {number}" for number in range(4000)]
    column, note = coded(*range(1, 5)), flat("note", [ValueList.of(notes)])
    races = CodedColumn(RACE, np.resize(column.codes, 4000))
    kept = CodedColumn(note, np.arange(1, 4001, dtype=np.int32))
    weighed = (Weighed(races, Weights.of(RACE)), Weighed(kept, Weights.of(note), kept=True))
    entries = (Known.of(0, races),)
    several = tuple(Dictionary(name, entries) for name in ("one", "other"))
    problem = Problem(Sensitivity(weighed), several, Utility(CodedRecords.of([races])))

    def rule(leaves: Codes) -> tuple[Codes, Mask]:
        return np.stack([leaves[:, 0] % 2, np.zeros(len(leaves), dtype=np.int32)], axis=1), leaves[:, 0] == 4

    table = released_by(problem, rule)
    found = Replay(problem, table, Reading(rule, frozenset({0}))).counts(several[0])
    assert found.tolist() == [1000] * 4000


@pytest.mark.parametrize("seed", range(420, 432))
def test_a_pair_is_held_exactly_where_the_entry_is_among_those_of_the_record(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chance = ours(theirs), random.Random(seed)
    chosen = [None if chance.random() < 0.2 else chance.choice(nodes(theirs)) for _ in theirs.records]
    table = released(problem, chosen)
    replay = Replay(problem, table, TableRule(table))
    for dictionary in problem.dictionaries:
        records, entries = (some.ravel() for some in np.indices((len(problem), len(dictionary))))
        found = replay.holds(dictionary, records, entries)
        for record in range(len(problem)):
            assert entries[(records == record) & found].tolist() == replay.entries(dictionary, record).tolist()
