"""The work of `manage.py assess`: check where things go, compute, write, and tell.

It stands apart from the command because the mathematics takes a while to load, and Ctrl-C is heeded then too.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from types import FrameType
from typing import NoReturn, cast

from tqdm import tqdm

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.search.candidate import Candidate
from riskapp.engine.assess import Prepared, evaluate, prepare
from riskapp.engine.atomic import replaced
from riskapp.engine.keeping import Keeping
from riskapp.engine.outgoing import checked_ending, manifest_path, origin, release, software
from riskapp.engine.outgoing.origin import hashes
from riskapp.engine.result import Result
from riskapp.engine.rule_ids import check as check_rule
from riskapp.engine.sources import sources


@dataclass(frozen=True)
class Wishes:
    """What the command was asked for.

    Attributes
    ----------
    file : the assessment
    out : where the result goes
    rule, to : the rule to release, and where to; both or neither
    keep_order : whether released rows stay in the order of the dataset
    keep : a folder for finished parts of the work; None when nothing is kept
    version : of the software
    """

    file: Path
    out: Path
    rule: str | None = None
    to: Path | None = None
    keep_order: bool = False
    keep: Path | None = None
    version: str = ""


LONGEST_NAME = 200


def run(wishes: Wishes) -> list[str]:
    """Assess a file, write the result and, where a rule is named, its release; what to say about it, line by line.

    Raises
    ------
    RiskappError
        If something is to be mended; then nothing was written.
    """
    check_places(wishes)
    with Bar() as bar:
        prepared = prepare(wishes.file, progress=bar.report)
    check_inputs_stay(prepared, wishes.out, wishes.to)
    if wishes.rule is not None:
        check_rule(wishes.rule, prepared.problem, prepared.assessment.search)
    keeping = _keeping(wishes, prepared)
    with Bar() as bar, _heeding_ctrl_c() as stopping, _writing("--keep"):
        result = evaluate(prepared, progress=bar.report, stop=stopping.is_set, wanted=wishes.rule, keeping=keeping)
    with _writing("--out"), replaced(wishes.out) as fresh:
        result.save(fresh)
        if result.wanted is not None and wishes.to is not None:
            _release(prepared, result, result.wanted, wishes)
    return list(summary(result, wishes.out, wishes.to))


def _keeping(wishes: Wishes, prepared: Prepared) -> Keeping | None:
    if wishes.keep is None:
        return None
    with _writing("--keep"):
        wishes.keep.mkdir(exist_ok=True)
    return Keeping(wishes.keep, {"inputs": hashes(prepared), "software": software({"riskapp": wishes.version})})


def _release(prepared: Prepared, result: Result, found: Candidate, wishes: Wishes) -> None:
    about = origin(prepared, keep_order=wishes.keep_order, versions={"riskapp": wishes.version})
    with _writing("--to"):
        release(result, found, cast(Path, wishes.to), about)


def summary(result: Result, out: Path, to: Path | None) -> Iterator[str]:
    """How many rules there are, which is best, what the figures rest on, and where everything is."""
    problem = result.problem
    yield (
        f"{len(result.rules)} rules for {len(problem)} records of {problem.persons} people; "
        f"{len(result.frontier)} are on the frontier."
    )
    yield _answer(result)
    yield from (f"Not found: {found['why']}" for found in result.not_found)
    yield from (f"Note: {condition}" for condition in result.conditions)
    if len(result.took) > 1:
        yield f"Seconds: {', '.join(f'{name} {seconds:.3g}' for name, seconds in result.took.items())}"
    yield f"Result: {out}"
    if to is not None:
        yield f"Release: {to}, with {manifest_path(to).name}"


def _answer(result: Result) -> str:
    best = result.optimum
    if best is None:
        return "No question was asked, so there is no optimum."
    if "infeasible" in best:
        nearest = f" The nearest is {best['nearest']}." if best["nearest"] else ""
        return f"{best['infeasible']}{nearest}"
    return f"The optimum is {best['rule']} with risk {best['risk']:.6g} and utility {best['utility']:.6g}."


class Bar:
    """How far it is, on a terminal only."""

    def __init__(self) -> None:
        self._bar: tqdm[NoReturn] | None = None
        self._part = ("", -1)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *trouble: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def report(self, done: int, total: int, words: str) -> None:
        if self._bar is None:
            self._bar = tqdm(leave=False, disable=not sys.stderr.isatty(), file=sys.stderr)
        if (words, total) != self._part:
            self._part = words, total
            self._bar.set_description(words, refresh=False)
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)


def check_places(wishes: Wishes) -> None:
    """Whether what is to be written can be, before anything long is begun."""
    out, rule, to, keep = wishes.out, wishes.rule, wishes.to, wishes.keep
    if rule is not None and to is None:
        raise BadSetting("--release", "Say with --to where the table goes.")
    if to is not None and rule is None:
        raise BadSetting("--to", "Say with --release which rule it is.")
    _check_place("--out", out)
    if keep is not None:
        _check_folder(keep)
    if to is not None:
        checked_ending(to)
        _check_place("--to", to)
        if out.resolve() in {to.resolve(), manifest_path(to).resolve()}:
            raise BadSetting("--to", "This is where the result goes. Name another file.")


def _check_place(key: str, path: Path) -> None:
    if len(os.fsencode(path.name)) > LONGEST_NAME:
        raise BadSetting(key, f"The name is too long. Give one of at most {LONGEST_NAME} bytes.")
    path = path.resolve()
    if path.exists() and not path.is_dir() and not path.is_file():
        raise BadSetting(key, "This is there already and is no file, but a device or a pipe. Name a file.")
    if path.is_dir():
        raise BadSetting(key, "This is a folder. Name a file in it.")
    if not path.parent.is_dir():
        raise BadSetting(key, "Its folder is not there. Make it first.")
    if not os.access(path.parent, os.W_OK):
        raise BadSetting(key, "Its folder may not be written to. Name a file elsewhere.")


def _check_folder(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise BadSetting("--keep", "This is a file. Name a folder.")
    if not path.exists() and not path.parent.is_dir():
        raise BadSetting("--keep", "The folder it would be in is not there. Make it first.")


def check_inputs_stay(prepared: Prepared, out: Path, to: Path | None) -> None:
    """The files an assessment is made from are not written over."""
    read = {path.resolve() for path in (prepared.path, *sources(prepared.assessment).values())}
    places = {"--out": [out], "--to": [to, manifest_path(to)] if to else []}
    for key, written in places.items():
        if any(path.resolve() in read for path in written):
            raise BadSetting(key, "The assessment is made from this file. Name another.")


@contextmanager
def _heeding_ctrl_c() -> Iterator[Event]:
    """Set when Ctrl-C is pressed, so that threads hear of it too and end in good order; a second one does not wait."""
    stopping = Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopping
    except Stopped:
        pass
    finally:
        signal.signal(signal.SIGINT, before)
    if stopping.is_set():
        raise KeyboardInterrupt


@contextmanager
def _writing(key: str) -> Iterator[None]:
    try:
        yield
    except OSError as trouble:
        raise BadSetting(key, f"The file could not be written: {trouble.strerror or 'no reason told'}.") from trouble
