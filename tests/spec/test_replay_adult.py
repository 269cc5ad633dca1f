"""What an attacker gains who knows the rule: the figures of the example on Adult, and of the page that tells them."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from riskapp.core import Problem, full_domain
from riskapp.core.table.identification import Identification
from riskapp.core.table.replay import Replay
from riskapp.engine.assess import assess

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "adult"
PAGE = ROOT / "docs" / "how-to" / "adult-replay.md"


@pytest.fixture(scope="module")
def replay() -> ModuleType:
    """The example's script, as a module."""
    spec = importlib.util.spec_from_file_location("adult_replay", EXAMPLE / "replay.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = path
    return module


@pytest.fixture(scope="module")
def adult(replay: ModuleType) -> Problem:
    found: Problem = replay.adult()
    return found


@pytest.fixture(scope="module")
def lines(replay: ModuleType, adult: Problem) -> list[Any]:
    found: list[Any] = replay.figures(adult)
    return found


def test_the_table_has_the_heights_of_which_sixty_per_cent_is_6_6(adult: Problem) -> None:
    assert len(adult) == 30_162
    assert adult.lattice.heights == (1, 4, 1, 2, 3)
    assert 0.6 * adult.utility.unchanged == pytest.approx(6.6)


#  which rule                   found  singled out
EXPECTED = [
    ("per-record, by definition", 42, 0),
    ("per-record, replayed", 631, 198),
    ("full-domain:0.1.1.1.1", 262, 21),
]


@pytest.mark.parametrize(("place", "expected"), list(enumerate(EXPECTED)))
def test_replaying_undoes_what_choosing_by_rarity_had_hidden(
    lines: list[Any], place: int, expected: tuple[str, int, int]
) -> None:
    line = lines[place]
    assert (line.rule, round(line.found), line.singled_out) == expected


def test_the_best_rule_that_treats_everybody_alike_has_the_printed_risk(lines: list[Any]) -> None:
    assert lines[2].risk == pytest.approx(0.0166, abs=5e-5)


def test_the_utility_holds_for_each_record(replay: ModuleType, adult: Problem) -> None:
    released = replay.PerRecord(adult, replay.LEAST_UTILITY).released()
    assert adult.utility.each(released).min() == 7


def test_nothing_is_gained_by_replaying_the_full_domain_rule(adult: Problem) -> None:
    found = full_domain(adult).optimum(least_utility=6.6).evaluation
    assert found.people_replay == found.people


def test_the_row_that_the_page_tells_of_fits_364_people_and_by_replay_one(replay: ModuleType, adult: Problem) -> None:
    rule = replay.PerRecord(adult, replay.LEAST_UTILITY)
    released, dictionary = rule.released(), adult.dictionaries[0]
    wanted = [("Male", 0), ("40", 0), ("*", 1), ("Married-civ-spouse", 0), ("*", 3)]
    here = np.ones(len(adult), dtype=np.bool_)
    for place, (text, level) in enumerate(wanted):
        here &= (released.levels[place] == level) & (adult.column(place).shown(level).to_numpy(False) == text)
    assert here.sum() == 1
    assert Identification(dictionary, adult.records.columns).of(released)[here].tolist() == [364]
    assert Replay(adult, released, rule).counts(dictionary)[here].tolist() == [1]


def test_the_page_shows_what_the_script_writes(replay: ModuleType, lines: list[Any]) -> None:
    shown = re.findall(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert replay.written(lines) in shown


def test_the_assessment_file_finds_the_same_rule() -> None:
    result = assess(EXAMPLE / "assessment.yaml").mapping()
    assert result["optimum"]["rule"] == "full-domain:0.1.1.1.1"
    rules = {rule["id"]: rule for rule in result["rules"]}
    people = rules["full-domain:0.1.1.1.1"]["people"]["self"]
    assert (round(people["expected_found"]), people["singled_out"]) == (262, 21)
    assert people["by_replay"]["singled_out"] == 21
