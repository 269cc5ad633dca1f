"""The plane and the index of a result say what the result says, of every rule and of any one."""

import io
import itertools
import json
from typing import Any

import numpy as np
import pytest

from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.plane import density, document
from riskapp.engine.plane.index import Index
from riskapp.engine.plane.listing import Listing
from riskapp.engine.plane.packing import packed
from tests.engine import slow_plane
from tests.engine.every_family import written as every_family

LIMITS = {"largest_chance": 0.4}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A RESULT.json with a rule of every family."""
    asked = every_family(tmp_path_factory.mktemp("small"), suppression_limit=0.4)
    return "".join(evaluate(prepare(asked)).lines()).encode()


def written(result: bytes, setting: document.Setting | None = None) -> tuple[dict[str, Any], Index]:
    plane, offsets = io.BytesIO(), io.BytesIO()
    document.write(io.BytesIO(result), plane, offsets, setting or document.Setting(limits=LIMITS))
    return json.loads(plane.getvalue()), Index(offsets, io.BytesIO(result))


def rules_of(result: bytes) -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = json.loads(result)["rules"]
    return rules


def test_the_index_gives_every_rule_as_it_stands_in_the_result(result: bytes) -> None:
    _, index = written(result)
    rules = rules_of(result)
    assert len(index) == len(rules)
    assert [index.rule(rule["id"]) for rule in rules] == rules


@pytest.mark.parametrize("name", ["full-domain:9.9.9", "full-domain:", "full-domain:0", "mondrian:77", "", "nonsense"])
def test_a_name_that_no_rule_has_is_not_there(result: bytes, name: str) -> None:
    assert written(result)[1].rule(name) is None


def test_a_number_that_no_rule_has_is_an_error(result: bytes) -> None:
    _, index = written(result)
    for number in (-1, len(index)):
        with pytest.raises(IndexError):
            index.line(number)


def test_rules_told_in_full_are_those_that_somebody_could_choose_with_all_their_digits(result: bytes) -> None:
    plane, _ = written(result)
    rules = rules_of(result)
    assert [row[0] for row in plane["listed"]] == slow_plane.listed(rules)
    names = ("risk", "utility", "share", "chance", "found", "singled", "group", "within", "frontier")
    for number, _name, family, levels, *figures in plane["listed"]:
        rule = rules[number]
        assert plane["families"][family] == rule["family"]
        assert levels == (list(rule["node"].values()) if rule["node"] else None)
        numbers, besides = figures[: len(names)], figures[len(names) :]
        assert [float(one) for one in numbers] == [slow_plane.figures(rule)[name] for name in names]
        assert besides == ([] if rule["family"] == "full-domain" else slow_plane.besides(rule))


def test_every_whole_table_rule_is_a_point_to_five_digits(result: bytes) -> None:
    plane, _ = written(result)
    nodes = [slow_plane.figures(rule) for rule in rules_of(result) if rule["family"] == "full-domain"]
    for name in ("risk", "share", "chance", "found", "group"):
        assert slow_plane.unpacked(plane["columns"][name]) == pytest.approx([one[name] for one in nodes], rel=1e-4)
    assert slow_plane.flags(plane["columns"]["within"], len(nodes)) == [bool(one["within"]) for one in nodes]


def test_the_names_of_levels_and_the_limits_reach_the_page(result: bytes) -> None:
    first = next(iter(rules_of(result)[0]["node"]))
    words = {first: ["as it is", "by county", "withheld"]}
    plane, _ = written(result, document.Setting(words, LIMITS, {"public": {"largest_chance": 0.09}}))
    assert next(one for one in plane["attributes"] if one["name"] == first)["levels"] == words[first]
    assert plane["limits"] == LIMITS
    assert plane["classes"] == {"public": {"largest_chance": 0.09}}


def test_the_exact_frontier_lies_where_its_utilities_are(result: bytes) -> None:
    plane, _ = written(result)
    told = json.loads(result)
    points, rules = told["exact_frontier"], told["rules"]
    ends = [rule for rule in rules if rule["family"] == "full-domain"]
    unchanged = float(ends[0]["utility"])
    assert plane["exact"]["risk"] == pytest.approx([float(one["risk"]) for one in points], rel=1e-5)
    assert plane["exact"]["share"] == pytest.approx([float(one["utility"]) / unchanged for one in points], rel=1e-4)


@pytest.mark.parametrize("broken", [b"", b"{}", b' "rules": [\n  {"id": "x"}\n'])
def test_what_is_no_whole_result_is_refused(broken: bytes) -> None:
    with pytest.raises((ValueError, KeyError)):
        list(Listing(io.BytesIO(broken)))


# Many rules


def made_up(heights: tuple[int, ...]) -> bytes:
    """A RESULT.json of a whole lattice with figures drawn at random."""
    drawn = np.random.Generator(np.random.PCG64(5))
    nodes = list(itertools.product(*(range(height + 1) for height in heights)))
    return in_lines([_made_up(node, heights, drawn) for node in nodes])


def in_lines(rules: list[dict[str, Any]]) -> bytes:
    """A RESULT.json of these rules."""
    text = ",\n".join(f"  {json.dumps(line)}" for line in rules)
    ends = '"frontier": [], "exact_frontier": null, "optimum": null'
    return f'{{\n "dataset": {{"people": 1000}},\n "rules": [\n{text}\n ],\n {ends}\n}}\n'.encode()


def _made_up(node: tuple[int, ...], heights: tuple[int, ...], drawn: np.random.Generator) -> dict[str, Any]:
    share = 1 - sum(node) / sum(heights)
    risk, chance, found = (float(number) for number in share * drawn.random(3))
    people = {"expected_found": 1000 * found, "singled_out": 3, "largest_chance": chance}
    return {
        "id": f"full-domain:{'.'.join(map(str, node))}",
        "family": "full-domain",
        "node": {f"c{place}": level for place, level in enumerate(node)},
        "risk": risk,
        "risk_replay": risk,
        "utility": 10 * share,
        "utility_share": share,
        "smallest_group": int(drawn.integers(1, 900)),
        "people": {"register": {**people, "by_replay": people}},
        "on_frontier": False,
        "within_limits": chance < 0.2,
    }


@pytest.mark.parametrize(
    ("limits", "within"),
    [
        ({"largest_chance": 0.2}, False),
        ({"share_above": {"chance": 0.2, "share": 0.1}}, False),
        ({"smallest_group": 1, "largest_chance": None}, True),
    ],
)
def test_a_rule_whose_replay_was_not_counted_is_not_within_limits_of_chances(
    limits: dict[str, Any], within: bool
) -> None:
    result = json.loads(made_up((2, 1)))
    for rule in result["rules"]:
        rule["within_limits"] = True
    open_one = result["rules"][3]
    open_one["risk_replay"] = open_one["people"]["register"]["by_replay"] = None
    plane, _ = written(in_lines(result["rules"]), document.Setting(limits=limits))
    assert slow_plane.flags(plane["columns"]["within"], 6) == [True, True, True, within, True, True]


def test_fifty_thousand_rules_are_points_in_less_than_a_million_bytes() -> None:
    result = made_up((9, 9, 9, 9, 4))  # 50 000 of them
    plane = io.BytesIO()
    document.write(io.BytesIO(result), plane, io.BytesIO(), document.Setting(limits=LIMITS))
    assert len(plane.getvalue()) < 1_000_000
    assert "columns" in json.loads(plane.getvalue())


def test_beyond_that_it_is_told_how_many_lie_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MOST_POINTS", 100)
    result = made_up((9, 9, 4))
    plane, index = written(result)
    rules = [slow_plane.figures(rule) for rule in rules_of(result)]
    assert "columns" not in plane
    assert len(index) == 500
    cells = plane["density"]["chance"]
    many = slow_plane.unpacked(cells["many"])
    assert sum(many) == 500
    kept = slow_plane.flags(cells["within"], len(many))
    places = density.columns(np.array([one["chance"] for one in rules]), cells["from"], cells["to"]) * cells["up"]
    places += density.rows(np.array([one["share"] for one in rules]))
    for place in range(len(many)):
        inside = [one for one, own in zip(rules, places, strict=True) if own == place]
        assert len(inside) == many[place]
        assert any(one["within"] for one in inside) == kept[place]


def crowded(heights: tuple[int, ...], parts: int) -> bytes:
    """A RESULT.json of a whole lattice of which no rule beats another, and as many others that are beaten."""
    rules = rules_of(made_up(heights))
    for place, rule in enumerate(rules):
        share = 1 - place / (len(rules) - 1)
        people = {"expected_found": 1000 / 3 * share, "singled_out": 3, "largest_chance": share / 3}
        rule |= {"risk": share / 3, "risk_replay": share / 3, "utility": share, "utility_share": share}
        rule |= {"people": {"register": {**people, "by_replay": people}}, "on_frontier": True, "within_limits": True}
    other = {**rules[0], "family": "mondrian", "node": None, "suppressed": 0, "on_frontier": False}
    others = [{**other, "id": f"mondrian:{k}", "utility_share": 0.5, "search": {"parts": k}} for k in range(parts)]
    return in_lines([*rules, *others]).replace(b'"optimum": null', b'"optimum": {"rule": "full-domain:4.4.4.4.4"}')


@pytest.mark.parametrize("parts", [0, 3_000])
def test_a_plane_of_many_rules_that_nothing_beats_has_less_than_a_million_bytes(parts: int) -> None:
    heights = (9, 9, 9, 9, 6)  # 70 000 whole-table rules
    result = crowded(heights, parts)
    file, offsets = io.BytesIO(), io.BytesIO()
    document.write(io.BytesIO(result), file, offsets, document.Setting(limits=LIMITS))
    assert 900_000 < len(file.getvalue()) <= 1_000_000
    plane = json.loads(file.getvalue())
    rows = {row[0]: row for row in plane["listed"]}
    assert plane["left_out"] == 70_000 + parts - len(rows)
    assert {0, 69_999, sum(4 * many for many in (7000, 700, 70, 7, 1))} <= set(rows), "both ends, and the answer"
    shares = sorted(row[6] for row in rows.values() if not row[2])
    assert max(np.diff(shares)) < 3 / len(shares), "spread evenly over the detail"
    assert sum(slow_plane.unpacked(plane["density"]["risk"]["many"])) == 70_000 + parts
    last = json.loads(result)["rules"][-1]
    assert Index(offsets, io.BytesIO(result)).rule(last["id"]) == last, "a rule that is not listed is found by its name"


def test_where_there_is_room_no_rule_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MOST_POINTS", 100)
    plane, _ = written(crowded((9, 9, 4), 20))
    assert len(plane["listed"]) == 520
    assert "left_out" not in plane


@pytest.mark.parametrize("size", [3, 4])
def test_a_packed_column_is_read_back_as_it_was_but_for_the_last_digits(size: int) -> None:
    drawn = np.random.Generator(np.random.PCG64(1)).lognormal(0, 8, 70_000)
    values = np.concatenate([drawn, [0.0, 1.0, np.inf]])
    again = slow_plane.unpacked(packed(values, size))
    assert again == pytest.approx(values.tolist(), rel=10.0 ** (-4 if size == 3 else -6), abs=1e-30)


def test_a_packed_column_of_few_values_is_read_back_exactly() -> None:
    values = np.array([0.1, 1 / 3, 0.1, 7.0] * 100)
    assert slow_plane.unpacked(packed(values)) == values.tolist()
