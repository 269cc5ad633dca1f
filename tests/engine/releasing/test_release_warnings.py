"""Warnings: each appears where it should, with its count, and not where it should not."""

import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.released import Released
from riskapp.engine.assess import prepare
from riskapp.engine.releasing.attack.footprint import footprint
from riskapp.engine.releasing.attack.intersection import intersected
from riskapp.engine.releasing.betrayed import betrayed, betrayed_by_absence
from riskapp.engine.releasing.warnings import Circumstances, warnings
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small
from tests.engine.releasing import test_attack_intersection

SPEC = """
dataset: {{file: members.csv}}
attributes: {{town: {{}}, ill: {{role: keep, sensitive: true{order}}}}}
dictionaries: [self, {{name: register, file: register.csv, match: {{place: town}}}}]
"""
ROWS = "town,ill\n" + "a,x\n" * 3 + "b,x\nb,y\nb,z\n" + "c,y\nc,y\nc,y\nc,y\nc,x\n"


def told(
    folder: Path,
    rows: str,
    given: Circumstances | None = None,
    order: str = "",
    rule: str = "full-domain:0",
    register: str = "a\nb\n",
) -> dict[str, dict[str, object]]:
    (folder / "register.csv").write_text(f"place\n{register}")
    found = Ruling.of(prepare(small(folder, SPEC.format(order=order), rows)), rule)
    return {one["name"]: one for one in warnings(found, given)}


def test_homogeneous_and_skewed_groups_are_counted_apart(tmp_path: Path) -> None:
    found = told(tmp_path, ROWS)
    assert found["homogeneous"]["count"] == 3
    shares = {"a": {"x": 3}, "b": {"x": 1, "y": 1, "z": 1}, "c": {"y": 4, "x": 1}}
    table = {"x": 5, "y": 5, "z": 1}
    expected = sum(
        many
        for values in shares.values()
        for value, many in values.items()
        if len(values) > 1 and many / sum(values.values()) - table[value] / 11 > 0.3
    )
    assert found["skewed"]["count"] == expected == 4
    assert told(tmp_path, ROWS, rule="full-domain:1").keys() & {"homogeneous", "skewed"} == set()


def test_similar_values_are_those_close_together_in_their_order_or_as_numbers(tmp_path: Path) -> None:
    rows = "town,ill\n" + "".join(f"a,{value}\n" for value in (1, 2, 3)) + "b,1\nb,100\n"
    assert told(tmp_path, rows)["similar"]["count"] == 3
    order = ", order: [" + ", ".join(f"v{value}" for value in range(30)) + "]"
    rows = "town,ill\na,v0\na,v1\nb,v0\nb,v29\n"
    assert told(tmp_path, rows, order=order)["similar"]["count"] == 2
    assert "similar" not in told(tmp_path, ROWS)


def test_uncovered_people_are_told_for_the_dictionary(tmp_path: Path) -> None:
    found = told(tmp_path, ROWS)["uncovered"]
    assert (found["where"], found["count"]) == ("register", 5)


def test_large_losses_are_told_where_the_mean_is_low(tmp_path: Path) -> None:
    rows, register = "town,ill\n" + "a,x\n" * 200 + "b,x\n", "a\n" * 200 + "b\n"
    told_of = {
        limit: told(tmp_path, rows, Circumstances(chance_limit=limit), register=register).get("large-losses", {})
        for limit in (None, 1.0, 0.5)
    }
    assert {limit: found.get("count", 0) for limit, found in told_of.items()} == {None: 1, 1.0: 0, 0.5: 1}
    assert "(ten times the mean)" in str(told_of[None]["about"])
    assert "at the limit on the chance" in str(told_of[0.5]["about"])


def test_losses_are_large_beside_those_of_average_harm_at_the_chance_that_is_allowed(tmp_path: Path) -> None:
    harm = ", weights: {x: 1, y: 40}"
    rows = "town,ill\n" + "a,x\n" * 39 + "a,y\n"
    (tmp_path / "register.csv").write_text("place\n" + "a\n" * 40)
    found = Ruling.of(prepare(small(tmp_path, SPEC.format(order=harm), rows)), "full-domain:0")
    # Everybody is one of forty. The mean harm is 1 for the town and 1.975 for the illness, a tenth of which is usual.
    assert found.usual_loss(0.1) == pytest.approx(0.2975)
    (large,) = [one for one in warnings(found, Circumstances(chance_limit=0.1)) if one["name"] == "large-losses"]
    assert large["count"] == 1


def test_what_the_circumstances_say_is_told(tmp_path: Path) -> None:
    given = Circumstances(
        considered=40,
        best="full-domain:1",
        data_until=date(2026, 3, 1),
        dictionaries_from={"register": date(2026, 2, 1), "fresh": date(2026, 3, 1)},
    )
    found = told(tmp_path, ROWS, given)
    assert found["chosen-after-looking"]["count"] == 40
    assert (found["old-dictionary"]["where"], found["old-dictionary"]["count"]) == ("register", 28)
    best = told(tmp_path, ROWS, Circumstances(considered=40, best="full-domain:0"))
    assert best.keys() & {"chosen-after-looking", "old-dictionary"} == set()


@pytest.mark.parametrize(
    ("hierarchy", "warned"),
    [
        ("{groups: {north: [a, b], south: [c]}}", True),
        ("{groups: {north: [a, b], south: [c, d]}}", False),  # lists more than occurs
        ("{mask: 1}", False),  # a rule, not a list
    ],
)
def test_groups_that_list_exactly_what_occurs_are_told(tmp_path: Path, hierarchy: str, warned: bool) -> None:
    spec = f"dataset: {{file: members.csv}}\nattributes: {{town: {{hierarchy: {hierarchy}}}, sex: {{}}}}\n"
    found = Ruling.of(prepare(small(tmp_path, spec, "town,sex\na,m\nb,f\nc,m\n")), "full-domain:0.0")
    named = [one["where"] for one in warnings(found) if one["name"] == "derived-hierarchy"]
    assert named == (["town"] if warned else [])


def test_the_words_say_whether_a_question_was_asked(tmp_path: Path) -> None:
    asked = {best: told(tmp_path, ROWS, Circumstances(considered=40, best=best)) for best in (None, "full-domain:1")}
    words = [found["chosen-after-looking"]["about"] for found in asked.values()]
    assert "it answers no question asked before" in words[0]
    assert "not the one that the question asked for" in words[1]


def test_a_question_asked_after_other_runs_of_the_data_excuses_nothing(tmp_path: Path) -> None:
    first = Circumstances(considered=40, best="full-domain:0")
    assert "chosen-after-looking" not in told(tmp_path, ROWS, first)
    later = told(tmp_path, ROWS, replace(first, considered=80, runs=2))["chosen-after-looking"]
    assert later["count"] == 80
    assert "among 80 of 2 runs of these data" in str(later["about"])
    assert "asked after other runs" in str(later["about"])


def test_the_warning_names_how_many_two_4_anonymous_releases_single_out(tmp_path: Path) -> None:
    _, one = test_attack_intersection.release(tmp_path, "full-domain:0.1")
    found, other = test_attack_intersection.release(tmp_path, "full-domain:1.0")
    given = Circumstances(intersection=intersected([one, other]))
    warned = [one for one in warnings(found, given) if one["name"] == "intersection"]
    assert "16 people are singled out" in warned[0]["about"]
    assert footprint(found, "x", b"k").name == "x"


def test_what_earlier_releases_single_out_by_themselves_is_told_apart(tmp_path: Path) -> None:
    _, one = test_attack_intersection.release(tmp_path, "full-domain:0.1")
    _, other = test_attack_intersection.release(tmp_path, "full-domain:1.0")
    found, nothing = test_attack_intersection.release(tmp_path, "full-domain:1.1")
    given = Circumstances(intersection=intersected([one, other, nothing]), without_it=intersected([one, other]))
    (warned,) = [one for one in warnings(found, given) if one["name"] == "intersection" and not one["where"]]
    assert warned["count"] == 16
    assert warned["about"].endswith("By the earlier releases alone it is 16 already.")


def test_every_warning_says_what_to_do_and_no_value(tmp_path: Path) -> None:
    rows = ROWS.replace("x", "Secretitis").replace("a,", "Xanadu,")
    given = Circumstances(considered=9, data_until=date(2026, 1, 2), dictionaries_from={"register": date(2026, 1, 1)})
    for one in told(tmp_path, rows, given).values():
        assert one["do"].endswith(".")
        assert one["about"].endswith(".")
        assert not {"Secretitis", "Xanadu"} & set(f"{one['about']} {one['do']}".replace(".", " ").split())


@pytest.mark.parametrize("seed", range(60))
def test_betrayed_cells_are_those_found_one_by_one(seed: int) -> None:
    chance = random.Random(seed)
    tree = from_groups("race", {"x": ["a", "b", "c"], "y": ["d", "e"], "z": ["f"]})
    codes = np.array([chance.randint(0, 6) for _ in range(8)], dtype=np.int32)
    levels = np.array([[chance.choice([0, 0, 1, 2])] for _ in codes])
    hidden = np.array([chance.random() < 0.1 for _ in codes])
    released = Released.each(CodedRecords.of([CodedColumn(tree, codes)]), levels, hidden)
    alone = {int(code) for code, level, out in zip(codes, levels[:, 0], hidden, strict=True) if level == 0 and not out}
    expected = 0
    for code, level, out in zip(codes, levels[:, 0], hidden, strict=True):
        if out or code == 0 or level == 0 or not alone - {0}:
            continue
        under = [leaf for leaf in range(1, 7) if tree.ancestors[level, leaf] == tree.ancestors[level, code]]
        expected += len(under) > 1 and sum(leaf not in alone for leaf in under) == 1
    assert betrayed(released, 0) == expected


@pytest.mark.parametrize("seed", range(60))
def test_suppressed_rows_with_the_one_value_that_is_not_shown_are_those_found_one_by_one(seed: int) -> None:
    chance = random.Random(seed)
    tree = from_groups("town", {"x": ["a", "b"], "y": ["c"]})
    codes = np.array([chance.randint(0, 3) for _ in range(7)], dtype=np.int32)
    levels = np.array([[chance.choice([0, 0, 0, 1, 2])] for _ in codes])
    hidden = np.array([chance.random() < 0.3 for _ in codes])
    released = Released.each(CodedRecords.of([CodedColumn(tree, codes)]), levels, hidden)
    rows = list(zip(codes.tolist(), levels[:, 0].tolist(), hidden.tolist(), strict=True))
    lacking = {1, 2, 3} - {code for code, level, out in rows if level == 0 and not out}
    expected = sum(out and code in lacking for code, _, out in rows) if len(lacking) == 1 else 0
    assert betrayed_by_absence(released, 0) == expected


def test_the_one_value_that_only_suppressed_rows_have_is_warned_of(tmp_path: Path) -> None:
    spec = "dataset: {file: members.csv}\nattributes: {town: {}, ill: {role: keep, sensitive: true}}\n"
    spec += "search: {rules: [k-anonymity], k: [3], suppression_limit: 0.5}\n"
    prepared = prepare(small(tmp_path, spec, "town,ill\n" + "a,x\na,y\na,z\n" + "b,x\nb,y\nb,z\n" + "c,x\n"))
    found_by = Ruling.of(prepared, "k-anonymity:3:0")
    (found,) = [one for one in warnings(found_by) if one["name"] == "all-but-one"]
    assert (found["where"], found["count"]) == ("town, suppressed rows", 1)
    assert found["about"].startswith("All values of town but one are shown")


@pytest.mark.parametrize(("begin", "warned"), [(23, True), (20, False), (21, False)])
def test_intervals_that_begin_at_the_least_value_are_told(tmp_path: Path, begin: int, warned: bool) -> None:
    spec = f"""
dataset: {{file: members.csv}}
attributes: {{age: {{hierarchy: {{intervals: {{from: {begin}, widths: [5, 10]}}}}}}}}
"""
    found = Ruling.of(prepare(small(tmp_path, spec, "age\n23\n31\n40\n")), "full-domain:1")
    named = [one for one in warnings(found) if one["name"] == "begun-at-data"]
    assert [one["where"] for one in named] == (["age"] if warned else [])


@pytest.mark.parametrize(("role", "words"), [("role: keep, ", "(l) in the next run"), ("", "itself forms the groups")])
def test_a_column_that_forms_the_groups_is_told_otherwise(tmp_path: Path, role: str, words: str) -> None:
    knows = "dictionaries: [{self: true, name: self, knows: [town]}]\n"
    spec = f"dataset: {{file: members.csv}}\nattributes: {{town: {{}}, ill: {{{role}sensitive: true}}}}\n{knows}"
    rule = "full-domain:0" if role else "full-domain:0.0"
    found = Ruling.of(prepare(small(tmp_path, spec, "town,ill\na,x\na,x\nb,x\nb,y\n")), rule)
    told = next(one for one in warnings(found) if one["name"] == "homogeneous")
    assert words in told["do"]
