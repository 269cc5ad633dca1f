"""The anytime search proves the optimum of lattices that can be enumerated, and never bounds it wrongly on the way."""

import doctest
import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf, isclose, isinf
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.evaluation import Evaluation
from riskapp.core.loss import Loss
from riskapp.core.optimum import Best, Infeasible, Question, Rules, optimum
from riskapp.core.search import anytime_bounds, anytime_proof
from riskapp.core.search.anytime import Found, NoneFound, listed, search
from riskapp.core.search.anytime_archive import Archive, Seen
from riskapp.core.search.anytime_beside import Beside, neighbours
from riskapp.core.search.anytime_bounds import Bounds, not_monotone
from riskapp.core.search.anytime_boxes import Boxes
from riskapp.core.search.anytime_hulls import hull, relaxed
from riskapp.core.search.anytime_keys import Layout
from riskapp.core.search.anytime_looking import Looking, objective
from riskapp.core.search.anytime_moves import Moves
from riskapp.core.search.anytime_packing import rows_of
from riskapp.core.search.anytime_proof import Proof
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.full_domain import evaluate
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.lattice import Node
from riskapp.core.table.limits import Limits
from riskapp.core.table.plain_problem import problem
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility
from riskapp.core.table.weights import Weights
from tests.core.rolled_drawing import a_hierarchy, a_problem, differences

CHANCE = st.randoms(use_true_random=False)
LONG = 600.0
WORK = (0, 20_000, 10_000_000)
"""Attributes are bounded one by one, in groups, or all together."""
QUESTIONS = [("least_utility", 5), ("most_risk", 0.1), ("trade_off", 0.05)]


@contextmanager
def groups_of(work: int) -> Iterator[None]:
    """As if there were time for so much work in groups of attributes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anytime_bounds, "MOST_WORK", work)
        yield


def same(one: float, other: float) -> bool:
    return one == other or isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def drawn(chance: Random) -> Problem:
    """Anything, with the mean utility; most of the time in the scope in which bounds are promised."""
    problem = a_problem(chance)
    utility = Utility(problem.utility.records, problem.utility.measure, "mean", problem.utility.weights)
    loss = problem.loss if chance.randrange(4) == 0 else Loss(problem.loss.model)
    return replace(problem, utility=utility, loss=loss)


def wider(chance: Random) -> Problem:
    """Up to 256 nodes over some dozens of records."""
    many, heights = chance.choice([8, 30, 60]), chance.choice([(1, 2, 2, 3), (2, 2, 2, 1, 2), (3, 3, 2, 2), (1,) * 8])
    trees = [a_hierarchy(chance, f"a{place}", height) for place, height in enumerate(heights)]
    columns = [CodedColumn(tree, codes(chance, tree, many)) for tree in trees]
    falls = [chance.choice(["step", "harmonic"]) for _ in columns]
    weights = [Weights.of(tree, chance.choice([0.5, 1, 3]), fall=fall) for tree, fall in zip(trees, falls, strict=True)]
    weighed = tuple(Weighed(column, own) for column, own in zip(columns, weights, strict=True))
    held = [Dictionary.itself("self", columns, range(len(columns)))]
    if chance.randrange(2):
        known = tuple(Known(place, tree, 0, codes(chance, tree, 40)) for place, tree in enumerate(trees[:3]))
        held.append(Dictionary("register", known))
    return Problem(Sensitivity(weighed), tuple(held), Utility(CodedRecords.of(columns)))


def codes(chance: Random, tree: Hierarchy, many: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([chance.randint(min(1, tree.groups[0]), tree.groups[0]) for _ in range(many)], dtype=np.int32)


def a_question(chance: Random, every: Sequence[Evaluation]) -> Question:
    """A bound that some node reaches, or none, or one in between."""
    some, other = chance.choice(every), chance.choice(every)
    kind = chance.choice(["least_utility", "most_risk", "trade_off"])
    if kind == "trade_off":
        return Question(kind, chance.choice([0.0, 0.05, 0.3, 1.0, 4.0]))
    if kind == "most_risk":
        return Question(kind, max(0.0, chance.choice([some.risk, some.risk * 0.9, inf])))
    return Question(kind, chance.choice([some.utility, (some.utility + other.utility) / 2, every[0].utility + 1]))


def the_best(
    problem: Problem, question: Question, every: Sequence[Evaluation], nodes: Iterable[Node] | None = None
) -> tuple[Best | Infeasible, float]:
    """Of all nodes, or of these, and what the question makes small there."""
    rules = Rules(
        [".".join(map(str, problem.chosen(node))) for node in nodes or problem.lattice],
        np.array([found.risk_that_counts for found in every]),
        np.array([found.utility for found in every]),
        broken=[found.broken for found in every],
    )
    best = optimum(rules, question)
    place = best.place if isinstance(best, Best) else best.nearest
    return best, objective(question, every[place].risk_that_counts, every[place].utility)


def assert_the_best(problem: Problem, question: Question, every: Sequence[Evaluation], work: int) -> None:
    best, value = the_best(problem, question, every)
    with groups_of(work):
        found = search(problem, question, seconds=LONG)
    event(f"{question.kind}, {type(best).__name__}")
    if isinstance(best, Infeasible):
        assert isinstance(found, NoneFound)
        assert found.proved
        assert_nearest(problem, question, every[best.nearest], best, found)
        return
    assert isinstance(found, Candidate)
    assert str(found.number) == "exact"
    assert found.evaluation.broken == ()
    assert same(objective(question, found.evaluation.risk_that_counts, found.evaluation.utility), value)


def assert_nearest(
    problem: Problem, question: Question, wanted: Evaluation, best: Infeasible, found: NoneFound
) -> None:
    """The same bound is missed by as much; where limits cannot be kept, some of them are named."""
    assert bool(found.nearest.evaluation.broken) == bool(wanted.broken)
    if not wanted.broken:
        assert found.missed == best.missed
        figure = "utility" if question.kind == "least_utility" else "risk"
        assert same(getattr(found.nearest.evaluation, figure), getattr(wanted, figure))


@settings(max_examples=25)
@given(CHANCE, st.sampled_from(WORK))
def test_with_time_enough_it_proves_what_looking_at_every_node_finds(chance: Random, work: int) -> None:
    problem = drawn(chance)
    every = evaluate(problem)
    event(f"bounded: {not_monotone(problem, rows_of(problem)) is None}")
    assert_the_best(problem, a_question(chance, every), every, work)


@settings(max_examples=20)
@given(CHANCE, st.sampled_from(WORK))
def test_the_same_over_some_hundred_nodes(chance: Random, work: int) -> None:
    problem = wider(chance)
    every = evaluate(problem)
    assert_the_best(problem, a_question(chance, every), every, work)


@settings(max_examples=20)
@given(CHANCE)
def test_one_node_counted_by_covered_bits_has_the_risk_and_breaks_the_limits_that_are_measured(chance: Random) -> None:
    problem = drawn(chance)
    limits = problem.limits
    problem = replace(problem, limits=Limits(limits.largest_chance, limits.smallest_group, limits.share_above))
    rows = rows_of(problem)
    event(f"by rows: {rows is not None}")
    if rows is None:
        return
    middle = tuple(chance.randint(0, height) for height in problem.lattice.heights)
    rolled = rows.rolled(middle)
    for node, wanted in zip(problem.lattice, evaluate(problem), strict=True):
        found = rows.at(node)
        assert same(found.risk, wanted.risk)
        assert all(map(same, found.risks, wanted.risk_by_dictionary.values()))
        assert found.broken == wanted.broken
        if all(low <= level for low, level in zip(middle, node, strict=True)):
            assert same(rolled.at(node).risk, wanted.risk)


@settings(max_examples=25)
@given(CHANCE, st.sampled_from(WORK))
def test_wherever_it_is_interrupted_the_bound_is_not_above_the_optimum(chance: Random, work: int) -> None:
    problem = chance.choice([drawn, wider])(chance)
    every = evaluate(problem)
    question = a_question(chance, every)
    best, value = the_best(problem, question, every)
    rows = rows_of(problem)
    looking = Looking(problem, rows, question)
    with groups_of(work):
        boxes = Boxes(looking, Bounds(problem, rows, question, not_monotone(problem, rows) is None))
        for _ in zip(boxes.run(), Moves(looking, 0).run(), strict=False):
            assert not boxes.done
            assert isinstance(best, Infeasible) or boxes.bound <= value or same(boxes.bound, value)
            assert looking.best is None or looking.best.objective >= value or same(looking.best.objective, value)
    assert boxes.done
    assert isinstance(best, Infeasible) == (looking.best is None)
    event(f"all nodes were looked at: {looking.spent == problem.lattice.size}")


def a_proof(problem: Problem, question: Question) -> Proof | None:
    rows = rows_of(problem)
    bounds = Bounds(problem, rows, question, not_monotone(problem, rows) is None)
    return Proof.of(Looking(problem, rows, question), bounds)


@settings(max_examples=120)
@given(CHANCE, st.sampled_from([1, 500]))
def test_wherever_a_proof_is_interrupted_its_bound_holds_and_at_its_end_the_best_is_known(
    chance: Random, at_once: int
) -> None:
    problem = chance.choice([drawn, wider, wider])(chance)
    problem = replace(problem, loss=Loss(chance.choice(["sensitivity", "anonymity"])))
    every = evaluate(problem)
    question = a_question(chance, every)
    proof = a_proof(problem, question)
    event(f"{question.kind}, proof: {proof is not None}")
    if proof is None:
        return
    best, value = the_best(problem, question, every)
    event(
        f"{type(best).__name__}, classes alike: {proof.over.ground.each > 0}, dictionaries: {len(problem.dictionaries)}"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anytime_proof, "AT_ONCE", at_once)
        for number, _ in enumerate(proof.run()):
            if isinstance(best, Infeasible):
                assert proof.looking.best is None
                assert not proof.done
                if number > 200:
                    return
            else:
                assert proof.bound <= value or same(proof.bound, value)
    if isinstance(best, Infeasible):
        assert not proof.done
        return
    assert proof.done
    assert proof.looking.best is not None
    assert same(proof.looking.best.objective, value)
    assert same(proof.bound, value)


@pytest.mark.parametrize(("kind", "bound"), QUESTIONS)
def test_without_room_for_its_table_a_proof_still_holds(kind: str, bound: float) -> None:
    problem, question = many_attributes(4, 200), Question(kind, bound)
    every = evaluate(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anytime_proof, "ROOM", 8)
        proof = a_proof(problem, question)
        assert proof is not None
        assert all(step is None for step in proof.run())
    assert same(proof.bound, the_best(problem, question, every)[1])


def test_a_proof_comes_to_the_node_that_says_nothing_where_no_other_will_do() -> None:
    proof = a_proof(many_attributes(3, 50), Question("most_risk", 0))
    assert proof is not None
    assert all(step is None for step in proof.run())
    assert proof.done
    assert proof.looking.best is not None
    assert proof.looking.best.node == proof.looking.problem.lattice.top


@pytest.mark.parametrize(("kind", "bound"), QUESTIONS)
def test_what_nobody_can_enumerate_is_proved_where_nodes_fall_out_early(kind: str, bound: float) -> None:
    problem = many_attributes(13, 60)
    assert problem.lattice.size > 60_000_000
    found = search(problem, Question(kind, bound), seconds=LONG)
    assert isinstance(found, Candidate)
    assert str(found.number) == "exact"


@settings(max_examples=15)
@given(CHANCE, st.sampled_from(WORK))
def test_no_node_of_a_box_is_better_than_the_bound_of_the_box(chance: Random, work: int) -> None:
    problem = chance.choice([drawn, wider])(chance)
    every = evaluate(problem)
    question, rows, lattice = a_question(chance, every), rows_of(problem), problem.lattice
    looking = Looking(problem, rows, question)
    with groups_of(work):
        bounds = Bounds(problem, rows, question, not_monotone(problem, rows) is None)
        assert all(step is None for step in bounds.learn())
    for _ in range(12):
        pairs = [sorted(chance.choices(range(height + 1), k=2)) for height in lattice.heights]
        low, high = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
        found = bounds.of(low, high, looking.at(high).figures, bounds.added(high))
        inside = [node for node in lattice if all(x <= y <= z for x, y, z in zip(low, node, high, strict=True))]
        seen = [one for one in map(looking.at, inside) if one.key[1] == 0]
        event(f"{question.kind}, bounded: {bounds.monotone}, adds up: {bounds.adds}, some will do: {bool(seen)}")
        least = min((one.objective for one in seen), default=inf)
        assert not seen or found is not None
        assert found is None or found[0] <= least or same(found[0], least)


@settings(max_examples=6)
@given(CHANCE)
def test_an_answer_after_few_nodes_will_do_and_is_not_farther_from_the_optimum_than_it_says(chance: Random) -> None:
    problem = wider(chance)
    every = evaluate(problem)
    question = a_question(chance, every)
    best, value = the_best(problem, question, every)
    for most in (1, 2, 3, 5, 8, 13, 40):
        with groups_of(0):
            found = search(problem, question, seconds=LONG, most=most)
        if isinstance(found, NoneFound):
            assert isinstance(best, Infeasible) or not found.proved
            continue
        reached = objective(question, found.evaluation.risk, found.evaluation.utility)
        assert reached >= value or same(reached, value)
        if found.number.how == "exact":
            assert same(reached, value)
        elif found.number.gap is not None:
            assert reached - found.number.gap <= value or same(reached - found.number.gap, value)
            assert same(reached - found.number.gap, found.told["bound"]) or isinf(reached)


def recorded(problem: Problem, question: Question, **asked: Any) -> tuple[Found, list[Seen], Archive]:
    """What is listed, every node that was looked at on the way, and the archive."""
    visited, archives = list[Seen](), list[Archive]()
    add = Archive.add

    def adding(self: Archive, seen: Seen) -> None:
        visited.append(seen)
        archives.append(self)
        add(self, seen)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Archive, "add", adding)
        found = listed(problem, question, seconds=LONG, **asked)
    assert all(one is archives[0] for one in archives)
    return found, visited, archives[0]


def beaten_by_none(visited: Sequence[Seen]) -> set[tuple[float, float]]:
    """Of these nodes the risks and utilities that no other beats, by comparing each with each."""
    points = {(seen.key[3], -seen.key[4]) for seen in visited}
    return {
        (risk, utility)
        for risk, utility in points
        if not any(one <= risk and other >= utility and (one, other) != (risk, utility) for one, other in points)
    }


@settings(max_examples=25)
@given(CHANCE, st.sampled_from([None, 1, 7, 30]))
def test_the_archive_holds_the_nodes_looked_at_that_no_other_beats(chance: Random, most: int | None) -> None:
    problem = chance.choice([drawn, wider])(chance)
    question = a_question(chance, evaluate(problem))
    _, visited, archive = recorded(problem, question, most=most)
    event(f"{question.kind}, limits: {not problem.limits.none}, {most}")
    for front, nodes in ((archive.every, visited), (archive.within, [seen for seen in visited if seen.keeps_limits])):
        points = beaten_by_none(nodes)
        assert [*zip(front.risks, front.utilities, strict=True)] == sorted(points)
        for seen, risk, utility in zip(front.held, front.risks, front.utilities, strict=True):
            alike = [one.key[-1] for one in nodes if (one.key[3], -one.key[4]) == (risk, utility)]
            assert seen.key[-1] == min(alike)


@settings(max_examples=40)
@given(CHANCE, st.sampled_from([None, 3, 20]))
def test_what_stands_beside_the_answer_is_measured_in_full_never_beats_it_and_claims_no_more_than_is_so(
    chance: Random, most: int | None
) -> None:
    problem = chance.choice([drawn, wider])(chance)
    every = dict(zip(problem.lattice, evaluate(problem, worst_risk=True, worst_utility=True), strict=True))
    question = a_question(chance, [*every.values()])
    also = [problem.lattice.node(chance.randrange(problem.lattice.size))]
    found = listed(problem, question, seconds=LONG, most=most, also=also)
    answer = found.answer.nearest if isinstance(found.answer, NoneFound) else found.answer
    assert answer.node is not None
    shown = [answer.node, *(one.node for one in found.beside)]
    assert len(set(shown)) == len(shown)
    assert {*also, *neighbours(problem.lattice, answer.node, problem.generalised)} <= {*shown}
    best, _ = the_best(problem, question, [every[node] for node in shown], shown)
    event(f"{question.kind}, {type(found.answer).__name__}, {most}")
    assert isinstance(best, Best) == isinstance(found.answer, Candidate)
    if isinstance(best, Best):
        own = [
            objective(question, one.risk_that_counts, one.utility)
            for one in (every[shown[best.place]], every[shown[0]])
        ]
        assert same(*own)
    for one in found.beside:
        assert differences(every[one.node], one.evaluation) == []
        assert_nothing_risks_less(one, every)


def assert_nothing_risks_less(one: Beside, every: Mapping[Node, Evaluation]) -> None:
    """Of the nodes that say as much, and keep the limits if this one does, by more than the gap."""
    own = one.evaluation
    others = [
        other.risk_that_counts
        for other in every.values()
        if other.utility >= own.utility - 1e-9 and (own.broken or not other.broken)
    ]
    event(f"tag: {one.number.how}, gap known: {one.number.gap is not None}")
    if str(one.number) != "heuristic, gap unknown":
        assert min(others) >= own.risk_that_counts - (one.number.gap or 0.0) - 1e-9


def many_attributes(attributes: int, records: int = 2_000) -> Problem:
    draw = np.random.default_rng(5)
    labels = [[f"{code}" for code in range(8)], [f"{code}-" for code in range(4)], ["0--", "1--"], ["*"]]
    parents = [[code // 2 + 1 for code in range(8)], [1, 1, 2, 2], [1, 1]]
    counts = [[1] * 8, [2] * 4, [4] * 2, [8]]
    trees = [
        Hierarchy.of(f"a{place}", labels=labels, parents=parents, leaf_counts=counts) for place in range(attributes)
    ]
    values = [draw.integers(0, 8, records) // draw.integers(1, 4, records) + 1 for _ in trees]
    columns = [CodedColumn(tree, own.astype(np.int32)) for tree, own in zip(trees, values, strict=True)]
    weighed = tuple(Weighed(column, Weights.of(column.hierarchy)) for column in columns)
    held = (Dictionary.itself("self", columns, range(attributes)),)
    return Problem(Sensitivity(weighed), held, Utility(CodedRecords.of(columns)))


@pytest.mark.parametrize("attributes", [16, 24])
def test_a_lattice_nobody_can_enumerate_gets_a_rule_that_will_do_and_a_gap(attributes: int) -> None:
    problem = many_attributes(attributes)
    enough = 1.5 * attributes
    found = search(problem, Question("least_utility", enough), seconds=LONG, most=700)
    assert isinstance(found, Candidate)
    assert found.evaluation.utility >= enough
    assert found.number.gap is not None
    assert 0 < found.told["bound"] <= found.evaluation.risk
    assert same(found.number.gap, found.evaluation.risk - found.told["bound"])
    assert found.id == "full-domain:" + ".".join(map(str, found.node or ()))


def test_a_limit_is_kept_where_nobody_can_enumerate() -> None:
    problem = replace(many_attributes(16), limits=Limits(largest_chance=0.1))
    found = search(problem, Question("most_risk", 1.0), seconds=LONG, most=400)
    assert isinstance(found, Candidate)
    assert found.evaluation.people["self"].largest_chance <= 0.1
    assert found.evaluation.utility > 0


def test_so_many_nodes_give_the_same_answer_again_and_a_seed_another_way_to_it() -> None:
    problem, question = many_attributes(16), Question("least_utility", 24)
    first, again = (search(problem, question, seconds=LONG, most=300, seed=3) for _ in range(2))
    assert isinstance(first, Candidate)
    assert isinstance(again, Candidate)
    assert (first.id, first.told) == (again.id, again.told)


def test_where_the_risk_may_rise_the_gap_is_unknown_and_the_reason_is_told() -> None:
    problem = replace(many_attributes(6), loss=Loss(unidentified=9.0))
    found = search(problem, Question("least_utility", 9), seconds=LONG, most=50)
    assert isinstance(found, Candidate)
    assert str(found.number) == "heuristic, gap unknown"
    assert "sensitivity.unidentified" in found.told["no_bound"]


def test_a_question_that_cannot_be_met_tells_the_nearest_rule_within_the_limits() -> None:
    problem = replace(many_attributes(4), limits=Limits(smallest_group=5))
    found = search(problem, Question("least_utility", 100))
    assert isinstance(found, NoneFound)
    assert found.proved
    assert found.missed == ("least_utility",)
    best = search(problem, Question("most_risk", inf))
    assert isinstance(best, Candidate)
    assert found.nearest.evaluation.utility == best.evaluation.utility
    assert (found.nearest.evaluation.smallest_group or 0) >= 5


def test_a_limit_that_cannot_be_kept_is_named() -> None:
    problem = replace(many_attributes(4), limits=Limits(smallest_group=5_000))
    found = search(problem, Question("trade_off", 1))
    assert isinstance(found, NoneFound)
    assert found.proved
    assert found.missed == ("smallest_group",)


def test_it_tells_how_far_it_is_and_every_better_rule_and_stops_when_told() -> None:
    told: list[tuple[int, int]] = []
    risks: list[float] = []
    search(
        many_attributes(16),
        Question("least_utility", 24),
        seconds=LONG,
        most=300,
        progress=lambda done, total: told.append((done, total)),
        better=lambda risk, utility: risks.append(risk),
    )
    assert told == sorted(told)
    assert told[-1] == (1000, 1000)
    assert risks == sorted(risks, reverse=True)
    with pytest.raises(Stopped):
        search(many_attributes(4), Question("trade_off", 1), stop=lambda: len(told) > 0)


def test_a_node_of_infinite_risk_that_is_looked_at_first_is_left_for_a_finite_one() -> None:
    never = {name: ["x", "x", "y"] for name in "abcd"}
    zips = {"zip": ["1111", "2222", "3333"]}
    people = problem({**never, **zips}, weights=dict.fromkeys(never, inf), hierarchies={"zip": {"mask": 4}})
    found = search(people, Question("least_utility", 4), first=[people.lattice.bottom])
    assert isinstance(found, Candidate)
    assert (found.id, str(found.number)) == ("full-domain:1.1.1.1.0", "exact")
    assert found.evaluation.risk == 1


def test_time_ends_it() -> None:
    found = search(many_attributes(24), Question("least_utility", 36), seconds=0.05)
    assert isinstance(found, (Candidate, NoneFound))
    assert not (isinstance(found, NoneFound) and found.proved)


def test_only_the_mean_utility_is_searched_for() -> None:
    problem = many_attributes(2)
    least = Utility(problem.utility.records, over_records="min")
    with pytest.raises(BadSetting, match=r"utility\.over_records"):
        search(replace(problem, utility=least), Question("trade_off", 1))
    with pytest.raises(BadSetting, match=r"search\.seconds"):
        search(problem, Question("trade_off", 1), seconds=0)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=9))
def test_no_point_is_below_the_hull_and_its_corners_are_points(points: list[tuple[int, int]]) -> None:
    utility, risk = np.array(points, float).T
    corners = hull(utility, risk)
    assert risk[corners[0]] == risk.min()
    assert utility[corners[-1]] == utility.max()
    beyond = utility >= utility[corners[0]]
    assert (np.interp(utility, utility[corners], risk[corners])[beyond] <= risk[beyond] + 1e-12).all()


@given(CHANCE)
def test_the_merged_hulls_bound_every_choice_of_points(chance: Random) -> None:
    numbers = np.array([float(chance.randint(0, 5)) for _ in range(18)]).reshape(3, 2, 3)
    groups = [(utility, risk) for utility, risk in numbers]
    question = Question(chance.choice(["least_utility", "most_risk", "trade_off"]), chance.randint(0, 12))
    found = relaxed(question, groups, 0.5)
    for at in np.ndindex(3, 3, 3):
        utility = sum(float(own[0][place]) for own, place in zip(groups, at, strict=True))
        risk = 0.5 + sum(float(own[1][place]) for own, place in zip(groups, at, strict=True))
        fits = {"least_utility": utility >= question.bound, "most_risk": risk <= question.bound, "trade_off": True}
        if fits[question.kind]:
            assert found.bound <= objective(question, risk, utility) + 1e-9


@given(CHANCE, st.integers(1, 4))
def test_two_values_are_equal_under_a_mask_when_they_have_one_ancestor(chance: Random, height: int) -> None:
    trees = [a_hierarchy(chance, name, height) for name in "abc"]
    layout = Layout.of(trees)
    assert layout is not None
    columns = [codes(chance, tree, 12) for tree in trees]
    levels = [chance.randint(0, height) for _ in trees]
    words = layout.packed(columns, [0, 0, 0]) & layout.mask([*levels])
    shown = np.stack(
        [tree.ancestors[level][own] * (level < height) for tree, level, own in zip(trees, levels, columns, strict=True)]
    )
    for one in range(12):
        for other in range(12):
            assert (words[one] == words[other]).all() == (shown[:, one] == shown[:, other]).all()


@pytest.mark.parametrize(
    "name",
    [
        *("anytime", "anytime_archive", "anytime_beside", "anytime_hulls", "anytime_keys", "anytime_looking"),
        *("anytime_steps", "anytime_sweep"),
    ],
)
def test_every_example_is_there_and_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"riskapp.core.search.{name}"), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
    assert results.attempted > 0
