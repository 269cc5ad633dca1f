"""Generalising lowers the risk where that is promised, and may raise it where it is not."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from riskapp.core.loss import Loss
from riskapp.core.measure import Measuring
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights

RACE = from_groups("race", {"European": ["White", "Pale"], "Asian": ["Chinese", "Japanese"]})
SEX = from_groups("sex", {"all": ["f", "m"]})
ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=6)
MODELS = st.sampled_from(["sensitivity", "anonymity", "entropic"])


def problem_of(records: list[tuple[int, int]], entries: list[tuple[int, int]], loss: Loss, fall: str) -> Problem:
    columns = [CodedColumn(tree, codes(records, place)) for place, tree in enumerate((RACE, SEX))]
    register = tuple(Known(place, tree, 0, codes(entries, place)) for place, tree in enumerate((RACE, SEX)))
    weighed = tuple(Weighed(column, Weights.of(column.hierarchy, 2.0, fall=fall)) for column in columns)
    dictionaries = (Dictionary("register", register),)
    return Problem(Sensitivity(weighed), dictionaries, Utility(CodedRecords.of(columns)), loss)


def codes(rows: list[tuple[int, int]], place: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([row[place] for row in rows], dtype=np.int32)


def risks(problem: Problem) -> list[float]:
    """Along a chain from release as is to release nothing."""
    chain = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]
    measuring = Measuring(problem)
    return [measuring.of(Released.at(problem.records, node)).risk for node in chain]


@given(ROWS, ROWS, MODELS, st.sampled_from(["step", "harmonic"]))
def test_risk_never_rises_when_nobody_counts_as_one_and_failing_does_no_harm(
    records: list[tuple[int, int]], entries: list[tuple[int, int]], model: str, fall: str
) -> None:
    found = risks(problem_of(records, entries, Loss(model, "one"), fall))
    assert all(high <= low + 1e-12 for low, high in pairwise(found))


def test_with_zero_a_record_that_nobody_fits_may_come_to_fit_somebody() -> None:
    found = risks(problem_of([(1, 1)], [(2, 1)], Loss("sensitivity", "zero"), "step"))
    assert found[1] == 0 < found[2]


def test_where_failing_does_more_harm_than_finding_generalising_may_raise_the_risk() -> None:
    found = risks(problem_of([(1, 1)], [(1, 1), (2, 1)], Loss(unidentified=9.0), "step"))
    assert found[1] == 4 < found[2] == (4 + 9) / 2
