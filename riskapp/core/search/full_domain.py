"""Every full-domain rule: all nodes of the lattice, evaluated exactly.

Where people are counted by rows, the figures of a node are sums over classes of records that look alike, and the
classes of a coarser node are those of a finer one put together (`core.rolled`). Otherwise every node is measured from
its records. Both ways give the same figures.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.evaluation import Evaluation
from riskapp.core.evaluations import Evaluations, PeopleOfEach
from riskapp.core.extended import Numbers as Floats
from riskapp.core.extended import times
from riskapp.core.measure import Measuring
from riskapp.core.rolled import kernels
from riskapp.core.rolled.classes import classes
from riskapp.core.rolled.counting import (
    Counted,
    Counting,
    Levels,
    all_levels,
    columns_of,
    without_dictionary,
)
from riskapp.core.rolled.dictionaries import DictionaryCount, countable, persons_field
from riskapp.core.rolled.fields import laid_out
from riskapp.core.rolled.forecast import NOTHING, Forecast
from riskapp.core.rolled.persons import PersonCounting
from riskapp.core.rolled.values import Figure, Values, values
from riskapp.core.rolled.walk import Felt
from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.breaking import broken
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.inference import Inference
from riskapp.core.table.problem import Problem, Sensitive
from riskapp.core.table.released import Released, like_missing
from riskapp.core.table.requirements import Reached, reached

SORTING_SECONDS, SORTING_BYTES, MEASURING_BYTES = 2e-7, 48, 400
"""About what a row costs while it is sorted, and while a table is measured."""

Progress = Callable[[int, int], None]
Stop = Callable[[], bool]


def evaluate(
    problem: Problem,
    *,
    progress: Progress = lambda done, total: None,
    stop: Stop = lambda: False,
    foreseen: Callable[[Forecast], None] = lambda forecast: None,
    worst_risk: bool = False,
    worst_utility: bool = False,
    threads: int = 2,
) -> Sequence[Evaluation]:
    """The figures of every node, in the order of the lattice.

    Parameters
    ----------
    problem : what rules are measured by
    progress : told how much of the work is done
    stop : asked often whether to stop
    foreseen : told what it will cost before it begins; what it raises ends the matter
    worst_risk, worst_utility : whether the largest risk, or the smallest utility, of a single record is wanted too
    threads : how many work at once

    Raises
    ------
    Stopped
        If `stop` said so.
    """
    foreseen(_preparing(problem))
    plan = planned(problem, worst_risk=worst_risk, worst_utility=worst_utility)
    if plan is None:
        measuring = Measuring(problem)
        foreseen(measuring_cost(measuring))
        return measured(measuring, progress, stop)
    foreseen(plan.forecast(threads))
    return plan.run(progress, stop, threads)


def _preparing(problem: Problem) -> Forecast:
    """What it costs to sort records and entries, before anything is known about them."""
    rows = len(problem) + max(len(dictionary) for dictionary in problem.dictionaries)
    return Forecast(0, 0, rows * SORTING_SECONDS, rows * SORTING_BYTES)


def measuring_cost(measuring: Measuring) -> Forecast:
    """What it costs to measure every node, from how long the finest, a middle and the coarsest take."""
    problem = measuring.problem
    lattice = problem.lattice
    seconds = []
    for place in (0, lattice.size // 2, lattice.size - 1):
        start = time.perf_counter()
        measuring.of(Released.at(problem.records, lattice.node(place)))
        seconds.append(time.perf_counter() - start)
    return Forecast(lattice.size, 0, lattice.size * sum(seconds) / len(seconds), len(problem) * MEASURING_BYTES)


def measured(measuring: Measuring, progress: Progress, stop: Stop) -> list[Evaluation]:
    """Every node measured from its records: slow, and possible for every problem."""
    problem, found = measuring.problem, []
    for done, node in enumerate(problem.lattice):
        progress(done, problem.lattice.size)
        if stop():
            raise Stopped
        found.append(measuring.of(Released.at(problem.records, node)))
    progress(len(found), len(found))
    return found


@dataclass(frozen=True, eq=False)
class Plan:
    """The walks that together give all figures.

    Attributes
    ----------
    dictionaries : one for each dictionary
    groups : counts people who look alike; None when a dictionary's walk does so already
    utility : looks for the smallest and the largest utility; None when only the mean is asked for
    sensitive : one for each sensitive column
    """

    problem: Problem
    dictionaries: tuple[DictionaryCount, ...]
    groups: Counting | PersonCounting | None
    utility: Counting | None
    sensitive: tuple[tuple[Sensitive, Values], ...]

    @property
    def walks(self) -> list[Counting | PersonCounting | Values]:
        """All of them."""
        found: list[Counting | PersonCounting | Values | None] = [one.counting for one in self.dictionaries]
        found += [self.groups, self.utility, *(walk for _, walk in self.sensitive)]
        return [walk for walk in found if walk is not None]

    @property
    def nodes(self) -> int:
        """How many tables of classes will be looked at."""
        return sum(int(np.prod([field.steps + 1 for field in walk.fields])) for walk in self.walks)

    def forecast(self, threads: int = 2) -> Forecast:
        """What it will cost."""
        walks = [walk.forecast(threads) for walk in self.walks if not isinstance(walk, Values)]
        walks += [walk.forecast(self._figure(column), threads) for column, walk in self.sensitive]
        return sum(walks, NOTHING)

    def run(self, progress: Progress, stop: Stop, threads: int = 2) -> Evaluations:
        """All figures of all nodes."""
        told = _Told(progress, self.nodes)
        counted = [one.counting.run(told, stop, threads) for one in self.dictionaries]
        levels = all_levels(self.problem)
        risks = {
            one.dictionary.name: one.risks(found, levels) for one, found in zip(self.dictionaries, counted, strict=True)
        }
        people = {
            one.dictionary.name: self._people(one, found, levels)
            for one, found in zip(self.dictionaries, counted, strict=True)
        }
        groups = self._smallest(counted) if self.groups is None else self.groups.run(told, stop, threads)
        smallest = groups.figures[groups.at(levels), kernels.SMALLEST].astype(np.int64)
        utilities, least = self._utilities(levels, told, stop, threads)
        betrayed = [self._betrayed(column, walk, levels, told, stop, threads) for column, walk in self.sensitive]
        inference = {column.name: found[:, :2] for (column, _), found in zip(self.sensitive, betrayed, strict=True)}
        shares = np.array([self.problem.utility.share(value) for value in utilities.tolist()])
        found = Evaluations(
            risks=self._over_dictionaries(risks),
            risks_by_dictionary=risks,
            utilities=utilities,
            utility_shares=shares,
            people=people,
            smallest_groups=smallest,
            inference=inference,
            worst_utilities=least,
            classes=told.classes,
        )
        return replace(found, broken=self._broken(found, betrayed))

    def _smallest(self, counted: Sequence[Counted]) -> Counted:
        """The walk of a dictionary that knows just the attributes in which groups are equal, at their leaves."""
        return next(
            found for one, found in zip(self.dictionaries, counted, strict=True) if _same_groups(self.problem, one)
        )

    def _people(self, one: DictionaryCount, counted: Counted, levels: Levels) -> PeopleOfEach:
        figures = counted.figures[counted.at(levels)]
        everybody, persons = one.dictionary.everybody, self.problem.persons
        fewest, uncovered = figures[:, kernels.FEWEST], figures[:, kernels.UNCOVERED]
        largest = 1.0 / fewest
        if self.problem.loss.uncovered == "one":
            largest = np.where(uncovered > 0, 1.0, largest)
        found = figures[:, kernels.FOUND]
        return PeopleOfEach(
            expected_found=found,
            singled_out=figures[:, kernels.SINGLED].astype(np.int64),
            uncovered=uncovered.astype(np.int64),
            largest_chance=largest,
            gain=found - (persons / everybody if everybody else 0.0),
            share_above=None if self.problem.limits.share_above is None else figures[:, kernels.ABOVE] / persons,
        )

    def _over_dictionaries(self, risks: dict[str, Floats]) -> Floats:
        how = self.problem.risk.over_dictionaries
        if how == "worst":
            worst: Floats = np.max(list(risks.values()), axis=0)
            return worst
        if how != "bayes":
            return risks[how]
        priors = np.array([self.problem.risk.priors.get(name, 1.0) for name in risks])
        shares = zip(priors / priors.sum(), risks.values(), strict=True)
        expected: Floats = np.sum([times(share, own) for share, own in shares], axis=0)
        return expected

    def _utilities(self, levels: Levels, told: "_Told", stop: Stop, threads: int) -> tuple[Floats, Floats | None]:
        utility, places = self.problem.utility, self.problem.generalised
        mean = sum(means[levels[:, place]] for means, place in zip(utility.means, places, strict=True))
        if self.utility is None:
            return np.asarray(mean), None
        counted = self.utility.run(told, stop, threads)
        figures = counted.figures[counted.at(levels)]
        least, most = figures[:, kernels.LEAST], figures[:, kernels.MOST]
        return {"mean": np.asarray(mean), "min": least, "max": most}[utility.over_records], least

    def _betrayed(
        self, column: Sensitive, walk: Values, levels: Levels, told: "_Told", stop: Stop, threads: int
    ) -> Floats:
        """The mean and the worst inference at every node, and what is reached of l and t."""
        counted = walk.run(self._figure(column), 2 + len(Reached._fields), told, stop, threads)
        return counted.figures[counted.at(levels)]

    def _figure(self, column: Sensitive) -> Figure:
        def figure(counts: ValueCounts, records: Counts, whole: ValueCounts) -> Floats:
            everywhere = whole.shares[np.searchsorted(whole.value, counts.value)]
            more = np.maximum(counts.shares - everywhere, 0.0)
            told = reached(self.problem.limits, counts, whole, column.ordered)
            return np.array([more @ records / len(self.problem), more.max(initial=0.0), *told])

        return figure

    def _broken(self, found: Evaluations, betrayed: Sequence[Floats]) -> list[tuple[str, ...]]:
        if self.problem.limits.none:
            return []
        every = []
        for place in range(len(found)):
            people = [own.of(place) for own in found.people.values()]
            inference = [Inference(*map(float, figures[place, :2])) for figures in betrayed]
            told = [Reached(*figures[place, 2:]) for figures in betrayed]
            every.append(broken(self.problem.limits, people, int(found.smallest_groups[place]), inference, told))
        return every


class _Told:
    """Counts finished tables from several threads."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress, self.total, self.lock = progress, total, Lock()
        self.done = self.classes = 0

    def __call__(self, classes: int) -> None:
        with self.lock:
            self.done += 1
            self.classes += classes
            self.progress(self.done, self.total)


def planned(problem: Problem, *, worst_risk: bool = False, worst_utility: bool = False) -> Plan | None:
    """How all nodes can be counted by classes; None when the records must be gone through."""
    by_records = problem.risk.over_records != "mean" or worst_risk
    if by_records or problem.linkage is not None or like_missing(map(problem.column, problem.grouped)):
        return None
    counts = [countable(problem, dictionary) for dictionary in problem.dictionaries]
    sensitive = [
        (column, values(problem, problem.names.index(column.name), column.codes)) for column in problem.sensitive
    ]
    dictionaries = [count for count in counts if count is not None]
    if len(dictionaries) < len(counts) or any(walk is None for _, walk in sensitive):
        return None
    shared = any(_same_groups(problem, count) for count in dictionaries)
    groups = None if shared else _grouping(problem)
    extreme = problem.utility.over_records != "mean" or worst_utility
    utility = without_dictionary(problem, problem.generalised, problem.utility.tables) if extreme else None
    if (groups is None and not shared) or (utility is None and extreme):
        return None
    found = [(column, walk) for column, walk in sensitive if walk is not None]
    return Plan(problem, tuple(dictionaries), groups, utility, tuple(found))


def _grouping(problem: Problem) -> Counting | PersonCounting | None:
    """How to count the people who look alike."""
    if problem.people is None:
        return without_dictionary(problem, problem.grouped, None)
    persons = persons_field(problem, None, itself=True)
    fields = laid_out(columns_of(problem, problem.grouped), lowest=persons.mask.bit_length())
    if fields is None:
        return None
    every = (*fields, persons)
    nothing: Felt = [[None] * (field.steps + 1) for field in every]
    table = classes(every, (), None, itself=True)
    return PersonCounting(every, table, nothing, int(problem.people.max(initial=0)) + 1)


def _same_groups(problem: Problem, count: DictionaryCount) -> bool:
    levels = [known.level for known in count.dictionary.known]
    return count.dictionary.places == problem.grouped and not any(levels)
