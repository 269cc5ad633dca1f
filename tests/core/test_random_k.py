"""Random k-anonymous rules are allowed ones, all different, and as the seed has it."""

from collections import Counter
from random import Random

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.measure import Measuring
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.k_anonymity import candidate
from riskapp.core.search.random_k import MANY, candidates, permuted
from riskapp.core.search.suppressing import within_share
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.plain_problem import problem as plain
from tests.core.slow_k_anonymity import is_allowed, some_problem

CHANCE = st.integers(0, 10**9).map(Random)
LIMITS = st.sampled_from([0.0, 1 / 3, 1.0])
TABLE = {"zip": ["47906", "47901", "47901", "46402"], "born": ["1975", "1975", "1976", "1976"]}


def nodes(seed: int, k: list[int]) -> list[tuple[str, tuple[int, ...] | None]]:
    problem = plain(TABLE, hierarchies={"zip": {"mask": 5}, "born": {"mask": 4}})
    return [(one.id, one.node) for one in candidates(problem, k, 0.5, seed) if isinstance(one, Candidate)]


@settings(max_examples=20)
@given(CHANCE, st.integers(1, 4), LIMITS)
def test_ten_allowed_nodes_are_drawn_or_all_where_they_are_fewer(chance: Random, k: int, limit: float) -> None:
    problem = some_problem(chance)
    most = within_share(limit, len(problem))
    allowed = {node for node in problem.lattice if is_allowed(problem, node, k, most)}
    measuring = Measuring(problem)
    kept = {node for node in allowed if not candidate(measuring, node, k, "", "").evaluation.broken}
    event(f"some break a limit: {kept != allowed}, all do: {not kept}")
    allowed = kept or allowed
    found = list(candidates(problem, [k], limit, chance.randrange(100)))
    if not allowed:
        assert [type(one) for one in found] == [Unmet]
        return
    rules = [one for one in found if isinstance(one, Candidate)]
    assert [one.id for one in rules] == [f"random-k:{k}:{place}" for place in range(min(MANY, len(allowed)))]
    assert len({one.node for one in rules}) == len(rules) == len(found)
    assert {one.node for one in rules} <= allowed
    assert all(one.evaluation.smallest_group is not None and one.evaluation.smallest_group >= k for one in rules)
    assert all(one.evaluation.suppressed <= most for one in rules)


def test_the_seed_decides_and_other_k_do_not() -> None:
    assert nodes(3, [2]) == nodes(3, [2])
    assert nodes(3, [2]) != nodes(4, [2])
    assert nodes(3, [3, 2])[-MANY:] == nodes(3, [2])


def test_every_place_is_drawn_about_as_often() -> None:
    """Ten of twenty, a thousand times: each about 500 times, with a deviation of 16."""
    found = Counter(int(place) for seed in range(1000) for place in permuted(np.arange(20), 5, seed)[:MANY])
    assert len(found) == 20
    assert all(400 < times < 600 for times in found.values())
