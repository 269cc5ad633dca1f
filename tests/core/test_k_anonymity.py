"""The best k-anonymous node, against all nodes tried one by one."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.measure import Measuring, measure
from riskapp.core.search import k_anonymity, top_down
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.k_anonymity import SEVERAL, candidate, candidates
from riskapp.core.search.reach import reachable_k, reachable_l
from riskapp.core.search.suppressing import GroupRule, within_share
from riskapp.core.search.suppressions import by_classes, by_records, suppressions
from riskapp.core.search.top_down import TopDown
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from riskapp.core.table.replay import Reading
from tests.core.rolled_drawing import a_problem, differences, same
from tests.core.slow_k_anonymity import (
    best,
    diverse,
    far,
    groups_of,
    hidden_at,
    is_allowed,
    l_at,
    leaves_of,
    people,
    rule_at,
    some_problem,
)

CHANCE = st.integers(0, 10**9).map(Random)
LIMITS = st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 1.0])
ZIPS = {"zip": {"mask": 5}}


def silent(done: int, total: int) -> None:
    pass


def never() -> bool:
    return False


def the_best(problem: Problem, k: int, limit: float) -> Candidate | Unmet:
    (found,) = candidates(problem, [k], limit, 0)
    return found


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 5), LIMITS)
def test_the_best_node_is_the_one_found_by_trying_all(chance: Random, k: int, limit: float) -> None:
    problem = some_problem(chance)
    wanted = best(problem, k, within_share(limit, len(problem)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(k_anonymity, "FEW", chance.randrange(1, 4))
        found = the_best(problem, k, limit)
    event(f"there is one: {wanted is not None}, tried: {isinstance(found, Candidate) and len(found.told) > 2}")
    if wanted is None:
        assert isinstance(found, Unmet)
        return
    assert isinstance(found, Candidate)
    assert found.node == wanted
    assert found.id == f"k-anonymity:{k}:{'.'.join(str(wanted[place]) for place in problem.generalised)}"
    assert found.released.suppressed.tolist() == hidden_at(problem, wanted, k)


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 5), LIMITS)
def test_what_is_released_keeps_k_and_l_and_t_and_the_limit(chance: Random, k: int, limit: float) -> None:
    problem = some_problem(chance)
    found = the_best(problem, k, limit)
    if isinstance(found, Unmet):
        return
    levels = np.stack([np.broadcast_to(level, len(problem)) for level in found.released.levels], axis=1)
    groups = groups_of(problem, levels.tolist(), found.released.suppressed.tolist()).values()
    assert groups
    for rows in groups:
        assert people(problem, rows) >= k
        assert diverse(problem, rows)
        assert not far(problem, rows)
    assert found.evaluation.suppressed <= limit * len(problem) + 1e-9
    assert not {"l", "t"} & set(found.evaluation.broken)


@settings(max_examples=30)
@given(CHANCE)
def test_classes_and_records_tell_the_same_of_every_node(chance: Random) -> None:
    problem = a_problem(chance)
    rolled = by_classes(problem, [1, 2, 4])
    event(f"by classes: {rolled is not None}")
    if rolled is None:
        return
    pairs = zip(rolled.run(silent, never, 2), by_records(problem, [1, 2, 4], silent, never), strict=True)
    for one, other in pairs:
        assert one.suppressed.tolist() == other.suppressed.tolist()
        assert all(map(same, one.utilities, other.utilities))
        assert all(map(same, one.distances, other.distances))


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 4), st.integers(0, 4), st.booleans())
def test_from_the_top_down_the_nodes_that_keep_the_limit_are_found_and_no_others(
    chance: Random, k: int, most: int, floored: bool
) -> None:
    problem = replace(a_problem(chance), limits=Limits())
    rolled = by_classes(problem, [k])
    if rolled is None:
        return
    walk = TopDown(problem.lattice, rolled.fields, rolled.table, rolled.felt, k)
    within = (walk.floored(most) if floored else walk).within(most, never)
    (found,), (wanted,) = [rolled.filled(within)], by_records(problem, [k], silent, never)
    keeping = (wanted.suppressed <= most) & (wanted.suppressed < len(problem))
    event(f"some do not: {not keeping.all()}")
    assert ((found.suppressed <= most) & (found.suppressed < len(problem))).tolist() == keeping.tolist()
    assert found.suppressed.min() == wanted.suppressed.min()
    assert found.suppressed[keeping].tolist() == wanted.suppressed[keeping].tolist()
    assert all(map(same, found.utilities[keeping], wanted.utilities[keeping]))


def test_where_few_nodes_keep_the_limit_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(3)
    rows = {name: ["".join(chance.choice("abc") for _ in range(3)) for _ in range(300)] for name in "wxyz"}
    problem = plain(rows, hierarchies={name: {"mask": 3} for name in rows}, utility="lm")
    monkeypatch.setattr(top_down, "WORTH", 10)
    rolled = by_classes(problem, [30])
    assert rolled is not None
    assert rolled.few(30, 3, never) is not None
    assert rolled.few(30, 300, never) is None
    found = the_best(problem, 30, 0.01)
    monkeypatch.setattr(top_down, "WORTH", 10**6)
    again = the_best(problem, 30, 0.01)
    assert isinstance(found, Candidate)
    assert isinstance(again, Candidate)
    assert found.id == again.id
    assert found.told == again.told


def test_most_problems_that_are_drawn_are_counted_by_classes_where_every_row_is_somebody_else_s() -> None:
    drawn = [replace(a_problem(Random(seed)), people=None) for seed in range(40)]
    assert sum(by_classes(problem, [2]) is not None for problem in drawn) >= 35


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 4))
def test_replaying_the_rule_tells_what_replaying_its_definition_tells(chance: Random, k: int) -> None:
    problem = some_problem(chance)
    found = the_best(problem, k, 1.0)
    if isinstance(found, Unmet):
        return
    assert found.node is not None
    slow = rule_at(problem, found.node, k)
    event(f"somebody is suppressed: {found.rule is not None}")
    if found.rule is None:
        assert not found.released.suppressed.any()
        return
    assert isinstance(found.rule, Reading)
    for mine, its in zip(found.rule(leaves_of(problem)), slow(leaves_of(problem)), strict=True):
        assert mine.tolist() == its.tolist()
    assert not differences(found.evaluation, measure(problem, found.released, slow))


def test_a_record_whose_group_nobody_in_the_table_is_in_would_be_suppressed() -> None:
    problem = plain({"zip": ["47901", "47901", "46402", "10115"]}, hierarchies=ZIPS)
    found = the_best(problem, 2, 0.5)
    assert isinstance(found, Candidate)
    assert (found.id, found.evaluation.suppressed) == ("k-anonymity:2:0", 2)
    rule = GroupRule.of(problem, (0,), found.released)
    codes = problem.hierarchies[0].coded(["47901", "46402", "10115", None])
    assert rule(codes[:, None])[1].tolist() == [False, True, True, True]


def test_suppressed_rows_are_not_closed() -> None:
    """Both who are hidden are known to be among the two whom the rule hides, though a row of `*` fits everybody."""
    found = the_best(plain({"zip": ["47901", "47901", "46402", "10115"]}, hierarchies=ZIPS), 2, 0.5)
    assert isinstance(found, Candidate)
    assert found.evaluation.people["self"].expected_found == pytest.approx(2 / 2 + 2 / 4)
    assert found.evaluation.people_replay is not None
    assert found.evaluation.people_replay["self"].expected_found == pytest.approx(2 / 2 + 2 / 2)


def test_the_limit_holds_exactly_at_its_border() -> None:
    rows = ["47901"] * 9 + ["46402"]
    problem = plain({"zip": rows}, hierarchies=ZIPS)
    assert [the_best(problem, 2, limit).id for limit in (0.1, 0.0999)] == ["k-anonymity:2:0", "k-anonymity:2:4"]
    assert [within_share(share, 10) for share in (0.0, 0.1, 0.3, 0.7, 1.0)] == [0, 1, 3, 7, 10]
    assert within_share(0.1 + 0.2, 10) == 3


@given(CHANCE, st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.booleans())
def test_the_largest_k_that_is_told_can_be_met_and_none_above_it(chance: Random, limit: float, alone: bool) -> None:
    drawn = some_problem(chance)
    problem = replace(drawn, limits=Limits()) if alone else drawn
    most = within_share(limit, len(problem))
    found = reachable_k(problem, most)
    possible = [any(is_allowed(problem, node, k, most) for node in problem.lattice) for k in range(1, len(problem) + 2)]
    assert max((k for k, met in enumerate(possible, start=1) if met), default=None) == (found and found.value)
    assert found is None or is_allowed(problem, found.node, int(found.value), most)


@given(CHANCE, st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.integers(1, 3), st.booleans())
def test_the_l_that_is_told_can_be_met_and_no_larger_one(chance: Random, limit: float, k: int, two: bool) -> None:
    kinds = chance.sample(["distinct", "probabilistic", "entropy"], 2 if two else 1)
    drawn = some_problem(chance)
    own = replace(drawn.limits, l={kind: chance.choice([1.5, 2, 3]) for kind in kinds})
    problem = replace(drawn, limits=own)
    if not problem.sensitive:
        return
    most, found = within_share(limit, len(problem)), None
    for kind in kinds:
        possible = {
            (value, node)
            for node in problem.lattice
            for value in l_at(problem, node, kind)
            if is_allowed(replace(problem, limits=replace(own, l={**own.l, kind: value})), node, k, most)
        }
        if possible:
            found = f"search.require.l.{kind}", max(possible)[0], possible
            break
    told = reachable_l(problem, k, most)
    event(f"an l: {found is not None}")
    if found is None:
        assert told is None
    else:
        assert told is not None
        assert (told.key, told.value) == (found[0], pytest.approx(found[1]))
        assert told.node in {node for value, node in found[2] if value == pytest.approx(told.value)}


@given(CHANCE, st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.5, 1.0, 1.5, 3.0]), st.booleans())
def test_the_l_of_recursive_diversity_that_is_told_can_be_met_and_no_larger_one(
    chance: Random, limit: float, c: float, alone: bool
) -> None:
    drawn = some_problem(chance)
    if not drawn.sensitive:
        return
    own = replace(drawn.limits, l={} if alone else {"distinct": 2.0}, recursive=(c, 3))
    most, asked = within_share(limit, len(drawn)), [] if alone else ["distinct"]

    def possible(least: int) -> bool:
        problem = replace(drawn, limits=replace(own, recursive=(c, least)))
        return any(is_allowed(problem, node, 1, most) for node in problem.lattice)

    told = reachable_l(replace(drawn, limits=own), 1, most)
    if told is not None and told.key == "search.require.l.distinct":
        assert asked
        return
    largest = max((least for least in range(1, len(drawn) + 1) if possible(least)), default=None)
    event(f"an l: {largest}")
    assert largest == (told and told.value[1])
    if told is not None:
        assert told.value == (c, largest)
        assert is_allowed(replace(drawn, limits=replace(own, recursive=told.value)), told.node, 1, most)


def test_people_are_counted_and_not_rows() -> None:
    rows = {"zip": ["47901", "47901", "47906"]}
    assert the_best(plain(rows, hierarchies=ZIPS, identifier=["a", "b", "a"]), 2, 0.0).id == "k-anonymity:2:1"
    assert the_best(plain(rows, hierarchies=ZIPS, identifier=["a", "a", "b"]), 2, 0.0).id == "k-anonymity:2:1"
    same_person = plain({"zip": ["47901", "47901", "47906"]}, hierarchies=ZIPS, identifier=["a", "a", "a"])
    assert isinstance(the_best(same_person, 2, 0.0), Unmet)


def test_what_stands_in_the_way_is_told() -> None:
    rows = {"zip": ["47901", "47901", "46402", "46402"], "ill": ["flu", "flu", "HIV", "flu"]}

    def missed(k: int, **limits: object) -> tuple[str, float | tuple[float, int] | None]:
        problem = plain(rows, hierarchies=ZIPS, keep=["ill"], sensitive=["ill"], limits=Limits(**limits))  # type: ignore[arg-type]
        found = the_best(problem, k, 0.0)
        assert isinstance(found, Unmet)
        return found.missed, found.reachable

    assert missed(5) == ("search.k", 4)
    assert missed(5, t=0.5) == ("search.k", 4)
    assert missed(5, l={"distinct": 3}) == ("search.k", 4)
    assert missed(2, l={"distinct": 3}) == ("search.require.l.distinct", 2)
    assert missed(2, recursive=(1, 3)) == ("search.require.l.recursive", (1, 1))
    assert missed(2, recursive=(4, 3)) == ("search.require.l.recursive", (4, 2))
    assert missed(2, recursive=(0.5, 3)) == ("search.require.l", None)
    known = plain(rows, hierarchies=ZIPS, keep=["ill"], dictionaries={"self": ["zip", "ill"]})
    found = the_best(known, 2, 0.2)
    assert isinstance(found, Unmet)
    assert (found.missed, found.reachable, found.nearest) == ("search.suppression_limit", 0.25, (4, 0))
    assert "would have to be 0.25" in str(found)
    far_off = plain(
        rows,
        hierarchies=ZIPS,
        keep=["ill"],
        dictionaries={"self": ["zip", "ill"]},
        sensitive=["ill"],
        limits=Limits(t=0.1),
    )
    told = the_best(far_off, 1, 0.0)
    assert isinstance(told, Unmet)
    assert (told.missed, told.reachable) == ("search.require.t", 0.75)


@pytest.mark.parametrize("alone", [True, False])
def test_the_t_that_is_told_is_that_of_a_node_that_releases_somebody(alone: bool) -> None:
    table = {"zip": ["47901", "47902", "47903", "46402", "46403"], "ill": ["flu", "flu", "flu", "HIV", "HIV"]}
    problem = plain(
        table,
        hierarchies=ZIPS,
        keep=["ill"],
        dictionaries={"self": ["zip", "ill"]},
        sensitive=["ill"],
        identifier=None if alone else ["a", "b", "c", "d", "d"],
        limits=Limits(t=0.1),
    )
    told = the_best(problem, 3, 1.0)
    assert isinstance(told, Unmet)
    assert (told.missed, told.reachable, told.nearest) == (
        "search.require.t",
        pytest.approx(0.4 if alone else 0.25),
        (1, 0),
    )


def test_a_limit_takes_the_place_of_utility_unless_no_node_keeps_it() -> None:
    zips = plain({"zip": ["47906", "47901", "47901", "46402"]}, hierarchies=ZIPS)
    free, limited, vain = (
        the_best(replace(zips, limits=limits), 1, 0.0)
        for limits in (Limits(), Limits(largest_chance=1 / 3), Limits(largest_chance=0.1))
    )
    assert isinstance(free, Candidate)
    assert isinstance(limited, Candidate)
    assert isinstance(vain, Candidate)
    assert (free.id, limited.id, vain.id) == ("k-anonymity:1:0", "k-anonymity:1:4", "k-anonymity:1:0")
    assert limited.told == {"nodes": 6, "allowed": 6, "tried_for_limits": 5}
    assert vain.evaluation.broken == ("largest_chance",)


def test_a_node_within_the_limits_is_found_however_many_are_before_it() -> None:
    chance = Random(1)
    rows = {name: ["".join(chance.choice("ab") for _ in range(3)) for _ in range(60)] for name in "xyz"}
    limits = Limits(share_above=ShareAbove(0.05, 0.1), largest_chance=0.2)
    problem = plain(rows, hierarchies={name: {"mask": 3} for name in rows}, utility="lm", limits=limits)
    found = the_best(problem, 2, 0.5)
    assert isinstance(found, Candidate)
    assert found.node == best(problem, 2, 30)
    assert not found.evaluation.broken
    measured = [candidate(Measuring(problem), node, 2, "", "").evaluation for node in problem.lattice]
    better = sum(one.utility > found.evaluation.utility for one in measured)
    assert better > 20
    assert found.told["tried_for_limits"] < better


def test_groups_that_break_l_are_suppressed_like_small_ones() -> None:
    rows = {"zip": ["47901", "47901", "46402", "46402"], "ill": ["flu", "HIV", "flu", "flu"]}
    limits = Limits(l={"distinct": 2})
    problem = plain(rows, hierarchies=ZIPS, keep=["ill"], sensitive=["ill"], limits=limits)
    found = the_best(problem, 2, 0.5)
    assert isinstance(found, Candidate)
    assert (found.id, found.released.suppressed.tolist()) == ("k-anonymity:2:0", [False, False, True, True])


def test_every_k_has_its_own_answer_once() -> None:
    problem = plain({"zip": ["47901", "47901", "46402", "46402", "46403"]}, hierarchies=ZIPS)
    found = list(candidates(problem, [2, 9, 2, 1], 0.2, 0))
    assert [one.id for one in found] == ["k-anonymity:2:0", "k-anonymity:9", "k-anonymity:1:0"]


def test_many_nodes_of_one_utility_are_told_apart_by_their_risk() -> None:
    """Ten nodes show three of five columns: the fast way to their risks chooses what the slow one does."""
    chance = Random(5)
    rows = {name: [chance.choice("ab") for _ in range(200)] for name in "vwxyz"}
    problem = plain(rows, weights={"v": 2.0, "x": 0.5, "z": 3.0})
    allowed = [node for node in problem.lattice if is_allowed(problem, node, 14, 0)]
    assert [sum(node) for node in allowed].count(2) >= SEVERAL
    assert min(map(sum, allowed)) == 2
    found = the_best(problem, 14, 0.0)
    assert isinstance(found, Candidate)
    assert found.node == best(problem, 14, 0)


def test_it_stops_when_told() -> None:
    problem = plain({"zip": ["47901", "46402"]}, hierarchies=ZIPS)
    named = plain({"zip": ["47901", "46402"]}, hierarchies=ZIPS, identifier=["a", "a"])
    for one in (problem, named):
        with pytest.raises(Stopped):
            suppressions(one, [2], 0, progress=silent, stop=lambda: True)


def test_progress_goes_from_node_to_node_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    problem = plain({"zip": ["47901", "46402"]}, hierarchies=ZIPS)
    list(candidates(problem, [2], 0.0, 0, progress=lambda done, total: told.append((done, total))))
    assert told[-1] == (1000, 1000)
    assert told == sorted(told)


@pytest.mark.parametrize(("k", "limit", "key"), [([0], 0.0, "search.k"), ([2], 1.5, "search.suppression_limit")])
def test_impossible_settings_are_refused_by_their_key(k: list[int], limit: float, key: str) -> None:
    problem = plain({"zip": ["47901", "46402"]}, hierarchies=ZIPS)
    with pytest.raises(BadSetting) as refused:
        list(candidates(problem, k, limit, 0))
    assert refused.value.key == key


def test_the_drawing_has_people_with_several_records() -> None:
    assert sum(some_problem(Random(seed)).people is not None for seed in range(30)) >= 5
