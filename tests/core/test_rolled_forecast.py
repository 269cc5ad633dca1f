"""What a walk costs is foreseen before it begins, and the examples in the docstrings of the walks are true."""

import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import riskapp.core.rolled
from benchmarks import people
from riskapp.core.rolled import merging, summing
from riskapp.core.rolled.forecast import NOTHING, Forecast
from riskapp.core.rolled.warm import KINDS
from riskapp.core.search import full_domain
from riskapp.core.search.plan import planned
from riskapp.core.table.problem import Problem
from riskapp.core.warm import warm


def problems() -> dict[str, Problem]:
    columns, entries = people.case_study(60_000, 90_000)
    return {
        "own": people.own_problem(people.adult_sized(50_000)),
        "other": people.problem(columns, entries, family="multiplicative"),
    }


@pytest.mark.parametrize("name", ["own", "other"])
def test_the_number_of_classes_is_foreseen_within_a_factor_of_two(name: str) -> None:
    plan = planned(problems()[name])
    assert plan is not None
    told = plan.forecast()
    found = plan.run(lambda done, total: None, lambda: False)
    assert told.nodes == plan.nodes
    assert found.classes / 2 <= told.classes <= found.classes * 2
    assert told.seconds > 0
    assert told.bytes > max(walk.table.bytes for walk in plan.walks)


def test_a_small_table_has_no_more_classes_than_records_at_a_node() -> None:
    plan = planned(people.own_problem({"age": (np.array([1, 2, 3], dtype=np.int32), (3, 2))}))
    assert plan is not None
    assert 3 <= plan.forecast().classes <= 3 * 3


def test_two_walks_cost_what_both_cost_and_the_memory_of_the_larger() -> None:
    both = Forecast(2, 30, 1.5, 100) + Forecast(3, 10, 0.5, 700)
    assert both == Forecast(5, 40, 2.0, 700)
    assert both + NOTHING == both


def test_what_is_foreseen_can_refuse_the_work() -> None:
    def refuse(forecast: Forecast) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        full_domain.evaluate(problems()["own"], foreseen=refuse)


def test_every_kernel_is_compiled_ahead() -> None:
    warm()
    merges = [merging.merge_neighbours, merging.merge_blocks, merging.merge_sorted]
    assert all(len(kernel.signatures) >= len(KINDS) for kernel in merges)
    assert len(summing.figures.signatures) >= 2 * len(KINDS)


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(riskapp.core.rolled.__path__)])
def test_every_example_is_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"riskapp.core.rolled.{name}")).failed == 0
