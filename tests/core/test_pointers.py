"""People of every record at every node by pointers between classes: those that identification counts node by node."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.errors import Stopped
from riskapp.core.rolled import pointers
from riskapp.core.rolled.pointers import crowds, laid, projections
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.identification import Identification
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from tests.core.rolled_drawing import a_problem

CHANCE = st.integers(0, 10**9).map(Random)


def one(chance: Random) -> tuple[Problem, Dictionary]:
    """A problem with a dictionary that can be rolled up."""
    while True:
        problem = a_problem(chance)
        for dictionary in problem.dictionaries:
            if laid(problem, dictionary) is not None:
                return problem, dictionary


@settings(max_examples=60)
@given(CHANCE, st.integers(1, 3), st.booleans())
def test_people_are_those_that_identification_finds_at_every_node(chance: Random, threads: int, narrow: bool) -> None:
    problem, dictionary = one(chance)
    before = pointers.MOST_BITS
    try:
        pointers.MOST_BITS = 0 if narrow else before
        found = crowds(problem, dictionary, threads=threads)
    finally:
        pointers.MOST_BITS = before
    slow = Identification(dictionary, problem.records.columns)
    assert len(found.people) == projections(problem, dictionary)
    for node in problem.lattice:
        assert np.array_equal(found.at(node), slow.at(node))
    assert sorted(found.order.tolist()) == list(range(len(problem)))
    assert (np.diff(found.own[found.order]) >= 0).all()


@settings(max_examples=20)
@given(CHANCE)
def test_some_records_have_the_people_they_have_among_all(chance: Random) -> None:
    problem, dictionary = one(chance)
    found = crowds(problem, dictionary)
    rows = np.array([chance.randrange(len(problem)) for _ in range(3)])
    for node in problem.lattice:
        assert np.array_equal(found.some(rows).at(node), found.at(node)[rows])


def test_what_is_missing_or_shared_is_left_to_the_general_way() -> None:
    whole = plain({"sex": ["f", "m", "f"]})
    assert laid(whole, whole.dictionaries[0]) is not None
    holes = plain({"sex": ["f", None, "f"]})
    assert laid(holes, holes.dictionaries[0]) is None
    with pytest.raises(ValueError, match="rolled up"):
        crowds(holes, holes.dictionaries[0])
    column = whole.records.columns[0]
    shared = Dictionary.itself("self", [column], [0], people=np.array([0, 1, 1], dtype=np.int32))
    assert laid(whole, shared) is None


def test_counting_stops_when_told() -> None:
    whole = plain({"sex": ["f", "m", "f"]})
    with pytest.raises(Stopped):
        crowds(whole, whole.dictionaries[0], stop=lambda: True)
