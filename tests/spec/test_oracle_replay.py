"""The attacker who knows the rule: what replay finds where a rule treats people differently."""

from pathlib import Path
from typing import Any

import pytest

from tests.oracle import evaluation, replay
from tests.oracle.people import people
from tests.oracle.problem import Problem
from tests.oracle.release import from_nodes, full_domain, release_record
from tests.oracle.replay import (
    NotDone,
    by_replay,
    closed,
    completions,
    full_domain_rule,
    replayed_entries,
    table_rule,
)
from tests.oracle.risk import risk
from tests.oracle.tables import problem

TOWN = """
    city,sex
    Rome,f
    Rome,f
    Rome,m
    Pisa,m
    """


def town(folder: Path, **more: Any) -> Problem:
    return problem(folder, {"dataset.csv": TOWN, **more.pop("files", {})}, attributes={"city": {}, "sex": {}}, **more)


# Whoever is alone with city and sex hides the city: both men receive (*, m), and the women keep theirs.
HIDE_THE_LONELY = [(0, 0), (0, 0), (1, 0), (1, 0)]
# The man of Rome hides the city and the man of Pisa the sex: rows that no rule for everybody would give.
HIDE_BY_RARITY = [(0, 0), (0, 0), (1, 0), (0, 1)]


def test_a_rule_that_chooses_by_rarity_is_broken_by_replay(tmp_path: Path) -> None:
    small = town(tmp_path)
    rows = from_nodes(small, HIDE_BY_RARITY)
    rule = table_rule(small, rows)
    table = small.dictionaries[0]
    assert [row.shown for row in rows[2:]] == [("*", "m"), ("Pisa", "*")]
    by_definition = people(small, table, rows)
    replayed = people(small, table, rows, by_replay(small, rule))
    # by definition the man of Rome hides among two men; replay knows that the other one would have hidden otherwise
    assert by_definition == pytest.approx({**by_definition, "expected_found": 0.5 * 3 + 1, "singled_out": 1})
    assert replayed == pytest.approx({**replayed, "expected_found": 0.5 * 2 + 2, "singled_out": 2})
    assert not closed(small, table, rows, rule)
    assert risk(small, rows, by_replay(small, rule)) > risk(small, rows)


def test_the_same_row_for_all_who_are_consistent_with_it_is_closed(tmp_path: Path) -> None:
    small = town(tmp_path)
    rows = from_nodes(small, HIDE_THE_LONELY)
    rule = table_rule(small, rows)
    assert closed(small, small.dictionaries[0], rows, rule)
    assert risk(small, rows, by_replay(small, rule)) == risk(small, rows)


def test_suppressed_rows_are_not_closed(tmp_path: Path) -> None:
    small = town(tmp_path)
    rows = from_nodes(small, [(0, 0), (0, 0), (0, 0), None])
    rule = table_rule(small, rows)
    assert rows[3].shown == ("*", "*")
    assert rows[3].suppressed
    assert not closed(small, small.dictionaries[0], rows, rule)
    figures = evaluation.measure(small, rows, rule)["people"]["self"]
    # hidden among four by definition, alone by replay
    assert figures["expected_found"] == pytest.approx(0.5 + 0.5 + 1 + 0.25)
    assert figures["by_replay"]["expected_found"] == pytest.approx(0.5 + 0.5 + 1 + 1)


def test_everything_is_measured_on_a_released_table(tmp_path: Path) -> None:
    small = town(tmp_path)
    rows = from_nodes(small, [(0, 0), (0, 0), (0, 0), None])
    figures = evaluation.measure(small, rows, table_rule(small, rows))
    assert figures["suppressed"] == 1
    assert figures["smallest_group"] == 1
    assert figures["utility"] == pytest.approx(1.5)
    assert figures["utility_share"] == pytest.approx(0.75)
    # the suppressed record discloses nothing: Φ is 0
    assert figures["risk"] == pytest.approx((1 + 1 + 2 + 0) / 4)
    assert figures["risk_replay"] == pytest.approx((1 + 1 + 2 + 0) / 4)


def test_a_regional_rule_that_shows_its_split_is_closed(tmp_path: Path) -> None:
    small = town(tmp_path)

    def rule(values: dict[str, str | None]) -> set[tuple[str, ...]]:
        return {release_record(small, values, (1, 0) if values["sex"] == "m" else (0, 0)).shown}

    rows = from_nodes(small, [(0, 0), (0, 0), (1, 0), (1, 0)])
    assert closed(small, small.dictionaries[0], rows, rule)


VALUES_FILES = {
    "dataset.csv": "zip,born,sex\n101,1975-05-10,f\n102,1975-06-01,\n",
    "register.csv": "plz,year\n10*,1975\n20*,1980\n,\n",
}


@pytest.fixture
def register(tmp_path: Path) -> Problem:
    return problem(
        tmp_path,
        VALUES_FILES,
        attributes={
            "zip": {"hierarchy": {"mask": 3}},
            "born": {"hierarchy": {"dates": ["month", "year"]}},
            "sex": {},
        },
        dictionaries=[
            {"name": "register", "file": "register.csv", "match": {"plz": "zip@1", "year": "born@year"}},
        ],
    )


def test_what_a_dictionary_does_not_know_runs_over_the_values_that_occur(register: Problem) -> None:
    known, elsewhere, unknown = register.dictionaries[0].entries
    every = [tuple(values.values()) for values in completions(register, known)]
    days, zips, sexes = ("1975-05-10", "1975-06-01"), ("101", "102"), ("f", None)
    assert sorted(every, key=str) == sorted(((z, day, sex) for z in zips for day in days for sex in sexes), key=str)
    assert len(list(completions(register, unknown))) == 8
    # nothing that occurs lies under 20* and 1980, so any one value there stands for them
    assert {values["zip"] for values in completions(register, elsewhere)} == {"200"}


def test_every_full_domain_rule_of_a_coarse_dictionary_is_closed(register: Problem) -> None:
    table = register.dictionaries[0]
    for node in [(0, 0, 0), (1, 2, 0), (2, 1, 1), (3, 3, 0), (3, 3, 1)]:
        rule, rows = full_domain_rule(register, node), full_domain(register, node)
        assert closed(register, table, rows, rule)
        assert all(replayed_entries(register, table, row, rule) for row in rows)


def test_too_many_completions_are_not_tried(register: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MOST_COMPLETIONS", 7)
    rows = full_domain(register, (0, 0, 0))
    with pytest.raises(NotDone):
        closed(register, register.dictionaries[0], rows, full_domain_rule(register, (0, 0, 0)))
