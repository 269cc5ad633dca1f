"""A whole assessment worked out by hand, the frontier with its ties, the three questions, limits and refusals."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.oracle import assess
from tests.oracle.arithmetic import comparable
from tests.oracle.assessment import same, written
from tests.oracle.frontier import Point, dominates, frontier, optimum
from tests.oracle.reading import Refused
from tests.oracle.tables import save

FILES = {
    "dataset.csv": """
        zip,sex,illness
        101,f,flu
        102,f,flu
        102,m,gout
        201,m,flu
        """
}
SPEC: dict[str, Any] = {
    "dataset": {"file": "dataset.csv"},
    "attributes": {
        "zip": {"hierarchy": {"groups": {"ten": ["101", "102"], "twenty": ["201"]}}, "weight": 2},
        "sex": {},
        "illness": {"role": "keep", "sensitive": True, "weight": 0},
    },
}


def assessed(folder: Path, **changed: Any) -> dict[str, Any]:
    return assess({**SPEC, **changed}, save(folder, FILES))


#  zip.sex   |ρ| of the four records   Φ   risk                    utility  k   mean and worst inference of the illness
HAND = [
    ("0.0", [1, 1, 1, 1], 3, 3.0, 3.0, 1, [1 / 4, 1 / 4, 3 / 4, 1 / 4]),
    ("0.1", [1, 2, 2, 1], 2, 1.5, 2.0, 1, [1 / 4, 0, 1 / 4, 1 / 4]),
    ("1.0", [2, 2, 1, 1], 3, 2.25, 2.0, 1, [1 / 4, 1 / 4, 3 / 4, 1 / 4]),
    ("1.1", [3, 3, 3, 1], 2, 1.0, 1.0, 1, [0, 0, 1 / 12, 1 / 4]),
    ("2.0", [2, 2, 2, 2], 1, 0.5, 1.0, 2, [1 / 4, 1 / 4, 1 / 4, 0]),
    ("2.1", [4, 4, 4, 4], 0, 0.0, 0.0, 4, [0, 0, 0, 0]),
]


@pytest.mark.parametrize(("node", "people", "phi", "risk", "utility", "smallest", "learnt"), HAND)
def test_every_rule_of_a_small_table_by_hand(
    tmp_path: Path,
    node: str,
    people: list[int],
    phi: float,
    risk: float,
    utility: float,
    smallest: int,
    learnt: list[float],
) -> None:
    rule = next(one for one in assessed(tmp_path)["rules"] if one["id"] == f"full-domain:{node}")
    assert risk == pytest.approx(phi * sum(1 / count for count in people) / 4)
    assert (rule["risk"], rule["risk_replay"], rule["utility"]) == pytest.approx((risk, risk, utility))
    assert rule["utility_share"] == pytest.approx(utility / 3)
    assert (rule["smallest_group"], rule["suppressed"], rule["risk_by_dictionary"]) == (
        smallest,
        0,
        {"self": rule["risk"]},
    )
    figures = rule["people"]["self"]
    assert figures["expected_found"] == pytest.approx(sum(1 / count for count in people))
    assert figures["gain"] == pytest.approx(sum(1 / count for count in people) - 1)
    assert (figures["singled_out"], figures["uncovered"]) == (people.count(1), 0)
    assert figures["by_replay"]["expected_found"] == figures["expected_found"]
    assert rule["inference"]["illness"] == pytest.approx({"mean": sum(learnt) / 4, "worst": max(learnt)})


def test_the_frontier_of_the_small_table(tmp_path: Path) -> None:
    result = assessed(tmp_path)
    assert result["frontier"] == [f"full-domain:{node}" for node in ("0.0", "0.1", "2.0", "2.1")]
    assert [rule["id"] for rule in result["rules"] if rule["on_frontier"]] == result["frontier"]
    assert result["coverage"] == {"self": {"0": 0, "1": 4, "2-5": 0, "6-20": 0, ">20": 0}}
    assert (result["dataset"]["records"], result["dataset"]["people"]) == (4, 4)
    assert len(result["dataset"]["sha256"]) == 64
    assert result["rules"][3]["node"] == {"zip": 1, "sex": 1}


QUESTIONS: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
    ({}, None),
    ({"least_utility": 2}, {"rule": "0.1", "risk": 1.5, "utility": 2}),
    ({"least_utility": 1}, {"rule": "2.0", "risk": 0.5, "utility": 1}),
    ({"least_utility": 3.5}, {"nearest": "0.0"}),
    ({"most_risk": 1.5}, {"rule": "0.1", "risk": 1.5, "utility": 2}),
    ({"most_risk": 1}, {"rule": "2.0", "risk": 0.5, "utility": 1}),  # 1.1 says as much at more risk
    ({"most_risk": -1}, {"nearest": "2.1"}),
    ({"trade_off": 0.1}, {"rule": "2.1", "risk": 0, "utility": 0}),
    ({"trade_off": 1}, {"rule": "2.0", "risk": 0.5, "utility": 1}),  # −1/2 as at 0.1, at less risk
    ({"trade_off": 9}, {"rule": "0.0", "risk": 3, "utility": 3}),
    ({"least_utility": 1, "limits": {"smallest_group": 3}}, {"nearest": "2.1"}),  # within the limit, if not useful
    ({"least_utility": 0, "limits": {"smallest_group": 3}}, {"rule": "2.1", "risk": 0, "utility": 0}),
    ({"trade_off": 9, "limits": {"largest_chance": 0.5}}, {"rule": "2.0", "risk": 0.5, "utility": 1}),
    ({"trade_off": 9, "limits": {"inference": 0.25}}, {"rule": "0.1", "risk": 1.5, "utility": 2}),
    (
        {"trade_off": 9, "limits": {"share_above": {"chance": 0.5, "share": 0.25}}},
        {"rule": "2.0", "risk": 0.5, "utility": 1},
    ),
    (
        {"trade_off": 9, "limits": {"share_above": {"chance": 0.5, "share": 0.5}}},
        {"rule": "0.1", "risk": 1.5, "utility": 2},
    ),
    ({"trade_off": 9, "require": {"l": {"distinct": 2}}}, {"rule": "2.1", "risk": 0, "utility": 0}),
    ({"trade_off": 9, "require": {"l": {"probabilistic": 1.3}}}, {"rule": "2.1", "risk": 0, "utility": 0}),
    ({"trade_off": 9, "require": {"l": {"entropy": 1.75}}}, {"rule": "2.1", "risk": 0, "utility": 0}),
    ({"trade_off": 9, "require": {"l": {"recursive": [4, 2]}}}, {"rule": "2.1", "risk": 0, "utility": 0}),
    ({"trade_off": 9, "require": {"t": 0.25}}, {"rule": "0.1", "risk": 1.5, "utility": 2}),
    ({"most_risk": 0.5, "limits": {"smallest_group": 5}}, {"nearest": "2.1"}),
]


@pytest.mark.parametrize(("search", "expected"), QUESTIONS)
def test_the_best_rule_under_each_question(
    tmp_path: Path, search: dict[str, Any], expected: dict[str, Any] | None
) -> None:
    found = assessed(tmp_path, search=search)["optimum"]
    if expected is None:
        assert found is None
    elif "nearest" in expected:
        assert found["nearest"] == f"full-domain:{expected['nearest']}"
        assert found["infeasible"]
    else:
        assert found == {**expected, "rule": f"full-domain:{expected['rule']}"}


def test_a_constraint_on_each_record_is_harder_than_one_on_the_table(tmp_path: Path) -> None:
    files = {"dataset.csv": "zip,sex\n101,f\n,m\n"}
    attributes = {"zip": {"hierarchy": {"mask": 3}}, "sex": {}}
    spec = {"dataset": {"file": "dataset.csv"}, "attributes": attributes}
    save(tmp_path, files)
    table = assess({**spec, "search": {"least_utility": 1}}, tmp_path)["optimum"]
    each = assess({**spec, "search": {"least_utility": 1, "per_record": True}}, tmp_path)["optimum"]
    # the record without a zip has only its sex to say
    assert table["rule"] == "full-domain:0.1"
    assert each["rule"] == "full-domain:3.0"


def test_most_risk_for_each_record_bounds_the_largest_loss(tmp_path: Path) -> None:
    # at 0.1 the mean is 1.5, but the first record loses 2; at 1.1 the mean is 1 and the last record loses 2
    table = assessed(tmp_path, search={"most_risk": 1.5})["optimum"]
    each = assessed(tmp_path, search={"most_risk": 1.5, "per_record": True})["optimum"]
    assert (table["rule"], each["rule"]) == ("full-domain:0.1", "full-domain:2.0")


def points(*figures: tuple[str, float, float]) -> list[Point]:
    return [Point(name, risk, utility) for name, risk, utility in figures]


def test_equal_points_are_all_on_the_frontier_and_both_ends_always() -> None:
    plane = points(("a", 5, 5), ("b", 2, 5), ("c", 2, 5), ("d", 2, 4), ("e", 0, 1), ("z", 0, 0))
    assert frontier(plane, {"a", "z"}) == ["a", "b", "c", "e", "z"]
    assert frontier(plane, set()) == ["b", "c", "e"]


def test_a_difference_of_rounding_is_no_difference() -> None:
    one, other = points(("a", 0.1 + 0.2, 1), ("b", 0.3, 1))
    assert not dominates(one, other)
    assert not dominates(other, one)
    best = optimum([other, one], {"least_utility": 1})
    assert best is not None
    assert best["rule"] == "a"


def test_digits_count_from_the_first_so_that_small_risks_are_told_apart() -> None:
    one, other = points(("a", 1.25e-15, 1), ("b", 1.5e-15, 1))
    assert dominates(one, other)
    assert comparable(1.23456789012345e-15) == 1.23456789012e-15
    # what is left where two large numbers nearly cancel has no more digits than these had
    assert comparable(1000.1 - 1000.0, 1000.1) == 0.1


def test_infinite_risks_are_compared_too() -> None:
    plane = points(("a", math.inf, 3), ("b", math.inf, 2), ("c", 1, 1))
    assert frontier(plane, set()) == ["a", "c"]
    assert optimum(plane, {"least_utility": 2}) == {"rule": "a", "risk": math.inf, "utility": 3}
    assert optimum(plane, {"most_risk": 5}) == {"rule": "c", "risk": 1, "utility": 1}
    assert optimum(plane[:2], {"most_risk": 5}) == {"infeasible": "most_risk", "nearest": "a"}


def test_ties_go_to_less_risk_then_more_utility_then_the_smaller_id() -> None:
    plane = points(("c", 1, 3), ("b", 1, 3), ("a", 1, 2), ("d", 2, 4))
    assert optimum(plane, {"least_utility": 1}) == {"rule": "b", "risk": 1, "utility": 3}
    assert optimum(plane, {"trade_off": 1}) == {"rule": "b", "risk": 1, "utility": 3}


def test_yaml_json_and_a_mapping_give_the_same_result(tmp_path: Path) -> None:
    save(tmp_path, FILES)
    attributes = {**SPEC["attributes"], "sex": {"weight": math.inf}}
    (tmp_path / "a.yaml").write_text(yaml.safe_dump({**SPEC, "attributes": attributes}, sort_keys=False))
    in_words = {**SPEC, "attributes": {**attributes, "sex": {"weight": "inf"}}}
    (tmp_path / "a.json").write_text(json.dumps(in_words))
    results = [assess(tmp_path / "a.yaml"), assess(tmp_path / "a.json"), assess(in_words, tmp_path)]
    assert results[0] == results[1] == results[2]
    assert results[0]["rules"][0]["risk"] == math.inf
    assert json.loads(json.dumps(written(results[0])))["rules"][0]["risk"] == "inf"


def test_results_are_compared_up_to_a_tolerance() -> None:
    assert same({"a": [1.0, "x", None]}, {"a": [1 + 1e-12, "x", None]})
    assert not same({"a": [1.0]}, {"a": [1.001]})
    assert not same({"a": 1}, {"b": 1})
    assert same(math.inf, math.inf)


WRONG: list[dict[str, Any]] = [
    {"risks": {}},
    {"attributes": {}},
    {"attributes": {"colour": {}}},
    {"attributes": {"zip": {"hierarchy": {"groups": {"ten": ["101"]}}}}},
    {"attributes": {"zip": {"weight": "heavy"}}},
    {"attributes": {"illness": {"order": ["flu"]}}},
    {"dataset": {"file": "dataset.csv", "leave_out": "dataset.csv"}},
    {"dataset": {"file": "dataset.csv", "identifier": "zip"}},
    {"dictionaries": ["self", "self"]},
    {"dictionaries": [{"self": True, "knows": ["colour"]}]},
    {"dictionaries": [{"file": "dataset.csv", "match": {"zip": "zip@9"}}]},
    {"dictionaries": [{"file": "dataset.csv", "match": {}}]},
    {"dictionaries": [{"file": "dataset.csv", "match": {"zip": "zip", "sex": "zip"}}]},
    {"dictionaries": [{"file": "dataset.csv", "match": {"zip": "zip"}, "identity": "sex", "count": "zip"}]},
    {"dictionaries": [{"file": "dataset.csv", "match": {"zip": "zip"}, "count": "sex"}]},
    {"risk": {"model": "hope"}},
    {"risk": {"over_dictionaries": "nobody"}},
    {"utility": {"weights": {"colour": 1}}},
    {"sensitivity": {"pairs": [{"attributes": ["zip", "zip"], "weight": 1}]}},
    {"search": {"least_utility": 1, "most_risk": 1}},
    {"search": {"rules": ["regional"]}},
    {"search": {"limits": {"k": 3}}},
]


@pytest.mark.parametrize("changed", WRONG)
def test_an_impossible_assessment_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        assessed(tmp_path, **changed)


MEASURES = [
    #  node (zip.sex): two leaves under ten, one under twenty, three in all; two sexes
    ("depth", "1.1", (1 + 1 + 1 + 1) / 4, 1 / 3),
    ("inverse-leaves", "1.1", (0.5 + 0.5 + 0.5 + 1) / 4 + 0.5, 1.125 / 2),
    ("log-leaves", "1.1", (3 * math.log(1.5) + math.log(3)) / 4, None),
    ("xiao-tao", "1.1", -(3 * (1 / 3) + 0) / 4 - 0.5, 1 - 0.75 / (2 / 3 + 1 / 2)),
    ("lm", "1.1", -(3 * 0.5 + 0) / 4 - 1, 1 - 1.375 / 2),
    ("lm", "2.1", -2, 0),
    ("xiao-tao", "0.0", 0, 1),
]


@pytest.mark.parametrize(("measure", "node", "value", "share"), MEASURES)
def test_each_measure_of_utility_by_hand(
    tmp_path: Path, measure: str, node: str, value: float, share: float | None
) -> None:
    rules = assessed(tmp_path, utility={"measure": measure})["rules"]
    rule = next(one for one in rules if one["id"] == f"full-domain:{node}")
    assert rule["utility"] == pytest.approx(value)
    if share is not None:
        assert rule["utility_share"] == pytest.approx(share)


def test_utility_may_be_weighted_and_be_that_of_the_best_or_worst_record(tmp_path: Path) -> None:
    def utility(**key: Any) -> float:
        rules = assessed(tmp_path, utility={"measure": "inverse-leaves", **key})["rules"]
        return next(float(one["utility"]) for one in rules if one["id"] == "full-domain:1.1")

    assert utility(weights={"zip": 4}) == pytest.approx(4 * 0.625 + 0.5)
    assert utility(over_records="max") == pytest.approx(1.5)
    assert utility(over_records="min") == pytest.approx(1.0)
