"""All nodes of a lattice at once have the figures that each has by itself, measured from its records."""

import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.errors import Stopped
from riskapp.core.evaluation import Evaluation
from riskapp.core.evaluations import Evaluations
from riskapp.core.loss import Loss
from riskapp.core.measure import Measuring
from riskapp.core.risk import Risk
from riskapp.core.rolled import missing, terms
from riskapp.core.rolled import walk as walking
from riskapp.core.rolled.dictionaries import fewer_than
from riskapp.core.search.full_domain import evaluate, measured
from riskapp.core.search.plan import planned
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_masks import flat, from_masks
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Alike, Dictionary, Known
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.linkage_table import LinkageTable
from riskapp.core.table.people import share_above
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.sensitivity import Pair, PersonTotal, Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.value_list import ValueList
from riskapp.core.table.weights import Weights
from tests.core.rolled_drawing import a_problem, differences

CHANCE = st.randoms(use_true_random=False)


def silent(done: int, total: int) -> None:
    pass


def never() -> bool:
    return False


def one_by_one(problem: Problem) -> list[Evaluation]:
    return measured(Measuring(problem), silent, never)


def assert_same(problem: Problem, found: Evaluations | list[Evaluation]) -> None:
    """Every figure of every node, but for the worst risk, which the fast way does not tell."""
    wanted = one_by_one(problem)
    assert len(found) == len(wanted) == problem.lattice.size
    for node, one, other in zip(problem.lattice, found, wanted, strict=True):
        assert not differences(one, other), node


def assert_rolled_is_measured(chance: Random) -> bool:
    """Whether there was a plan; if so, both ways say the same."""
    problem = a_problem(chance)
    plan = planned(problem, worst_utility=True)
    if plan is not None:
        assert_same(problem, plan.run(silent, never))
    return plan is not None


@settings(max_examples=60)
@given(CHANCE)
def test_the_figures_of_all_nodes_at_once_are_those_of_each(chance: Random) -> None:
    event(f"counted by classes: {assert_rolled_is_measured(chance)}")


def test_most_problems_that_are_drawn_are_counted_by_classes_and_right() -> None:
    assert sum(assert_rolled_is_measured(Random(seed)) for seed in range(80)) > 2 * 80 / 3


@settings(max_examples=25)
@given(CHANCE, st.sampled_from([0, 3]))
def test_the_figures_are_the_same_where_no_scratch_table_fits(chance: Random, bits: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "SCRATCH_BITS", bits)
        assert_rolled_is_measured(chance)


@settings(max_examples=25)
@given(CHANCE)
def test_the_figures_are_the_same_bit_for_bit_however_many_threads_there_are(chance: Random) -> None:
    plan = planned(a_problem(chance), worst_utility=True)
    if plan is not None:
        one = plan.run(silent, never, 1)
        for threads in (2, 3):
            assert list(plan.run(silent, never, threads)) == list(one)


RACE = from_groups("race", {"European": ["White", "Pale"], "Asian": ["Chinese", "Japanese"]})
SEX = flat("sex", [ValueList.of(["f", "m"])])
ILL = flat("ill", [ValueList.of(["flu", "HIV", "acne"])])
RACES, SEXES, ILLS = [1, 1, 3, 4, 3], [1, 2, 1, 1, 2], [1, 2, 2, 3, 1]


def codes(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)


def columns(races: list[int] = RACES) -> list[CodedColumn]:
    given = ((RACE, races), (SEX, SEXES), (ILL, ILLS))
    return [CodedColumn(tree, codes(numbers)) for tree, numbers in given]


def register(level: int = 0) -> Dictionary:
    own = RACE.up(0, level)[codes([1, 2, 3, 3, 4, 4])]
    return Dictionary("register", (Known(0, RACE, level, own), Known(1, SEX, 0, codes([1, 2, 1, 1, 2, 1]))))


def people_are_named(one: Dictionary) -> Dictionary:
    return replace(one, identities=codes([0, 0, 1, 2, 3, 4]))


def alike(one: Dictionary) -> Dictionary:
    some = Alike(np.array([0, 0, 2, 3]), codes([1, 2, 4]))
    return replace(one, known=(replace(one.known[0], codes=codes([1, 2, 0, 1, 2, 2]), alike=some), one.known[1]))


def a_small_problem(races: list[int] = RACES, *, weights: tuple[Weights, ...] | None = None) -> Problem:
    """Two columns that can be generalised and one that is kept and sensitive."""
    own = columns(races)
    given = weights or (Weights.of(RACE, 2.0), Weights.of(SEX), Weights.of(ILL, 1.0, {"HIV": 9.0}))
    weighed = tuple(
        Weighed(column, some, kept=column.hierarchy is ILL) for column, some in zip(own, given, strict=True)
    )
    return Problem(
        Sensitivity(weighed),
        (Dictionary.itself("self", own, [0, 1]), register()),
        Utility(CodedRecords.of(own[:2])),
        sensitive=(Sensitive("ill", codes(ILLS)),),
        limits=Limits(largest_chance=0.5),
    )


def with_phi(problem: Problem, **given: object) -> Problem:
    return replace(problem, sensitivity=replace(problem.sensitivity, **given))


def with_register(problem: Problem, change: Callable[[Dictionary], Dictionary]) -> Problem:
    return replace(problem, dictionaries=(problem.dictionaries[0], change(problem.dictionaries[1])))


def personal(problem: Problem) -> Problem:
    """Every record weighs something else in each column."""
    weighed = tuple(
        replace(one, personal=np.arange(1.0, 6.0) + place) for place, one in enumerate(problem.sensitivity.columns)
    )
    return with_phi(problem, columns=weighed)


def masked(numbers: list[int]) -> Problem:
    """Values of which the short ones, 7 and 8, are all stars long before the top."""
    tree = from_masks("zip", [ValueList.of(["7", "123", "8"])], 3)
    column = CodedColumn(tree, codes(numbers))
    itself = Dictionary.itself("self", [column], [0])
    ill = Sensitive("zip", codes([1 + row % 2 for row in range(len(numbers))]))
    phi = Sensitivity((Weighed(column, Weights.of(tree)),))
    return Problem(phi, (itself,), Utility(CodedRecords.of([column])), sensitive=(ill,))


def codes_of_another_level() -> Problem:
    problem = a_small_problem([1, 2, 1, 2, 2])
    return with_register(problem, lambda one: replace(one, known=(Known(0, RACE, 1, problem.column(0).codes),)))


def linked(problem: Problem) -> Problem:
    return replace(problem, linkage=LinkageTable((Known(0, RACE, 0, codes([1, 3])),), np.array([2.0, 1.0])))


PLAIN = a_small_problem()
PAIR = (Pair("race", "sex", 1.5),)
HOLES = [1, 1, 0, 4, 3]

BY_RECORDS = {
    "people who are named have missing values": with_register(a_small_problem(HOLES), people_are_named),
    "a column is matched by likeness": with_register(PLAIN, alike),
    "there are linkage data": linked(PLAIN),
    "the largest loss counts": replace(PLAIN, risk=Risk("max")),
    "the smallest loss counts": replace(PLAIN, risk=Risk("min")),
    "a total multiplies": with_phi(PLAIN, family="multiplicative", person_total=PersonTotal("scale", 2.0)),
    "a total while failing does harm": replace(
        with_phi(PLAIN, person_total=PersonTotal("cap", 2.0)), loss=Loss(unidentified=0.5)
    ),
    "stars of a value meet stars of a missing one": masked([1, 3, 0, 2, 2, 2]),
    "a pair with missing values multiplies": with_phi(a_small_problem(HOLES), family="multiplicative", pairs=PAIR),
}
BY_CLASSES = {
    "nothing is special": PLAIN,
    "people have several records": replace(PLAIN, people=codes([0, 0, 1, 2, 3])),
    "people of a dictionary are named": with_register(PLAIN, people_are_named),
    "a total adds": with_phi(PLAIN, person_total=PersonTotal("scale", 2.0)),
    "a total does not matter": replace(
        with_phi(PLAIN, family="multiplicative", person_total=PersonTotal("scale", 2.0)), loss=Loss("anonymity")
    ),
    "failing does harm": replace(PLAIN, loss=Loss(unidentified=0.5)),
    "a pair multiplies": with_phi(PLAIN, family="multiplicative", pairs=PAIR),
    "a pair with missing values adds": with_phi(a_small_problem(HOLES), pairs=PAIR),
    "weights are personal": personal(PLAIN),
    "personal weights multiply": with_phi(personal(PLAIN), family="multiplicative"),
    "the smallest utility counts": replace(PLAIN, utility=replace(PLAIN.utility, over_records="min")),
    "a dictionary knows a coarser level": with_register(PLAIN, lambda one: register(1)),
    "a dictionary knows nothing": with_register(PLAIN, lambda one: register(2)),
    "a dictionary has the dataset's codes, but of another level": codes_of_another_level(),
    "stars of values meet each other": masked([1, 3, 2, 2, 2]),
    "missing values have no stars beside them": a_small_problem(HOLES),
    "a dictionary is empty": with_register(
        PLAIN, lambda one: replace(one, known=tuple(replace(known, codes=codes([])) for known in one.known))
    ),
    "entries stand for many": with_register(PLAIN, lambda one: replace(one, times=np.array([0, 1, 2, 3, 2**31, 1]))),
}


@pytest.mark.parametrize("name", BY_RECORDS)
def test_records_are_gone_through_where(name: str) -> None:
    assert planned(BY_RECORDS[name]) is None
    assert_evaluated_one_by_one(BY_RECORDS[name])


def assert_evaluated_one_by_one(problem: Problem) -> None:
    found = evaluate(problem)
    assert not isinstance(found, Evaluations)
    assert list(found) == one_by_one(problem)
    assert all(one.worst_risk is not None for one in found)


@pytest.mark.parametrize("name", BY_CLASSES)
def test_classes_are_counted_where(name: str) -> None:
    found = evaluate(BY_CLASSES[name], worst_utility=True)
    assert isinstance(found, Evaluations)
    assert_same(BY_CLASSES[name], found)


def test_the_worst_risk_is_told_where_it_is_asked_for() -> None:
    assert planned(PLAIN) is not None
    assert planned(PLAIN, worst_risk=True) is None
    found = evaluate(PLAIN, worst_risk=True)
    assert [one.worst_risk for one in found] == [one.worst_risk for one in one_by_one(PLAIN)]


def test_the_worst_utility_is_told_where_it_is_asked_for() -> None:
    assert [one.worst_utility for one in evaluate(PLAIN)] == [None] * PLAIN.lattice.size
    found = evaluate(PLAIN, worst_utility=True)
    assert [one.worst_utility for one in found] == [one.worst_utility for one in one_by_one(PLAIN)]


def wide(kept: int, different: int) -> Problem:
    """So many kept columns of 63 values, 6 bits each, beside one with some different values; all are known."""
    trees = [flat(f"w{place}", [ValueList.of([str(value) for value in range(63)])]) for place in range(kept)]
    wide_columns = [CodedColumn(tree, np.arange(1, 64, dtype=np.int32)) for tree in trees]
    last = CodedColumn(
        flat("last", [ValueList.of(["a", "b", "c", "d"])]), codes([1 + row % different for row in range(63)])
    )
    every = [*wide_columns, last]
    weighed = tuple(Weighed(one, Weights.of(one.hierarchy), kept=one is not last) for one in every)
    itself = Dictionary.itself("self", every, range(len(every)))
    return Problem(Sensitivity(weighed), (itself,), Utility(CodedRecords.of([last])))


def test_records_are_gone_through_where_62_bits_are_not_enough() -> None:
    enough, too_few = wide(kept=10, different=3), wide(kept=10, different=4)
    assert planned(enough) is not None
    assert_same(enough, list(evaluate(enough, worst_utility=True)))
    assert planned(too_few) is None
    assert_evaluated_one_by_one(too_few)


def test_records_are_gone_through_where_a_sensitive_column_takes_too_many_bits() -> None:
    whole = wide(kept=9, different=3)
    enough, too_few = (
        replace(whole, sensitive=(Sensitive("last", codes([largest] + [1] * 62)),)) for largest in (63, 64)
    )
    assert planned(enough) is not None
    assert_same(enough, list(evaluate(enough, worst_utility=True)))
    assert planned(too_few) is None
    assert_evaluated_one_by_one(too_few)


def test_records_are_gone_through_where_too_many_sums_would_be_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    own = personal(PLAIN)
    for problem, needed in ((own, 3), (with_phi(own, family="multiplicative"), 6)):
        monkeypatch.setattr(terms, "MOST_TERMS", needed)
        plan = planned(problem)
        assert plan is not None
        assert_same(problem, list(evaluate(problem, worst_utility=True)))
        monkeypatch.setattr(terms, "MOST_TERMS", needed - 1)
        assert planned(problem) is None
        assert_evaluated_one_by_one(problem)


def test_records_are_gone_through_where_too_many_attributes_have_holes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "MOST_FIELDS", 1)
    assert planned(PLAIN) is not None
    assert planned(a_small_problem(HOLES)) is None
    assert_evaluated_one_by_one(a_small_problem(HOLES))


@pytest.mark.parametrize("family", ["linear", "multiplicative"])
def test_weights_beyond_the_largest_number_are_infinite(family: str) -> None:
    most = (Weights.of(RACE, 1e308), Weights.of(SEX, 1e308), Weights.of(ILL, 1e308))
    problem = with_phi(a_small_problem(weights=most), family=family, pairs=(Pair("race", "sex", 1e308),))
    assert isinstance(evaluate(problem), Evaluations)
    assert_same(problem, list(evaluate(problem, worst_utility=True)))


def test_infinite_weights_hurt_only_where_they_are_disclosed_to_somebody() -> None:
    never_told = (Weights.of(RACE, 1.0, {"Chinese": np.inf}), Weights.of(SEX), Weights.of(ILL))
    problem = a_small_problem(weights=never_told)
    assert_same(problem, list(evaluate(problem, worst_utility=True)))
    risks = [one.risk for one in evaluate(problem)]
    assert [risk == np.inf for risk in risks] == [node[0] < 2 for node in problem.lattice]
    unweighed = replace(problem, risk=Risk(weights=np.array([1.0, 1.0, 0.0, 1.0, 0.0])))
    assert_same(unweighed, list(evaluate(unweighed, worst_utility=True)))
    assert all(one.risk < np.inf for one in evaluate(unweighed))


@pytest.mark.parametrize("problem", [PLAIN, BY_RECORDS["the largest loss counts"]])
def test_progress_grows_to_the_total(problem: Problem) -> None:
    told: list[tuple[int, int]] = []
    evaluate(problem, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert len({total for _, total in told}) == 1
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("problem", [PLAIN, BY_RECORDS["the largest loss counts"]])
def test_stopping_raises_and_leaves_no_thread_behind(problem: Problem) -> None:
    before = threading.active_count()
    told: list[int] = []
    with pytest.raises(Stopped):
        evaluate(problem, progress=lambda done, total: told.append(done), stop=lambda: len(told) >= 2)
    assert threading.active_count() == before
    with pytest.raises(Stopped):
        evaluate(problem, stop=lambda: True)


def test_what_goes_wrong_while_progress_is_told_reaches_the_caller() -> None:
    def broken(done: int, total: int) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        evaluate(PLAIN, progress=broken)


@given(st.floats(0, 1), st.integers(1, 400))
def test_fewer_people_than_the_limit_s_are_those_with_a_chance_above_it(chance: float, people: int) -> None:
    assert (people < fewer_than(chance)) == bool(share_above(np.array([1 / people]), chance))
    exact = 1 / people
    assert people - 1 < fewer_than(exact) <= people


def test_a_chance_below_all_others_leaves_everybody_above_it() -> None:
    assert fewer_than(5e-324) > 1e300
    limits = Limits(share_above=ShareAbove(5e-324, 0.5))
    assert_same(replace(PLAIN, limits=limits), list(evaluate(replace(PLAIN, limits=limits), worst_utility=True)))
