"""Rules for each record: those that a slow loop finds, by every method, whatever the order, parts and threads."""

import math
from dataclasses import replace
from itertools import product
from math import inf, prod
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.loss import Loss
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question
from riskapp.core.risk import Risk
from riskapp.core.search.all_at_once import best_of_each, splits
from riskapp.core.search.answer import Found, Options, Unmet
from riskapp.core.search.best_so_far import NOT_YET
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.each_record import answers
from riskapp.core.search.kinds import Kinds, looked_at, taken
from riskapp.core.search.methods import METHODS
from riskapp.core.search.per_record import Settings, candidates, check
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record_of import Records
from riskapp.core.search.unmet import NotMet
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.plain_register import Register
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity import PersonTotal
from riskapp.core.watching import Watch
from tests.core.building import drawn, ours
from tests.core.rolled_drawing import a_problem
from tests.core.slow_per_record import Slow

CHANCE = st.integers(0, 10**9).map(Random)
RACE = {"groups": {"European": ["White", "Pale"], "Asian": ["Chinese", "Japanese"]}}
RACES = ["White", "White", "Pale", "Chinese", "Japanese", "Japanese"]
SEXES = ["f", "m", "f", "f", "m", "f"]


def a_question(chance: Random) -> Asked:
    kind = chance.choice(["least_utility", "least_utility", "most_risk", "trade_off", "aggregate"])
    if kind == "aggregate":
        return Aggregate(chance.choice([0.0, 0.3, 2.0]), chance.choice([0, 1, 2]))
    low = chance.choice([-0.5, 0.0, 0.3, 1.0, 2.0, 3.5])
    return Question(kind, low if kind == "least_utility" else abs(low))


def small(**given: object) -> Problem:
    return plain({"race": RACES, "sex": SEXES}, hierarchies={"race": RACE}, **given)  # type: ignore[arg-type]


def found_by(problem: Problem, method: str, question: Asked, **how: object) -> Candidate | NotMet:
    (found,) = candidates(problem, [method], question, Settings(**how))  # type: ignore[arg-type]
    return found


def assert_best(problem: Problem, question: Asked) -> None:
    slow, best = Slow(problem), best_of_each(problem, question)
    for row in range(len(problem)):
        wanted = slow.best(row, question)
        if wanted is None:
            assert best.number[row] == NOT_YET
        else:
            assert tuple(best.levels[row]) == wanted.node, (row, question)
            assert best.risk[row] == pytest.approx(wanted.risk)
            assert best.utility[row] == pytest.approx(wanted.utility)


@settings(max_examples=40)
@given(CHANCE)
def test_the_best_node_of_every_record_is_that_of_a_slow_loop(chance: Random) -> None:
    assert_best(a_problem(chance), a_question(chance))


@pytest.mark.parametrize("seed", range(8))
def test_so_it_is_with_likeness_repeated_people_and_linkage(tmp_path: Path, seed: int) -> None:
    assert_best(ours(drawn(seed, tmp_path)), a_question(Random(seed)))


def assert_same_records(problem: Problem) -> None:
    slow = Slow(problem)
    for row, record in enumerate(Records(problem)):
        table = record.table()
        assert table.risk == pytest.approx(np.array([at.risk for at in slow.table[row]]))
        assert table.utility == pytest.approx(np.array([at.utility for at in slow.table[row]]))
        if problem.limits.largest_chance is not None:
            assert table.chance == pytest.approx(np.array([at.chance for at in slow.table[row]]))


@settings(max_examples=20)
@given(CHANCE)
def test_a_record_by_itself_has_the_figures_it_has_in_the_table(chance: Random) -> None:
    assert_same_records(a_problem(chance))


@pytest.mark.parametrize("seed", range(8))
def test_so_it_has_with_likeness_and_repeated_people(tmp_path: Path, seed: int) -> None:
    assert_same_records(replace(ours(drawn(seed, tmp_path)), linkage=None))


@settings(max_examples=20, deadline=None)
@given(CHANCE)
def test_every_exact_method_in_its_scope_finds_as_good_a_node_for_every_record(chance: Random) -> None:
    problem, question = a_problem(chance), a_question(chance)
    slow = Slow(problem)
    for method in METHODS:
        try:
            found = answers(problem, method, question, Options(generations=3, population=4))
        except BadSetting:
            assert method not in ("exhaustive", "branch-and-bound")
            continue
        for row, answer in enumerate(found):
            wanted = slow.best(row, question)
            if isinstance(answer, Unmet):
                assert wanted is None or not answer.proved
                continue
            assert wanted is not None
            at = slow.table[row][problem.lattice.number(answer.node)]
            # The approximate search promises a share of the utility only.
            assert slow.allowed(at)
            assert method == "approximate" or slow.meets(at, question)
            if answer.exact and method != "approximate":
                event(f"exact: {method}")
                assert slow.objective(at, question) == pytest.approx(slow.objective(wanted, question))


@settings(max_examples=20)
@given(CHANCE, st.integers(1, 4), st.integers(1, 3))
def test_parts_and_threads_change_nothing(chance: Random, at_once: int, threads: int) -> None:
    problem, question = a_problem(chance), a_question(chance)
    one, other = best_of_each(problem, question), best_of_each(problem, question, threads=threads, at_once=at_once)
    for name in ("number", "levels", "objective", "risk", "utility", "chance", "bound"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert all(map(np.array_equal, one.least, other.least))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_what_a_record_gets_does_not_depend_on_its_place(method: str) -> None:
    problem = small()
    question = Aggregate(1, 1) if method == "aggregate" else Question("least_utility", 1)
    order = [5, 3, 0, 1, 4, 2]
    once = answers(problem, method, question, Options(seed=4, generations=5))
    again = answers(taken(problem, np.array(order)), method, question, Options(seed=4, generations=5))
    assert [once[row] for row in order] == again


def test_equal_records_are_one_kind_unless_their_people_weigh_things_differently() -> None:
    problem = small()
    kinds = Kinds.of(problem)
    assert kinds.times.tolist() == [1, 1, 1, 1, 1, 1]
    twice = taken(problem, np.array([0, 1, 0, 0]))
    assert sorted(Kinds.of(twice).times.tolist()) == [1, 3]
    columns = list(twice.columns)
    columns[0] = replace(columns[0], personal=np.array([2.0, 1.0, np.nan, 2.0]))
    own = replace(twice, sensitivity=replace(twice.sensitivity, columns=tuple(columns)))
    assert sorted(Kinds.of(own).times.tolist()) == [1, 1, 2]


@settings(max_examples=20)
@given(CHANCE)
def test_what_each_kind_counts_is_what_its_records_count(chance: Random) -> None:
    problem = a_problem(chance)
    kinds = Kinds.of(problem)
    weights = np.ones(len(problem)) if problem.risk.weights is None else problem.risk.weights
    assert kinds.times.sum() == len(problem)
    for kind in range(len(kinds)):
        assert kinds.shares[kind] == pytest.approx(weights[kinds.kind == kind].sum() / weights.sum())
    codes = np.stack([column.codes for column in problem.records.columns], axis=1)
    assert np.array_equal(kinds.leaves[kinds.kind], codes)


@settings(max_examples=25, deadline=None)
@given(CHANCE)
def test_a_candidate_has_the_figures_of_its_records(chance: Random) -> None:
    problem, question = a_problem(chance), a_question(chance)
    problem = replace(problem, utility=replace(problem.utility, over_records="mean"))
    slow, found = Slow(problem), found_by(problem, "exhaustive", question)
    chosen = [slow.best(row, question) for row in range(len(problem))]
    if isinstance(found, NotMet):
        assert found.records == chosen.count(None) > 0
        return
    nodes = [at for at in chosen if at is not None]
    assert len(nodes) == len(chosen)
    utility, risk = slow.means(nodes)
    assert found.evaluation.utility == pytest.approx(utility)
    if problem.risk.over_dictionaries == "worst":
        risk = slow.risk(nodes)
    assert found.evaluation.risk == pytest.approx(risk)
    assert found.told["visited"] == found.told["kinds"] * problem.lattice.size
    assert all(sum(shares) == pytest.approx(1) for shares in found.told["level_shares"].values())
    applied = [list(problem.chosen(at.node)) for at in nodes]
    most = found.told["most_applied"]
    assert most["share"] == pytest.approx(applied.count(most["node"]) / len(applied))
    assert most["share"] >= max(applied.count(node) for node in applied) / len(applied) - 1e-12


@settings(max_examples=40, deadline=None)
@given(CHANCE, st.sampled_from(["exhaustive", "btda", "aruba", "branch-and-bound"]))
def test_no_rule_is_better_by_more_than_the_gap(chance: Random, method: str) -> None:
    """Over every rule that gives each kind of record a node that meets the question."""
    problem, low = a_problem(chance), chance.choice([0.0, 0.3, 1.0, 2.0])
    question = Question(chance.choice(["least_utility", "least_utility", "trade_off"]), low)
    problem = replace(problem, utility=replace(problem.utility, over_records="mean"), limits=Limits())
    problem = replace(problem, risk=replace(problem.risk, over_records="mean", over_dictionaries="worst"))
    if len(problem.dictionaries) == 1 and len(problem.dictionaries[0].known) > 1:
        less = replace(problem.dictionaries[0], name="less", known=problem.dictionaries[0].known[1:])
        problem = replace(problem, dictionaries=(*problem.dictionaries, less))
    try:
        found, slow, kinds = found_by(problem, method, question), Slow(problem), Kinds.of(problem)
    except BadSetting:
        return
    if not isinstance(found, Candidate):
        return
    first = [kinds.kind.tolist().index(kind) for kind in range(len(kinds))]
    choices = [slow.good(row, question) for row in first]
    assume(prod(map(len, choices)) <= 800)
    price = question.bound if question.kind == "trade_off" else 0.0
    worth = [slow.risk(rule) - price * slow.means(rule)[0] for rule in slow.assignments(kinds.kind.tolist(), choices)]
    own = found.evaluation.risk - price * found.evaluation.utility
    gap = found.number.gap if found.number.how == "heuristic" else 0.0
    event(f"{method}, splits: {splits(problem, question)}, gap above 0: {gap is not None and gap > 0}")
    if gap is not None and own < inf:
        assert min(worth) >= own - gap - 1e-9


def brute_risk(problem: Problem, question: Question) -> float:
    """The least risk of all rules that give every kind a node which will do: over records first, then dictionaries."""
    slow, kinds = Slow(problem), Kinds.of(problem)
    first = [kinds.kind.tolist().index(kind) for kind in range(len(kinds))]
    over = {"max": max, "min": min, "mean": lambda losses: sum(losses) / len(losses)}[problem.risk.over_records]
    risks = []
    for rule in slow.assignments(kinds.kind.tolist(), [slow.good(row, question) for row in first]):
        each = [over([at.losses[one.name] for at in rule]) for one in problem.dictionaries]
        risks.append(max(each) if problem.risk.over_dictionaries == "worst" else sum(each) / len(each))
    return min(risks)


@settings(max_examples=40)
@given(
    CHANCE, st.sampled_from(["mean", "max", "min"]), st.sampled_from(["worst", "bayes"]), st.booleans(), st.booleans()
)
def test_a_rule_called_exact_has_the_least_risk_however_losses_are_put_together(
    chance: Random, records: str, dictionaries: str, several: bool, exhaustive: bool
) -> None:
    table = {"a": [chance.choice("xyz") for _ in range(4)], "b": [chance.choice("pq") for _ in range(4)]}
    known = {"one": ["a"], "two": ["b"]} if several else {"one": ["a", "b"]}
    problem = plain(table, dictionaries=known)
    problem = replace(problem, risk=replace(problem.risk, over_records=records, over_dictionaries=dictionaries))
    question = Question("least_utility", 1)
    found = found_by(problem, "exhaustive" if exhaustive else "branch-and-bound", question)
    assert isinstance(found, Candidate)
    least = brute_risk(problem, question)
    event(f"{found.number.how}, the best: {math.isclose(found.evaluation.risk, least)}")
    if found.number.how == "exact" or found.number.gap is not None:
        assert found.evaluation.risk <= least + (found.number.gap or 0.0) + 1e-9
    assert found.number.how == "exact" or several


def test_a_rule_that_says_less_than_is_asked_for_is_not_called_exact() -> None:
    """Its risk may be the least that is possible with enough utility all the same, so that its gap is 0."""
    table = {"a": ["12", "11", "21", "11", "22", "22"], "b": list("qrqppq")}
    problem = plain(table, hierarchies={"a": {"mask": 2}})
    short = found_by(problem, "approximate", Question("least_utility", 2), options=Options(sigma1=0.5))
    enough = found_by(problem, "approximate", Question("least_utility", 2), options=Options(sigma1=1.0))
    assert isinstance(short, Candidate)
    assert isinstance(enough, Candidate)
    assert problem.utility.each(short.released).min() < 2 <= problem.utility.each(enough.released).min()
    assert (short.number.how, short.number.gap) == ("heuristic", 0.0)
    assert str(short.number) == "heuristic, at most 0 from the best, below what was asked"
    assert not enough.number.short


def test_the_largest_losses_against_two_dictionaries_need_not_be_of_one_record() -> None:
    problem = plain({"a": list("xxxy"), "b": list("pqqp")}, dictionaries={"one": ["a"], "two": ["b"]})
    problem = replace(problem, risk=replace(problem.risk, over_records="max", over_dictionaries="bayes"))
    found = found_by(problem, "exhaustive", Question("least_utility", 1))
    assert isinstance(found, Candidate)
    assert (found.evaluation.risk, brute_risk(problem, Question("least_utility", 1))) == (
        pytest.approx(0.41666666666666663),
        0.375,
    )
    assert str(found.number) == "heuristic, gap unknown"


@pytest.mark.parametrize("bound", [4, 1e17])
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"aggregate"}))
def test_records_that_nothing_will_do_for_are_counted_and_the_nearest_bound_told(method: str, bound: float) -> None:
    found = found_by(small(), method, Question("least_utility", bound))
    assert found == NotMet(f"per-record:{method}", 6, ("least_utility",), 3.0)
    assert isinstance(found_by(small(), method, Question("least_utility", 3)), Candidate)


@pytest.mark.parametrize("method", ["exhaustive", "branch-and-bound"])
def test_the_nearest_risk_that_all_records_can_have_is_told(method: str) -> None:
    problem = small(keep=["sex"])
    found = found_by(problem, method, Question("most_risk", 0.01))
    assert isinstance(found, NotMet)
    assert found.missed == ("most_risk",)
    assert found.nearest is not None
    assert isinstance(found_by(problem, method, Question("most_risk", found.nearest)), Candidate)
    assert isinstance(found_by(problem, method, Question("most_risk", found.nearest * 0.999)), NotMet)


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"aggregate"}))
def test_a_limit_on_the_chance_that_nobody_can_keep_is_named(method: str) -> None:
    found = found_by(small(limits=Limits(largest_chance=0.1)), method, Question("least_utility", 1))
    assert found == NotMet(
        f"per-record:{method}", 6, ("largest_chance",), 1 / 6, proved=method not in ("genetic", "approximate")
    )
    tried, met = ("cannot be", "can meet") if found.proved else ("was not", "have met")
    told = f"largest_chance {tried} met by 6 records; the nearest bound that all {met} is 0.1666"
    assert str(found).startswith(told)
    within = found_by(small(limits=Limits(largest_chance=1 / 6)), method, Question("least_utility", 0))
    assert isinstance(within, Candidate)
    assert within.evaluation.people["self"].largest_chance == pytest.approx(1 / 6)


@pytest.mark.parametrize("method", ["exhaustive", "branch-and-bound"])
def test_a_risk_that_is_infinite_at_every_node_is_no_fault_of_a_limit(method: str) -> None:
    never = small(keep=["sex"], weights={"sex": math.inf}, limits=Limits(largest_chance=1))
    found = found_by(never, method, Question("most_risk", 1))
    assert found == NotMet(f"per-record:{method}", 6, ("most_risk",), math.inf)


@settings(max_examples=30, deadline=None)
@given(CHANCE)
def test_what_every_record_could_meet_is_told_alike_by_every_method_that_is_sure(chance: Random) -> None:
    problem, question = a_problem(chance), a_question(chance)
    told = {}
    for method in ("exhaustive", "btda", "aruba", "branch-and-bound", "milp"):
        try:
            told[method] = found_by(problem, method, question)
        except BadSetting:
            continue
    if not isinstance(told["exhaustive"], NotMet):
        return
    for method, found in told.items():
        event(f"{method}, {told['exhaustive'].missed}")
        assert isinstance(found, NotMet)
        assert replace(found, nearest=None) == replace(told["exhaustive"], id=found.id, nearest=None)
        assert found.nearest == pytest.approx(told["exhaustive"].nearest)


def test_against_the_worst_of_several_dictionaries_every_exact_method_tells_the_same_gap() -> None:
    itself = small().dictionaries[0]
    known = [replace(itself, name=one, known=(itself.known[place],)) for place, one in enumerate("ab")]
    problem, found = replace(small(), dictionaries=tuple(known)), {}
    for method in ("exhaustive", "btda", "aruba", "branch-and-bound"):
        found[method] = found_by(problem, method, Question("least_utility", 1))
    gaps = {method: one.number.gap for method, one in found.items() if isinstance(one, Candidate)}
    assert gaps["exhaustive"]
    assert gaps == dict.fromkeys(found, pytest.approx(gaps["exhaustive"]))


def test_limits_that_couple_records_are_said_to_be_verified_only() -> None:
    limits = Limits(smallest_group=5, share_above=ShareAbove(0.5, 0.1))
    found = found_by(small(limits=limits), "exhaustive", Question("least_utility", 2))
    assert isinstance(found, Candidate)
    assert found.told["limits_only_verified"] == ["smallest_group", "share_above"]
    assert "smallest_group" in found.evaluation.broken


@pytest.mark.parametrize("seed", range(8))
def test_what_is_told_of_rules_within_coupled_limits_bounds_every_one_of_them(seed: int) -> None:
    chance = Random(seed)
    table = {name: [chance.choice("abc") for _ in range(4)] for name in ("one", "two")}
    problem, question = plain(table, limits=Limits(smallest_group=2)), Question("least_utility", 1)
    found = found_by(problem, "exhaustive", question)
    assert isinstance(found, Candidate)
    if not found.evaluation.broken:
        assert "at_best_within_limits" not in found.told
        return
    measuring, nodes = Measuring(problem), [problem.lattice.node(place) for place in range(problem.lattice.size)]
    enough = [node for node in nodes if problem.utility.at(problem.chosen(node)) >= 1]
    every = (measuring.of(Released.each(problem.records, np.array(rule))) for rule in product(enough, repeat=4))
    keeping = [one.risk for one in every if not one.broken]
    assert found.told["at_best_within_limits"]["least_risk"] <= min(keeping, default=np.inf) + 1e-12


def test_the_seconds_are_shared_among_the_records() -> None:
    found = found_by(small(), "milp", Question("least_utility", 1), options=Options(seconds=60))
    exact = found_by(small(), "exhaustive", Question("least_utility", 1))
    assert isinstance(found, Candidate)
    assert isinstance(exact, Candidate)
    assert str(found.number) == "exact"
    assert found.evaluation.risk == pytest.approx(exact.evaluation.risk)


@pytest.mark.parametrize("over", ["register", "bayes"])
@pytest.mark.parametrize("method", ["exhaustive", "branch-and-bound"])
def test_a_limit_that_excludes_nothing_changes_no_aggregate(method: str, over: str) -> None:
    """Somebody who is nobody in the register is released as is, whoever he is in a list that is not in the risk."""
    held = {"register": {"race": ["White"]}, "list": Register({"race": RACES}, prior=0)}
    risk = Risk(over_dictionaries=over)
    found = [
        found_by(
            small(dictionaries=held, loss=Loss(uncovered="zero"), risk=risk, limits=Limits(largest_chance=limit)),
            method,
            Aggregate(1, 1),
        )
        for limit in (None, 1.0)
    ]
    without, within = (one for one in found if isinstance(one, Candidate))
    assert without.evaluation.utility == 3
    assert np.array_equal(within.released.levels, without.released.levels)


@pytest.mark.parametrize("over", ["list", "worst", "bayes"])
@pytest.mark.parametrize("method", ["btda", "aruba", "branch-and-bound", "genetic"])
def test_a_dictionary_whose_prior_is_0_counts_where_priors_do_not(method: str, over: str) -> None:
    held = {"register": {"race": RACES}, "list": Register({"sex": SEXES}, prior=0)}
    problem = small(dictionaries=held, risk=Risk(over_dictionaries=over))
    every, found = (found_by(problem, name, Question("least_utility", 1)) for name in ("exhaustive", method))
    assert isinstance(every, Candidate)
    assert isinstance(found, Candidate)
    assert found.evaluation.risk == pytest.approx(every.evaluation.risk)


def test_who_is_nobody_to_a_dictionary_that_limits_chances_is_found_out_before_anything_is_searched() -> None:
    """Such a person's chance rises under generalisation, though the risk does not."""
    held = {"register": {"race": RACES}, "list": {"race": ["White"]}}
    risk = Risk(over_dictionaries="register")
    problem = small(dictionaries=held, loss=Loss(uncovered="zero"), risk=risk)
    check(problem, "btda", Question("least_utility", 1))
    with pytest.raises(BadSetting, match=r"^search\.methods: btda needs a risk that never rises"):
        check(replace(problem, limits=Limits(largest_chance=1.0)), "btda", Question("least_utility", 1))


def test_a_method_that_does_not_exist_or_does_not_fit_is_refused_by_its_key() -> None:
    with pytest.raises(BadSetting, match=r"^search\.methods"):
        list(candidates(small(), ["exhaustive", "guess"], Question("least_utility", 1)))
    with pytest.raises(BadSetting, match=r"^sensitivity\.family"):
        found_by(small(family="multiplicative"), "milp", Question("least_utility", 1))
    with pytest.raises(BadSetting, match=r"^search\.methods"):
        found_by(small(), "btda", Aggregate(1, 1))


@pytest.mark.parametrize("weight", [1e308, 5e-324])
@pytest.mark.parametrize("method", ["milp", "approximate"])
def test_numbers_beyond_all_counting_are_refused_by_their_key(method: str, weight: float) -> None:
    with pytest.raises(BadSetting, match=rf"^attributes\.sex: The search {method} needs weights from 1e-100"):
        check(small(weights={"sex": weight}), method, Question("least_utility", 1))
    check(small(weights={"sex": weight}, loss=Loss("anonymity")), method, Question("least_utility", 1))
    with pytest.raises(BadSetting, match=rf"^attributes: The search {method} needs weights from 1e-100"):
        found_by(small(weights={"sex": weight}), method, Question("least_utility", 1))
    for refusing in (check, lambda problem, name, question: list(candidates(problem, [name], question))):
        with pytest.raises(BadSetting, match=r"^search\.aggregate\.kappa: Utility to this power is too large"):
            refusing(small(), "exhaustive", Aggregate(1, 1e4))


@pytest.mark.parametrize("most", [1e300, 1e-300])
@pytest.mark.parametrize("method", ["milp", "approximate"])
def test_weights_that_a_total_brings_beyond_all_counting_are_refused_by_its_key(method: str, most: float) -> None:
    whole = small()
    problem = replace(whole, sensitivity=replace(whole.sensitivity, person_total=PersonTotal("scale", most)))
    with pytest.raises(BadSetting, match=rf"^sensitivity\.person_total: The search {method} needs weights from 1e-100"):
        check(problem, method, Question("least_utility", 1))
    with pytest.raises(BadSetting, match=rf"^attributes: The search {method} needs weights from 1e-100"):
        found_by(problem, method, Question("least_utility", 1))


@pytest.mark.parametrize("method", ["exhaustive", "btda"])
def test_a_search_says_how_far_it_is_and_stops_when_told(method: str) -> None:
    told: list[tuple[int, int]] = []
    watch = Watch(lambda done, total: told.append((done, total)))
    found_by(small(), method, Question("least_utility", 1), watch=watch)
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] > 0
    assert told == sorted(told)
    with pytest.raises(Stopped):
        found_by(small(), method, Question("least_utility", 1), watch=Watch(stop=lambda: True))


def test_rows_that_are_not_in_the_table_are_looked_at_with_the_attributes_own_weights() -> None:
    problem = small()
    columns = (replace(problem.columns[0], personal=np.full(6, 9.0)), problem.columns[1])
    own = replace(problem, sensitivity=replace(problem.sensitivity, columns=columns))
    rows = looked_at(own, np.array([[1, 1], [4, 2]], dtype=np.int32))
    assert rows.sensitivity.at((0, 0)).tolist() == [2.0, 2.0]
    assert [isinstance(answer, Found) for answer in answers(rows, "exhaustive", Question("trade_off", 1), Options())]
