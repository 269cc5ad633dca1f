"""Work that was cut short goes on from its last finished block, and comes to the same bytes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from riskapp.core.errors import Stopped
from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.keeping import Keeping, as_json, from_json
from riskapp.engine.result import Result
from tests.engine.assessing import ROOT, environment, here
from tests.engine.every_family import METHODS, RULES, drawn, written

SLOW = ["full-domain", "mondrian", "k-anonymity", "regional", "per-record"]


def body(result: Result) -> str:
    return "".join(result.lines()).split(' "seconds"')[0]


def in_file(path: Path) -> str:
    return path.read_text(encoding="utf-8").split(' "seconds"')[0]


@pytest.mark.parametrize("seed", range(300, 303))
def test_answers_come_back_from_json_to_the_last_bit(tmp_path: Path, seed: int) -> None:
    prepared = prepare(drawn(seed, tmp_path, RULES))
    before, keeping = body(evaluate(prepared)), Keeping(tmp_path, {"seed": seed})
    first, again = (body(evaluate(prepared, keeping=keeping)) for _ in range(2))
    assert before == first == again


def test_a_finished_block_is_not_searched_again(tmp_path: Path) -> None:
    prepared, told = prepare(written(tmp_path, methods=["exhaustive"])), list[str]()
    keeping = Keeping(tmp_path, {})
    before = body(evaluate(prepared, keeping=keeping))
    after = body(evaluate(prepared, keeping=keeping, progress=lambda done, total, words: told.append(words)))
    assert (after, told) == (before, [])
    evaluate(prepared, keeping=keeping, wanted="mondrian:2", progress=lambda done, total, words: told.append(words))
    assert {word.rpartition(" ")[2] for word in told} <= {"mondrian:2"}


def test_what_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    prepared, keeping = prepare(written(tmp_path, methods=METHODS[:3])), Keeping(tmp_path, {})
    expected, told = body(evaluate(prepared)), list[str]()
    with pytest.raises(Stopped):
        evaluate(
            prepared,
            keeping=keeping,
            progress=lambda done, total, words: told.append(words),
            stop=lambda: bool(told) and told[-1].endswith("btda"),
        )
    kept = set(tmp_path.glob("*.json"))
    assert len(kept) == 3
    assert body(evaluate(prepared, keeping=keeping)) == expected
    assert set(tmp_path.glob("*.json")) > kept


def test_a_damaged_or_foreign_block_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    prepared, keeping = prepare(written(tmp_path, rules=["full-domain", "mondrian"])), Keeping(tmp_path, {"a": 1})
    expected = body(evaluate(prepared, keeping=keeping))
    kept = {path: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.json")}
    assert len(kept) == 3
    (one, text), (other, _), *_ = kept.items()
    changed = json.loads(text)
    changed["content"] = changed["content"].replace("0.5", "0.25")
    for broken in ("", "{}", "[]", "3", text[: len(text) // 2], kept[other], json.dumps(changed), '{"content": 1}'):
        one.write_text(broken, encoding="utf-8")
        assert body(evaluate(prepared, keeping=keeping)) == expected
        assert one.read_text(encoding="utf-8") == text
    one.write_bytes(b"\xff\xfe")
    assert body(evaluate(prepared, keeping=keeping)) == expected
    assert all(Keeping(tmp_path, {"a": 2}).taken(name) is None for name in ("full-domain", "mondrian:2"))


def test_infinite_figures_are_kept(tmp_path: Path) -> None:
    path = written(tmp_path, rules=["full-domain"])
    path.write_text(path.read_text().replace("weight: 0.5", "weight: .inf"))
    result = evaluate(prepare(path), keeping=Keeping(tmp_path, {}))
    assert result.rules[0].evaluation.risk == float("inf")
    assert body(evaluate(prepare(path), keeping=Keeping(tmp_path, {}))) == body(result)


def test_a_kill_between_blocks_and_a_second_start_give_the_same_bytes(tmp_path: Path) -> None:
    path, kept = written(tmp_path, rules=SLOW, methods=["milp", "exhaustive"]), tmp_path / "kept"
    assert here(path, "--out", tmp_path / "whole.json").code == 0
    words = [sys.executable, str(ROOT / "manage.py"), "assess", str(path), "--out", str(tmp_path / "r.json")]
    with subprocess.Popen([*words, "--keep", str(kept)], env=environment(tmp_path), stdout=subprocess.PIPE) as running:
        until = time.monotonic() + 60
        while len(list(kept.glob("*.json"))) < 2 and time.monotonic() < until and running.poll() is None:
            time.sleep(0.002)
        running.send_signal(signal.SIGKILL)
    assert not (tmp_path / "r.json").exists()
    times = {one: one.stat().st_mtime_ns for one in kept.glob("*.json")}
    assert len(times) >= 2
    assert here(path, "--out", tmp_path / "r.json", "--keep", kept).code == 0
    assert in_file(tmp_path / "r.json") == in_file(tmp_path / "whole.json")
    assert {one: one.stat().st_mtime_ns for one in times} == times
    assert len(list(kept.glob("*.json"))) > len(times)


def test_another_dataset_takes_nothing_from_the_folder(tmp_path: Path) -> None:
    path, kept = written(tmp_path, rules=["full-domain"]), tmp_path / "kept"
    here(path, "--out", tmp_path / "r.json", "--keep", kept)
    members = tmp_path / "members.csv"
    members.write_text(members.read_text().replace("a,f,1971", "a,m,1971"))
    here(path, "--out", tmp_path / "kept.json", "--keep", kept)
    here(path, "--out", tmp_path / "fresh.json")
    assert in_file(tmp_path / "kept.json") == in_file(tmp_path / "fresh.json")
    assert len(list(kept.glob("*.json"))) == 2


def test_a_place_that_cannot_be_kept_in_is_told_by_the_option(tmp_path: Path) -> None:
    path = written(tmp_path, rules=["full-domain"])
    for keep, told in ((path, "--keep: This is a file."), (tmp_path / "a" / "b", "--keep: The folder it would be in")):
        answer = here(path, "--out", tmp_path / "r.json", "--keep", keep)
        assert (answer.code, answer.err.startswith(told)) == (2, True)


def test_answers_survive_json(tmp_path: Path) -> None:
    prepared, keeping = prepare(written(tmp_path, rules=["mondrian"], k=[2, 9])), Keeping(tmp_path, {})
    evaluate(prepared, keeping=keeping)
    for block in ("ends", "mondrian:2", "mondrian:9"):
        answers = keeping.taken(block)
        assert answers is not None
        assert as_json(from_json(as_json(answers))) == as_json(answers)
