"""What must hold of every assessment, on random small ones."""

import math
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.oracle import assess, people, reading, replay
from tests.oracle.arithmetic import comparable
from tests.oracle.assessment import nodes, same
from tests.oracle.below import first_without_partner
from tests.oracle.building import build
from tests.oracle.consistency import comparable_cells, consistent_entries
from tests.oracle.groups import keys, sizes
from tests.oracle.hierarchies import Cell, Hierarchy
from tests.oracle.instances import draw
from tests.oracle.problem import Dictionary, Entry, Problem
from tests.oracle.release import Node, from_labels, from_nodes, full_domain
from tests.oracle.risk import losses, over_dictionaries, over_records, risk, risk_by_dictionary
from tests.oracle.sensitivity import harmonic, sensitivity
from tests.oracle.utility import record_utility, utility, utility_share

Test = Callable[[Problem, st.DataObject], None]
SEEDS = st.integers(0, 10**9)


def on_random_problems(examples: int) -> Callable[[Test], Callable[[], None]]:
    """Run a test with a problem and a source of choices, on so many random assessments."""

    def decorate(test: Test) -> Callable[[], None]:
        quiet = settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        return quiet(given(SEEDS.map(problem_of), st.data())(test))

    return decorate


def problem_of(seed: int) -> Problem:
    with tempfile.TemporaryDirectory() as folder:
        path = draw(seed, Path(folder))
        return build(reading.assessment(path), path.parent)


def a_node(problem: Problem, choices: st.DataObject) -> Node:
    return choices.draw(st.sampled_from(nodes(problem)))


def a_step_up(problem: Problem, choices: st.DataObject) -> tuple[Node, Node] | None:
    """A node and one that generalises one attribute by one step more."""
    node = a_node(problem, choices)
    tops = [attribute.hierarchy.height for attribute in problem.generalised()]
    open_places = [place for place, level in enumerate(node) if level < tops[place]]
    if not open_places:
        return None
    place = choices.draw(st.sampled_from(open_places))
    return node, tuple(level + (here == place) for here, level in enumerate(node))


def never_below(larger: list[float], smaller: list[float]) -> bool:
    return all(comparable(one) >= comparable(other) for one, other in zip(larger, smaller, strict=True))


@on_random_problems(40)
def test_full_domain_rules_are_closed_so_replay_finds_nobody_more(problem: Problem, choices: st.DataObject) -> None:
    node = a_node(problem, choices)
    rule, rows = replay.full_domain_rule(problem, node), full_domain(problem, node)
    again = replay.by_replay(problem, rule)
    assert all(replay.closed(problem, dictionary, rows, rule) for dictionary in problem.dictionaries)
    assert risk(problem, rows, again) == risk(problem, rows)
    for dictionary in problem.dictionaries:
        assert people.people(problem, dictionary, rows, again) == people.people(problem, dictionary, rows)


@on_random_problems(40)
def test_a_table_s_own_rule_never_finds_more_by_replay_than_are_consistent(
    problem: Problem, choices: st.DataObject
) -> None:
    every = [*nodes(problem), None]
    rows = from_nodes(problem, [choices.draw(st.sampled_from(every)) for _ in problem.records])
    rule = replay.table_rule(problem, rows)
    for dictionary in problem.dictionaries:
        for row in rows:
            replayed = replay.replayed_entries(problem, dictionary, row, rule)
            consistent = consistent_entries(problem.attributes, dictionary, row.cells)
            assert all(any(entry is other for other in consistent) for entry in replayed)


@on_random_problems(60)
def test_generalising_never_adds_loss_sensitivity_or_utility_where_it_is_promised(
    problem: Problem, choices: st.DataObject
) -> None:
    step = a_step_up(problem, choices)
    problem.settings.uncovered, problem.settings.unidentified, problem.linkage = "one", 0.0, None
    if step is None:
        return
    fine, coarse = (full_domain(problem, node) for node in step)
    for dictionary in problem.dictionaries:
        assert never_below(losses(problem, dictionary, fine), losses(problem, dictionary, coarse))
    phis = [
        [sensitivity(problem, record, row.cells) for record, row in zip(problem.records, rows, strict=True)]
        for rows in (fine, coarse)
    ]
    assert never_below(*phis)
    assert never_below(*([record_utility(problem, row) for row in rows] for rows in (fine, coarse)))


@on_random_problems(40)
def test_covered_records_are_monotone_in_the_thesis_own_reading(problem: Problem, choices: st.DataObject) -> None:
    step = a_step_up(problem, choices)
    problem.settings.uncovered, problem.settings.unidentified, problem.linkage = "zero", 0.0, None
    if step is None:
        return
    unchanged = full_domain(problem, (0,) * len(step[0]))
    for dictionary in problem.dictionaries:
        covered = people.counts(problem, dictionary, unchanged)
        fine, coarse = (losses(problem, dictionary, full_domain(problem, node)) for node in step)
        kept = [place for place, count in enumerate(covered) if count]
        assert never_below([fine[place] for place in kept], [coarse[place] for place in kept])


@on_random_problems(40)
def test_risk_is_over_records_first_and_the_worst_mean_is_at_most_the_mean_of_worsts(
    problem: Problem, choices: st.DataObject
) -> None:
    rows = full_domain(problem, a_node(problem, choices))
    weights = [record.risk_weight for record in problem.records]
    each = {one.name: losses(problem, one, rows) for one in problem.dictionaries}
    how = problem.settings.risk_over_records
    by_name = {name: over_records(how, values, weights) for name, values in each.items()}
    assert risk_by_dictionary(problem, rows) == by_name
    assert risk(problem, rows) == over_dictionaries(problem, by_name)
    worst = [max(values) for values in zip(*each.values(), strict=True)]
    means = [over_records("mean", values, weights) for values in each.values()]
    assert comparable(max(means)) <= comparable(over_records("mean", worst, weights))


def meeting_level(hierarchy: Hierarchy, value: str, cell: Cell) -> int:
    """The lowest level to which a value must be generalised to be comparable with a cell."""
    levels = range(hierarchy.height + 1)
    return next(level for level in levels if comparable_cells(hierarchy, hierarchy.above((0, value), level), cell))


def dominated(problem: Problem, entry: Entry, place: int, levels: dict[str, int]) -> bool:
    """Whether an entry meets a record at or below the levels of a node, in every attribute."""
    values = problem.records[place].values
    for name in [*entry.known, *entry.fuzzy]:
        hierarchy, value = problem.attributes[name].hierarchy, values[name]
        cells = entry.fuzzy.get(name, []) if name in entry.fuzzy else [entry.known[name]]
        if not cells:
            return False
        if value is not None and min(meeting_level(hierarchy, value, cell) for cell in cells) > levels[name]:
            return False
    return True


@on_random_problems(40)
def test_counting_consistent_people_is_counting_meeting_levels_below_the_node(
    problem: Problem, choices: st.DataObject
) -> None:
    node = a_node(problem, choices)
    steps = iter(node)
    levels = {name: 0 if attribute.kept else next(steps) for name, attribute in problem.attributes.items()}
    for dictionary in problem.dictionaries:
        found = people.counts(problem, dictionary, full_domain(problem, node))
        for place, count in enumerate(found):
            met = [entry for entry in dictionary.entries if dominated(problem, entry, place, levels)]
            assert count == sum({entry.person: entry.count for entry in met}.values())


@on_random_problems(40)
def test_a_release_read_back_from_its_text_has_the_same_risk(problem: Problem, choices: st.DataObject) -> None:
    rows = full_domain(problem, a_node(problem, choices))
    assert comparable(risk(problem, from_labels(problem, [row.shown for row in rows]))) == comparable(
        risk(problem, rows)
    )


@on_random_problems(40)
def test_people_figures_stay_within_each_other(problem: Problem, choices: st.DataObject) -> None:
    rows = full_domain(problem, a_node(problem, choices))
    everybody = len(problem.people())
    for dictionary in problem.dictionaries:
        figures = people.people(problem, dictionary, rows)
        assert figures["singled_out"] <= figures["expected_found"] + 1e-9
        assert figures["expected_found"] + figures["uncovered"] <= everybody + 1e-9
        assert 0 <= figures["largest_chance"] <= 1
        assert sum(people.coverage(problem, dictionary, rows).values()) == len(problem.records)


@on_random_problems(40)
def test_the_share_of_utility_is_largest_unchanged_and_between_nought_and_one(
    problem: Problem, choices: st.DataObject
) -> None:
    node = a_node(problem, choices)
    unchanged = utility(problem, full_domain(problem, (0,) * len(node)))
    share = utility_share(problem, utility(problem, full_domain(problem, node)), unchanged)
    assert -1e-9 <= share <= utility_share(problem, unchanged, unchanged) + 1e-9 <= 1 + 2e-9


@on_random_problems(30)
def test_the_dataset_as_dictionary_counts_the_group_where_nothing_is_missing(
    problem: Problem, choices: st.DataObject
) -> None:
    if any(None in record.values.values() for record in problem.records):
        return
    known = [attribute.name for attribute in problem.generalised()]
    entries = [Entry({name: (0, str(r.values[name])) for name in known}, {}, r.person) for r in problem.records]
    problem.dictionaries = [Dictionary("self", known, entries)]
    rows = full_domain(problem, a_node(problem, choices))
    groups = sizes(problem, rows)
    assert people.counts(problem, problem.dictionaries[0], rows) == [groups[key] for key in keys(problem, rows) if key]


@on_random_problems(30)
def test_leaves_add_up_and_equal_weights_fall_by_their_number(problem: Problem, choices: st.DataObject) -> None:
    for attribute in problem.attributes.values():
        hierarchy = attribute.hierarchy
        inner = {cell for leaf in hierarchy.domain for cell in list(enumerate(hierarchy.path(leaf)))[1:-1]}
        for cell in inner:
            under = hierarchy.leaves_under(cell)
            assert under == sum(hierarchy.leaves_under(child) for child in hierarchy.children(cell))
            assert math.isclose(harmonic(hierarchy, cell, lambda leaf: 3.0), 3.0 / under)
        if hierarchy.domain:
            assert hierarchy.leaves_under(hierarchy.top) == hierarchy.size()


@on_random_problems(30)
def test_an_estimate_bounds_the_risk_of_every_dictionary_that_only_adds_people_and_coarsens(
    problem: Problem, choices: st.DataObject
) -> None:
    known = [attribute.name for attribute in problem.generalised()]
    fine = [
        Entry({name: (0, value) for name in known if (value := record.values[name]) is not None}, {}, f"e{place}")
        for place, record in enumerate(problem.records)
    ]
    coarse = [Entry(coarsened(problem, entry, choices), {}, entry.person) for entry in fine]
    added = [Entry(coarsened(problem, fine[0], choices), {}, "new")] if choices.draw(st.booleans()) else []
    estimate, truth = Dictionary("estimate", known, fine), Dictionary("truth", known, coarse + added)
    assert first_without_partner(problem.attributes, estimate, truth) is None
    if problem.settings.model == "entropic":
        problem.settings.model = "sensitivity"
    problem.settings.unidentified, problem.linkage = 0.0, None
    rows = full_domain(problem, a_node(problem, choices))
    assert never_below(losses(problem, estimate, rows), losses(problem, truth, rows))


def coarsened(problem: Problem, entry: Entry, choices: st.DataObject) -> dict[str, Cell]:
    found = {}
    for name, cell in entry.known.items():
        hierarchy = problem.attributes[name].hierarchy
        level = choices.draw(st.integers(0, hierarchy.height))
        if level < hierarchy.height:
            found[name] = hierarchy.above(cell, level)
    return found


@settings(max_examples=12, deadline=None)
@given(SEEDS)
def test_an_assessment_is_the_same_twice_and_the_same_with_replay_counted_out(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = draw(seed, Path(folder))
        result = assess(path)
        assert result == assess(path)
        assert same(result, assess(path, replay=True))


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_nothing_on_the_frontier_is_beaten_and_everything_else_is(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        result = assess(draw(seed, Path(folder)))
    plane = {rule["id"]: (comparable(rule["risk"]), -comparable(rule["utility"])) for rule in result["rules"]}
    beaten = {
        name: any(other[0] <= one[0] and other[1] <= one[1] and other != one for other in plane.values())
        for name, one in plane.items()
    }
    ends = {result["rules"][0]["id"], result["rules"][-1]["id"]}
    assert set(result["frontier"]) == {name for name in plane if not beaten[name]} | ends
    best = result["optimum"]
    if best and "rule" in best:
        chosen = next(rule for rule in result["rules"] if rule["id"] == best["rule"])
        assert chosen["within_limits"]
