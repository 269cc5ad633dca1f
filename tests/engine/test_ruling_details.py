"""What a rule's page tells equals the result's figures, and the oracle's where the result has none."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.digits import told_apart
from riskapp.core.errors import Stopped
from riskapp.core.search.candidate import Candidate
from riskapp.core.table.limits import Limits
from riskapp.engine.assess import Prepared, evaluate, prepare
from riskapp.engine.outgoing.releasing import alike
from riskapp.engine.plain_json import in_words
from riskapp.engine.ruling import Ruling, details, exposed
from riskapp.engine.ruling.distribution import distribution
from tests.engine import slow_ruling
from tests.engine.assessing import small
from tests.engine.every_family import as_theirs, drawn, nodes_of, one_of_each, theirs_of
from tests.engine.every_family import written as every_family
from tests.engine.small_assessment import SPEC, cells, written
from tests.oracle import diversity, peers
from tests.oracle.assessment import nodes, same
from tests.oracle.inference import value_weights, weighted_inference
from tests.oracle.people import by_person, counts, person_chances
from tests.oracle.problem import Problem as Theirs
from tests.oracle.release import Released, from_nodes, full_domain
from tests.oracle.replay import by_replay
from tests.oracle.risk import Count, by_definition, losses
from tests.oracle.utility import LOSSES, cell_utility

FAMILIES = ["regional", "per-record", "k-anonymity", "random-k", "mondrian"]
LIMITS = Limits(largest_chance=0.4)


def listed(result: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """The figures of the result, of the rule that is told about."""
    rule = next(one for one in result["rules"] if one["id"] == told["rule"])
    return {key: rule[key] for key in told["figures"]}


def test_the_figures_are_those_of_the_result_for_a_rule_of_every_family(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    result = evaluate(prepared).mapping()
    first = {rule["family"]: rule["id"] for rule in result["rules"]}
    assert set(first) >= {"full-domain", "regional", "per-record", "k-anonymity", "random-k", "mondrian"}
    for rule in first.values():
        told = details(prepared, rule)
        assert alike(told["figures"], listed(result, told)), rule
        for name, own in told["attackers"].items():
            people = told["figures"]["people"][name]
            assert own["people"]["replay"] == people["by_replay"]
            assert own["people"]["definition"] == {key: people[key] for key in people if key != "by_replay"}
            assert own["risk"]["definition"] == pytest.approx(told["figures"]["risk_by_dictionary"][name])


def test_a_point_of_the_exact_frontier_is_found_though_no_rule_is_listed_for_it(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    point = evaluate(prepared).mapping()["exact_frontier"][0]
    told = details(prepared, point["id"])
    assert told["figures"]["risk"] == pytest.approx(point["risk"])
    assert told["figures"]["utility"] == pytest.approx(point["utility"])


def told_and_rows(path: Path, seed: int) -> Iterator[tuple[Prepared, dict[str, Any], Theirs, list[Released], Count]]:
    """For some rules what is told, and the same table for the oracle with its count by replay."""
    prepared, theirs = prepare(path), theirs_of(path)
    node = nodes(theirs)[seed % len(nodes(theirs))]
    name = f"full-domain:{'.'.join(map(str, node))}"
    with suppress(BadSetting):
        told = details(prepared, name, limits=LIMITS)
        yield prepared, told, theirs, full_domain(theirs, node), by_definition(theirs)
    for found in one_of_each(prepared, seed):
        rows, again = from_nodes(theirs, nodes_of(prepared.problem, found)), by_definition(theirs)
        if found.rule is not None:
            again = by_replay(theirs, as_theirs(theirs, prepared.problem, found))
        yield prepared, details(prepared, ruling_of(prepared, found), limits=LIMITS), theirs, rows, again


def ruling_of(prepared: Prepared, found: Candidate) -> Ruling:
    from riskapp.core.measure import Measuring

    return Ruling(prepared, found, Measuring(prepared.problem))


def assert_told(told: dict[str, Any], prepared: Prepared, theirs: Theirs, rows: list[Released], again: Count) -> None:
    ways = {"definition": by_definition(theirs), "replay": again}
    for dictionary in theirs.dictionaries:
        own = told["attackers"][dictionary.name]
        for how, count in ways.items():
            each = losses(theirs, dictionary, rows, count)
            assert_distribution(own["losses"][how], each)
            persons = by_person(theirs, counts(theirs, dictionary, rows, count))
            above = sum(chance > 0.4 for chance in person_chances(theirs, persons))
            assert own["above_limit"][how] == above
        assert same(own["journalist"], peers.journalist(theirs, dictionary, rows, 0.4))
    assert same(told["groups"]["prosecutor"], peers.prosecutor(theirs, rows, 0.4))
    assert told["groups"]["marketer"] == pytest.approx(peers.marketer(theirs, rows))
    assert told["groups"]["sample_uniques"] == peers.sample_uniques(theirs, rows)
    for name, own in told["groups"]["sensitive"].items():
        if own is not None:
            assert same(own["l"], diversity.smallest_l(theirs, rows, name))
            learnt = {key: float(figure) for key, figure in own["learnt"].items()}
            assert same(learnt, weighted_inference(theirs, rows, name))
            assert own["t"] == pytest.approx(diversity.largest_t(theirs, rows, theirs.attributes[name]))
    assert_worst(told, prepared, theirs, rows, ways)
    assert_utilities(told, theirs, rows)


def assert_utilities(told: dict[str, Any], theirs: Theirs, rows: list[Released]) -> None:
    """What is left of each attribute, cell by cell."""
    measure, weights = theirs.settings.measure, theirs.settings.utility_weights
    for own in told["attributes"]:
        attribute = theirs.attributes[own["name"]]
        if attribute.kept:
            assert own["utility"] is None
            continue
        tree, weight = attribute.hierarchy, weights.get(attribute.name, 1.0)
        left, whole = (
            weight * sum(cell_utility(measure, tree, row.cells[attribute.name]) for row in some) / len(rows)
            for some in (rows, full_domain(theirs, (0,) * len(theirs.generalised())))
        )
        if measure in LOSSES:
            nothing = weight * cell_utility(measure, tree, tree.top)
            share = 1 - left / nothing if nothing else 1.0
        else:
            share = left / whole if whole else 1.0
        assert own["utility"] == {"mean": pytest.approx(left), "share": pytest.approx(share)}


def assert_distribution(told: dict[str, Any], each: list[float]) -> None:
    assert told["records"] == len(each)
    assert told["zero"] == sum(loss == 0 for loss in each)
    assert told["infinite"] == sum(loss == math.inf for loss in each)
    assert sum(many for _, _, many in told["bins"]) == len(each) - told["zero"] - told["infinite"]
    for share, value in told["quantiles"].items():
        assert float(value) == pytest.approx(slow_ruling.quantile(told_apart(each).tolist(), share))


def assert_worst(
    told: dict[str, Any], prepared: Prepared, theirs: Theirs, rows: list[Released], ways: dict[str, Count]
) -> None:
    every = [losses(theirs, one, rows, count) for one in theirs.dictionaries for count in ways.values()]
    most = sorted((max(own) for own in zip(*every, strict=True)), reverse=True)
    assert [float(one["loss"]) for one in told["worst"]] == pytest.approx(most[:20])
    where = {number + 1: place for place, number in enumerate(prepared.built.rows.tolist())}
    for one in told["worst"]:
        for dictionary in theirs.dictionaries:
            for how, count in ways.items():
                place, own = where[one["record"]], one["dictionaries"][dictionary.name][how]
                assert own["people"] == count(dictionary, rows[place], rows[place].cells)
                assert float(own["loss"]) == pytest.approx(losses(theirs, dictionary, rows, count)[place])


def test_attackers_groups_and_worst_records_are_the_oracle_s(tmp_path: Path) -> None:
    seen = Counter[str]()
    for seed in range(12):
        (tmp_path / str(seed)).mkdir()
        path = drawn(seed, tmp_path / str(seed), FAMILIES)
        for prepared, told, theirs, rows, again in told_and_rows(path, seed):
            assert_told(told, prepared, theirs, rows, again)
            seen[told["family"]] += 1
            seen.update(f"weights: {kind}" for kind in kinds_of_weights(theirs))
    assert sum(seen.values()) >= 25, seen
    assert {"full-domain", "per-record", "mondrian"} <= set(seen)
    assert {"weights: unlike", "weights: infinite"} <= set(seen)


def kinds_of_weights(theirs: Theirs) -> set[str]:
    """What the weights of sensitive values are like in a drawn assessment."""
    columns = [name for name, own in theirs.attributes.items() if own.sensitive]
    weights = [{weight for weight in value_weights(theirs, name) if weight} for name in columns]
    unlike = {"unlike" for own in weights if len(own - {math.inf}) > 1}
    return unlike | {"infinite" for own in weights if math.inf in own}


def test_a_value_that_hurts_more_counts_more_in_what_is_learnt(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("town,ill\nA,flu\nA,flu\nB,flu\nB,hiv\n")
    spec = {
        "dataset": {"file": "people.csv"},
        "attributes": {"town": {}, "ill": {"role": "keep", "sensitive": True, "weight": 1, "weights": {"hiv": 5}}},
        "dictionaries": [{"self": True, "name": "neighbour", "knows": ["town"]}],
    }
    (tmp_path / "ASSESSMENT.json").write_text(json.dumps(spec))
    prepared = prepare(tmp_path / "ASSESSMENT.json")
    told = details(prepared, "full-domain:0")
    # Everywhere 3/4 have flu and 1/4 hiv: in A flu is learnt by 1/4, in B hiv by 1/4 and flu not at all.
    assert told["figures"]["inference"]["ill"] == {"mean": 0.1875, "worst": 0.25}
    learnt = told["groups"]["sensitive"]["ill"]["learnt"]
    assert learnt == {"mean": pytest.approx((2 * 0.25 + 5 * 0.25) / 8), "worst": 5 * 0.25}


def test_utility_by_attribute_adds_up_to_the_rule_s(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    for rule in ("full-domain:1.0.2", "mondrian:2", "per-record:exhaustive"):
        told = details(prepared, rule)
        means = [own["utility"]["mean"] for own in told["attributes"]]
        assert sum(means) == pytest.approx(told["figures"]["utility"])
    assert [own["utility"]["share"] for own in details(prepared, "full-domain:1.0.2")["attributes"]] == [0.5, 1.0, 0.5]


def test_shapes_are_made_up_and_hold_no_value(tmp_path: Path) -> None:
    prepared = prepare(written(tmp_path, SPEC))
    told = details(prepared, "full-domain:1.1.2.2.3.0")
    shapes = {own["name"]: own["levels"][0]["shape"] for own in told["attributes"]}
    assert shapes == {
        "city": {"kind": "groups", "level": 1, "groups": 3},
        "race": {"kind": "groups", "level": 1, "groups": 2},
        "born": {"kind": "example", "before": "1975-05-10", "after": "1975"},
        "income": {"kind": "example", "before": "37", "after": "[20,40)"},
        "zip": {"kind": "example", "before": "12345", "after": "12***"},
        "sex": {"kind": "unchanged"},
        "note": {"kind": "unchanged"},
        "illness": {"kind": "unchanged"},
    }
    assert [own["levels"][0]["name"] for own in told["attributes"]][:3] == ["land", "1", "year"]
    text = json.dumps(told)
    made_up = {"1975-05-10", "1975"}
    assert not [cell for cell in cells() - made_up if cell in text]


def test_levels_of_a_rule_for_each_record_are_told_with_their_shares(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    ruling = Ruling.of(prepared, "mondrian:2")
    for place, own in enumerate(details(prepared, ruling)["attributes"]):
        levels = np.broadcast_to(ruling.released.levels[place], len(prepared.problem)).tolist()
        expected = {level: levels.count(level) / len(levels) for level in set(levels)}
        assert {one["level"]: one["share"] for one in own["levels"]} == expected
        assert own["level"] == (levels[0] if len(expected) == 1 else None)


def test_people_above_a_chance_are_counted_once_whatever_dictionary_finds_them(tmp_path: Path) -> None:
    prepared = prepare(every_family(tmp_path))
    told = details(prepared, "full-domain:0.0.0", limits=LIMITS)
    one = told["attackers"]["self"]["above_limit"]
    assert one == {"chance": 0.4, "definition": 8 - 0, "replay": 8} or one["definition"] < 8
    assert exposed(prepared, "full-domain:0.0.0", [0.4, 1.0]) == {0.4: one["definition"], 1.0: 0}


def test_records_are_named_by_their_rows_in_the_file(tmp_path: Path) -> None:
    prepared = prepare(written(tmp_path, SPEC))
    ruling = Ruling.of(prepared, "full-domain:0.0.0.0.0.0")
    assert [ruling.number(place) for place in range(3)] == [1, 2, 3]
    assert {one["record"] for one in details(prepared, ruling)["worst"]} == {1, 2, 3}
    with pytest.raises(BadSetting):
        ruling.place(4)


def test_without_a_limit_nobody_is_above_it(tmp_path: Path) -> None:
    told = details(prepare(every_family(tmp_path)), "full-domain:0.0.0")
    assert told["attackers"]["self"]["above_limit"] is None
    assert told["groups"]["prosecutor"]["share_above"] is None


def test_an_unknown_rule_is_refused_and_a_stop_is_heard(tmp_path: Path) -> None:
    prepared = prepare(small(tmp_path))
    with pytest.raises(BadSetting):
        details(prepared, "full-domain:9.9.9")
    with pytest.raises(Stopped):
        details(prepared, "full-domain:0.0.0", stop=lambda: True)
    asked = iter([False, False, True])
    with pytest.raises(Stopped):
        details(prepared, "full-domain:0.0.0", stop=lambda: next(asked))


def test_every_loss_is_in_its_bin() -> None:
    drawn = np.random.Generator(np.random.PCG64(0))
    for size in (1, 5, 2000):
        each = np.exp(drawn.normal(0, 40, size))
        told = distribution(each)
        assert len(told["bins"]) <= 60
        for low, high, many in told["bins"]:
            assert many == ((each >= low * (1 - 1e-12)) & (each < high * (1 - 1e-12))).sum()
        for share, value in told["quantiles"].items():
            assert value == sorted(each)[math.ceil(float(share) * size) - 1]


def test_everything_told_is_json(tmp_path: Path) -> None:
    told = details(prepare(small(tmp_path)), "full-domain:0.0.0")
    assert told == in_words(told) == json.loads(json.dumps(told, allow_nan=False))
