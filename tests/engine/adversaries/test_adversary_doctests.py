"""The examples in the docstrings about attackers and harm are true."""

import doctest
import importlib
import pkgutil

import pytest

import riskapp.engine.adversaries
import riskapp.engine.harm

MODULES = [
    f"{package.__name__}.{found.name}"
    for package in (riskapp.engine.adversaries, riskapp.engine.harm)
    for found in pkgutil.iter_modules(package.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_is_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 5
