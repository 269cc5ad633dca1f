"""Lattices that cannot be listed, or not in the time: the best found with its gap, and both ends beside it."""

import csv
import json
import re
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.optimum import Question
from riskapp.core.search.anytime_looking import objective
from riskapp.core.search.candidate import Tag
from riskapp.core.warm import warm
from riskapp.core.watching import Watch
from riskapp.engine import full_domain, keeping
from riskapp.engine.answers import Answers, Measured
from riskapp.engine.assess import assess, evaluate, prepare
from riskapp.engine.comparing import Compared
from riskapp.engine.keeping import Keeping
from tests.engine.assessing import here
from tests.engine.every_family import drawn, written

ATTRIBUTES, RECORDS, ENOUGH = 18, 400, 14
HEIGHT = 3
NODES = (HEIGHT + 1) ** ATTRIBUTES
BOTTOM = "full-domain:" + ".".join(["0"] * ATTRIBUTES)
TOP = "full-domain:" + ".".join([str(HEIGHT)] * ATTRIBUTES)
LONG = 300.0
MANY = 20


def wide(folder: Path, **search: Any) -> Path:
    """People with eighteen columns that depend a little on each other: 68 719 476 736 full-domain rules."""
    draw = np.random.default_rng(1)
    hidden = draw.integers(0, 4, RECORDS)
    columns = [
        np.where(draw.random(RECORDS) < 0.5, (hidden * 3 + place) % 12, draw.integers(0, 12, RECORDS))
        for place in range(ATTRIBUTES)
    ]
    names = [f"c{place}" for place in range(ATTRIBUTES)]
    rows = [",".join(map(str, row)) for row in np.stack(columns, axis=1)]
    (folder / "wide.csv").write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    steps = {"hierarchy": {"intervals": {"from": 0, "widths": [3, 6]}}}
    every = {"least_utility": ENOUGH, "seconds": 3, **search}
    asked = {key: value for key, value in every.items() if value is not None}
    spec = {"dataset": {"file": "wide.csv"}, "attributes": dict.fromkeys(names, steps), "search": asked}
    path = folder / "wide.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


def in_file(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def by_hand(folder: Path, node: dict[str, int]) -> tuple[float, float, list[tuple[str, ...]]]:
    """Risk and utility of a node, and the rows it shows, with every weight 1 and the table as its own dictionary."""
    rows = list(csv.DictReader((folder / "wide.csv").read_text(encoding="utf-8").splitlines()))
    shown = [tuple(cell(int(row[name]), level) for name, level in node.items()) for row in rows]
    disclosed, groups = sum(level < HEIGHT for level in node.values()), Counter(shown)
    risk = sum(disclosed / groups[row] for row in shown) / len(shown)
    return risk, sum(HEIGHT - level for level in node.values()), shown


def cell(value: int, level: int) -> str:
    if level in (0, HEIGHT):
        return "*" if level else str(value)
    width = (3, 6)[level - 1]
    return f"[{value // width * width},{value // width * width + width})"


def answer_of(found: Answers, search: Any) -> dict[str, Any]:
    answer = Compared.of(found.rules).answer(search)
    assert answer is not None
    return answer


@pytest.mark.parametrize("kind", ["least_utility", "most_risk", "trade_off"])
@pytest.mark.parametrize("seed", range(400, 406))
def test_forced_upon_a_small_lattice_it_answers_as_if_every_node_was_listed(
    tmp_path: Path, seed: int, kind: str
) -> None:
    prepared = prepare(drawn(seed, tmp_path, ["full-domain"], separable=True))
    problem = prepared.problem
    every = full_domain.searched(problem, prepared.assessment.search, Watch(), None)[0]
    middle = every.rules[len(every.rules) // 2].evaluation
    bound = {"least_utility": middle.utility, "most_risk": middle.risk_that_counts, "trade_off": 0.3}[kind]
    search = replace(prepared.assessment.search, question=Question(kind, bound), seconds=LONG)
    some, _ = full_domain.searched(problem, search, Watch(), None, most=0)
    wanted, got = answer_of(every, search), answer_of(some, search)
    assert wanted.keys() == got.keys()
    if "infeasible" in wanted:
        assert got["infeasible"].startswith("No rule will do.")
        return
    values = [objective(Question(kind, bound), one["risk"], one["utility"]) for one in (wanted, got)]
    assert values[1] == pytest.approx(values[0], rel=1e-9, abs=1e-9)
    listed, figures = {one.id: one for one in some.rules}, {one.id: one.evaluation for one in every.rules}
    assert listed[got["rule"]].number == Tag("exact")
    assert {every.rules[0].id, every.rules[-1].id, *steps_from(got["rule"], every)} <= listed.keys()
    for name, one in listed.items():
        assert keeping.figures_of(one.evaluation) == approximately(keeping.figures_of(figures[name]))
        if name not in (got["rule"], every.rules[0].id, every.rules[-1].id):
            assert_no_gap_is_too_small(one, every)


def steps_from(name: str, every: Answers) -> set[str]:
    """The rules one step away in one attribute."""
    levels = [*map(int, name.partition(":")[2].split("."))]
    moved = [
        [*levels[:place], level + step, *levels[place + 1 :]] for place, level in enumerate(levels) for step in (-1, 1)
    ]
    return {one.id for one in every.rules} & {f"full-domain:{'.'.join(map(str, other))}" for other in moved}


def approximately(told: Any) -> Any:
    """The same to nine digits, however deep."""
    if isinstance(told, dict):
        return {name: approximately(value) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return (
            type(told)(*map(approximately, told)) if hasattr(told, "_fields") else type(told)(map(approximately, told))
        )
    return pytest.approx(told, rel=1e-9, abs=1e-9) if isinstance(told, float) else told


def assert_no_gap_is_too_small(one: Measured, every: Answers) -> None:
    """No rule that says as much, and keeps the limits if this one does, risks less by more than the gap."""
    if str(one.number) == "heuristic, gap unknown":
        return
    own = one.evaluation
    others = [
        other.evaluation.risk
        for other in every.rules
        if other.evaluation.utility >= own.utility - 1e-9 and (own.broken or not other.evaluation.broken)
    ]
    assert min(others) >= own.risk - (one.number.gap or 0.0) - 1e-9


def test_eighteen_attributes_get_a_rule_with_its_gap_between_both_ends_and_it_can_be_released(tmp_path: Path) -> None:
    warm()  # its three seconds are for the search, not for compiling
    path, out, table = wide(tmp_path), tmp_path / "r.json", tmp_path / "a.csv"
    answer = here(path, "--out", out)
    assert (answer.code, answer.err) == (0, "")
    result = in_file(out)
    rules = {rule["id"]: rule for rule in result["rules"]}
    assert (result["rules"][0]["id"], result["rules"][-1]["id"]) == (BOTTOM, TOP)
    best = rules[result["optimum"]["rule"]]
    assert {BOTTOM, best["id"], TOP} <= set(result["frontier"])
    assert best["number"].startswith("heuristic, at most ")
    assert 0 < result["optimum"]["gap"] == best["search"]["gap"] <= best["risk"]
    assert f"Note: Only {len(rules)} of {NODES} full-domain rules are listed: " in answer.out
    risk, utility, shown = by_hand(tmp_path, best["node"])
    assert (best["risk"], best["utility"]) == (pytest.approx(risk), pytest.approx(utility))
    assert utility >= ENOUGH
    again = here(path, "--out", out, "--release", best["id"], "--to", table, "--keep-order")
    assert (again.code, again.err) == (0, "")
    assert best["id"] in [rule["id"] for rule in in_file(out)["rules"]]
    assert [tuple(row) for row in csv.reader(table.read_text(encoding="utf-8").splitlines())][1:] == shown
    assert in_file(tmp_path / "a.csv.manifest.json")["figures"]["risk"] == pytest.approx(risk)


@pytest.mark.parametrize("asked", [{"least_utility": 20}, {"most_risk": 1.0}, {"trade_off": 0.2}])
def test_beside_the_answer_stand_its_neighbours_and_the_best_known_over_the_whole_range(
    tmp_path: Path, asked: dict[str, float]
) -> None:
    warm()
    path = wide(tmp_path, **({"least_utility": None, "seconds": 6} | asked))
    result = assess(path).mapping()
    rules = {rule["id"]: rule for rule in result["rules"]}
    best = rules[result["optimum"]["rule"]]
    for name, level in best["node"].items():
        for other in {max(0, level - 1), min(HEIGHT, level + 1)} - {level}:
            assert "full-domain:" + ".".join(map(str, ({**best["node"], name: other}).values())) in rules
    front = sorted((rules[name]["utility"], rules[name]["risk"]) for name in result["frontier"])
    assert len(front) > MANY
    assert max(after[0] - before[0] for before, after in pairwise(front)) <= 0.2 * HEIGHT * ATTRIBUTES
    for name in result["frontier"][:: len(front) // 4]:
        risk, utility, _ = by_hand(tmp_path, rules[name]["node"])
        assert (rules[name]["risk"], rules[name]["utility"]) == (pytest.approx(risk), pytest.approx(utility))
    tags = {rule["number"].partition(",")[0] for name, rule in rules.items() if name not in (BOTTOM, TOP)}
    assert tags == {"heuristic"}


def test_any_other_rule_can_be_released_and_is_listed_then(tmp_path: Path) -> None:
    name = "full-domain:" + ".".join(["1", "2"] * (ATTRIBUTES // 2))
    result = evaluate(prepare(wide(tmp_path, seconds=0.2)), wanted=name)
    assert result.wanted is not None
    assert result.wanted.id == name
    ids = [rule.id for rule in result.rules]
    assert (ids[0], ids[-1]) == (BOTTOM, TOP)
    assert name in ids
    assert len(set(ids)) == len(ids)


def test_a_question_that_cannot_be_met_tells_the_nearest(tmp_path: Path) -> None:
    found = assess(wide(tmp_path, least_utility=99, seconds=LONG)).mapping()
    told = "No rule will do. The nearest misses: least_utility."
    assert found["optimum"] == {"infeasible": told, "nearest": BOTTOM}
    assert found["not_found"] == []
    assert len(found["frontier"]) > MANY


def test_when_time_is_over_before_a_rule_is_found_that_is_no_proof(tmp_path: Path) -> None:
    found = assess(wide(tmp_path, least_utility=20, limits={"smallest_group": 50}, seconds=1e-6)).mapping()
    assert found["optimum"]["infeasible"].startswith("No rule that will do was found in the time. The nearest misses: ")
    nearest = next(rule for rule in found["rules"] if rule["id"] == found["optimum"]["nearest"])
    (missing,) = found["not_found"]
    assert "no proof" in missing["why"]
    assert missing["nearest"] == {"node": nearest["node"]}


@pytest.mark.parametrize(
    ("search", "key"),
    [
        ({"seconds": None}, "search.seconds: "),
        ({"seconds": None, "least_utility": None}, "search.seconds: "),
        ({"least_utility": None}, "search: "),
        ({"per_record": True}, "search.per_record: "),
    ],
)
def test_too_many_rules_without_a_way_to_the_best_are_refused_by_a_line_that_names_the_key(
    tmp_path: Path, search: dict[str, Any], key: str
) -> None:
    answer = here(wide(tmp_path, **search), "--out", tmp_path / "r.json")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith(f"{key}There are {NODES} full-domain rules")
    assert not (tmp_path / "r.json").exists()


def test_only_the_mean_utility_is_looked_for(tmp_path: Path) -> None:
    path = wide(tmp_path)
    path.write_text(json.dumps({**in_file(path), "utility": {"over_records": "min"}}), encoding="utf-8")
    with pytest.raises(BadSetting, match=r"^utility\.over_records: There are"):
        prepare(path)


def test_other_families_go_on_over_a_lattice_of_any_size(tmp_path: Path) -> None:
    found = assess(wide(tmp_path, rules=["mondrian"], k=[5], seconds=None)).mapping()
    assert [rule["id"] for rule in found["rules"]] == [BOTTOM, TOP, "mondrian:5"]


def body(path: Path, **options: Any) -> str:
    return "".join(evaluate(prepare(path), **options).lines()).split(' "seconds"')[0]


def test_a_small_lattice_is_listed_as_ever_when_there_is_time_enough(tmp_path: Path) -> None:
    without = body(written(tmp_path, rules=["full-domain"], seconds=None))
    assert body(written(tmp_path, rules=["full-domain"], seconds=LONG)) == without


def test_a_small_lattice_that_is_foreseen_to_take_too_long_is_searched_and_marked(tmp_path: Path) -> None:
    found = assess(written(tmp_path, rules=["full-domain"], seconds=1e-6)).mapping()
    assert {"full-domain:0.0.0", "full-domain:2.1.4"} <= {rule["id"] for rule in found["rules"]}
    assert len(found["rules"]) <= 3
    (note,) = found["conditions"]
    assert f"Only {len(found['rules'])} of 30 full-domain rules are listed: search.seconds were not enough" in note


def test_time_that_is_over_meanwhile_ends_the_list_too(tmp_path: Path) -> None:
    prepared = prepare(written(tmp_path, rules=["full-domain"], seconds=0.5))
    found = evaluate(prepared, progress=lambda done, total, words: time.sleep(0.1)).mapping()
    assert len(found["rules"]) <= 3
    assert "search.seconds were not enough" in found["conditions"][0]
    assert found["optimum"]["utility"] >= 3


def test_without_a_question_both_ends_are_what_is_left_when_time_is_over(tmp_path: Path) -> None:
    found = assess(written(tmp_path, rules=["full-domain"], least_utility=None, seconds=1e-6)).mapping()
    assert [rule["id"] for rule in found["rules"]] == ["full-domain:0.0.0", "full-domain:2.1.4"]
    assert found["optimum"] is None
    assert len(found["conditions"]) == 1


def test_what_was_found_in_the_time_is_kept_with_its_note(tmp_path: Path) -> None:
    path, keeping = wide(tmp_path, seconds=0.5), Keeping(tmp_path, {})
    assert body(path, keeping=keeping) == body(path, keeping=keeping)
    assert re.search(rf"Only \d+ of {NODES}", body(path, keeping=keeping))


def test_it_tells_how_far_it_is_and_stops_when_told(tmp_path: Path) -> None:
    prepared, told = prepare(wide(tmp_path, seconds=LONG)), list[tuple[int, int, str]]()
    with pytest.raises(Stopped):
        evaluate(prepared, progress=lambda *far: told.append(far), stop=lambda: len(told) > 20)
    assert {(total, words.partition(";")[0]) for _, total, words in told} == {(1000, "Measuring rules: full-domain")}


def test_the_best_so_far_is_told_while_it_searches_and_only_becomes_better(tmp_path: Path) -> None:
    prepared, told = prepare(wide(tmp_path, seconds=1.0)), list[str]()
    answer = evaluate(prepared, progress=lambda done, total, words: told.append(words)).optimum
    risks = [float(re.search(r"risk (\S+) and", words)[1]) for words in told if "best so far" in words]
    assert answer is not None
    assert len(risks) > 3
    assert risks == sorted(risks, reverse=True)
    assert risks[-1] >= float(f"{answer['risk']:.4g}")
