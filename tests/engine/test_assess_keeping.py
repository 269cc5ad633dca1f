"""Work that was cut short goes on from its last finished block, and comes to the same bytes."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from riskapp.core.errors import Stopped
from riskapp.core.search import each_record, full_domain, suppressions
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record
from riskapp.engine import unfinished
from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.keeping import Keeping, as_json, from_json
from riskapp.engine.result import Result
from riskapp.engine.unfinished import ANSWERS, Unfinished
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
    assert {word.partition(";")[0].partition(" (")[0].rpartition(" ")[2] for word in told} <= {"mondrian:2"}


def test_what_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    prepared, keeping = prepare(written(tmp_path, methods=METHODS[:3])), Keeping(tmp_path, {})
    expected, told = body(evaluate(prepared)), list[str]()
    with pytest.raises(Stopped):
        evaluate(
            prepared,
            keeping=keeping,
            progress=lambda done, total, words: told.append(words),
            stop=lambda: bool(told) and "by btda" in told[-1],
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


MANY = "town,sex,born\n" + "".join(
    f"{town},{sex},{year}\n" for town in "abcd" for sex in "fm" for year in range(1961, 1971)
)
RUN = """
import sys
from pathlib import Path
from riskapp.core.search import each_record, full_domain, suppressions
from riskapp.engine import unfinished
from riskapp.engine.assess import evaluate, prepare
from riskapp.engine.keeping import Keeping

each_record.ALONE = each_record.WORTH = 0.0
each_record.MOST_TOGETHER = 3
unfinished.EVERY = 0.1
evaluate(prepare(Path(sys.argv[1])), keeping=Keeping(Path(sys.argv[2]), {}), processes=2)
"""


def long(folder: Path, method: str) -> Path:
    """An assessment with a search that takes eighty kinds of records one by one."""
    path = written(folder, rules=["per-record"], methods=[method])
    (folder / "members.csv").write_text(MANY, encoding="utf-8")
    return path


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of all searches for one record in this process."""
    found, best = list[str](), each_record.best

    def counted(method: str, record: Record, question: Asked, options: Options) -> Answer:
        found.append(method)
        return best(method, record, question, options)

    monkeypatch.setattr(each_record, "best", counted)
    return found


def started_by(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == parent and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def ended(one: int) -> bool:
    try:
        return Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_kill_in_the_middle_of_a_search_loses_little_and_the_second_start_gives_the_same_bytes(
    tmp_path: Path, solved: list[str]
) -> None:
    path, kept = long(tmp_path, "genetic"), tmp_path / "kept"
    kept.mkdir()
    until = time.monotonic() + 60
    words = [sys.executable, "-c", RUN, str(path), str(kept)]
    with subprocess.Popen(words, env=environment(tmp_path), cwd=ROOT) as running:
        while len(list(kept.glob("*.part"))) < 4 and time.monotonic() < until and running.poll() is None:
            time.sleep(0.002)
        others = started_by(running.pid)
        running.send_signal(signal.SIGKILL)
    assert len(others) >= 2
    while not all(map(ended, others)) and time.monotonic() < until:
        time.sleep(0.05)
    assert all(map(ended, others))
    keeping, prepared = Keeping(kept, {}), prepare(path)
    known = len(Unfinished(keeping, "per-record:genetic", ANSWERS).taken(1000))
    assert 3 < known < 80
    after = body(evaluate(prepared, keeping=keeping, processes=1))
    assert len(solved) == 80 - known
    assert not list(kept.glob("*.part"))
    assert after == body(evaluate(prepared, processes=1))
    assert len(solved) == 80 - known + 80


@pytest.mark.parametrize("enough", [1, 30, 79])
def test_a_search_that_was_stopped_goes_on_after_the_last_record_it_solved(
    tmp_path: Path, solved: list[str], enough: int
) -> None:
    prepared, keeping = prepare(long(tmp_path, "btda")), Keeping(tmp_path, {})
    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, stop=lambda: len(solved) >= enough)
    assert len(solved) == enough
    assert len(list(tmp_path.glob("*.part"))) == 1
    after = body(evaluate(prepared, keeping=keeping))
    assert len(solved) == 80
    assert after == body(evaluate(prepared))


NODES = 30
BY_RECORDS = ["full-domain", "k-anonymity", "random-k"]


def node_by_node(folder: Path) -> Path:
    """An assessment whose nodes are gone through one by one: people have several rows, and the largest loss counts."""
    path = written(folder, rules=BY_RECORDS, k=[2], suppression_limit=0.5)
    rows = (folder / "members.csv").read_text(encoding="utf-8").split()
    named = [f"id,{rows[0]}", *(f"{number // 2},{row}" for number, row in enumerate(rows[1:]))]
    (folder / "members.csv").write_text("\n".join(named) + "\n", encoding="utf-8")
    spec = yaml.safe_load(path.read_text())
    spec |= {"dataset": {"file": "members.csv", "identifier": "id"}, "risk": {"over_records": "max"}}
    path.write_text(yaml.safe_dump(spec, sort_keys=False), encoding="utf-8")
    return path


@pytest.fixture
def gone_through(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many nodes were measured among all, and how many were looked at for k."""
    found, measured, figures = Counter[str](), full_domain.Measuring.of, suppressions._figures

    def one(*given: Any) -> Any:
        found["full-domain"] += 1
        return measured(*given)

    def other(*given: Any) -> Any:
        found["for k"] += 1
        return figures(*given)

    class Counting(full_domain.Measuring):
        of = one

    monkeypatch.setattr(full_domain, "Measuring", Counting)
    monkeypatch.setattr(suppressions, "_figures", other)
    return found


@pytest.mark.parametrize("block", BY_RECORDS)
def test_nodes_that_were_gone_through_one_by_one_are_not_gone_through_again(
    tmp_path: Path, gone_through: Counter[str], block: str
) -> None:
    prepared, keeping, told = prepare(node_by_node(tmp_path)), Keeping(tmp_path, {}), list[int]()
    whole, foreseeing = body(evaluate(prepared)), 3
    assert gone_through == {"full-domain": foreseeing + NODES, "for k": 2 * NODES}
    gone_through.clear()

    def report(done: int, total: int, words: str) -> None:
        if words.partition(";")[0].partition(" (")[0].endswith(block):
            told.append(done)

    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, progress=report, stop=lambda: len(told) > 12)
    assert len(list(tmp_path.glob("*.part"))) == 1
    assert body(evaluate(prepared, keeping=keeping)) == whole
    foreseen = 2 * foreseeing if block == "full-domain" else foreseeing
    assert gone_through == {"full-domain": foreseen + NODES, "for k": 2 * NODES}
    assert not list(tmp_path.glob("*.part"))


def test_the_best_of_the_nodes_that_were_gone_through_is_told_meanwhile_and_after_a_second_start(
    tmp_path: Path,
) -> None:
    prepared, keeping, told = prepare(node_by_node(tmp_path)), Keeping(tmp_path, {}), list[str]()
    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, progress=lambda *far: told.append(far[2]), stop=lambda: len(told) > 20)
    every, again = evaluate(prepared), list[str]()
    seen = [rule.evaluation for rule in every.rules[:20] if rule.evaluation.utility >= 3]
    least = min(one.risk_that_counts for one in seen)
    assert f"best so far: a rule with risk {least:.4g} and" in told[-1]
    assert "best so far" not in told[0]
    evaluate(prepared, keeping=keeping, progress=lambda *far: again.append(far[2]))
    assert again[0] == told[-1]


def test_of_a_family_whose_rule_is_to_be_released_no_node_is_read(tmp_path: Path, gone_through: Counter[str]) -> None:
    prepared, keeping, told = prepare(node_by_node(tmp_path)), Keeping(tmp_path, {}), list[str]()
    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, progress=lambda *far: told.append(far[2]), stop=lambda: len(told) > 12)
    gone_through.clear()
    evaluate(prepared, keeping=keeping, wanted="full-domain:0.0.0")
    assert gone_through["full-domain"] >= NODES


def test_a_damaged_part_ends_what_is_known_and_the_bytes_are_the_same(
    tmp_path: Path, solved: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared, keeping = prepare(long(tmp_path, "btda")), Keeping(tmp_path, {})
    whole = body(evaluate(prepared))
    monkeypatch.setattr(unfinished, "EVERY", 0.0)
    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, stop=lambda: len(solved) >= 80 + 20)
    (third,) = tmp_path.glob("*.2.part")
    third.write_text(third.read_text()[:-9])
    monkeypatch.setattr(unfinished, "EVERY", 2.0)
    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, stop=lambda: len(solved) >= 80 + 20 + 7)
    assert len(Unfinished(keeping, "per-record:btda", ANSWERS).taken(1000)) == 2 + 7
    assert body(evaluate(prepared, keeping=keeping)) == whole
    assert len(solved) == 80 + 20 + 78


def test_a_rule_that_is_to_be_released_is_solved_and_not_read(tmp_path: Path, solved: list[str]) -> None:
    prepared, keeping = prepare(long(tmp_path, "btda")), Keeping(tmp_path, {})
    with pytest.raises(Stopped):
        evaluate(prepared, keeping=keeping, stop=lambda: len(solved) >= 40)
    evaluate(prepared, keeping=keeping, wanted="per-record:btda")
    assert len(solved) == 40 + 80


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
