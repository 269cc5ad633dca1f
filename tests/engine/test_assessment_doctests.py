"""The examples in the docstrings of assessments are true."""

import doctest
import importlib
import pkgutil

import pytest

import riskapp.engine.assessment

MODULES = [
    f"riskapp.engine.assessment.{found.name}" for found in pkgutil.iter_modules(riskapp.engine.assessment.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_is_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 5
