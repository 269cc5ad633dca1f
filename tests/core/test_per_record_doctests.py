"""The examples in the docstrings of the searches for all records are true."""

import doctest
import importlib

import pytest

NAMES = (
    "all_at_once best_points best_so_far each_record exact_frontier exact_rule hulls kinds looking per_record "
    "per_record_rule record_of"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_there_and_true(name: str) -> None:
    module = importlib.import_module(f"riskapp.core.search.{name}")
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
    assert results.attempted > 0
