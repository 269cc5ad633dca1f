"""Per-record rules: every record gets the best node of its own (Fouad's Δ̂).

Equal records are solved once. Where risk is the worst over several dictionaries, the largest loss of each record stands
for it, which is more than the rule's risk; how far from the best such a rule can be is told. For that the records are
searched once more against each dictionary alone: no rule has less risk than the best against one of them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import check_choice
from riskapp.core.evaluation import Evaluation
from riskapp.core.extended import Numbers, times, total
from riskapp.core.measure import Measuring
from riskapp.core.search.all_at_once import best_of_each, bounded, check_size, several, splits
from riskapp.core.search.answer import Answer, Found, Options
from riskapp.core.search.best_so_far import NOT_YET, Best, within_limit
from riskapp.core.search.candidate import Candidate, Tag
from riskapp.core.search.each_record import Running, answers
from riskapp.core.search.kinds import Kinds, taken
from riskapp.core.search.log import Log, NoLog
from riskapp.core.search.looking import in_risk
from riskapp.core.search.methods import METHODS, check_scope
from riskapp.core.search.per_record_rule import BestNode, read_by, remembered, replayed
from riskapp.core.search.per_record_told import FAMILY, described, within_limits
from riskapp.core.search.question import LIMIT, Aggregate, Asked, misses
from riskapp.core.search.record_of import Records
from riskapp.core.search.scope import check_power
from riskapp.core.search.unmet import NotMet
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.watching import Watch


@dataclass(frozen=True, eq=False)
class Settings:
    """How a search is run; nothing of it changes what is found, but for the options.

    Attributes
    ----------
    options : of the methods
    threads, processes : how many work side by side: for the exhaustive search, and for the others
    watch : who is told how far it is
    log : for the others, what is known from an earlier start, and who keeps what is found
    """

    options: Options = field(default_factory=Options)
    threads: int = 1
    processes: int = 1
    watch: Watch = field(default_factory=Watch)
    log: Log[Answer] = field(default_factory=NoLog[Answer])

    @property
    def one_by_one(self) -> Running:
        """For the searches that take records one by one."""
        return Running(self.watch, self.processes, self.log)


def candidates(
    problem: Problem, methods: Sequence[str], question: Asked, settings: Settings | None = None
) -> Iterator[Candidate | NotMet]:
    """The per-record rule of each method, or why there is none.

    Parameters
    ----------
    problem : what rules are measured by
    methods : names of `methods.METHODS`
    question : what is asked for each record
    settings : how the searches are run

    Raises
    ------
    BadSetting
        If there is no such method, or the problem or the question is out of its scope.
    Stopped
        If the watch says so.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> (found,) = candidates(asked, ["exhaustive"], Question("least_utility", 1))
    >>> found.id, found.evaluation.risk, found.evaluation.utility, found.told["most_applied"]
    ('per-record:exhaustive', 0.3333333333333333, 1.0, {'node': [4], 'share': 1.0})
    >>> (none,) = candidates(asked, ["btda"], Question("least_utility", 6))
    >>> print(none)
    least_utility cannot be met by 3 records; the nearest bound that all can meet is 5
    """
    for method in methods:
        check_choice("search.methods", method, tuple(METHODS))
    check_power(problem, question)
    kinds, measuring = Kinds.of(problem), Measuring(problem)
    for method in methods:
        yield _Searched(problem, kinds, measuring, method, question, settings or Settings()).candidate()


def check(problem: Problem, method: str, question: Asked) -> None:
    """Raise `BadSetting` where a method does not go with the problem; one record tells of most settings."""
    check_power(problem, question)
    if method == "exhaustive":
        check_size(problem)
    else:
        check_scope(method, Records(taken(problem, slice(0, 1)))[0], problem, question)


@dataclass(frozen=True, eq=False)
class _Solved:
    """A node for every kind, and what is known of the search."""

    levels: npt.NDArray[np.integer]
    visited: int
    gap: float | None
    """By how much the mean of what the question makes small may be above the least; 0 when each record's is."""
    least: tuple[float, ...] = ()
    """The least that this mean can be against each dictionary alone, where that is known."""
    short: bool = False
    """Whether some record says less than is asked for, as the approximate search may let it."""


@dataclass(frozen=True, eq=False)
class _Searched:
    """One method at work."""

    problem: Problem
    kinds: Kinds
    measuring: Measuring
    method: str
    question: Asked
    settings: Settings

    @property
    def id(self) -> str:
        return f"{FAMILY}:{self.method}"

    def candidate(self) -> Candidate | NotMet:
        solved = self._exhaustive() if self.method == "exhaustive" else self._one_by_one()
        if isinstance(solved, NotMet):
            return solved
        known = remembered(self.kinds, solved.levels)
        again = replace(self.settings.one_by_one, watch=Watch(stop=self.settings.watch.stop))
        best = BestNode(self.problem, self.method, self.question, self._options, known, again)
        rule = replayed(best, self.problem)
        released = Released.each(self.problem.records, solved.levels[self.kinds.kind])
        evaluation = self.measuring.of(released, rule)
        gap = solved.gap if splits(self.problem, self.question) else self._gap(solved, evaluation)
        number = Tag() if gap == 0 and not solved.short else Tag("heuristic", gap, solved.short)
        told = self._told(released, solved) | within_limits(self.question, evaluation, gap)
        return Candidate(self.id, FAMILY, released, evaluation, rule, number=number, told=told)

    @property
    def _options(self) -> Options:
        """With the seconds for each search of a record."""
        seconds, searches = self.settings.options.seconds, len(self.kinds) * (1 + len(self._alone))
        return replace(self.settings.options, seconds=None if seconds is None else seconds / searches)

    @cached_property
    def _alone(self) -> list[str]:
        """The dictionaries against each of which a bound is looked for, where the worst of them counts."""
        if splits(self.problem, self.question) or not bounded(self.problem, self.question):
            return []
        return [dictionary.name for dictionary in in_risk(self.problem)] if several(self.problem) else []

    def _exhaustive(self) -> _Solved | NotMet:
        settings, problem = self.settings, self.kinds.problem
        best = best_of_each(problem, self.question, watch=settings.watch, threads=settings.threads)
        if (best.number == NOT_YET).any():
            return self._not_met(best)
        least = tuple(map(self._mean, best.least))
        return _Solved(best.levels, len(self.kinds) * problem.lattice.size, 0.0, least)

    def _not_met(self, best: Best) -> NotMet:
        records = int(self.kinds.times[best.number == NOT_YET].sum())
        limit = self.problem.limits.largest_chance
        if limit is not None and not within_limit(best.chance, limit).all():
            return NotMet(self.id, records, (LIMIT,), float(best.chance.max()))
        nearest = {"least_utility": -float(best.bound.max()), "most_risk": float(best.bound.max())}
        return NotMet(self.id, records, (self.question.kind,), nearest.get(self.question.kind))

    def _one_by_one(self) -> _Solved | NotMet:
        found = self._answers(self.kinds.problem, 0)
        met = [answer for answer in found if isinstance(answer, Found)]
        if len(met) < len(found):
            return self._nobody(found)
        gaps = [answer.gap for answer in met]
        known = None if None in gaps else self._mean(np.array(gaps, dtype=np.float64))
        least, more = self._against_each()
        visited = sum(answer.visited for answer in met) + more
        short = any(misses(self.question, answer.utility) for answer in met)
        return _Solved(np.array([answer.node for answer in met]), visited, known, least, short)

    def _answers(self, problem: Problem, done: int) -> list[Answer]:
        """Of every kind, after so many searches of all of them."""
        places, alike = sorted(read_by(problem)), self.kinds.alike(read_by(problem))
        once, every, watch = taken(problem, alike.first), 1 + len(self._alone), self.settings.watch
        told = replace(watch, progress=lambda now, total: watch.progress(done * total + now, every * total))
        running = replace(self.settings.one_by_one, watch=told)
        different = answers(once, self.method, self.question, self._options, running, places=places)
        return [different[one] for one in alike.kind]

    def _against_each(self) -> tuple[tuple[float, ...], int]:
        """The least against each dictionary alone, as far as it is known, and how many nodes were visited for it."""
        least, visited = [], 0
        for number, name in enumerate(self._alone):
            alone = replace(self.kinds.problem, risk=replace(self.kinds.problem.risk, over_dictionaries=name))
            found = [one for one in self._answers(alone, number + 1) if isinstance(one, Found)]
            bounds = [answer.objective if answer.exact else answer.bound for answer in found]
            visited += sum(answer.visited for answer in found)
            if len(bounds) == len(self.kinds) and None not in bounds:
                least.append(self._mean(np.array(bounds, dtype=np.float64)))
        return tuple(least), visited

    def _nobody(self, found: Sequence[Answer]) -> NotMet:
        proved = all(isinstance(answer, Found) or answer.proved for answer in found)
        short = np.array([not isinstance(answer, Found) for answer in found])
        unmet = [answer for answer in found if not isinstance(answer, Found)]
        missed = (LIMIT,) if any(LIMIT in answer.missed for answer in unmet) else (self.question.kind,)
        bounds = {
            "least_utility": min(answer.utility for answer in unmet),
            "most_risk": max(answer.risk for answer in unmet),
            LIMIT: max(answer.chance for answer in unmet),
        }
        nearest = bounds.get(missed[0])
        return NotMet(self.id, int(self.kinds.times[short].sum()), missed, nearest, proved)

    def _mean(self, each: Numbers) -> float:
        """Over the records: weighted as the risk is where it is about risk."""
        of_risk = self.question.kind in ("least_utility", "trade_off")
        weights = self.kinds.shares if of_risk else self.kinds.times / self.kinds.times.sum()
        return total(times(weights, each))

    def _gap(self, solved: _Solved, evaluation: Evaluation) -> float | None:
        """The rule's own figures against the least that they could be with the worst dictionary alone."""
        if isinstance(self.question, Aggregate) or not solved.least or not bounded(self.problem, self.question):
            return None
        price = self.question.bound if self.question.kind == "trade_off" else 0.0
        gap = evaluation.risk - price * evaluation.utility - max(solved.least)
        return None if math.isnan(gap) else max(0.0, gap)

    def _told(self, released: Released, solved: _Solved) -> dict[str, Any]:
        told = {"visited": solved.visited, **described(self.problem, self.kinds, solved.levels, released)}
        if several(self.problem):
            told["over_dictionaries"] = "each record by the largest of its losses against the dictionaries"
        return told
