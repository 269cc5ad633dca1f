"""Records searched one by one: what is known is not solved again, and several processes change nothing."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.optimum import Question
from riskapp.core.search import each_record
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.each_record import Running, answers
from riskapp.core.search.kinds import Kinds, taken
from riskapp.core.search.methods import METHODS
from riskapp.core.search.per_record import Settings, candidates
from riskapp.core.search.per_record_rule import BestNode, Solved, read_by
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record_of import Records
from riskapp.core.table.plain_problem import problem as plain
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Watch
from tests.core.building import drawn, ours

RACE = {"groups": {"European": ["White", "Pale"], "Asian": ["Chinese", "Japanese"]}}
RACES = ["White", "White", "Pale", "Chinese", "Japanese", "Japanese"]
SEXES = ["f", "m", "f", "f", "m", "f"]
FEW = Options(seed=4, generations=5)


class Listed:
    """A log in memory."""

    def __init__(self, known: Sequence[Answer] = ()) -> None:
        self.known, self.kept = list(known), list[Answer]()

    def taken(self, most: int) -> list[Answer]:
        found, self.known = self.known[:most], self.known[most:]
        return found

    def keep(self, found: Sequence[Answer]) -> None:
        self.kept += found


class Counted:
    """Counts what is solved in this process."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.times, self._best = 0, each_record.best
        patch.setattr(each_record, "best", self)

    def __call__(self, *given: object) -> Answer:
        self.times += 1
        return self._best(*given)  # type: ignore[arg-type]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture
def others_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes are started even for a few records, and are handed few at a time."""
    for name, value in (("ALONE", 0.0), ("WORTH", 0.0), ("MOST_TOGETHER", 2)):
        monkeypatch.setattr(each_record, name, value)


def small(**given: object) -> Problem:
    return plain({"race": RACES, "sex": SEXES}, hierarchies={"race": RACE}, **given)  # type: ignore[arg-type]


def asked_of(method: str) -> Asked:
    return Aggregate(1, 1) if method == "aggregate" else Question("least_utility", 1)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_what_is_known_is_not_solved_again(method: str, counted: Counted) -> None:
    problem, question = small(), asked_of(method)
    whole = answers(problem, method, question, FEW)
    assert counted.times == len(problem)
    for known in range(len(problem) + 1):
        counted.times, log = 0, Listed(whole[:known])
        assert answers(problem, method, question, FEW, Running(log=log)) == whole
        assert log.kept == whole[known:]
        assert counted.times == len(problem) - known


def test_two_tables_one_after_the_other_share_a_log(counted: Counted) -> None:
    problem, log = small(), Listed()
    first, then = taken(problem, np.array([0, 2, 3])), taken(problem, np.array([4, 1]))

    def both(log: Listed) -> list[Answer]:
        return [one for some in (first, then) for one in answers(some, "btda", asked_of("btda"), FEW, Running(log=log))]

    whole = both(log)
    assert log.kept == whole
    counted.times = 0
    assert both(Listed(whole[:4])) == whole
    assert counted.times == 1


@pytest.mark.usefixtures("others_at_once")
@pytest.mark.parametrize("method", ["genetic", "aggregate"])
def test_processes_and_what_is_known_change_nothing(method: str, counted: Counted) -> None:
    problem, question, told = small(), asked_of(method), list[int]()
    whole = answers(problem, method, question, FEW)
    counted.times, log = 0, Listed(whole[:1])
    watch = Watch(lambda done, total: told.append(done))
    assert answers(problem, method, question, FEW, Running(watch, 2, log)) == whole
    assert (counted.times, log.kept) == (1, whole[1:])
    assert told == sorted(told)
    assert (told[0], told[-1]) == (1, len(problem))


def test_an_error_that_can_be_mended_comes_back_from_another_process_as_it_is() -> None:
    trouble = pickle.loads(pickle.dumps(BadSetting("search.methods", "Choose another.")))
    assert (type(trouble), trouble.key, str(trouble)) == (
        BadSetting,
        "search.methods",
        "search.methods: Choose another.",
    )


@pytest.mark.usefixtures("others_at_once")
def test_several_processes_stop_early_and_what_was_found_is_kept() -> None:
    zips = [f"{number:05d}" for number in range(400)]
    problem, log = plain({"zip": zips}, hierarchies={"zip": {"mask": 5}}), Listed()
    watch = Watch(stop=lambda: len(log.kept) >= 8)
    with pytest.raises(Stopped):
        answers(problem, "genetic", Question("least_utility", 2), Options(), Running(watch, 2, log))
    assert 8 <= len(log.kept) < len(problem)
    assert log.kept == answers(taken(problem, slice(len(log.kept))), "genetic", Question("least_utility", 2), Options())


@pytest.mark.parametrize("seed", range(6))
def test_a_record_by_its_place_is_that_of_a_smaller_table(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People with several entries are counted for some records at a time: two here."""
    problem = plain({"sex": SEXES, "race": RACES}) if seed == 0 else ours(drawn(seed, tmp_path))
    if problem.linkage is not None:
        problem = plain({"sex": SEXES})
    monkeypatch.setattr("riskapp.core.search.record_of.COUNTED_AT_ONCE", 2 * problem.lattice.size)
    many, order = Records(problem), list(range(len(problem)))
    Random(seed).shuffle(order)
    for row in order:
        alone = Records(taken(problem, slice(row, row + 1)))[0].table()
        assert np.array_equal(many[row].table().risk, alone.risk)
        assert np.array_equal(many[row].table().utility, alone.utility)


def test_what_differs_only_where_a_rule_does_not_look_is_solved_once(counted: Counted) -> None:
    table = {"race": [*RACES, *RACES], "note": [str(number) for number in range(12)]}
    problem = plain(table, hierarchies={"race": RACE}, keep=["note"], dictionaries={"self": ["race"]})
    assert read_by(problem) == {0}
    assert len(Kinds.of(problem)) == 12
    (found,) = candidates(problem, ["genetic"], Question("least_utility", 1), Settings(FEW))
    assert isinstance(found, Candidate)
    assert counted.times == 4
    levels = found.released.levels[0].tolist()
    assert levels[:6] == levels[6:]


def test_a_replay_solves_no_record_twice(counted: Counted) -> None:
    problem = small()
    rule = BestNode(problem, "genetic", Question("least_utility", 1))
    leaves = np.array([[1, 1], [2, 1], [1, 1], [3, 2]], dtype=np.int32)
    once = rule(leaves)
    assert counted.times == 3
    again = rule(leaves[::-1])
    assert counted.times == 3
    assert np.array_equal(once[0], again[0][::-1])
    fresh = BestNode(problem, "genetic", Question("least_utility", 1))
    for place in range(len(leaves)):
        assert np.array_equal(fresh(leaves[place : place + 1])[0][0], once[0][place])
    assert counted.times == 6


def test_a_search_that_remembers_answers_as_the_search_itself() -> None:
    asked = list[int]()

    def search(leaves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked.append(len(leaves))
        return np.stack([leaves[:, 0] % 3, leaves[:, 0] * 0], axis=1), leaves[:, 0] > 6

    solved, chance = Solved(search, [0]), np.random.default_rng(2)
    for _ in range(20):
        leaves = chance.integers(0, 9, (chance.integers(1, 6), 2)).astype(np.int32)
        for mine, its in zip(solved(leaves), search(leaves), strict=True):
            assert np.array_equal(mine, its)
        asked.pop()
    assert sum(asked) == 9
