"""The examples in docstrings are true, wherever in the product they stand."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(ROOT.glob("riskapp/**/*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]
SEARCHES = (
    "aggregate all_at_once anytime anytime_hulls anytime_keys anytime_looking anytime_steps approximate aruba "
    "best_points best_so_far branch_and_bound btda candidate closure crowd each_group each_record exact_frontier "
    "exact_rule exhaustive genetic hulls k_anonymity kinds looking max_flow methods milp mondrian oracle parts "
    "per_record per_record_rule points question random_k record record_of region_hull region_tree regional "
    "regions scope steps suppressing unmet"
).split()
FIGURES = "bad_setting digits extended frontier loss optimum risk".split()
MORE_THAN = {
    "core.table": 40,
    "engine.adversaries": 5,
    "engine.assessment": 5,
    "engine.releasing": 20,
    "engine.shaping": 8,
}


def examples(name: str) -> doctest.TestResults:
    return doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)


@pytest.mark.parametrize("name", MODULES)
def test_every_example_is_true(name: str) -> None:
    results = examples(name)
    assert results.attempted > 0
    assert results.failed == 0


def test_searches_and_figures_are_explained_by_examples() -> None:
    explained = [f"riskapp.core.search.{name}" for name in SEARCHES] + [f"riskapp.core.{name}" for name in FIGURES]
    assert set(explained) <= set(MODULES)


@pytest.mark.parametrize("package", MORE_THAN)
def test_there_are_examples(package: str) -> None:
    inside = [name for name in MODULES if name.startswith(f"riskapp.{package}.")]
    assert sum(examples(name).attempted for name in inside) > MORE_THAN[package]
