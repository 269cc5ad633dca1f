"""The examples in the docstrings about releasing are true."""

import doctest
import importlib
import pkgutil

import pytest

import riskapp.engine.releasing

FOUND = pkgutil.walk_packages(riskapp.engine.releasing.__path__, "riskapp.engine.releasing.")
MODULES = [found.name for found in FOUND]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_is_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 20
