"""Mondrian's parts, against a table parted step by step."""

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from riskapp.core.errors import Stopped
from riskapp.core.measure import Measuring, measure
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.mondrian import candidates, rule_of
from riskapp.core.search.parting import Parting
from riskapp.core.search.suppressing import within_share
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.replay import closed
from tests.core.rolled_drawing import differences
from tests.core.slow_k_anonymity import (
    PartRule,
    can_be,
    common,
    far,
    groups_of,
    leaves_of,
    parted,
    some_problem,
    splits,
)

CHANCE = st.integers(0, 10**9).map(Random)
LIMITS = st.sampled_from([0.0, 1 / 3, 1.0])
ZIPS = {"zip": {"mask": 5}}


def silent(done: int, total: int) -> None:
    pass


def never() -> bool:
    return False


def mondrian(problem: Problem, k: int, limit: float = 0.0) -> Candidate | Unmet:
    (found,) = candidates(problem, [k], limit, 0)
    return found


def levels(found: Candidate) -> list[list[int]]:
    rows = len(found.released.records)
    return np.stack([np.broadcast_to(level, rows) for level in found.released.levels], axis=1).tolist()


def a_larger_problem(seed: int) -> Problem:
    """Enough people that parts are split several times, in several attributes."""
    chance = Random(seed)
    rows = 60
    table = {
        "zip": [chance.choice(["47901", "47906", "46402", "46403", "10115", ""]) for _ in range(rows)],
        "race": [chance.choice(["White", "Chinese", "Japanese", "Black"]) for _ in range(rows)],
        "sex": [chance.choice(["f", "m"]) for _ in range(rows)],
        "ill": [chance.choice(["flu", "HIV", "acne"]) for _ in range(rows)],
    }
    race = from_groups("race", {"Asian": ["Chinese", "Japanese"], "European": ["White"], "African": ["Black"]})
    several = seed % 3 == 0
    return plain(
        table,
        hierarchies={**ZIPS, "race": race},
        keep=["ill"],
        sensitive=["ill"],
        identifier=[str(chance.randrange(50)) for _ in range(rows)] if several else None,
        dictionaries={"self": ["zip", "race", "sex", "ill"][: chance.choice([3, 3, 4])]},
        limits=Limits(
            l={"entropy": chance.choice([1.0, 1.5, 2.2])},
            t=chance.choice([None, 0.2, 0.4]),
            largest_chance=chance.choice([None, None, 0.3, 0.1]),
            smallest_group=chance.choice([None, 4]),
            inference=chance.choice([None, 0.4]),
            share_above=chance.choice([None, ShareAbove(0.2, 0.3), ShareAbove(0.1, 0.5), ShareAbove(0.3, 0.05)]),
        ),
    )


def drawn(chance: Random) -> Problem:
    return some_problem(chance) if chance.randrange(2) else a_larger_problem(chance.randrange(10**6))


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 5), LIMITS)
def test_the_released_table_is_that_of_a_table_parted_step_by_step(chance: Random, k: int, limit: float) -> None:
    problem = drawn(chance)
    whole = parted(problem, k)
    wanted, hidden = PartRule(problem, whole, k)(leaves_of(problem))
    ends = [part.rows for part in whole.ends()]
    found = mondrian(problem, k, limit)
    released = [rows for rows in ends if not hidden[rows[0]]]
    impossible = hidden.all() or hidden.sum() > within_share(limit, len(problem))
    impossible = impossible or any(far(problem, rows) for rows in released)
    event(f"there is one: {not impossible}, with {len(ends)} parts")
    assert isinstance(found, Unmet) == impossible
    if isinstance(found, Candidate):
        assert found.released.suppressed.tolist() == hidden.tolist()
        assert np.array(levels(found))[~hidden].tolist() == wanted[~hidden].tolist()
        assert found.told["parts"] == len(ends)


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 6))
def test_every_part_is_large_enough_shows_what_it_has_in_common_and_cannot_be_split(chance: Random, k: int) -> None:
    problem = drawn(chance)
    found = mondrian(problem, k, 1.0)
    if isinstance(found, Unmet):
        return
    assert found.evaluation.smallest_group is not None
    assert found.evaluation.smallest_group >= k
    assert not {"l", "t"} & set(found.evaluation.broken)
    shown = levels(found)
    for rows in groups_of(problem, shown, found.released.suppressed.tolist()).values():
        assert can_be(problem, rows, k)
        assert not splits(problem, rows, k)
        for place in problem.generalised:
            assert {shown[row][place] for row in rows} == {common(problem, rows, place)[0]}


def test_parts_are_split_only_as_far_as_limits_allow() -> None:
    table = {"zip": ["47901"] * 4 + ["47906"] * 4 + ["46402"] * 2 + ["46403"] * 2}
    free, chance, group, share = (
        mondrian(plain(table, hierarchies=ZIPS, limits=limits), 2)
        for limits in (
            Limits(),
            Limits(largest_chance=0.25),
            Limits(smallest_group=3),
            Limits(share_above=ShareAbove(0.25, 0.0)),
        )
    )
    shown = [levels(found)[::4] for found in (free, chance, group, share) if isinstance(found, Candidate)]
    assert shown == [[[0], [0], [0]], [[0], [0], [1]], [[0], [0], [1]], [[0], [0], [1]]]
    vain = mondrian(plain(table, hierarchies=ZIPS, limits=Limits(largest_chance=0.01)), 2)
    assert isinstance(vain, Candidate)
    assert vain.told["parts"] == 1
    assert vain.evaluation.broken == ("largest_chance",)


FOUR_TOWNS = {"zip": ["47901"] * 4 + ["47906"] * 4 + ["46402"] * 2 + ["46403"] * 2}


@pytest.mark.parametrize(("share", "shown"), [(0.3, [0, 0, 1]), (1 / 3, [0, 0, 0]), (1.0, [0, 0, 0])])
def test_as_many_people_are_put_above_a_chance_as_their_share_allows(share: float, shown: list[int]) -> None:
    limits = Limits(share_above=ShareAbove(0.25, share))
    found = mondrian(plain(FOUR_TOWNS, hierarchies=ZIPS, limits=limits), 2)
    assert isinstance(found, Candidate)
    assert [row[0] for row in levels(found)[::4]] == shown
    assert not found.evaluation.broken


def test_splits_that_put_the_fewest_people_above_a_chance_are_made_first() -> None:
    table = {"zip": ["47901"] * 3 + ["47906"] * 3 + ["46402"] * 2 + ["46403"] * 2}
    limits = Limits(share_above=ShareAbove(0.25, 0.6))
    found = mondrian(plain(table, hierarchies=ZIPS, limits=limits), 2)
    assert isinstance(found, Candidate)
    assert [row[0] for row in levels(found)] == [1] * 6 + [0] * 4


def test_a_person_with_several_records_is_put_above_a_chance_once() -> None:
    people = ["a", "b", "a", "b", "c", "d", "e", "f", "g", "h"]
    zips = ["47901"] * 2 + ["47906"] * 2 + ["46402"] * 6
    limits = Limits(share_above=ShareAbove(0.25, 0.25))
    found = mondrian(plain({"zip": zips}, hierarchies=ZIPS, identifier=people, limits=limits), 2)
    assert isinstance(found, Candidate)
    assert [row[0] for row in levels(found)] == [0] * 10
    assert not found.evaluation.broken


@settings(max_examples=20)
@given(CHANCE, st.integers(1, 3), st.sampled_from([0.1, 0.3, 0.6]))
def test_a_share_is_kept_and_what_it_allows_is_never_worse_than_nobody_above(
    chance: Random, k: int, share: float
) -> None:
    free = replace(drawn(chance), limits=Limits())

    def found(limits: Limits) -> Candidate:
        some = mondrian(replace(free, limits=limits), k, 1.0)
        assert isinstance(some, Candidate)
        return some

    if isinstance(mondrian(free, k, 1.0), Unmet):
        return
    strict, shared = found(Limits(largest_chance=0.2)), found(Limits(share_above=ShareAbove(0.2, share)))
    event(f"more is said: {shared.evaluation.utility > strict.evaluation.utility}")
    assert shared.evaluation.utility >= strict.evaluation.utility - 1e-9
    if not strict.evaluation.broken:
        assert shared.rule is not None or not shared.evaluation.broken


def all_leaves(problem: Problem, most: int) -> Codes:
    """Every record there could be, in the table or not; some of them where they are many."""
    every = list(product(*(range(tree.groups[0] + 1) for tree in problem.hierarchies)))
    return np.array(Random(0).sample(every, min(most, len(every))), dtype=np.int32)


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 4))
def test_the_rule_sends_any_record_down_the_tree(chance: Random, k: int) -> None:
    problem = drawn(chance)
    parting = Parting(Measuring(problem), k)
    parting.run(silent, never)
    leaves = all_leaves(problem, 300)
    wanted, hidden = PartRule(problem, parted(problem, k), k)(leaves)
    found, suppressed = rule_of(parting)(leaves)
    assert suppressed.tolist() == hidden.tolist()
    assert found[~hidden].tolist() == wanted[~hidden].tolist()


@settings(max_examples=30)
@given(CHANCE, st.integers(1, 4))
def test_replaying_the_tree_tells_what_replaying_its_definition_tells(chance: Random, k: int) -> None:
    problem = drawn(chance)
    found = mondrian(problem, k, 1.0)
    if isinstance(found, Unmet):
        return
    slow = PartRule(problem, parted(problem, k), k)
    event(f"closed: {found.told['closed']}")
    assert found.told["closed"] == closed(problem, found.released, slow) == (found.rule is None)
    assert not differences(found.evaluation, measure(problem, found.released, slow))


@settings(max_examples=60)
@given(CHANCE, st.integers(1, 4))
def test_what_a_tree_tells_of_being_closed_is_what_replaying_it_tells(chance: Random, k: int) -> None:
    problem = drawn(chance)
    parting = Parting(Measuring(problem), k)
    parting.run(silent, never)
    tree = rule_of(parting)
    event(f"the tree is closed: {tree.is_closed}")
    if tree.is_closed:
        released = Released.each(problem.records, tree.released[parting.part], parting.hidden)
        assert closed(problem, released, PartRule(problem, parted(problem, k), k))


def test_a_tree_is_not_closed_where_a_part_shows_less_than_it_was_split_by() -> None:
    problem = plain({"zip": ["47901", "47901", "46402", "46402"]}, hierarchies=ZIPS)
    parting = Parting(Measuring(problem), 2)
    parting.run(silent, never)
    tree = rule_of(parting)
    first = np.arange(len(tree.place)) == parting.part[0]
    hiding = replace(tree, released=np.where(first[:, None], 5, tree.released).astype(np.int32))
    assert (tree.is_closed, hiding.is_closed) == (True, False)
    assert not closed(problem, Released.each(problem.records, hiding.released[parting.part], parting.hidden), hiding)


def test_it_is_closed_however_many_records_somebody_could_be() -> None:
    chance = Random(1)
    values = [f"{number:04}" for number in range(1500)]
    table = {name: chance.sample(values, 1500) for name in ("one", "two", "three")}
    knows = {"neighbour": ["one"]}
    problem = plain(table, hierarchies={name: {"mask": 4} for name in table}, dictionaries=knows)
    found = mondrian(problem, 5)
    assert isinstance(found, Candidate)
    assert found.told["closed"]
    assert found.evaluation.risk_replay == found.evaluation.risk


@pytest.mark.parametrize("seed", range(12))
def test_it_is_closed_where_nobody_is_suppressed(seed: int) -> None:
    chance = Random(seed)
    table = {name: [chance.choice(["aa", "ab", "ba", "bc", ""]) for _ in range(25)] for name in ("one", "two", "three")}
    found = mondrian(plain(table, hierarchies={name: {"mask": 2} for name in table}), 3)
    assert isinstance(found, Candidate)
    assert (found.told["closed"], found.rule) == (True, None)
    assert found.told["parts"] > 1
    assert found.evaluation.risk_replay == found.evaluation.risk


def test_a_part_of_missing_values_says_nothing() -> None:
    """Whoever is known to live elsewhere may be one whose place is missing in the table, so it is closed as well."""
    found = mondrian(plain({"zip": ["47901", "47901", "", "", ""]}, hierarchies=ZIPS), 2)
    assert isinstance(found, Candidate)
    assert [row[0] for row in levels(found)] == [0, 0, 5, 5, 5]
    assert found.told["closed"]


def test_suppressed_records_are_told_apart_by_replay() -> None:
    table = {"zip": ["47901", "47901", "46402", "46402"], "ill": ["flu", "flu", "HIV", "acne"]}
    problem = plain(table, hierarchies=ZIPS, keep=["ill"], dictionaries={"self": ["zip", "ill"]})
    found = mondrian(problem, 2, 0.5)
    assert isinstance(found, Candidate)
    assert found.released.suppressed.tolist() == [False, False, True, True]
    assert not found.told["closed"]
    assert found.evaluation.people["self"].expected_found == pytest.approx(2 / 2 + 2 / 4)
    assert found.evaluation.people_replay is not None
    assert found.evaluation.people_replay["self"].expected_found == pytest.approx(2 / 2 + 2 / 2)


def test_one_missing_value_makes_a_part_say_nothing_there() -> None:
    found = mondrian(plain({"zip": ["47901", "47901", "47901", "47901", ""]}, hierarchies=ZIPS), 2)
    assert isinstance(found, Candidate)
    assert [row[0] for row in levels(found)] == [5] * 5


def test_the_widest_attribute_is_split_first_and_of_equals_the_first() -> None:
    wide = from_groups("wide", {"near": ["a", "b", "c"], "far": ["d"]})
    narrow = from_groups("narrow", {"x": ["p", "q"], "y": ["r", "s"]})
    table = {"narrow": ["p", "q", "p", "q"], "wide": ["a", "a", "d", "d"]}
    found = mondrian(plain(table, hierarchies={"wide": wide, "narrow": narrow}), 2)
    assert isinstance(found, Candidate)
    assert levels(found) == [[1, 0]] * 4
    equals = mondrian(plain({"v": ["a", "b", "a", "b"], "w": ["a", "a", "b", "b"]}), 2)
    assert isinstance(equals, Candidate)
    assert levels(equals) == [[0, 1]] * 4


def test_kept_columns_that_a_dictionary_knows_part_the_table_first() -> None:
    table = {"zip": ["47901", "47901", "46402"], "ill": ["flu", "flu", "HIV"]}
    problem = plain(table, hierarchies=ZIPS, keep=["ill"], dictionaries={"self": ["zip", "ill"]})
    missed = mondrian(problem, 2)
    assert isinstance(missed, Unmet)
    assert (missed.missed, missed.reachable) == ("search.suppression_limit", pytest.approx(1 / 3))
    found = mondrian(problem, 2, 0.34)
    assert isinstance(found, Candidate)
    assert found.released.suppressed.tolist() == [False, False, True]


def test_what_stands_in_the_way_is_told() -> None:
    table = {"zip": ["47901", "46402"], "ill": ["flu", "flu"]}

    def missed(k: int, limits: Limits) -> tuple[str, float | tuple[float, int] | None]:
        found = mondrian(plain(table, hierarchies=ZIPS, keep=["ill"], sensitive=["ill"], limits=limits), k)
        assert isinstance(found, Unmet)
        return found.missed, found.reachable

    assert missed(3, Limits()) == ("search.k", 2)
    assert missed(3, Limits(l={"distinct": 2})) == ("search.k", 2)
    assert missed(2, Limits(l={"distinct": 2})) == ("search.require.l.distinct", 1)
    known = plain(
        {"zip": ["47901", "46402"], "ill": ["flu", "HIV"]},
        hierarchies=ZIPS,
        keep=["ill"],
        sensitive=["ill"],
        dictionaries={"self": ["zip", "ill"]},
        limits=Limits(t=0.1),
    )
    found = mondrian(known, 1)
    assert isinstance(found, Unmet)
    assert (found.missed, found.reachable) == ("search.require.t", 0.5)


@pytest.mark.parametrize("share", [None, ShareAbove(0.2, 0.3)])
def test_the_same_table_is_parted_the_same_however_its_records_are_ordered(share: ShareAbove | None) -> None:
    problem = a_larger_problem(4)
    problem = replace(problem, limits=replace(problem.limits, share_above=share))
    order = np.random.default_rng(1).permutation(len(problem))
    first = mondrian(problem, 3)
    assert isinstance(first, Candidate)
    columns = tuple(replace(one, column=replace(one.column, codes=one.column.codes[order])) for one in problem.columns)
    sensitivity = replace(problem.sensitivity, columns=columns)
    generalised = [weighed.column for weighed in columns if not weighed.kept]
    again = Problem(
        sensitivity,
        (Dictionary.itself("self", [one.column for one in columns], problem.dictionaries[0].places),),
        replace(problem.utility, records=replace(problem.utility.records, columns=tuple(generalised))),
        sensitive=tuple(replace(one, codes=one.codes[order]) for one in problem.sensitive),
        limits=problem.limits,
    )
    second = mondrian(again, 3)
    assert isinstance(second, Candidate)
    assert levels(second) == np.array(levels(first))[order].tolist()


def test_it_stops_when_told_and_tells_how_far_it_is() -> None:
    problem = a_larger_problem(1)
    with pytest.raises(Stopped):
        list(candidates(problem, [2], 0.0, 0, stop=lambda: True))
    told: list[tuple[int, int]] = []
    list(candidates(problem, [2], 0.0, 0, progress=lambda done, total: told.append((done, total))))
    assert told[-1][0] == told[-1][1] > 0
    assert told == sorted(told)
