"""Neighbours, the verdict and the stability of the choice, against slow ways that are obvious."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.measure import Measuring, measure
from riskapp.core.optimum import Best, Question, Rules, optimum
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.core.table.released import Released
from riskapp.engine.assess import Prepared, evaluate, prepare
from riskapp.engine.ruling import RuleColumns, beside, details, exposed, neighbours, stability, verdict
from riskapp.engine.ruling.redrawing import Redrawing, scaled
from riskapp.engine.ruling.stability import _factors
from tests.engine.every_family import SPEC, written
from tests.oracle.instances import draw

CLASSES = {
    "public": Limits(largest_chance=0.09, smallest_group=4),
    "partner": Limits(largest_chance=0.25, smallest_group=4),
    "contract": Limits(largest_chance=0.5),
    "safe": Limits(largest_chance=1.0),
}
QUESTIONS = (Question("least_utility", 3.0), Question("most_risk", 0.6), Question("trade_off", 0.05))


def full_domain(folder: Path, **search: Any) -> Path:
    return written(folder, **{"rules": ["full-domain"], "methods": None, "regions": None, "k": None, **search})


def rules_of(prepared: Prepared) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = evaluate(prepared).mapping()["rules"]
    return found


def number(value: Any) -> float:
    return float(value)


def worst(rule: dict[str, Any], figure: str) -> float:
    people = [*rule["people"].values(), *(one["by_replay"] for one in rule["people"].values())]
    return max(one[figure] for one in people if one is not None)


def test_neighbours_are_one_step_away_with_what_they_cost(tmp_path: Path) -> None:
    rules = rules_of(prepare(full_domain(tmp_path)))
    known = {rule["id"]: rule for rule in rules}
    for rule in rules:
        told = neighbours(known, rule["node"], limits={})
        assert told == neighbours(iter(rules), rule["node"], limits={})
        expected = {"finer": {}, "coarser": {}}
        for other in rules:
            steps = {name: other["node"][name] - level for name, level in rule["node"].items()}
            if sum(map(abs, steps.values())) == 1:
                way = "coarser" if sum(steps.values()) == 1 else "finer"
                expected[way][other["id"]] = other
        for way, others in expected.items():
            assert {one["rule"] for one in told[way]} == set(others)
            for one in told[way]:
                other = others[one["rule"]]
                assert other["node"] == {**rule["node"], one["attribute"]: one["to"]}
                assert one["change"] == {
                    "risk": number(other["risk"]) - number(rule["risk"]),
                    "expected_found": worst(other, "expected_found") - worst(rule, "expected_found"),
                    "largest_chance": worst(other, "largest_chance") - worst(rule, "largest_chance"),
                    "utility": other["utility"] - rule["utility"],
                    "utility_share": other["utility_share"] - rule["utility_share"],
                }


def test_a_rule_of_another_family_with_one_level_for_everybody_has_whole_table_neighbours(tmp_path: Path) -> None:
    rules = rules_of(prepare(full_domain(tmp_path)))
    own = {**rules[0], "id": "k-anonymity:2:0.0.0", "family": "k-anonymity", "utility_share": 0.5}
    told = neighbours(rules, own["node"], own, limits={})
    plain = neighbours(rules, own["node"], limits={})
    assert told["rule"] == "k-anonymity:2:0.0.0"
    assert [one["rule"] for one in told["coarser"]] == [one["rule"] for one in plain["coarser"]]
    for one in told["coarser"]:
        assert one["change"]["utility_share"] == one["utility_share"] - 0.5


def test_a_rule_of_different_levels_is_held_against_the_next_ones(tmp_path: Path) -> None:
    *_, coarser, own, finer = sorted(rules_of(prepare(full_domain(tmp_path))), key=lambda rule: rule["utility"])
    told = beside(own, finer, coarser, limits={})
    assert [one["rule"] for one in told["finer"]] == [finer["id"]]
    assert told["finer"][0]["change"]["utility"] == finer["utility"] - own["utility"]
    assert told["coarser"][0]["change"]["risk"] == number(coarser["risk"]) - number(own["risk"])
    assert beside(own, None, None, limits={}) == {"rule": own["id"], "finer": [], "coarser": []}


def test_neighbours_of_which_a_replay_was_not_counted_break_limits_of_chances(tmp_path: Path) -> None:
    rules = [{**rule, "within_limits": True} for rule in rules_of(prepare(full_domain(tmp_path)))]
    people = {name: {**own, "by_replay": None} for name, own in rules[0]["people"].items()}
    rules[0] |= {"risk_replay": None, "people": people}
    own = rules[1]
    for limits, wanted in (({"largest_chance": 1.0}, "broken"), ({"smallest_group": 1}, "kept"), ({}, "none set")):
        stepwise = neighbours(rules, own["node"], limits=limits)["finer"]
        assert {one["rule"]: one["limits"] for one in stepwise}[rules[0]["id"]] == wanted
        assert beside(own, rules[0], own, limits=limits)["finer"][0]["limits"] == wanted


def test_between_two_infinite_risks_nothing_changes(tmp_path: Path) -> None:
    rules = [{**rule, "risk": "inf", "risk_replay": "inf"} for rule in rules_of(prepare(full_domain(tmp_path)))]
    told = neighbours(rules, {"town": 0, "sex": 0, "born": 0}, limits={})
    assert told["finer"] == []
    assert {one["attribute"]: (one["risk"], one["change"]["risk"]) for one in told["coarser"]} == dict.fromkeys(
        ("town", "sex", "born"), ("inf", 0.0)
    )


def kept_slowly(rule: dict[str, Any], limits: Limits) -> bool:
    group = rule["smallest_group"]
    return not (
        (limits.largest_chance is not None and round(worst(rule, "largest_chance"), 11) > limits.largest_chance)
        or (limits.smallest_group is not None and group is not None and group < limits.smallest_group)
    )


@pytest.mark.parametrize("families", [["full-domain"], ["full-domain", "regional", "per-record", "mondrian"]])
def test_the_verdict_is_that_of_looking_at_every_rule(tmp_path: Path, families: list[str]) -> None:
    prepared = prepare(written(tmp_path, rules=families))
    rules = rules_of(prepared)
    for rule in rules:
        told = verdict(RuleColumns.of(rules), CLASSES, rule["id"])
        for name, limits in CLASSES.items():
            own, keeping = told[name], [one for one in rules if kept_slowly(one, limits)]
            assert own["holds"] == kept_slowly(rule, limits) == (not own["broken"])
            if own["holds"]:
                assert own["repair"] is None
                continue
            if not keeping:
                assert (name, own["repair"]) == ("public", None)  # eight people hide nobody that well
                continue
            best = min(keeping, key=lambda one: (-round(one["utility"], 10), round(number(one["risk"]), 10), one["id"]))
            lost = rule["utility_share"] - best["utility_share"]
            assert own["repair"]["rule"] == best["id"]
            assert own["repair"]["utility_lost_share"] == pytest.approx(lost)
            if rule["node"] and best["node"]:
                pairs = {key: [level, best["node"][key]] for key, level in rule["node"].items()}
                assert own["repair"]["changes"] == {key: both for key, both in pairs.items() if both[0] != both[1]}
            else:
                assert own["repair"]["changes"] is None


def test_the_verdict_says_how_many_people_are_too_exposed(tmp_path: Path) -> None:
    prepared = prepare(full_domain(tmp_path))
    listing = RuleColumns.of(rules_of(prepared))
    rule = "full-domain:1.0.2"
    people = exposed(prepared, rule, [limits.largest_chance or 1.0 for limits in CLASSES.values()])
    told = verdict(listing, CLASSES, rule, exposed=people)
    for name, limits in CLASSES.items():
        above = details(prepared, rule, limits=limits)["attackers"]["self"]["above_limit"]["definition"]
        for one in told[name]["broken"]:
            assert one["people"] == (above if one["limit"] == "largest_chance" else None)
            assert one["limit_value"] == getattr(limits, one["limit"])
    assert told["public"]["broken"][0]["people"] > 0


def test_a_limit_that_the_result_does_not_tell_counts_as_broken(tmp_path: Path) -> None:
    limits = {"share_above": {"chance": 0.4, "share": 0.5}}
    prepared = prepare(full_domain(tmp_path, limits=limits))
    rules = rules_of(prepared)
    listing = RuleColumns.of(rules, prepared.problem.limits)
    same, other = Limits(share_above=ShareAbove(0.4, 0.5)), Limits(share_above=ShareAbove(0.3, 0.5))
    for rule in rules:
        told = verdict(listing, {"same": same, "other": other, "t": Limits(t=0.5)}, rule["id"])
        assert told["same"]["holds"] == rule["within_limits"]
        assert told["same"]["unmeasured"] == []
        safe = worst(rule, "largest_chance") <= 0.3
        assert told["other"]["holds"] == safe
        assert told["other"]["unmeasured"] == ([] if safe else ["share_above"])
        assert (told["t"]["holds"], told["t"]["unmeasured"], told["t"]["repair"]) == (False, ["t"], None)


def test_a_replay_that_could_not_be_counted_breaks_what_is_limited_of_chances(tmp_path: Path) -> None:
    limits = {"share_above": {"chance": 0.4, "share": 0.5}}
    prepared = prepare(full_domain(tmp_path, limits=limits))
    rules, own = rules_of(prepared), prepared.problem.limits
    safe = next(rule for rule in rules if rule["id"] == "full-domain:2.0.2")
    people = {name: {**told, "by_replay": None} for name, told in safe["people"].items()}
    unknown = {**safe, "risk_replay": None, "people": people}
    listing = RuleColumns.of([unknown if rule is safe else rule for rule in rules], own)
    assert listing.within_limits.tolist() == [rule["within_limits"] and rule is not safe for rule in rules]
    classes = {
        "share": own,
        "chance": Limits(largest_chance=0.999),
        "both": Limits(largest_chance=0.999, share_above=own.share_above),
        "broken": Limits(largest_chance=1e-6),
        "group": Limits(smallest_group=safe["smallest_group"] or 1),
    }
    known = verdict(RuleColumns.of(rules, own), classes, safe["id"])
    told = verdict(listing, classes, safe["id"])
    assert [name for name in classes if known[name]["holds"]] == ["share", "chance", "both", "group"]
    assert [name for name in classes if told[name]["holds"]] == ["group"]
    assert [told[name]["unreplayed"] for name in ("share", "chance", "both")] == [
        ["share_above"],
        ["largest_chance"],
        ["largest_chance", "share_above"],
    ]
    assert all(told[name]["broken"] == [] == told[name]["unmeasured"] for name in ("share", "chance", "both"))
    assert told["broken"]["unreplayed"] == []
    assert told["broken"]["broken"] == known["broken"]["broken"] != []
    assert told["share"]["repair"]["rule"] != safe["id"]


def test_no_rule_will_do_and_an_unknown_rule_is_refused(tmp_path: Path) -> None:
    listing = RuleColumns.of(rules_of(prepare(full_domain(tmp_path))))
    told = verdict(listing, {"never": Limits(largest_chance=0.01)}, listing.ids[0])
    assert told["never"]["holds"] is False
    assert told["never"]["repair"] is None
    with pytest.raises(BadSetting):
        verdict(listing, CLASSES, "full-domain:9.9.9")


def best_slowly(prepared: Prepared, factors: list[float], question: Question) -> str | None:
    """Every node measured again with other weights."""
    problem = prepared.problem
    again = replace(problem, sensitivity=scaled(problem.sensitivity, factors))
    found = [measure(again, Released.at(again.records, node)) for node in again.lattice]
    ids = [f"full-domain:{'.'.join(map(str, problem.chosen(node)))}" for node in problem.lattice]
    kept = [place for place, one in enumerate(found) if not one.broken]
    if not kept:
        return None
    risks, utilities = ([getattr(found[place], name) for place in kept] for name in ("risk", "utility"))
    answer = optimum(Rules([ids[place] for place in kept], np.array(risks), np.array(utilities)), question)
    return ids[kept[answer.place]] if isinstance(answer, Best) else None


def assert_stable_as_slowly(prepared: Prepared, question: Question, draws: int = 12) -> bool:
    """Whether the comparison was about all rules."""
    told = stability(prepared, RuleColumns.of(rules_of(prepared)), question, draws=draws, seed=4, most=10_000)
    factors = _factors(draws, len(prepared.problem.columns), 4)
    best = best_slowly(prepared, [1.0] * factors.shape[1], question)
    winners = [best_slowly(prepared, row, question) for row in factors.tolist()]
    if not told["among"]["all"]:
        return False
    assert told["best"] == best
    assert told["stays"] == winners.count(best)
    assert told["none"] == winners.count(None)
    others = {one["rule"]: one["times"] for one in told["others"]}
    assert others == {rule: winners.count(rule) for rule in winners if rule not in (best, None)}
    return True


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.kind)
@pytest.mark.parametrize("model", ["sensitivity", "anonymity", "entropic"])
def test_the_best_rule_of_every_draw_is_that_of_measuring_all_again(
    tmp_path: Path, question: Question, model: str
) -> None:
    path = full_domain(tmp_path)
    spec = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**spec, "risk": {"model": model}}))
    assert assert_stable_as_slowly(prepare(path), question)


def test_the_same_with_every_option_an_assessment_may_have(tmp_path: Path) -> None:
    compared = 0
    for seed in range(25):
        (tmp_path / str(seed)).mkdir()
        prepared = prepare(draw(seed, tmp_path / str(seed)))
        question = (Question("least_utility", 0.5), Question("most_risk", 0.5), Question("trade_off", 0.2))[seed % 3]
        if prepared.problem.lattice.size <= 200:
            compared += assert_stable_as_slowly(prepared, question, draws=4)
    assert compared >= 8


def test_the_risk_of_every_draw_is_that_of_an_assessment_with_those_weights(tmp_path: Path) -> None:
    path = full_domain(tmp_path)
    prepared = prepare(path)
    factors = [0.5, 1.25, 2.0]
    spec = yaml.safe_load(path.read_text())
    for factor, attribute in zip(factors, spec["attributes"].values(), strict=True):
        attribute["weight"] = factor * attribute.get("weight", 1.0)
    path.write_text(yaml.safe_dump(spec, sort_keys=False))
    redrawing = Redrawing(Measuring(prepared.problem), np.array([factors]))
    again = [rule["risk"] for rule in rules_of(prepare(path))]
    assert [redrawing.risks(node)[0] for node in prepared.problem.lattice] == pytest.approx(again)


def test_the_rules_compared_are_told_when_they_are_not_all(tmp_path: Path) -> None:
    prepared = prepare(full_domain(tmp_path))
    listing = RuleColumns.of(rules_of(prepared))
    told = stability(prepared, listing, QUESTIONS[1], draws=5, most=2)
    assert told["among"] == {"rules": 2, "of": 30, "all": False}
    spec = {**SPEC, "sensitivity": {"family": "multiplicative"}, "search": {"least_utility": 3}}
    (tmp_path / "assessment.yaml").write_text(yaml.safe_dump(spec, sort_keys=False))
    again = stability(prepare(tmp_path / "assessment.yaml"), listing, QUESTIONS[0], draws=5)
    assert again["among"]["all"] is False
    assert 0 < again["among"]["rules"] < 30


def test_draws_are_between_a_half_and_two_and_only_the_seed_decides_them(tmp_path: Path) -> None:
    drawn = _factors(1000, 3, 7)
    assert 0.5 <= drawn.min() < 0.51
    assert 1.98 < drawn.max() <= 2.0
    assert abs(np.log2(drawn).mean()) < 0.05
    prepared = prepare(full_domain(tmp_path))
    listing = RuleColumns.of(rules_of(prepared))
    one, same = (stability(prepared, listing, QUESTIONS[0], seed=3) for _ in range(2))
    assert one == same == json.loads(json.dumps(one))
    assert one["draws"] == 100
    assert one["stays"] + one["none"] + sum(other["times"] for other in one["others"]) == 100


def test_when_no_rule_will_do_none_is_the_best(tmp_path: Path) -> None:
    prepared = prepare(full_domain(tmp_path))
    listing = RuleColumns.of(rules_of(prepared))
    told = stability(prepared, listing, QUESTIONS[0], limits=Limits(largest_chance=0.01), draws=3)
    assert (told["best"], told["stays"], told["none"]) == (None, 3, 3)
    assert stability(prepared, listing, Question("least_utility", 99.0), draws=3)["best"] is None


def test_limits_of_another_class_change_the_best_rule(tmp_path: Path) -> None:
    prepared = prepare(full_domain(tmp_path))
    listing = RuleColumns.of(rules_of(prepared))
    question = Question("most_risk", math.inf)
    told = stability(prepared, listing, question, limits=CLASSES["contract"], draws=3)
    kept = [place for place, chance in enumerate(listing.largest_chances) if chance <= 0.5]
    best = max(kept, key=lambda place: (listing.utilities[place], -listing.risks[place]))
    assert told["best"] == listing.ids[best]


def test_a_stop_is_heard_between_rules(tmp_path: Path) -> None:
    prepared = prepare(full_domain(tmp_path))
    listing = RuleColumns.of(rules_of(prepared))
    with pytest.raises(Stopped):
        stability(prepared, listing, QUESTIONS[0], stop=lambda: True)
