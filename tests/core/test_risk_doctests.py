"""The examples in the docstrings of losses, risks and frontiers are true."""

import doctest
import importlib

import pytest

NAMES = ["bad_setting", "digits", "extended", "frontier", "loss", "optimum", "risk"]


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_there_and_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"riskapp.core.{name}"))
    assert results.failed == 0
    assert results.attempted > 0
