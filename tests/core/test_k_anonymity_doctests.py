"""The examples in the docstrings of the k-anonymity family are true."""

import doctest
import importlib

import pytest

NAMES = "each_group k_anonymity mondrian parting random_k suppressing unmet".split()


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_there_and_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"riskapp.core.search.{name}"))
    assert results.failed == 0
    assert results.attempted > 0
