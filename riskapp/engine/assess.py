"""Assessing: from an assessment file to the figures of every rule, in one process, with files and nothing else.

`assess` does it all. Who wants to ask something in between, such as whether a rule exists before hours are spent on all
of them, calls `prepare` and `evaluate` one after the other.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from riskapp.core.evaluation import Evaluation
from riskapp.core.search import full_domain
from riskapp.core.table.coverage import coverage
from riskapp.core.table.identification import Identification
from riskapp.core.table.problem import Problem
from riskapp.engine import memory
from riskapp.engine.assessment import Assessment, Built, build, read
from riskapp.engine.assessment.settings import SearchKey
from riskapp.engine.comparing import Compared
from riskapp.engine.conditions import conditions
from riskapp.engine.reading.progress import Report, silent
from riskapp.engine.result import Result
from riskapp.engine.rule_ids import full_domain_ids

Stop: TypeAlias = Callable[[], bool]


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


def prepare(path: Path, *, progress: Report | None = None) -> Prepared:
    """Read an assessment and everything it names."""
    clock = Clock()
    with clock.timing("reading"):
        built = build(read(path), report=progress or silent)
    return Prepared(path, built, clock.seconds["reading"])


def evaluate(prepared: Prepared, *, progress: Report | None = None, stop: Stop | None = None) -> Result:
    """Measure every rule of a prepared assessment and compare them."""
    clock, problem, search = Clock({"reading": prepared.seconds}), prepared.problem, prepared.assessment.search
    with clock.timing("counting"):
        evaluations = every_node(problem, search, progress or silent, stop or _never)
        covered = covered_by_each(problem)
    with clock.timing("search"):
        compared = Compared.of(full_domain_ids(problem), evaluations)
        front = compared.frontier()
        best = compared.answer(search.question, per_record=search.per_record)
    return Result(
        problem=problem,
        evaluations=evaluations,
        sha256=prepared.built.sha256,
        coverage=covered,
        conditions=conditions(problem, covered),
        frontier=front,
        optimum=best,
        seconds=clock.seconds,
    )


def every_node(problem: Problem, search: SearchKey, progress: Report, stop: Stop) -> Sequence[Evaluation]:
    """The figures of every node of the lattice, in its order, with those of single records that the question needs."""
    asked = search.question.kind if search.question and search.per_record else ""
    return full_domain.evaluate(
        problem,
        progress=lambda done, total: progress(done, total, "Measuring rules"),
        stop=stop,
        foreseen=lambda forecast: memory.check(forecast.bytes, "dataset.file"),
        worst_risk=asked == "most_risk",
        worst_utility=asked == "least_utility",
    )


def covered_by_each(problem: Problem) -> dict[str, dict[str, int]]:
    """For each dictionary how many records fit how many people when everything is released as it is."""
    return {
        dictionary.name: coverage(Identification(dictionary, problem.records.columns).at(problem.lattice.bottom))
        for dictionary in problem.dictionaries
    }


def _never() -> bool:
    return False


@dataclass
class Clock:
    """How long the parts of the work took."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[part] = round(time.perf_counter() - start, 6)
