"""Assessing: from an assessment file to the figures of every rule, in one process, with files and nothing else.

`assess` does it all. Who wants to ask something in between, such as whether a rule exists before hours are spent on all
of them, calls `prepare` and `evaluate` one after the other.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import current_process
from pathlib import Path
from typing import Any

from riskapp.core.errors import Stopped
from riskapp.core.search.candidate import Candidate
from riskapp.core.search.log import Log, NoLog
from riskapp.core.table.coverage import coverage
from riskapp.core.table.identification import Identification
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Stop, Watch, never
from riskapp.engine import families, possible
from riskapp.engine.answers import NO_EXACT_FRONTIER, Answers
from riskapp.engine.assessment import Assessment, Built, build, read
from riskapp.engine.assessment.tables import NOTHING_KNOWN, Known
from riskapp.engine.comparing import Compared
from riskapp.engine.conditions import conditions
from riskapp.engine.families import Block, Labour
from riskapp.engine.joined import Joined
from riskapp.engine.keeping import Keeping
from riskapp.engine.reporting import Report, silent
from riskapp.engine.result import Result
from riskapp.engine.rule_ids import FULL_DOMAIN, no_such_rule
from riskapp.engine.rule_ids import check as check_rule
from riskapp.engine.so_far import SoFar
from riskapp.engine.unfinished import Form, Unfinished


@dataclass(frozen=True, eq=False)
class Prepared:
    """An assessment that was read and found possible.

    Parameters
    ----------
    path : of the assessment file
    built : what it comes to with the tables it names
    seconds : that reading took
    """

    path: Path
    built: Built
    seconds: float = 0.0

    @property
    def assessment(self) -> Assessment:
        """What the file says."""
        return self.built.assessment

    @property
    def problem(self) -> Problem:
        """What rules are measured by."""
        return self.built.problem


def assess(path: Path | str, *, progress: Report | None = None, stop: Stop | None = None) -> Result:
    """The result of the assessment in a file.

    Parameters
    ----------
    path : of the file, YAML or JSON
    progress : is told how far it is: how much is done, of how much, and words; first bytes read, then rules
    stop : is asked from time to time whether to go on

    Raises
    ------
    RiskappError
        If the file, or what it names, is not in order: a line that says what to mend.
    Stopped
        If `stop` said so.
    """
    return evaluate(prepare(Path(path), progress=progress), progress=progress, stop=stop)


def prepare(
    path: Path, *, progress: Report | None = None, known: Known = NOTHING_KNOWN, searching: bool = True
) -> Prepared:
    """Read an assessment and everything it names, but for the tables that are known already.

    Parameters
    ----------
    searching : whether rules will be searched, so that what is asked of them must be possible
    """
    clock = Clock()
    with clock.timing("reading"):
        built = build(read(path), report=progress or silent, known=known)
        if searching:
            possible.check(built.problem, built.assessment.search)
    return Prepared(path, built, clock.seconds["reading"])


def evaluate(
    prepared: Prepared,
    *,
    progress: Report | None = None,
    stop: Stop | None = None,
    wanted: str | None = None,
    keeping: Keeping | None = None,
    processes: int | None = None,
) -> Result:
    """Search every family of a prepared assessment and compare the rules.

    Parameters
    ----------
    prepared : the assessment
    progress, stop : as `assess` takes them
    wanted : the name of a rule that is to be released, so that its table is at hand afterwards
    keeping : where finished blocks are kept and found again
    processes : how many work side by side on long searches, record by record; as many as there are cores to use

    Raises
    ------
    BadSetting
        If there is no rule of the name that is wanted, or a family or a method does not go with the assessment.
    Stopped
        If `stop` said so.
    """
    problem, search = prepared.problem, prepared.assessment.search
    if wanted is not None:
        check_rule(wanted, problem, search)
    clock = Clock({"reading": prepared.seconds, "counting": 0.0, "search": 0.0})
    working = Working(clock, progress or silent, stop or never, wanted, keeping, SoFar(search))
    blocks = families.blocks(problem, search, Labour(processes or _usable_cores(), working.log))
    answers = [working.answers(block, _of(place, len(blocks))) for place, block in enumerate(blocks, 1)]
    if wanted is not None and working.found is None:
        raise no_such_rule()
    with clock.timing("counting"):
        covered = covered_by_each(problem)
    with clock.timing("search"):
        rules = Joined([some.rules for some in answers])
        compared = Compared.of(rules)
        certain = all(told["family"] != FULL_DOMAIN for some in answers for told in some.not_found)
        front, best = compared.frontier(), compared.answer(search, certain=certain)
    return Result(
        problem=problem,
        rules=rules,
        sha256=prepared.built.sha256,
        coverage=covered,
        conditions=[
            *conditions(problem, prepared.assessment.attributes, covered),
            *chain.from_iterable(some.notes for some in answers),
        ],
        frontier=front,
        **_exact_frontier(answers),
        not_found=list(chain.from_iterable(some.not_found for some in answers)),
        optimum=best,
        seconds=clock.seconds,
        took=working.took,
        wanted=working.found,
    )


def _exact_frontier(answers: Sequence[Answers]) -> dict[str, Any]:
    """That of the family that draws it, or why there is none."""
    drawn = next((some for some in answers if some.frontier is not None or some.reason != NO_EXACT_FRONTIER), Answers())
    return {"exact_frontier": drawn.frontier, "exact_frontier_reason": drawn.reason}


@dataclass
class Working:
    """The blocks at work, one after the other.

    Attributes
    ----------
    best : of all rules so far, for whoever watches
    took : how many seconds every block took that was searched now
    found : the rule that is wanted, once it was found
    unfinished : what is kept of the block at work, where that is record by record or node by node
    """

    clock: "Clock"
    report: Report
    stop: Stop
    wanted: str | None
    keeping: Keeping | None
    best: SoFar
    took: dict[str, float] = field(default_factory=dict)
    found: Candidate | None = None
    unfinished: Unfinished[Any] | None = None

    def answers(self, block: Block, part: str) -> Answers:
        """What a block, that is which part of all, answers: kept from an earlier start, or searched now.

        The rule that is to be released is always searched: no table leaves that only a file says is right.
        """
        if self.stop():
            raise Stopped
        wanted = self.wanted if block.holds(self.wanted) else None
        with self.clock.timing("counting" if block.family == FULL_DOMAIN else "search"):
            if self.keeping is not None and wanted is None:
                known = self.keeping.taken(block.name)
                if known is not None:
                    self.best.add(known.rules)
                    return known
            found = self._searched(block, part, wanted)
            self.best.add(found.rules)
            return found

    def _searched(self, block: Block, part: str, wanted: str | None) -> Answers:
        words = f"Measuring rules: {block.words}{part}"
        best = self.best
        watch = Watch(lambda done, total: self.report(done, total, f"{words}{best}"), self.stop, best.hear)
        begun = time.perf_counter()
        try:
            answers, found = block.search(watch, wanted)
        finally:
            if self.unfinished is not None:
                self.unfinished.flush()
                self.unfinished = None
        self.took[block.name] = time.perf_counter() - begun
        if self.keeping is not None:
            self.keeping.keep(block.name, answers)
        self.found = found or self.found
        return answers

    def log(self, name: str, form: Form[Any]) -> Log[Any]:
        """Where what a block finds on its way is kept and found again; not if a rule of it is wanted."""
        wanted = self.wanted or ""
        if self.keeping is None or name in (wanted, wanted.partition(":")[0]):
            return NoLog[Any]()
        self.unfinished = Unfinished(self.keeping, name, form)
        return self.unfinished


def _of(place: int, many: int) -> str:
    """Which part of several is at work.

    >>> _of(2, 3), _of(1, 1)
    (' (2 of 3)', '')
    """
    return f" ({place} of {many})" if many > 1 else ""


def covered_by_each(problem: Problem) -> dict[str, dict[str, int]]:
    """For each dictionary how many records fit how many people when everything is released as it is."""
    return {
        dictionary.name: coverage(Identification(dictionary, problem.records.columns).at(problem.lattice.bottom))
        for dictionary in problem.dictionaries
    }


def _usable_cores() -> int:
    """A process that ends with another may not start any itself."""
    return 1 if current_process().daemon else len(os.sched_getaffinity(0))


@dataclass
class Clock:
    """How long the parts of the work took."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[part] = round(self.seconds.get(part, 0.0) + time.perf_counter() - start, 6)
