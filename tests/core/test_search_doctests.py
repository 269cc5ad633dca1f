"""The examples in the docstrings of the searches are true."""

import doctest
import importlib

import pytest

NAMES = (
    "aggregate approximate aruba branch_and_bound btda closure crowd exhaustive genetic max_flow methods milp oracle "
    "question record scope steps"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_there_and_true(name: str) -> None:
    module = importlib.import_module(f"riskapp.core.search.{name}")
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
    assert results.attempted > 0
