"""k-anonymous rules measured and replayed by the oracle, which works from texts, one record and one entry at a time."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.search import k_anonymity, mondrian, random_k
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.limits import Limits
from riskapp.core.table.problem import Problem
from tests.core.building import drawn, ours
from tests.core.measured import figures
from tests.core.slow_k_anonymity import PartRule, parted
from tests.oracle.assessment import same
from tests.oracle.evaluation import measure as their_measure
from tests.oracle.groups import grouping_columns, shown_key, sizes
from tests.oracle.problem import Problem as Theirs
from tests.oracle.problem import Values
from tests.oracle.release import Node, Released, from_nodes, full_domain, release_record, suppressed
from tests.oracle.replay import Rule, full_domain_rule

K = 2


def problems(seed: int, folder: Path) -> tuple[Theirs, Problem]:
    """An instance without limits: the oracle's own search settings are about other rules."""
    theirs = drawn(seed, folder)
    theirs.search.pop("limits", None)
    theirs.search.pop("require", None)
    return theirs, replace(ours(theirs), limits=Limits())


def rule_at(theirs: Theirs, node: Node) -> Rule:
    """Groups of fewer people in the table are suppressed, and so is whoever is in none of its groups."""
    found = sizes(theirs, full_domain(theirs, node))
    columns = set(grouping_columns(theirs))

    def rule(values: Values) -> set[tuple[str, ...]]:
        row = release_record(theirs, values, node)
        return {(row if found.get(shown_key(theirs, row, columns), 0) >= K else suppressed(theirs)).shown}

    return rule


def nodes_of(problem: Problem, found: Candidate) -> list[Node | None]:
    """For each record the levels of the attributes that have a hierarchy; None where it is suppressed."""
    levels = np.stack([np.broadcast_to(level, len(problem)) for level in found.released.levels], axis=1)
    pairs = zip(levels.tolist(), found.released.suppressed.tolist(), strict=True)
    return [None if hidden else problem.chosen(row) for row, hidden in pairs]


def assert_same(theirs: Theirs, found: Candidate, rows: list[Released], rule: Rule) -> None:
    wanted = their_measure(theirs, rows, rule)
    assert same(figures(found.evaluation), wanted), (figures(found.evaluation), wanted)


def full_domain_candidates(problem: Problem) -> Iterator[Candidate]:
    for family in (k_anonymity, random_k):
        for found in family.candidates(problem, [K], 0.7, 3):
            if isinstance(found, Candidate):
                yield found


@pytest.mark.parametrize("seed", range(600, 610))
def test_a_node_that_suppresses_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs, problem = problems(seed, tmp_path)
    for found in list(full_domain_candidates(problem))[:4]:
        assert found.node is not None
        node = problem.chosen(found.node)
        rule = rule_at(theirs, node) if found.rule is not None else full_domain_rule(theirs, node)
        rows = from_nodes(theirs, nodes_of(problem, found))
        assert [row.shown for row in rows] == [next(iter(rule(record.values))) for record in theirs.records]
        assert_same(theirs, found, rows, rule)


def part_rule(theirs: Theirs, problem: Problem) -> Rule:
    parts = PartRule(problem, parted(problem, K), K)

    def rule(values: Values) -> set[tuple[str, ...]]:
        coded = zip(problem.hierarchies, values.values(), strict=True)
        levels = parts.levels([int(tree.coded([value])[0]) for tree, value in coded])
        return {release_record(theirs, values, None if levels is None else problem.chosen(levels)).shown}

    return rule


@pytest.mark.parametrize("seed", range(620, 632))
def test_mondrian_has_the_oracle_s_figures(tmp_path: Path, seed: int) -> None:
    theirs, problem = problems(seed, tmp_path)
    (found,) = mondrian.candidates(problem, [K], 1.0, 0)
    if isinstance(found, Unmet):
        assert found.missed == "search.k"
        return
    assert_same(theirs, found, from_nodes(theirs, nodes_of(problem, found)), part_rule(theirs, problem))
