"""All nodes counted at once, where the figures of a node are sums over classes of records that look alike.

The classes of a coarser node are those of a finer one put together (`core.rolled`), so a walk over the lattice meets
every node without going back to the records. A plan holds the walks that are needed, and makes the figures from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np

from riskapp.core.evaluations import Evaluations, PeopleOfEach
from riskapp.core.extended import Numbers as Floats
from riskapp.core.extended import times
from riskapp.core.rolled import summing
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
from riskapp.core.table.released import like_missing
from riskapp.core.table.requirements import Reached, reached
from riskapp.core.watching import Progress, Stop


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
        told, levels = _Told(progress, self.nodes), all_levels(self.problem)
        counted = [(one, one.counting.run(told, stop, threads)) for one in self.dictionaries]
        risks = {one.dictionary.name: one.risks(found, levels) for one, found in counted}
        people = {one.dictionary.name: self._people(one, found, levels) for one, found in counted}
        groups = self._smallest(counted) if self.groups is None else self.groups.run(told, stop, threads)
        smallest = groups.figures[groups.at(levels), summing.SMALLEST].astype(np.int64)
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

    def _smallest(self, counted: Sequence[tuple[DictionaryCount, Counted]]) -> Counted:
        """The walk of a dictionary that knows just the attributes in which groups are equal, at their leaves."""
        return next(found for one, found in counted if _same_groups(self.problem, one))

    def _people(self, one: DictionaryCount, counted: Counted, levels: Levels) -> PeopleOfEach:
        figures = counted.figures[counted.at(levels)]
        everybody, persons = one.dictionary.everybody, self.problem.persons
        fewest, uncovered = figures[:, summing.FEWEST], figures[:, summing.UNCOVERED]
        largest = 1.0 / fewest
        if self.problem.loss.uncovered == "one":
            largest = np.where(uncovered > 0, 1.0, largest)
        found = figures[:, summing.FOUND]
        return PeopleOfEach(
            expected_found=found,
            singled_out=figures[:, summing.SINGLED].astype(np.int64),
            uncovered=uncovered.astype(np.int64),
            largest_chance=largest,
            gain=found - (persons / everybody if everybody else 0.0),
            share_above=None if self.problem.limits.share_above is None else figures[:, summing.ABOVE] / persons,
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
        least, most = figures[:, summing.LEAST], figures[:, summing.MOST]
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
        """By every node; those with the same figures are looked at once."""
        if self.problem.limits.none:
            return []
        told = [found.smallest_groups, *(own.largest_chance for own in found.people.values())]
        told += [own.share_above for own in found.people.values() if own.share_above is not None]
        _, first, alike = np.unique(np.column_stack([*told, *betrayed]), axis=0, return_index=True, return_inverse=True)
        different = [self._broken_at(found, betrayed, place) for place in first.tolist()]
        return [different[number] for number in alike.reshape(-1).tolist()]

    def _broken_at(self, found: Evaluations, betrayed: Sequence[Floats], place: int) -> tuple[str, ...]:
        people = [own.of(place) for own in found.people.values()]
        inference = [Inference(*map(float, figures[place, :2])) for figures in betrayed]
        told = [Reached(*figures[place, 2:]) for figures in betrayed]
        return broken(self.problem.limits, people, int(found.smallest_groups[place]), inference, told)


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
