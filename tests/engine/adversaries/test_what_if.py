"""What an attacker finds who knows one column more, against measuring the changed assessment."""

import copy
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskapp.core.bad_setting import BadSetting
from riskapp.core.measure import Measuring
from riskapp.core.table.released import Released
from riskapp.engine.adversaries.what_if import UNCHANGED, Figures, each, what_if
from riskapp.engine.assessment import Built, build, read
from riskapp.engine.assessment.settings import Match
from tests.engine.small_assessment import SPEC, Spec, changed, written

NODE = (1, 1, 2, 1, 0, 0, 0, 0)


def built(folder: Path, spec: Spec) -> Built:
    return build(read(written(folder, spec)))


def measured(some: Built, attacker: str, node: tuple[int, ...]) -> Figures:
    """The same from the figures of a rule."""
    problem = some.problem
    found = Measuring(problem).of(Released.at(problem.records, node)).people[attacker]
    return Figures(found.expected_found, found.singled_out, found.largest_chance, found.uncovered)


def test_a_neighbour_who_also_knows_the_race_is_measured_as_the_changed_assessment_is(tmp_path: Path) -> None:
    before = built(tmp_path, SPEC)
    found = what_if(before, "neighbour", Match("race", "race"), {"rule": NODE})
    after = built(tmp_path, changed("dictionaries.1.knows", ["city", "born", "race"]))
    for name, node in ((UNCHANGED, before.problem.lattice.bottom), ("rule", NODE)):
        assert found.changes[name].before == measured(before, "neighbour", node)
        assert found.changes[name].after == measured(after, "neighbour", node)
    assert found.people == 2


def test_a_register_that_has_the_column_is_built_again(tmp_path: Path) -> None:
    spec: Any = changed("dictionaries.2.match", {"town": "city", "kind": "race"})
    before = built(tmp_path, spec)
    found = what_if(before, "register", Match("year", "born", "year"), {"rule": NODE})
    after = built(tmp_path, SPEC)
    assert found.changes["rule"].before == measured(before, "register", NODE)
    assert found.changes["rule"].after == measured(after, "register", NODE)
    assert found.changes[UNCHANGED].after == measured(after, "register", after.problem.lattice.bottom)


def test_a_table_of_counts_may_know_more_too(tmp_path: Path) -> None:
    spec = copy.deepcopy(SPEC)
    spec["dictionaries"][3]["match"] = {"kind": "race"}
    files = {"census.csv": "place,kind,many\nMongolia,Klingon,120\nGreece,Vulcan,3\n"}
    before = build(read(written(tmp_path, spec, files=files)))
    found = what_if(before, "census", Match("place", "city", "land"))
    assert found.changes[UNCHANGED].after.expected_found == pytest.approx(1 / 120 + 1 / 3)


def test_every_column_that_is_not_known_yet_is_tried(tmp_path: Path) -> None:
    some = built(tmp_path, SPEC)
    found = each(some, "neighbour", {"rule": NODE})
    assert [one.attribute for one in found] == ["race", "income", "zip", "sex", "note", "illness"]
    assert found[0] == what_if(some, "neighbour", Match("race", "race"), {"rule": NODE})


@pytest.mark.parametrize(
    ("attacker", "more", "told"),
    [
        ("stranger", Match("race", "race"), "no attacker of that name"),
        ("neighbour", Match("city", "city"), "knows this column already"),
        ("neighbour", Match("w", "w"), "not released"),
        ("register", Match("name", "race"), "knows this column already"),
        ("register", Match("kind", "sex"), "knows this column already"),
        ("register", Match("shoes", "sex"), "no such column"),
    ],
)
def test_what_cannot_be_is_told(tmp_path: Path, attacker: str, more: Match, told: str) -> None:
    with pytest.raises(BadSetting, match=told):
        what_if(built(tmp_path, SPEC), attacker, more)


def test_a_node_that_is_not_in_the_lattice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not in the lattice"):
        what_if(built(tmp_path, SPEC), "neighbour", Match("race", "race"), {"rule": (9,) * 8})


def test_the_facts_are_json(tmp_path: Path) -> None:
    found = json.loads(json.dumps(what_if(built(tmp_path, SPEC), "neighbour", Match("sex", "sex")).facts()))
    assert set(found["changes"][UNCHANGED]["after"]) == {"expected_found", "singled_out", "largest_chance", "uncovered"}


CELLS = st.lists(st.tuples(*[st.sampled_from(["a", "b", "NA"])] * 3, st.sampled_from("xyz")), min_size=1, max_size=8)


@settings(deadline=None, max_examples=25)
@given(CELLS, st.tuples(*[st.integers(0, 1)] * 3))
def test_knowing_more_never_finds_fewer(rows: list[tuple[str, ...]], node: tuple[int, ...]) -> None:
    text = "p,q,r,who\n" + "".join(",".join(row) + "\n" for row in rows)
    spec = {
        "dataset": {"file": "members.csv", "identifier": "who"},
        "attributes": {"p": {}, "q": {}, "r": {}},
        "dictionaries": [{"self": True, "name": "somebody", "knows": ["p"]}],
    }
    with TemporaryDirectory() as folder:
        some = build(read(written(Path(folder), spec, files={"members.csv": text})))
    for found in each(some, "somebody", {"rule": node}):
        for change in found.changes.values():
            assert change.after.expected_found >= change.before.expected_found - 1e-9
            assert change.after.singled_out >= change.before.singled_out
            assert change.after.largest_chance >= change.before.largest_chance
