"""Every family and method through `assess`: which rules there are, how they compare, and what could not be found."""

import json
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.engine import families, memory
from riskapp.engine.assess import assess, prepare
from tests.engine.every_family import MEMBERS, METHODS, RULES, SPEC, written
from tests.oracle.frontier import Point, frontier, optimum


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return assess(written(tmp_path_factory.mktemp("all"))).mapping()


def of(result: dict[str, Any], family: str) -> list[dict[str, Any]]:
    return [rule for rule in result["rules"] if rule["family"] == family]


def point(rule: dict[str, Any]) -> Point:
    worse = rule["risk"] if rule["risk_replay"] is None else max(rule["risk"], rule["risk_replay"])
    return Point(rule["id"], worse, rule["utility"], broken=[] if rule["within_limits"] else ["a limit"])


def test_the_families_come_in_the_order_in_which_they_are_asked(result: dict[str, Any], tmp_path: Path) -> None:
    assert list(dict.fromkeys(rule["family"] for rule in result["rules"])) == RULES
    turned = assess(written(tmp_path, rules=["mondrian", "full-domain", "regional"])).mapping()
    assert list(dict.fromkeys(rule["family"] for rule in turned["rules"])) == ["mondrian", "full-domain", "regional"]


def test_every_rule_has_the_same_fields_whatever_its_family(result: dict[str, Any]) -> None:
    assert len({tuple(rule) for rule in result["rules"]}) == 1


def test_rules_are_named_by_family_and_by_what_tells_them_apart(result: dict[str, Any]) -> None:
    ids = [rule["id"] for rule in result["rules"]]
    assert len(set(ids)) == len(ids)
    assert [rule["id"] for rule in of(result, "per-record")][:-1] == [f"per-record:{method}" for method in METHODS]
    assert of(result, "per-record")[-1]["id"].startswith("exact:")
    assert [rule["id"] for rule in of(result, "mondrian")] == ["mondrian:2"]
    assert [rule["id"] for rule in of(result, "random-k")] == [
        f"random-k:2:{number}" for number in range(len(of(result, "random-k")))
    ]
    (best,) = of(result, "k-anonymity")
    assert best["id"] == f"k-anonymity:2:{'.'.join(map(str, best['node'].values()))}"
    regional = [rule["id"] for rule in of(result, "regional")]
    assert regional[0] == "regional:town@1"
    assert regional[1:] == [f"regional:town@1:{number}" for number in range(len(regional) - 1)]


def test_a_node_is_told_where_all_records_have_the_same_and_how_it_was_found_elsewhere(result: dict[str, Any]) -> None:
    assert all(set(rule["node"]) == {"town", "sex", "born"} for rule in of(result, "random-k"))
    for rule in of(result, "per-record"):
        assert rule["node"] is None
        assert rule["search"]["visited"] > 0
        assert rule["search"]["most_applied"]["share"] > 0
        assert sum(rule["search"]["level_shares"]["town"]) == pytest.approx(1)
    parts = [pattern["records"] for pattern in of(result, "regional")[0]["search"]["patterns"]]
    assert sum(parts) == 8
    assert of(result, "mondrian")[0]["search"]["parts"] > 1


def test_how_a_number_was_got_is_told(result: dict[str, Any]) -> None:
    numbers = {rule["id"]: rule["number"] for rule in result["rules"]}
    exact = ("exhaustive", "btda", "aruba", "branch-and-bound", "milp")
    assert {numbers[f"per-record:{method}"] for method in exact} == {"exact"}
    assert numbers["per-record:genetic"] == "heuristic, gap unknown"
    assert {rule["number"] for rule in of(result, "full-domain")} == {"exact"}


def test_exact_methods_agree_and_heuristics_are_no_better_where_they_keep_the_bound(result: dict[str, Any]) -> None:
    risks = {rule["id"]: rule["risk"] for rule in of(result, "per-record")}
    best = risks["per-record:exhaustive"]
    for method in ("btda", "aruba", "branch-and-bound", "milp"):
        assert risks[f"per-record:{method}"] == pytest.approx(best)
    assert risks["per-record:genetic"] >= best - 1e-12


def test_the_frontier_is_what_nothing_in_any_family_beats(result: dict[str, Any]) -> None:
    always = {"full-domain:0.0.0", "full-domain:2.1.4"}
    assert result["frontier"] == frontier([point(rule) for rule in result["rules"]], always)
    assert [rule["id"] for rule in result["rules"] if rule["on_frontier"]] == result["frontier"]


@pytest.mark.parametrize(
    "asked", [{"least_utility": 3}, {"most_risk": 0.8}, {"trade_off": 0.3}, {"least_utility": 99}, {"most_risk": 0}]
)
def test_the_optimum_is_the_best_of_all_families(tmp_path: Path, asked: dict[str, float]) -> None:
    path = written(tmp_path, **{"least_utility": None, "methods": ["exhaustive"], **asked})
    found = assess(path).mapping()
    expected = optimum([point(rule) for rule in found["rules"]], asked)
    assert expected is not None
    best = dict(found["optimum"])
    if "infeasible" in expected:
        assert (best["nearest"], expected["infeasible"] in best["infeasible"]) == (expected["nearest"], True)
    else:
        gap = best.pop("gap", None)
        assert best == expected
        assert (gap is not None) == best["rule"].startswith("exact:")


def test_the_first_sufficient_point_of_the_exact_frontier_is_a_rule_with_its_gap(result: dict[str, Any]) -> None:
    sufficient = [one for one in result["exact_frontier"] if one["utility"] >= 3 - 1e-12]
    rule = of(result, "per-record")[-1]
    assert (rule["id"], rule["risk"], rule["utility"]) == (
        sufficient[0]["id"],
        pytest.approx(sufficient[0]["risk"]),
        pytest.approx(sufficient[0]["utility"]),
    )
    assert rule["number"] == "exact" or rule["number"].startswith("heuristic, at most ")


def test_no_rule_lies_below_the_exact_frontier(result: dict[str, Any]) -> None:
    points = result["exact_frontier"]
    utilities, risks = ([one[key] for one in points] for key in ("utility", "risk"))
    assert [one["id"] for one in points] == [f"exact:{number}" for number in range(len(points))]
    assert max(utilities) == max(rule["utility"] for rule in result["rules"])
    for rule in result["rules"]:
        if not rule["suppressed"]:
            assert rule["risk"] >= np.interp(rule["utility"], utilities, risks) - 1e-9, rule["id"]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"rules": ["full-domain"]}, "It is drawn when per-record rules are among the families searched."),
        ({"dictionaries": True}, "Risk is the worst of several dictionaries."),
    ],
)
def test_where_there_is_no_exact_frontier_it_is_told_why(tmp_path: Path, changed: Any, reason: str) -> None:
    path = written(tmp_path, **{"methods": ["exhaustive"], "rules": ["per-record"], **changed, "dictionaries": None})
    if "dictionaries" in changed:
        path.write_text(path.read_text() + "dictionaries: [self, {self: true, name: some, knows: [sex]}]\n")
    found = assess(path).mapping()
    assert (found["exact_frontier"], found["exact_frontier_reason"]) == (None, reason)


def test_what_cannot_be_found_is_told_and_the_others_are_there(result: dict[str, Any], tmp_path: Path) -> None:
    assert [one["id"] for one in result["not_found"]] == ["k-anonymity:9", "random-k:9", "mondrian:9"]
    assert all("no group of so many people" in one["why"] for one in result["not_found"])
    everything_hidden = {"town": 2, "sex": 1, "born": 4}
    nearest = {"setting": "search.k", "value": 8, "node": everything_hidden}
    assert all(one["nearest"] == nearest for one in result["not_found"]), result["not_found"]
    unmet = assess(written(tmp_path, rules=["per-record", "k-anonymity"], methods=["btda"], least_utility=50, k=[2]))
    told = {one["id"]: one for one in unmet.mapping()["not_found"]}
    assert told["per-record:btda"]["nearest"] == {"setting": "search.least_utility", "value": 7.0}
    assert told["exact"]["nearest"] == {"setting": "search.least_utility", "value": 7.0}
    assert [rule.id for rule in unmet.rules if rule.family == "k-anonymity"] != []


def test_both_ends_are_measured_even_if_nobody_asks_for_full_domain_rules(tmp_path: Path) -> None:
    found = assess(written(tmp_path, rules=["mondrian"])).mapping()
    assert [rule["id"] for rule in found["rules"]] == ["full-domain:0.0.0", "full-domain:2.1.4", "mondrian:2"]
    assert {"full-domain:0.0.0", "full-domain:2.1.4"} <= set(found["frontier"])


def test_without_a_question_rules_per_record_have_no_aim_but_the_exact_frontier_is_drawn(tmp_path: Path) -> None:
    found = assess(written(tmp_path, rules=["per-record"], least_utility=None)).mapping()
    assert found["optimum"] is None
    assert len(found["exact_frontier"]) > 2
    assert [one["family"] for one in found["not_found"]] == ["per-record"]
    assert of(found, "per-record") == []


def test_aggregate_is_answered_by_the_rule_that_is_best_for_each_record(tmp_path: Path) -> None:
    aim = {"lambda": 1, "kappa": 1}
    methods = ["aggregate", "exhaustive"]
    path = written(tmp_path, rules=["full-domain", "per-record"], methods=methods, least_utility=None, aggregate=aim)
    found = assess(path).mapping()
    assert found["optimum"]["rule"] in {"per-record:aggregate", "per-record:exhaustive"}
    both = [rule["utility"] for rule in of(found, "per-record") if rule["number"] == "exact"]
    assert len(both) == 2


@pytest.mark.parametrize(
    ("search", "key"),
    [
        ({"methods": ["aggregate"]}, "search.methods: "),
        ({"methods": ["quantum"]}, "search.methods.0: "),
        ({"rules": ["regional", "psychic"]}, "search.rules.1: "),
        ({"regions": ["town@9"]}, "search.regions.0: "),
        ({"regions": ["town@2"]}, "search.regions.0: "),
        ({"approximate": {"sigma1": 7}}, "search.approximate.sigma1: "),
        ({"rules": ["full-domain"], "least_utility": None, "aggregate": {}}, "search.aggregate: "),
    ],
)
def test_what_does_not_go_is_told_by_its_key(tmp_path: Path, search: dict[str, Any], key: str) -> None:
    with pytest.raises(BadSetting) as told:
        assess(written(tmp_path, **search))
    assert str(told.value).startswith(key)


def test_a_method_that_does_not_answer_the_question_is_told_before_anything_is_searched(tmp_path: Path) -> None:
    for search in ({"methods": ["btda"], "trade_off": 1}, {"methods": ["aggregate"], "aggregate": {"kappa": 3}}):
        with pytest.raises(BadSetting, match=r"^search\."):
            prepare(written(tmp_path, least_utility=None, **search))


WITH_ID = "\n".join(f"{'1' if number else 'id'},{line}" for number, line in enumerate(MEMBERS.split()))
PAIRS = [{"attributes": ["town", "sex"], "weight": 1}]
STRANGERS = {"name": "others", "file": "others.csv", "match": {"place": "town"}}
LINKAGE = {"file": "others.csv", "match": {"place": "town"}, "adds": {"ward": 0.4}}
SELVES = ["self", {"self": True, "name": "neighbour", "knows": ["town"]}]
OUTSIDE: list[tuple[list[str], str, dict[str, Any]]] = [
    (["milp", "approximate", "aggregate"], "sensitivity.family", {"sensitivity": {"family": "multiplicative"}}),
    (["milp", "approximate", "aggregate"], "sensitivity.pairs", {"sensitivity": {"pairs": PAIRS}}),
    (["milp", "approximate", "aggregate"], "sensitivity.unidentified", {"sensitivity": {"unidentified": 0.5}}),
    (["milp", "approximate", "aggregate"], "risk.model", {"risk": {"model": "entropic"}}),
    (["milp", "approximate", "aggregate"], "risk.over_dictionaries", {"dictionaries": SELVES}),
    (["milp", "approximate", "aggregate"], "dictionaries", {"dataset": {"file": "members.csv", "identifier": "id"}}),
    (["btda", "aruba"], "search.methods", {"sensitivity": {"unidentified": 9}}),
    (["btda", "aruba"], "search.methods", {"dictionaries": [STRANGERS], "risk": {"uncovered": "zero"}}),
    (["btda", "aruba", "branch-and-bound", "genetic", "milp"], "linkage", {"linkage": LINKAGE}),
]


@pytest.mark.parametrize(("methods", "key", "other"), OUTSIDE)
def test_a_method_outside_of_its_scope_is_told_by_the_key_before_anything_is_searched(
    tmp_path: Path, methods: list[str], key: str, other: dict[str, Any]
) -> None:
    for method in methods:
        aim = {"least_utility": None, "aggregate": {"lambda": 1, "kappa": 1}} if method == "aggregate" else {}
        path = written(tmp_path, methods=["exhaustive", method], **aim)
        (tmp_path / "members.csv").write_text(WITH_ID, encoding="utf-8")
        (tmp_path / "others.csv").write_text("place,ward\nd,1\n", encoding="utf-8")
        path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **other}, sort_keys=False))
        with pytest.raises(BadSetting) as told:
            prepare(path)
        assert told.value.key == key, method


@pytest.mark.parametrize(
    ("key", "changed"),
    [
        ("risk.over_records", {"risk": {"over_records": "max"}}),
        ("utility.over_records", {"utility": {"over_records": "min"}}),
        ("search.regions", {"search": {**SPEC["search"], "regions": ["town@0", "born@0", "sex@0"]}}),
    ],
)
def test_regional_rules_that_cannot_be_are_told_before_anything_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, changed: dict[str, Any]
) -> None:
    monkeypatch.setattr("riskapp.core.search.region_pass.MOST", 200)
    path = written(tmp_path)
    prepare(path)
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **changed}, sort_keys=False))
    with pytest.raises(BadSetting) as told:
        prepare(path)
    assert told.value.key == key


@pytest.mark.parametrize("method", ["milp", "approximate"])
def test_a_pair_is_told_though_the_first_record_lacks_half_of_it(tmp_path: Path, method: str) -> None:
    path = written(tmp_path, methods=["exhaustive", method])
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), "sensitivity": {"pairs": PAIRS}}))
    (tmp_path / "members.csv").write_text(MEMBERS.replace("a,f,1971", "a,,1971", 1), encoding="utf-8")
    with pytest.raises(BadSetting, match=r"^sensitivity\.pairs"):
        prepare(path)


@pytest.mark.parametrize(("method", "aim"), [("btda", {}), ("aruba", {}), ("genetic", {"most_risk": 1})])
def test_so_is_it_where_only_a_later_record_shows_it(tmp_path: Path, method: str, aim: dict[str, float]) -> None:
    """The first member fits an entry, the last one nobody."""
    path = written(tmp_path, methods=[method], **({"least_utility": None, **aim} if aim else {}))
    (tmp_path / "others.csv").write_text("place\na\nb\nc\n", encoding="utf-8")
    strangers = {"dictionaries": [STRANGERS], "risk": {"uncovered": "zero"}}
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **strangers}, sort_keys=False))
    with pytest.raises(BadSetting, match=r"^search\.methods: .* never rises"):
        prepare(path)
    (tmp_path / "others.csv").write_text("place\na\nb\nc\nd\n", encoding="utf-8")
    assert prepare(path).problem.lattice.size == 30


def test_too_many_nodes_for_the_exhaustive_search_are_told_before_anything_is_searched(tmp_path: Path) -> None:
    path = written(tmp_path, rules=["per-record"], methods=["exhaustive"], regions=None)
    many = {f"a{place}": {} for place in range(25)}
    (tmp_path / "members.csv").write_text(f"{','.join(many)}\n{','.join('x' * 25)}\n", encoding="utf-8")
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), "attributes": many}, sort_keys=False))
    with pytest.raises(BadSetting, match=r"^search\.methods: There are 33554432 nodes"):
        prepare(path)


@pytest.mark.parametrize(("family", "refused"), [("k-anonymity", True), ("random-k", True), ("mondrian", False)])
def test_families_that_keep_every_node_are_refused_at_once_where_that_takes_more_memory_than_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, refused: bool
) -> None:
    for name, told in (("LIMIT", "9000"), ("USED", "0")):
        (tmp_path / name).write_text(told)
        monkeypatch.setattr(memory, name, tmp_path / name)
    path = written(tmp_path, rules=[family])
    with pytest.raises(memory.TooMuch, match=r"^search\.rules: ") if refused else nullcontext():
        prepare(path)


def test_a_bound_for_each_record_is_kept_by_the_optimum_and_needs_no_exact_frontier_rule(tmp_path: Path) -> None:
    rules = ["full-domain", "regional", "per-record"]
    found = assess(written(tmp_path, rules=rules, methods=["exhaustive"], per_record=True)).mapping()
    assert not any(rule["id"].startswith("exact:") for rule in found["rules"])
    assert found["optimum"]["rule"].partition(":")[0] in rules


def test_every_family_tells_how_far_it_is_and_stops_when_asked(tmp_path: Path) -> None:
    words: list[str] = []
    path = written(tmp_path, methods=["exhaustive", "btda"])
    assess(path, progress=lambda done, total, told: words.append(told))
    parts = list(dict.fromkeys(word.partition(";")[0] for word in words if word.startswith("Measuring")))
    matched = [re.fullmatch(r"Measuring rules: (.+) \((\d+) of 9\)", part) for part in parts]
    told = [found[1] for found in matched if found]
    numbers = [int(found[2]) for found in matched if found]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == len(parts) > 5
    named = ["full-domain", "regional", "per-record by exhaustive", "per-record by btda", "exact frontier"]
    assert told[: len(named)] == named
    for family in ("regional", "per-record by btda", "exact frontier", "k-anonymity", "mondrian:2"):
        if family in told:
            seen: list[str] = []
            with pytest.raises(Stopped):
                assess(
                    path,
                    progress=lambda done, total, told, seen=seen: seen.append(told),
                    stop=lambda family=family, seen=seen: bool(seen) and f": {family} (" in seen[-1],
                )


def test_a_replay_that_was_not_done_is_a_condition_of_the_rule(tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(8)]
    rows = [",".join(f"{(row * (2 * place + 1)) % 8}" for place in range(8)) for row in range(8)]
    (tmp_path / "wide.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    path = tmp_path / "wide.json"
    spec = {
        "dataset": {"file": "wide.csv"},
        "attributes": {name: {} for name in names},
        "dictionaries": [{"self": True, "name": "neighbour", "knows": ["c0"]}],
        "search": {"rules": ["per-record"], "least_utility": 4, "per_record": True},
    }
    path.write_text(json.dumps(spec))
    found = assess(path).mapping()
    (rule,) = of(found, "per-record")
    assert (rule["risk_replay"], rule["people"]["neighbour"]["by_replay"]) == (None, None)
    assert rule["holds_against"] == ["neighbour"]
    assert [told.partition(":")[0] for told in rule["conditions"]] == ["Replay not done"]
    assert found["rules"][0]["conditions"] == []
    assert found["rules"][0]["holds_against"] == ["neighbour", "replay"]


def test_the_number_of_threads_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, texts = written(tmp_path, methods=["exhaustive", "genetic"]), []
    for threads in (1, 3):
        monkeypatch.setattr(families, "THREADS", threads)
        texts.append("".join(assess(path).lines()).split(' "seconds"')[0])
    assert texts[0] == texts[1]


def test_what_is_drawn_depends_on_the_seed_alone(tmp_path: Path) -> None:
    drawn = [
        [rule["node"] for rule in of(assess(written(tmp_path, rules=["random-k"], seed=seed)).mapping(), "random-k")]
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_too_few_seconds_leave_the_best_so_far_with_its_gap(tmp_path: Path) -> None:
    path = written(tmp_path, rules=["per-record"], methods=["branch-and-bound"], per_record=True, seconds=1e-9)
    found = assess(path).mapping()
    told = [rule["number"] for rule in of(found, "per-record")] or [one["why"] for one in found["not_found"]]
    assert told[0].startswith("heuristic") or "no proof" in told[0]


def test_the_best_of_the_finished_blocks_is_told_beside_how_far_it_is(tmp_path: Path) -> None:
    told: list[str] = []
    path = written(tmp_path, rules=["full-domain", "regional", "mondrian"], methods=None)
    found = assess(path, progress=lambda done, total, words: told.append(words)).mapping()
    whole = [rule for rule in found["rules"] if rule["family"] == "full-domain" and rule["utility"] >= 3]
    best = min(whole, key=lambda rule: (round(rule["risk"], 10), -rule["utility"], rule["id"]))
    figures = f"{best['id']} with risk {best['risk']:.4g} and utility {best['utility']:.4g}"
    assert f"Measuring rules: regional (2 of 4); best so far: {figures}" in told
    assert "Measuring rules: full-domain (1 of 4)" in told
