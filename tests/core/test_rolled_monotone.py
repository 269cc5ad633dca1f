"""Along generalisation the figures of a whole lattice fall where that is promised, and may rise where it is not."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.evaluation import Evaluation
from riskapp.core.evaluations import Evaluations
from riskapp.core.loss import Loss
from riskapp.core.search.full_domain import evaluate
from riskapp.core.search.plan import planned
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights
from tests.core.rolled_drawing import a_problem

CHANCE = st.randoms(use_true_random=False)


def steps(problem: Problem, every: Sequence[Evaluation]) -> list[tuple[Evaluation, Evaluation]]:
    """Every node with each that is one step coarser."""
    lattice = problem.lattice
    return [
        (every[lattice.number(node)], every[lattice.number(above)])
        for node in lattice
        for above in lattice.generalisations(node)
    ]


def no_more(low: float, high: float) -> bool:
    return high <= low or high - low < 1e-11 * max(1.0, abs(low))


def cautious(chance: Random) -> Problem:
    """Nobody counts as one person, and failing to find somebody does no harm."""
    problem = a_problem(chance)
    return replace(problem, loss=Loss(problem.loss.model, "one"))


@settings(max_examples=50)
@given(CHANCE)
def test_no_risk_rises_when_nobody_counts_as_one_and_failing_does_no_harm(chance: Random) -> None:
    problem = cautious(chance)
    event(f"counted by classes: {planned(problem) is not None}")
    if planned(problem) is None:
        return
    for low, high in steps(problem, evaluate(problem)):
        assert no_more(low.risk, high.risk)
        assert all(no_more(low.risk_by_dictionary[name], risk) for name, risk in high.risk_by_dictionary.items())
        for name, people in high.people.items():
            assert people.uncovered <= low.people[name].uncovered
            assert no_more(low.people[name].largest_chance, people.largest_chance)


@settings(max_examples=50)
@given(CHANCE)
def test_fewer_people_are_found_and_singled_out_when_everybody_is_covered(chance: Random) -> None:
    problem = cautious(chance)
    columns = [weighed.column for weighed in problem.columns]
    places = problem.dictionaries[0].places
    problem = replace(
        problem,
        dictionaries=(Dictionary.itself("self", columns, places), everybody_and_more(problem, places, chance)),
        risk=replace(problem.risk, over_dictionaries="worst", priors={}),
    )
    if planned(problem) is None:
        return
    for low, high in steps(problem, evaluate(problem)):
        assert (high.smallest_group or 0) >= (low.smallest_group or 0) > 0
        for name, people in high.people.items():
            before = low.people[name]
            assert people.uncovered == before.uncovered == 0
            assert people.singled_out <= before.singled_out
            assert no_more(before.expected_found, people.expected_found)
            assert no_more(before.gain, people.gain)


def everybody_and_more(problem: Problem, places: list[int], chance: Random) -> Dictionary:
    """All records, each for some people, so that nobody is uncovered."""
    known = tuple(Known(place, problem.hierarchies[place], 0, problem.column(place).codes.copy()) for place in places)
    return Dictionary("register", known, np.array([chance.randint(1, 3) for _ in range(len(problem))]))


def test_some_problems_that_are_drawn_have_a_way_to_fall() -> None:
    """Otherwise the promises above would hold for want of anything to break them."""
    falls = 0
    for seed in range(20):
        problem = cautious(Random(seed))
        found = evaluate(problem)
        if isinstance(found, Evaluations):
            falls += any(high.risk < low.risk for low, high in steps(problem, found))
    assert falls >= 10


RACE = from_groups("race", {"European": ["White", "Pale"], "Asian": ["Chinese", "Japanese"]})


def one_person(entries: list[int], loss: Loss) -> list[Evaluation]:
    """A White person released at each level, against a register."""
    column = CodedColumn(RACE, np.array([1], np.int32))
    register = Dictionary("register", (Known(0, RACE, 0, np.array(entries, np.int32)),))
    phi = Sensitivity((Weighed(column, Weights.of(RACE, 4.0)),))
    found = evaluate(Problem(phi, (register,), Utility(CodedRecords.of([column])), loss))
    assert isinstance(found, Evaluations)
    return list(found)


def test_with_zero_a_record_that_nobody_fits_may_come_to_fit_somebody() -> None:
    found = one_person([2], Loss(uncovered="zero"))
    assert [one.risk for one in found] == [0.0, 4.0, 0.0]
    assert [one.people["register"].uncovered for one in found] == [1, 0, 0]


def test_where_failing_does_more_harm_than_finding_generalising_may_raise_the_risk() -> None:
    found = one_person([1, 2], Loss(unidentified=9.0))
    assert [one.risk for one in found] == [4.0, (4.0 + 9.0) / 2, 9.0 / 2]
