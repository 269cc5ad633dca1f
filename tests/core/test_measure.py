"""Every figure of a released table, against the oracle that works them out one record and one entry at a time."""

import random
from pathlib import Path

import pytest

from riskapp.core.measure import Measuring, measure
from riskapp.core.table.released import Released
from riskapp.core.table.replay import TableRule
from tests.core.building import drawn, ours, released
from tests.core.measured import Chosen, figures
from tests.oracle.assessment import nodes, same
from tests.oracle.evaluation import measure as their_measure
from tests.oracle.limits import broken as their_broken
from tests.oracle.release import from_nodes, full_domain
from tests.oracle.replay import by_replay, full_domain_rule, table_rule
from tests.oracle.risk import by_definition, over_dictionaries, risk_by_dictionary
from tests.oracle.utility import utility


@pytest.mark.parametrize("seed", range(30))
def test_a_node_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem = ours(theirs)
    measuring = Measuring(problem)
    every = nodes(theirs)
    for node in random.Random(seed).sample(every, min(4, len(every))):
        levels = [0] * len(problem.columns)
        for place, level in zip(problem.generalised, node, strict=True):
            levels[place] = level
        found = measuring.of(Released.at(problem.records, tuple(levels)))
        rows, count = full_domain(theirs, node), by_definition(theirs)
        wanted = their_measure(theirs, rows, full_domain_rule(theirs, node))
        assert same(figures(found), wanted), (node, figures(found), wanted)
        largest = over_dictionaries(theirs, risk_by_dictionary(theirs, rows, count, "max"))
        assert same([found.worst_risk, found.worst_utility], [largest, utility(theirs, rows, "min")])
        assert list(found.broken) == their_broken(theirs, rows, [count])


@pytest.mark.parametrize("seed", range(100, 150))
def test_a_rule_that_chooses_for_each_record_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chosen = ours(theirs), Chosen(theirs, seed)
    rows, table = from_nodes(theirs, chosen.nodes()), released(problem, chosen.nodes())
    found = measure(problem, table, chosen.as_ours(problem))
    wanted = their_measure(theirs, rows, chosen.as_theirs())
    assert same(figures(found), wanted), (figures(found), wanted)
    counts = [by_definition(theirs), by_replay(theirs, chosen.as_theirs())]
    largest = [over_dictionaries(theirs, risk_by_dictionary(theirs, rows, count, "max")) for count in counts]
    assert same([found.worst_risk, found.worst_utility], [max(largest), utility(theirs, rows, "min")])
    assert list(found.broken) == their_broken(theirs, rows, counts)


@pytest.mark.parametrize("seed", range(200, 230))
def test_a_rule_known_from_its_table_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs = drawn(seed, tmp_path)
    problem, chance = ours(theirs), random.Random(seed)
    chosen = [None if chance.random() < 0.2 else chance.choice(nodes(theirs)) for _ in theirs.records]
    rows, table = from_nodes(theirs, chosen), released(problem, chosen)
    found = measure(problem, table, TableRule(table))
    wanted = their_measure(theirs, rows, table_rule(theirs, rows))
    assert same(figures(found), wanted), (figures(found), wanted)
