"""Nodes that are ruled out do break a limit, and the limits that can be told of all nodes leave nothing over."""

from dataclasses import replace
from random import Random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.measure import Measuring
from riskapp.core.search import k_anonymity, random_k
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.k_anonymity import FEW, candidate, candidates
from riskapp.core.search.ruled_out import RuledOut
from riskapp.core.search.suppressing import within_share
from riskapp.core.search.suppressions import suppressions
from riskapp.core.table.keys import Places
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from tests.core.slow_k_anonymity import best, is_allowed, some_problem

CHANCE = st.integers(0, 10**9).map(Random)


def silent(done: int, total: int) -> None:
    pass


def never() -> bool:
    return False


def a_table(chance: Random, limits: Limits) -> Problem:
    """Enough people that suppressing some of them leaves others."""
    rows = 40
    table = {
        "zip": [chance.choice(["47901", "47906", "46402", "10115"]) for _ in range(rows)],
        "sex": [chance.choice("fm") for _ in range(rows)],
        "ill": [chance.choice(["flu", "flu", "HIV", "acne"]) for _ in range(rows)],
    }
    known = {"self": ["zip", "sex"], "list": ["zip"]}
    return plain(
        table, hierarchies={"zip": {"mask": 5}}, keep=["ill"], sensitive=["ill"], dictionaries=known, limits=limits
    )


def told(problem: Problem, k: int) -> tuple[Places, list[bool], list[tuple[str, ...]]]:
    """The allowed nodes, which of them are ruled out, and what each breaks when it is measured."""
    (nodes,) = suppressions(problem, [k], len(problem), progress=silent, stop=never)
    allowed = [is_allowed(problem, node, k, len(problem)) for node in problem.lattice]
    places = np.flatnonzero(allowed)
    measuring = Measuring(problem)
    measured = [
        candidate(measuring, problem.lattice.node(int(place)), k, "", "k-anonymity").evaluation.broken
        for place in places
    ]
    return places, RuledOut(problem, k, nodes, never).of(places).tolist(), measured


@settings(max_examples=40)
@given(CHANCE, st.integers(1, 4))
def test_a_node_that_is_ruled_out_breaks_a_limit(chance: Random, k: int) -> None:
    problem = some_problem(chance)
    _, out, measured = told(problem, k)
    event(f"some are out: {any(out)}")
    assert all(broken for ruled, broken in zip(out, measured, strict=True) if ruled)


@settings(max_examples=15)
@given(CHANCE, st.integers(1, 3))
def test_what_groups_show_is_told_of_every_node(chance: Random, k: int) -> None:
    limits = Limits(smallest_group=chance.choice([None, 2, 5, 9]), inference=chance.choice([None, 0.2, 0.4]))
    _, out, measured = told(a_table(chance, limits), k)
    assert out == [bool(broken) for broken in measured]


@settings(max_examples=15)
@given(CHANCE)
def test_chances_are_told_of_every_node_that_suppresses_nobody(chance: Random) -> None:
    limits = Limits(
        largest_chance=chance.choice([None, 0.1, 0.2, 0.5]), share_above=ShareAbove(0.15, chance.choice([0.0, 0.2]))
    )
    _, out, measured = told(a_table(chance, limits), 1)
    assert out == [bool(broken) for broken in measured]


def test_a_chance_that_only_the_thirteenth_digit_parts_from_its_limit_rules_nothing_out() -> None:
    problem = plain({"sex": ["f"] * 7 + ["m"] * 7}, limits=Limits(largest_chance=1 / 7 - 1e-14))
    places, out, measured = told(problem, 1)
    assert (len(places), out, measured) == (2, [False, False], [(), ()])
    closer = replace(problem, limits=Limits(largest_chance=1 / 7 - 1e-9))
    assert told(closer, 1)[1] == [True, False]


@settings(max_examples=25)
@given(CHANCE, st.integers(1, 3), st.sampled_from([0.0, 0.1, 0.3]))
def test_the_best_node_within_limits_is_found_among_many(chance: Random, k: int, share: float) -> None:
    limits = Limits(
        largest_chance=chance.choice([None, 0.1, 0.2, 0.5]),
        smallest_group=chance.choice([None, 3, 5]),
        share_above=ShareAbove(0.15, chance.choice([0.0, 0.2])) if chance.randrange(2) else None,
        inference=chance.choice([None, 0.3]),
    )
    problem = a_table(chance, limits)
    (found,) = candidates(problem, [k], share, 0)
    assert isinstance(found, Candidate)
    tried = found.told.get("tried_for_limits", 1)
    event(f"within: {not found.evaluation.broken}, looked at all others at once: {tried > FEW}")
    assert found.node == best(problem, k, within_share(share, len(problem)))


@pytest.mark.parametrize("family", [k_anonymity, random_k])
def test_progress_goes_on_while_nodes_are_ruled_out(family: ModuleType) -> None:
    limits = Limits(smallest_group=6, largest_chance=0.01, inference=0.01, share_above=ShareAbove(0.1, 0.01))
    told: list[tuple[int, int]] = []
    problem = a_table(Random(1), limits)
    list(family.candidates(problem, [2, 3], 1.0, 0, progress=lambda done, total: told.append((done, total))))
    assert told == sorted(set(told))
    assert told[-1] == (1000, 1000)
    for part in range(1, 3):
        within = [done for done, _ in told if part * 1000 / 3 < done < (part + 1) * 1000 / 3 - 1]
        assert len(within) > 10
