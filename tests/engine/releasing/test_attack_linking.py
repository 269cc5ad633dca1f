"""Attacks with dictionaries, against the oracle's sets of people, counted one by one."""

from pathlib import Path

import pytest

from riskapp.core.table.replay import TableRule
from riskapp.engine.assess import prepare
from riskapp.engine.releasing.attack.attack import attacked
from riskapp.engine.releasing.attack.linking import linked
from riskapp.engine.releasing.attack.one_to_one import SEVERAL_ENTRIES, SEVERAL_ROWS
from riskapp.engine.releasing.attack.truth import truths
from riskapp.engine.ruling import Ruling
from tests.engine.assessing import small
from tests.engine.every_family import as_theirs, nodes_of, theirs_of
from tests.oracle.consistency import consistent_entries
from tests.oracle.release import from_nodes
from tests.oracle.replay import replayed_entries

MEMBERS = """who,town,sex,born
ann,a,f,1971
bob,a,m,1972
cyd,b,f,1971
dan,b,m,1985
eve,c,f,1986
fay,c,f,1985
gus,d,m,1985
"""
REGISTER = """name,place,gender
ann,a,f
bob,a,m
cyd,b,f
dan,c,m
eve,c,f
gus,d,m
hal,d,m
ivy,a,f
"""
SPEC = """
dataset: {file: members.csv, identifier: who}
attributes:
  town: {hierarchy: {groups: {north: [a, b], south: [c, d]}}}
  sex: {}
  born: {hierarchy: {mask: 4}, weight: 0.5}
dictionaries:
  - self
  - {name: register, file: register.csv, identity: name, match: {place: town, gender: sex}}
  - {name: nameless, file: register.csv, match: {place: town}}
search: {rules: [full-domain, per-record, mondrian], methods: [btda], least_utility: 3, k: [2]}
"""


def ruling(folder: Path, rule: str, spec: str = SPEC) -> Ruling:
    (folder / "register.csv").write_text(REGISTER)
    return Ruling.of(prepare(small(folder, spec, MEMBERS)), rule)


@pytest.mark.parametrize(
    "rule", ["full-domain:0.0.0", "full-domain:1.0.2", "full-domain:1.1.4", "per-record:btda", "mondrian:2"]
)
def test_right_guesses_are_those_of_the_oracle(tmp_path: Path, rule: str) -> None:
    found = ruling(tmp_path, rule)
    theirs = theirs_of(tmp_path / "assessment.yaml")
    rows = from_nodes(theirs, nodes_of(found.problem, found.found))
    truth = truths(found.prepared)
    names = [line.split(",")[0] for line in REGISTER.split()[1:]]
    people = [line.split(",")[0] for line in MEMBERS.split()[1:]]
    register = next(one for one in theirs.dictionaries if one.name == "register")
    told = linked(found, next(one for one in found.problem.dictionaries if one.name == "register"), truth["register"])
    assert not isinstance(found.found.rule, TableRule)

    def candidates(row: object, replay: bool) -> list[str]:
        if replay and found.found.rule is not None:
            entries = replayed_entries(theirs, register, row, as_theirs(theirs, found.problem, found.found))
        else:
            entries = consistent_entries(theirs.attributes, register, row.cells)
        return [names[register.entries.index(entry)] for entry in entries]

    for how, replay in (("consistency", False), ("replay", True)):
        each = [candidates(row, replay) for row in rows]
        expected = sum(1 / len(some) for who, some in zip(people, each, strict=True) if who in some)
        single = sum(some == [who] for who, some in zip(people, each, strict=True))
        assert told[how]["right"]["expected"] == pytest.approx(expected)
        assert told[how]["right"]["of_singled_out"] == single
        assert told[how]["expected_found"] == pytest.approx(sum(1 / len(some) for some in each if some))
        assert told[how]["singled_out"] == sum(len(some) == 1 for some in each)
        assert sum(told[how]["confidence"].values()) == len(people)
        assert told[how]["right"]["people_in_it"] == 6
    assert told["without_release"] == len(people) / 8


def test_a_dictionary_without_the_identifier_carries_no_truth(tmp_path: Path) -> None:
    found = ruling(tmp_path, "full-domain:0.0.0")
    told = attacked(found)["dictionaries"]
    assert told["nameless"]["carries_truth"] is False
    assert told["nameless"]["consistency"]["right"] is None
    assert told["self"]["consistency"]["right"]["expected"] == told["self"]["consistency"]["expected_found"]


def test_one_to_one_finds_whom_consistency_does_not(tmp_path: Path) -> None:
    """Nobody knows where bob lives, so he fits both rows; but only he fits the second, and so the first is ann's."""
    spec = """
dataset: {file: members.csv, identifier: who}
attributes: {town: {hierarchy: {groups: {north: [a, b]}}}}
dictionaries: [{name: register, file: register.csv, identity: name, match: {place: town}}]
"""
    (tmp_path / "register.csv").write_text('name,place\nann,a\nbob,""\n')
    prepared = prepare(small(tmp_path, spec, "who,town\nann,a\nbob,b\n"))
    told = attacked(Ruling.of(prepared, "full-domain:0"))["dictionaries"]["register"]
    assert (told["consistency"]["singled_out"], told["one_to_one"]["forced"]) == (1, 2)
    assert told["one_to_one"]["right"] == {"assigned": 2, "forced": 2}
    coarse = attacked(Ruling.of(prepared, "full-domain:1"))["dictionaries"]["register"]["one_to_one"]
    assert (coarse["assigned"], coarse["forced"], coarse["right"]["forced"]) == (2, 0, 0)


def test_it_is_said_where_one_to_one_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "register.csv").write_text(REGISTER.replace("hal", "gus"))
    prepared = prepare(small(tmp_path, SPEC, MEMBERS))
    found = Ruling.of(prepared, "full-domain:0.0.0")
    told = attacked(found)["dictionaries"]
    assert told["register"]["one_to_one"] == {"not_done": SEVERAL_ENTRIES}
    monkeypatch.setattr("riskapp.engine.releasing.attack.one_to_one.MOST_PAIRS", 3)
    assert "more than 3" in attacked(found)["dictionaries"]["self"]["one_to_one"]["not_done"]
    twice = prepare(small(tmp_path, SPEC, MEMBERS + "ann,b,f,1971\n"))
    told = attacked(Ruling.of(twice, "full-domain:0.0.0"))["dictionaries"]
    assert told["self"]["one_to_one"] == {"not_done": SEVERAL_ROWS}
