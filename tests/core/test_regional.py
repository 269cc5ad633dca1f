"""Regional rules: the merged frontier and the best rule are those of all choices, measured one by one."""

import doctest
import importlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import inf, isclose
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.loss import Loss
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question
from riskapp.core.risk import Risk
from riskapp.core.search import region_hull, region_pass
from riskapp.core.search.region_family import Family, family
from riskapp.core.search.region_hull import Merged, Part
from riskapp.core.search.region_rules import objectives
from riskapp.core.search.region_share import Priced
from riskapp.core.search.regional import candidates, objective
from riskapp.core.search.regions import Split
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Sensitivity
from riskapp.core.table.weights import Weights
from tests.core.rolled_drawing import a_problem, often
from tests.core.slow_regional import below_the_line, every_rule, some_splits, split_rules, the_best

CHANCE = st.randoms(use_true_random=False)
MOST = 60


def drawn(chance: Random, *, limits: bool = False, one_dictionary: bool = False) -> Problem:
    """A problem whose risk and utility are means, with limits that regions keep each by itself."""
    problem = a_problem(chance)
    kept = replace(problem.limits, share_above=None) if limits else Limits()
    if one_dictionary and problem.risk.over_dictionaries == "worst":
        problem = replace(problem, risk=replace(problem.risk, over_dictionaries="bayes"))
    people = None
    if often(chance, 4):
        people = np.array([chance.randrange(len(problem)) for _ in range(len(problem))], dtype=np.int32)
    return replace(problem, utility=replace(problem.utility, over_records="mean"), limits=kept, people=people)


def named(problem: Problem, splits: Sequence[Split]) -> list[tuple[str, int | str]]:
    return [(problem.names[place], level) for place, level in splits]


def a_question(chance: Random, problem: Problem) -> Question:
    share = chance.choice([0.0, 0.3, 0.5, 0.7, 0.95, 1.0])
    low, high = problem.utility.of_nothing, problem.utility.unchanged
    kind = chance.choice(["least_utility", "most_risk", "trade_off"])
    if kind == "least_utility":
        return Question(kind, low + share * (high - low))
    return Question(kind, share * 2)


def same(one: float, other: float) -> bool:
    return one == other or isclose(one, other, rel_tol=1e-9, abs_tol=1e-11)


@settings(max_examples=25)
@given(CHANCE)
def test_what_regions_add_up_to_is_what_their_tables_measure(chance: Random) -> None:
    problem = drawn(chance)
    splits = some_splits(chance, problem, 10**9)
    if not splits:
        return
    found = family(problem, named(problem, splits))
    measuring = Measuring(problem)
    for _ in range(5):
        choice = np.array([chance.randrange(len(points.nodes)) for points in found.points])
        some = found.assigned([choice])
        own = measuring.of(found.rule(some.nodes[0]).released(found.cells.of_record))
        finite = all(not found.sums.infinite[points.nodes].any() for points in found.points)
        assert same(own.utility, some.utilities[0])
        assert not finite or same(own.risk, some.risks[0])


@settings(max_examples=25)
@given(CHANCE)
def test_the_breakpoints_are_the_corners_of_all_choices(chance: Random) -> None:
    problem = drawn(chance, limits=True, one_dictionary=True)
    splits = some_splits(chance, problem, MOST)
    if not splits:
        return
    measuring = Measuring(problem)
    every = [found for table in split_rules(problem, splits) if not (found := measuring.of(table)).broken]
    points = list({(round(one.risk, 12), round(one.utility, 12)) for one in every if one.risk < inf})
    event(f"some keep the limits: {bool(points)}")
    if not points:
        return
    merged = family(problem, named(problem, splits)).breakpoints
    for risk, utility in zip(merged.risks, merged.utilities, strict=True):
        assert isclose(risk, below_the_line(points, utility), rel_tol=1e-9, abs_tol=1e-9)
    assert isclose(merged.risks[0], min(risk for risk, _ in points), rel_tol=1e-9, abs_tol=1e-9)
    assert isclose(merged.utilities[-1], max(utility for _, utility in points), rel_tol=1e-9, abs_tol=1e-9)
    line = list(zip(merged.risks.tolist(), merged.utilities.tolist(), strict=True))
    assert all(below_the_line(line, utility) <= risk + 1e-9 * (1 + risk) for risk, utility in points)


@settings(max_examples=50)
@given(CHANCE)
def test_the_best_rule_under_every_question_is_that_of_all_choices(chance: Random) -> None:
    problem = drawn(chance, limits=often(chance, 2), one_dictionary=True)
    splits, each, question = some_splits(chance, problem, MOST), often(chance, 3), a_question(chance, problem)
    if not splits:
        return
    wanted = the_best(every_rule(problem, splits), question, each)
    best = next(candidates(problem, named(problem, splits), question, per_record=each))
    event(f"{question.kind}, each {each}: {wanted is not None}")
    if wanted is not None and wanted.risk < inf:
        assert best.evaluation.broken == ()
        assert same(objective(best.evaluation, question), objective(wanted, question))
        assert same(best.evaluation.risk, wanted.risk) or question.kind == "trade_off"
        assert str(best.number) == "exact"


@settings(max_examples=40)
@given(CHANCE)
def test_a_share_of_the_people_is_kept_where_an_unsplit_rule_keeps_it_and_the_gap_holds(chance: Random) -> None:
    share = ShareAbove(chance.choice([0.2, 0.4, 0.6]), chance.choice([0.0, 0.2, 0.5]))
    problem = drawn(chance, limits=often(chance, 2), one_dictionary=True)
    problem = replace(problem, limits=replace(problem.limits, share_above=share))
    splits, each, question = some_splits(chance, problem, MOST), often(chance, 3), a_question(chance, problem)
    if not splits:
        return
    wanted = the_best(every_rule(problem, splits), question, each)
    unsplit = the_best(every_rule(problem, []), question, each)
    best = next(candidates(problem, named(problem, splits), question, per_record=each))
    reached = objective(best.evaluation, question)
    event(f"{question.kind}, unsplit {unsplit is not None}, {best.number.how}, broken {best.evaluation.broken}")
    if unsplit is not None and unsplit.risk < inf:
        assert best.evaluation.broken == ()
        assert reached <= objective(unsplit, question) + 1e-9
    if wanted is not None and wanted.risk < inf and not best.evaluation.broken:
        gap = best.number.gap or 0.0
        assert reached - gap <= objective(wanted, question) + 1e-9
        assert reached >= objective(wanted, question) - 1e-9


@settings(max_examples=25)
@given(CHANCE)
def test_with_the_worst_of_several_dictionaries_the_gap_holds(chance: Random) -> None:
    problem = drawn(chance)
    problem = replace(problem, risk=replace(problem.risk, over_dictionaries="worst"))
    splits, question = some_splits(chance, problem, MOST), a_question(chance, problem)
    if not splits:
        return
    found = family(problem, named(problem, splits), question)
    wanted = the_best(every_rule(problem, splits), question, False)
    if wanted is None or wanted.risk == inf:
        return
    best, least = found.best(question)
    slack = 1e-9 * (1 + abs(least))
    assert least <= objective(wanted, question) + slack
    measured = next(candidates(problem, named(problem, splits), question))
    if measured.number.gap is not None:
        assert objective(measured.evaluation, question) - measured.number.gap <= objective(wanted, question) + slack
    assert same(objective(measured.evaluation, question), float(objectives(best, question)[0]))


@settings(max_examples=25)
@given(CHANCE)
def test_no_unsplit_rule_is_below_the_frontier(chance: Random) -> None:
    problem = drawn(chance, limits=True)
    splits = some_splits(chance, problem, 10**9)
    if not splits:
        return
    found = family(problem, named(problem, splits))
    frontier = found.frontier()
    for risk, utility in zip(found.unsplit.risks, found.unsplit.utilities, strict=True):
        enough = frontier.utilities >= utility - 1e-9
        assert frontier.risks[enough].min() <= risk + 1e-9


def numbers(low: int, high: int) -> st.SearchStrategy[list[tuple[float, float]]]:
    one = st.integers(low, high).map(float)
    return st.lists(st.tuples(one, one), min_size=1, max_size=5)


@given(st.lists(numbers(0, 9), min_size=1, max_size=4), st.integers(0, 30))
def test_the_best_choice_is_that_of_all_choices(parts: list[list[tuple[float, float]]], bound: int) -> None:
    own = [Part(np.array([gain for gain, _ in part]), np.array([cost for _, cost in part])) for part in parts]
    sums = [(0.0, 0.0)]
    for part in parts:
        sums = [(gain + more, cost + dearer) for gain, cost in sums for more, dearer in part]
    enough = [(cost, -gain) for gain, cost in sums if gain >= bound]
    chosen = Merged(own).best(float(bound))
    if enough:
        assert (chosen.cost, -chosen.gain) == min(enough)
        assert chosen.least == chosen.cost
    else:
        assert chosen.gain == max(gain for gain, _ in sums)


@settings(max_examples=50)
@given(st.integers(0, 10**9).map(Random))
def test_losses_that_cancel_out_leave_nothing_over(chance: Random) -> None:
    drawn = [[*(-part - chance.random() for part in (2, 1, 0)), 0.0] for _ in range(chance.randint(1, 6))]
    merged = Merged([Part(np.array(gains), np.array([1.0, 2.0, 3.0, 4.0])) for gains in drawn])
    best = merged.best(0.0)
    assert merged.gains[-1] == 0
    assert best.gain == 0
    assert best.cost == best.least == 4 * len(drawn)


def test_where_choices_are_too_many_the_first_prefix_is_told_with_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    part = Part(np.array([0.0, 3.0, 5.0, 10.0]), np.array([0.0, 3.5, 5.5, 10.0]))
    assert Merged([part, part]).best(8.0).cost == 9.0
    monkeypatch.setattr(region_hull, "MOST", 0)
    chosen = Merged([part, part]).best(8.0)
    assert (chosen.cost, chosen.least) == (10.0, 8.0)


TOWN = {"groups": {"north": ["a", "b"], "south": ["c", "d"]}}


def towns(**given: object) -> Problem:
    table = {"town": ["a", "a", "b", "b", "c", "d"], "sex": ["f", "m", "f", "m", "f", "f"]}
    return plain(table, hierarchies={"town": TOWN}, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("splits", "key", "said"),
    [
        ([], "search.regions", "at least one"),
        ([("county", 0)], "search.regions.0", "has a hierarchy"),
        ([("sex", 0), ("note", 0)], "search.regions.1", "has a hierarchy"),
        ([("town", 2)], "search.regions.0", "lower level"),
        ([("town", 3)], "search.regions.0", "level"),
    ],
)
def test_a_split_that_cannot_be_is_refused(splits: list[tuple[str, int | str]], key: str, said: str) -> None:
    with pytest.raises(BadSetting, match=said) as caught:
        family(towns(), splits)
    assert caught.value.key == key


def test_a_split_whose_values_read_alike_is_refused() -> None:
    tree = {"groups": {"York": ["Kent", "Leeds"], "Kent": ["Dover"]}}
    problem = plain({"place": ["Kent", "Leeds", "Dover"]}, hierarchies={"place": tree})
    with pytest.raises(BadSetting, match="same text"):
        family(problem, [("place", 1)])
    assert len(family(problem, [("place", 0)]).regions) == 3


@pytest.mark.parametrize("key", ["risk.over_records", "utility.over_records"])
def test_what_is_no_mean_is_refused(key: str) -> None:
    problem = towns(risk=Risk("max")) if key.startswith("risk") else towns()
    problem = replace(problem, utility=replace(problem.utility, over_records="min")) if key[0] == "u" else problem
    with pytest.raises(BadSetting) as caught:
        family(problem, [("town", 1)])
    assert caught.value.key == key


def test_too_many_regions_and_too_many_nodes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(region_pass, "MOST", 3 * 6)
    with pytest.raises(BadSetting, match="4 regions"):
        family(towns(), [("town", 0)])
    assert len(family(towns(), [("town", 1)]).regions) == 2
    monkeypatch.setattr(region_pass, "MOST", 5)
    with pytest.raises(BadSetting, match="too many nodes"):
        family(towns(), [("town", 1)])


def test_candidates_are_named_by_their_splits_and_the_best_is_first() -> None:
    found = list(candidates(towns(), [("town", 1), ("sex", 0)], Question("least_utility", 1)))
    assert [one.id for one in found[:3]] == [f"regional:town@1,sex@0{end}" for end in ("", ":0", ":1")]
    assert {one.family for one in found} == {"regional"}
    risks = [one.evaluation.risk for one in found[1:]]
    assert risks == sorted(risks)
    assert all(one.evaluation.risk == one.evaluation.risk_replay for one in found)
    assert sum(one["records"] for one in found[0].told["patterns"]) == 6
    assert next(candidates(towns(), [("town", "1")])).id == "regional:town@1:0"


def test_no_more_rules_are_measured_than_asked_for_and_the_ends_are_among_them() -> None:
    every, some = (list(candidates(towns(), [("town", 1)], most=most)) for most in (200, 3))
    assert len(every) > len(some) == 3
    ends = [(one.evaluation.risk, one.evaluation.utility) for one in (every[0], every[-1])]
    assert [(one.evaluation.risk, one.evaluation.utility) for one in (some[0], some[-1])] == ends


def test_a_limit_that_couples_the_regions_is_kept_by_a_rule_of_the_frontier() -> None:
    problem = towns(limits=Limits(share_above=ShareAbove(0.4, 0.0)))
    best = next(candidates(problem, [("town", 1)], Question("least_utility", 0.5)))
    assert best.evaluation.broken == ()
    # No rule that says enough keeps the share, so this is the nearest one and none to be called exact.
    assert best.evaluation.utility < 0.5
    assert str(best.number) == "heuristic, gap unknown"


def test_values_that_a_group_must_have_are_minded_by_each_region_itself() -> None:
    """Only the north has to be coarser, and a rule with as much risk and more utility has the south so."""
    ill = ["x"] * 4 + ["y"] * 4 + ["x", "y"] * 2
    table = {"town": ["a"] * 4 + ["b"] * 4 + ["c", "c", "d", "d"], "ill": ill}
    problem = plain(table, hierarchies={"town": TOWN}, keep=["ill"], sensitive=["ill"], weights={"ill": 0.0})
    for limits in (Limits(l={"distinct": 2.0}), Limits(t=0.1), Limits(inference=0.1)):
        limited = replace(problem, limits=limits)
        best = next(candidates(limited, [("town", 1)], Question("least_utility", 1.25)))
        assert best.evaluation.broken == ()
        assert [one["node"] for one in best.told["patterns"]] == [{"town": 1}, {"town": 0}]
        assert str(best.number) == "exact"


def test_where_a_share_of_the_people_breaks_the_frontier_the_best_unsplit_rule_is_still_there() -> None:
    table = {"town": ["a"] * 3 + ["b"] * 3 + ["c"] * 3 + ["d"] * 3, "sex": list("ffmfmm") + list("fffffm")}
    problem = plain(table, hierarchies={"town": TOWN}, weights={"sex": 0.0})
    light = Weights.of(problem.hierarchies[0], 1.0, {"c": 0.01, "d": 0.01})
    columns = (replace(problem.columns[0], weights=light), problem.columns[1])
    limits = Limits(share_above=ShareAbove(0.4, 0.0))
    problem = replace(problem, sensitivity=Sensitivity(columns), limits=limits)
    best = next(candidates(problem, [("town", 1)], Question("least_utility", 2)))
    assert best.evaluation.broken == ()
    assert [one["node"] for one in best.told["patterns"]] == [{"town": 0, "sex": 1}] * 2
    # The price of being above the chance proves it, though regions could reach less risk without the limit.
    assert str(best.number) == "exact"
    wanted = the_best(every_rule(problem, [Split(0, 1)]), Question("least_utility", 2), False)
    assert wanted is not None
    assert best.evaluation.risk == pytest.approx(wanted.risk)
    free = next(candidates(replace(problem, limits=Limits()), [("town", 1)], Question("least_utility", 2)))
    assert free.evaluation.risk < best.evaluation.risk


def test_a_rule_of_regions_that_keeps_a_share_is_found_where_none_of_the_frontier_does() -> None:
    table = {"town": list("dabacccc"), "sex": list("ffmfmmfm")}
    limits = Limits(share_above=ShareAbove(0.5, 0.0))
    problem, question = plain(table, hierarchies={"town": TOWN}, limits=limits), Question("least_utility", 1.5)
    wanted = the_best(every_rule(problem, [Split(0, 1)]), question, False)
    best = next(candidates(problem, [("town", 1)], question))
    assert wanted is not None
    assert (best.evaluation.risk, best.evaluation.utility) == (wanted.risk, wanted.utility) == (0.625, 1.625)
    assert best.evaluation.broken == ()
    free = family(replace(problem, limits=Limits()), [("town", 1)], question)
    names = {tuple(nodes) for nodes in free.frontier().nodes.tolist()}
    assert tuple(family(problem, [("town", 1)], question).best_within_share(question)[0].nodes[0].tolist()) not in names


@settings(max_examples=40)
@given(CHANCE)
def test_prices_bound_every_choice_within_the_limit_and_find_one_where_any_is(chance: Random) -> None:
    parts, above = [], []
    for _ in range(chance.randint(1, 4)):
        many = chance.randint(1, 4)
        parts.append(Part(*(np.array([float(chance.randint(0, 9)) for _ in range(many)]) for _ in range(2))))
        above.append(np.array([[float(chance.randint(0, 4)) for _ in range(many)]]))
    bound, most = chance.choice([-inf, 3.0, 8.0]), chance.randint(0, 6)
    priced, good = Priced(parts, above, bound, most), []
    for choice in product(*(range(len(part.gains)) for part in parts)):
        pairs = list(zip(parts, above, choice, strict=True))
        people = sum(own[0, place] for _, own, place in pairs)
        if people <= most and sum(part.gains[place] for part, _, place in pairs) >= bound:
            good.append(sum(part.costs[place] for part, _, place in pairs))
    event(f"there is one: {bool(good)}, found: {bool(priced.found)}")
    assert bool(good) == bool(priced.found)
    if good:
        assert priced.least <= min(good) + 1e-9


def test_infinite_losses_are_kept_away_from() -> None:
    problem = towns(weights={"sex": inf}, loss=Loss())
    found = list(candidates(problem, [("town", 1)], Question("least_utility", 1)))
    assert all(one.evaluation.risk < inf for one in found)


def test_stopping_raises_and_progress_grows() -> None:
    told: list[tuple[int, int]] = []
    family(towns(), [("town", 1)], progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (6, 6)
    with pytest.raises(Stopped):
        family(towns(), [("town", 1)], stop=lambda: True)


def test_a_chance_of_one_keeps_a_limit_of_one_even_where_nobody_is_covered() -> None:
    nobody = {"register": {"town": ["d"], "sex": ["m"]}}
    for limit, kept in ((1.0, True), (0.9, False)):
        problem = towns(dictionaries=nobody, limits=Limits(largest_chance=limit))
        assert all(points.kept == kept for points in family(problem, [("town", 0)]).points)


def test_weights_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadSetting) as caught:
        family(towns(risk=Risk(weights=np.zeros(6))), [("town", 1)])
    assert caught.value.key == "dataset.risk_weight"


@pytest.mark.parametrize("name", ["regions", "region_hull", "region_share", "region_tree", "regional"])
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"riskapp.core.search.{name}"))
    assert results.failed == 0
    assert results.attempted > 0


def test_a_family_without_a_question_has_no_best() -> None:
    found = family(towns(), [("town", 1)])
    assert isinstance(found, Family)
    assert found.question is None
    assert all(":" in one.id.removeprefix("regional:") for one in candidates(towns(), [("town", 1)]))
