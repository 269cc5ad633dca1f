"""The examples in the docstrings of shaping are true."""

import doctest
import importlib
import pkgutil

import pytest

import riskapp.engine.shaping

MODULES = [f"riskapp.engine.shaping.{found.name}" for found in pkgutil.iter_modules(riskapp.engine.shaping.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_is_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 8
