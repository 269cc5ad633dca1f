"""The result of an assessment: what is in it, what it rests on, how it is written, and that the work can be stopped."""

import doctest
import importlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from riskapp.core.errors import Stopped
from riskapp.engine.assess import assess
from riskapp.engine.atomic import replaced
from tests.engine.assessing import ASSESSMENT, MEMBERS, small

MODULES = ["atomic", "comparing", "joined", "keeping", "memory", "plain_json", "rule_ids"]
OUTGOING = ["as_csv", "origin", "reading_back", "releasing", "shown"]


@pytest.mark.parametrize("name", [*MODULES, *(f"outgoing.{name}" for name in OUTGOING)])
def test_every_example_of_assessing_is_true(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"riskapp.engine.{name}"))
    assert (found.failed, found.attempted > 0) == (0, True)


def test_a_result_has_its_parts_in_their_order(tmp_path: Path) -> None:
    result = assess(small(tmp_path)).mapping()
    first = ["dataset", "coverage", "conditions", "rules", "frontier", "exact_frontier", "exact_frontier_reason"]
    assert list(result) == [*first, "not_found", "optimum", "seconds"]
    assert result["exact_frontier"] is None
    assert list(result["rules"][0]) == [
        *("id", "family", "node", "risk", "risk_replay", "risk_by_dictionary", "utility", "utility_share"),
        *("smallest_group", "suppressed", "people", "inference", "on_frontier", "within_limits", "number"),
        *("holds_against", "conditions", "search"),
    ]
    assert [rule["id"] for rule in result["rules"][:4]] == [f"full-domain:0.0.{n}" for n in (0, 1)] + [
        f"full-domain:0.1.{n}" for n in (0, 1)
    ]
    assert result["rules"][0]["node"] == {"city": 0, "born": 0, "sex": 0}
    assert {rule["number"] for rule in result["rules"]} == {"exact"}
    assert result["rules"][0]["holds_against"] == ["self", "replay"]
    assert [rule["id"] for rule in result["rules"] if rule["on_frontier"]] == result["frontier"]
    assert (result["frontier"][0], result["frontier"][-1]) == ("full-domain:0.0.0", "full-domain:2.2.1")


def test_infinite_numbers_are_words_and_what_is_no_number_is_never_written(tmp_path: Path) -> None:
    result = assess(small(tmp_path))
    assert result.mapping()["rules"][0]["risk"] == "inf"
    wrong = [replace(one, evaluation=replace(one.evaluation, utility=float("nan"))) for one in result.rules]
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(result, rules=wrong).write(tmp_path / "result.json")
    assert not (tmp_path / "result.json").exists()


def test_a_written_result_is_the_result_one_line_for_each_rule(tmp_path: Path) -> None:
    result = assess(small(tmp_path))
    result.write(tmp_path / "result.json")
    text = (tmp_path / "result.json").read_text(encoding="utf-8")
    assert json.loads(text) == result.mapping()
    assert sum(line.startswith('  {"id"') for line in text.splitlines()) == 18


def test_what_is_being_written_is_gone_after_a_failure_and_what_was_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt), replaced(path) as fresh:
        fresh.write_text("half of")
        raise KeyboardInterrupt
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("note.txt", "before")]


def test_the_work_tells_how_far_it_is_and_stops_when_asked(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    path = small(tmp_path)
    assess(path, progress=lambda done, total, words: told.append((done, total, words)))
    assert all(0 <= done <= total for done, total, _ in told)
    assert told[0][2] == "Reading the rows"
    done, total, words = told[-1]
    assert done == total
    assert words.startswith("Measuring rules: full-domain")
    with pytest.raises(Stopped):
        assess(path, stop=lambda: True)


OFFICIAL = ASSESSMENT.replace("[Delphi, Monon]", "[Delphi, Monon, Otterbein]")
"""With a town in which nobody lives, so that its groups cannot have been made from the data."""


def conditions(folder: Path, assessment: str, members: str = MEMBERS) -> list[str]:
    return list(assess(small(folder, assessment, members)).conditions)


def test_nothing_to_say_is_said_with_no_condition(tmp_path: Path) -> None:
    assert conditions(tmp_path, OFFICIAL) == []


def test_groups_that_list_exactly_what_occurs_are_a_condition(tmp_path: Path) -> None:
    (told,) = conditions(tmp_path, ASSESSMENT)
    assert told.startswith("Column city: its groups list exactly the values that occur")


@pytest.mark.parametrize(("begin", "betrayed"), [(17, True), (15, False), (20, False)])
def test_intervals_that_begin_at_the_least_value_are_a_condition(tmp_path: Path, begin: int, betrayed: bool) -> None:
    ages = MEMBERS.replace("born", "age").replace("1975-05-10", "17" if begin == 17 else "20")
    ages = re.sub(r"\d{4}-\d\d-\d\d", "33", ages)
    intervals = f"age: {{hierarchy: {{intervals: {{from: {begin}, widths: [5]}}}}}}"
    found = conditions(
        tmp_path, OFFICIAL.replace("born: {hierarchy: {dates: [year]}, fall: harmonic}", intervals), ages
    )
    assert [told.partition(",")[0] for told in found] == (
        ["Column age: its intervals begin at the least value of the data"] if betrayed else []
    )


def test_a_dictionary_that_covers_less_than_95_percent_is_a_condition(tmp_path: Path) -> None:
    (tmp_path / "register.csv").write_text("town\nDelphi\nMonon\n")
    given = OFFICIAL + "dictionaries: [self, {name: register, file: register.csv, match: {town: city}}]\n"
    (told,) = conditions(tmp_path, given)
    assert told.startswith("Dictionary register: only 4 of 6 records fit anybody in it, which is less than 95%.")


def test_several_rows_of_a_person_are_a_condition(tmp_path: Path) -> None:
    (told,) = conditions(tmp_path, OFFICIAL, MEMBERS.replace("\n2,", "\n1,"))
    assert told.startswith("The 6 records belong to 5 people.")


def test_a_kept_column_like_free_text_is_a_condition(tmp_path: Path) -> None:
    (told,) = conditions(tmp_path, OFFICIAL, MEMBERS.replace(",mild", ",quite mild", 1).replace("f,none", "f,well"))
    assert told.startswith("Column illness is released unchanged, and 5 of its 5 values occur only once")


def test_linkage_data_are_a_condition(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("town\nDelphi\n")
    (told,) = conditions(tmp_path, OFFICIAL + "linkage: {file: visits.csv, match: {town: city}}\n")
    assert told.startswith("The linkage data are part of every risk.")
    assert "the risk need not fall as less is released" in told
