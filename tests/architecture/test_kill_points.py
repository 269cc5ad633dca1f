"""The points at which the journeys kill processes: where one is gone, a server with triggers does not work at all."""

import importlib
from functools import reduce

import pytest

from tests.journey.deadly import POINTS


@pytest.mark.parametrize("point", POINTS)
def test_every_point_is_there(point: str) -> None:
    module, _, function = point.partition(":")
    assert callable(reduce(getattr, function.split("."), importlib.import_module(module)))
