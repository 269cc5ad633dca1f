"""`manage.py assess`, as somebody at a terminal meets it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from riskapp.management import assessing
from tests.engine.assessing import ASSESSMENT, ROOT, Answer, apart, environment, here, small
from tests.engine.every_family import written as every_family
from tests.engine.small_assessment import SPEC, Files, Spec, cells, changed, written
from tests.engine.test_assessment_broken import BUILDS, CONTENTS, SETTINGS, key_of

HOW_TO = (ROOT / "docs" / "how-to" / "assess.md").read_text(encoding="utf-8")


def left(folder: Path) -> set[str]:
    """The files in a folder."""
    return {path.name for path in folder.iterdir() if path.is_file()}


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", HOW_TO, re.DOTALL)


def test_where_there_are_several_searches_it_is_told_how_long_each_took(tmp_path: Path) -> None:
    path = every_family(tmp_path, methods=["exhaustive", "btda"], k=[2])
    lines = here(path, "--out", tmp_path / "r.json", "--keep", tmp_path / "kept").out.splitlines()
    (told,) = [line for line in lines if line.startswith("Seconds: ")]
    blocks = [one.rsplit(" ", 1) for one in told.removeprefix("Seconds: ").split(", ")]
    families = ["full-domain", "regional", "per-record:exhaustive", "per-record:btda", "exact"]
    assert [name for name, _ in blocks] == [*families, "k-anonymity", "random-k", "mondrian:2"]
    assert all(float(seconds) > 0 for _, seconds in blocks)
    again = here(path, "--out", tmp_path / "r.json", "--keep", tmp_path / "kept").out
    assert "Seconds: " not in again


def test_the_how_to_is_true_to_the_letter_and_nothing_is_connected_to(tmp_path: Path) -> None:
    members, register, released = blocks("csv")
    (assessment,) = blocks("yaml")
    for name, text in {"members.csv": members, "register.csv": register, "assessment.yaml": assessment}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = [line.split("assess ", 1)[1].split() for block in blocks("sh") for line in block.splitlines()]
    answer = apart(tmp_path, *words[1])
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(blocks("text")[0])
    assert (tmp_path / "release.csv").read_text(encoding="utf-8") == released
    inputs = {"members.csv", "register.csv", "assessment.yaml"}
    assert left(tmp_path) == inputs | {"result.json", "release.csv", "release.csv.manifest.json"}
    assert (
        here(tmp_path / words[0][0], "--out", tmp_path / words[0][2]).out.splitlines()[:2]
        == (blocks("text")[0].splitlines()[:2])
    )


def test_bad_input_ends_a_real_command_with_one_line_and_code_2(tmp_path: Path) -> None:
    answer = apart(tmp_path, written(tmp_path, changed("attributes.city.weight", -1)), "--out", tmp_path / "r.json")
    assert (answer.code, answer.out) == (2, "")
    assert re.fullmatch(r"attributes\.city\.weight: .+\n", answer.err)
    assert not (tmp_path / "r.json").exists()


def broken() -> list[tuple[Spec | str, Files, str]]:
    """Every broken assessment of the table, with the key that is told."""
    settings = [(changed(path, value), {}, key_of(path, told)) for path, value, told in SETTINGS + BUILDS]
    return settings + [(SPEC, files, key) for files, key in CONTENTS]


def test_every_broken_assessment_gets_one_line_and_code_2_and_leaves_no_result(tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    wrong: dict[str, Answer] = {}
    for number, (spec, files, key) in enumerate(broken()):
        (tmp_path / str(number)).mkdir()
        answer = here(written(tmp_path / str(number), spec, files=files), "--out", out)
        line = answer.err.removesuffix("\n")
        clean = answer.out == "" and "\n" not in line and not any(cell in line for cell in cells())
        if answer.code != 2 or not clean or not line.startswith(key) or out.exists():
            wrong[f"{number} {key}"] = answer
    assert number > 100
    assert wrong == {}


def options(folder: Path) -> list[tuple[list[Any], str]]:
    (folder / "folder.csv").mkdir()
    os.mkfifo(folder / "pipe.json")
    out, rule = ["--out", folder / "result.json"], ["--release", "full-domain:0.0.0"]
    return [
        ([*out, *rule], "--release: Say with --to"),
        ([*out, "--to", folder / "a.csv"], "--to: Say with --release"),
        ([*out, *rule, "--to", folder / "a.xlsx"], "--to: Name a file that ends in"),
        ([*out, *rule, "--to", folder / "none" / "a.csv"], "--to: Its folder is not there"),
        ([*out, *rule, "--to", folder / "folder.csv"], "--to: This is a folder"),
        ([*out, *rule, "--to", folder / "members.csv"], "--to: The assessment is made from this file"),
        (["--out", folder], "--out: This is a folder"),
        (["--out", folder / "pipe.json"], "--out: This is there already and is no file"),
        (["--out", folder / f"{'long' * 80}.json"], "--out: The name is too long"),
        (["--out", folder / "none" / "result.json"], "--out: Its folder is not there"),
        (["--out", folder / "assessment.yaml"], "--out: The assessment is made from this file"),
        (["--out", folder / "a.csv", *rule, "--to", folder / "a.csv"], "--to: This is where the result goes"),
        *(
            ([*out, "--release", name, "--to", folder / "a.csv"], "--release: There is no such rule")
            for name in (
                "full-domain:0.0",
                "full-domain:9.0.0",
                "full-domain:0.0.00",
                "mondrian:5",
                "x",
                "full-domain:",
            )
        ),
    ]


def test_an_option_that_cannot_be_is_told_before_anything_is_written(tmp_path: Path) -> None:
    path = small(tmp_path)
    before = left(tmp_path)
    for words, line in options(tmp_path):
        answer = here(path, *words)
        assert (answer.code, answer.out) == (2, ""), words
        assert answer.err.startswith(line)
        assert answer.err.count("\n") == 1
        assert left(tmp_path) == before


def test_a_result_that_was_there_stays_when_the_assessment_is_broken(tmp_path: Path) -> None:
    path = small(tmp_path, ASSESSMENT.replace("seed: 3", "seed: -3"))
    (tmp_path / "result.json").write_text("the one before")
    assert here(path, "--out", tmp_path / "result.json").code == 2
    assert (tmp_path / "result.json").read_text() == "the one before"


def test_the_summary_tells_the_optimum_or_the_nearest_or_that_nothing_was_asked(tmp_path: Path) -> None:
    searches = {
        "least_utility: 2": "The optimum is full-domain:",
        "least_utility: 99": "No rule will do. The nearest misses: least_utility. The nearest is full-domain:0.0.0.",
        "seed: 3": "No question was asked, so there is no optimum.",
    }
    for search, told in searches.items():
        path = small(tmp_path, ASSESSMENT.split("search")[0] + f"search: {{{search}}}\n")
        answer = here(path, "--out", tmp_path / "result.json")
        assert (answer.code, answer.err) == (0, "")
        assert answer.out.splitlines()[1].startswith(told)
        assert answer.out.splitlines()[-1] == f"Result: {tmp_path / 'result.json'}"


def test_the_same_file_gives_the_same_bytes_the_seconds_apart(tmp_path: Path) -> None:
    path, texts = small(tmp_path), []
    for name in ("one.json", "two.json"):
        assert here(path, "--out", tmp_path / name).code == 0
        texts.append((tmp_path / name).read_text(encoding="utf-8").splitlines())
    assert texts[0][:-2] == texts[1][:-2]
    assert texts[0][-2].startswith(' "seconds": {"reading": ')
    assert list(json.loads("\n".join(texts[0]))["seconds"]) == ["reading", "counting", "search"]


def test_a_fault_of_ours_tells_its_kind_and_place_and_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall_over(*args: Any, **options: Any) -> None:
        raise KeyError("Lafayette")

    monkeypatch.setattr(assessing, "evaluate", fall_over)
    answer = here(small(tmp_path), "--out", tmp_path / "result.json")
    assert (answer.code, answer.out) == (1, "")
    assert re.fullmatch(
        r"Something went wrong that we did not foresee "
        r"\(KeyError at test_assess_command\.py:\d+, reference [0-9a-f]{8}\)\.\n",
        answer.err,
    )
    assert not (tmp_path / "result.json").exists()


def test_a_full_disk_is_told_by_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*args: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(assessing, "release", no_room)
    path = small(tmp_path)
    before = left(tmp_path)
    words = ["--out", tmp_path / "r.json", "--release", "full-domain:0.0.0", "--to", tmp_path / "a.csv"]
    answer = here(path, *words)
    assert (answer.code, answer.err) == (2, "--to: The file could not be written: No space left on device.\n")
    assert left(tmp_path) == before


def wide(folder: Path) -> Path:
    """An assessment whose rules take a while: sixteen columns, 65 536 nodes."""
    names = [f"c{place}" for place in range(16)]
    rows = [",".join(str((row * place) % 3) for place in range(1, 17)) for row in range(300)]
    (folder / "wide.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    path = folder / "wide.json"
    path.write_text(json.dumps({"dataset": {"file": "wide.csv"}, "attributes": {name: {} for name in names}}))
    return path


def test_ctrl_c_ends_with_130_and_leaves_nothing_and_a_terminal_shows_a_bar(tmp_path: Path) -> None:
    path, (ours, theirs) = wide(tmp_path), pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    before = left(tmp_path)
    words = [sys.executable, str(ROOT / "manage.py"), "assess", str(path), "--out", str(tmp_path / "result.json")]
    with subprocess.Popen(words, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        watchdog = Timer(100, running.kill)
        watchdog.start()
        shown = b""
        while b"rules" not in shown:
            shown += os.read(ours, 1000)
        running.send_signal(signal.SIGINT)
        shown += rest_of(ours)
        assert running.wait() == 130
        watchdog.cancel()
        assert running.stdout is not None
        assert running.stdout.read() == b""
    assert b"%|" in shown
    assert b"Stopped. Nothing was written." in shown
    assert b"Traceback" not in shown
    assert left(tmp_path) == before


def rest_of(terminal: int) -> bytes:
    """What comes until nobody writes any more."""
    shown = b""
    while True:
        try:
            more = os.read(terminal, 1000)
        except OSError:
            return shown
        if not more:
            return shown
        shown += more


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    path = small(tmp_path)
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    assert here(path, "--out", tmp_path / "link.json").code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert '"rules"' in (tmp_path / "real.json").read_text()


def test_a_column_with_a_space_at_its_end_can_be_released(tmp_path: Path) -> None:
    path = small(tmp_path, 'dataset: {file: members.csv}\nattributes: {" c": {}}\n', 'b," c"\n1,2\n1,3\n')
    answer = here(path, "--out", tmp_path / "r.json", "--release", "full-domain:0", "--to", tmp_path / "o.csv")
    assert (answer.code, answer.err) == (0, "")
