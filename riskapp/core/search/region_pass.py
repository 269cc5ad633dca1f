"""One pass over the nodes of a problem: what every cell of regions adds to risk and utility, and where limits break."""

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers, times
from riskapp.core.measure import grouped
from riskapp.core.optimum import Question
from riskapp.core.search.each_group import asks_l, asks_t, too_far, too_uniform
from riskapp.core.search.region_records import Looked
from riskapp.core.search.region_sums import Levels, Sums
from riskapp.core.search.regions import Cells
from riskapp.core.table.breaking import above
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.inference import inferences
from riskapp.core.table.keys import Places
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.linkage import linked_losses
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask, Released
from riskapp.core.watching import Progress, Stop, never, silent

SLACK = 4e-12
"""A bound is met when it is met to twelve digits."""
MOST = 3 * 10**7
"""Of nodes times cells times dictionaries; more would not fit into memory."""


def all_levels(lattice: Lattice) -> Levels:
    """The levels of every node, in the order of the lattice."""
    shape = tuple(height + 1 for height in lattice.heights)
    return np.stack(np.unravel_index(np.arange(lattice.size), shape), axis=1)


def shares(problem: Problem) -> Numbers:
    """For each dictionary what it counts in the risk; the worst of several is all of them, each by itself."""
    names = [dictionary.name for dictionary in problem.dictionaries]
    how = problem.risk.over_dictionaries
    if how == "worst":
        return np.eye(len(names))
    if how == "bayes":
        priors = np.array([problem.risk.priors.get(name, 1.0) for name in names])
        chances: Numbers = (priors / priors.sum())[None, :]
        return chances
    return np.array([[float(name == how) for name in names]])


def room(problem: Problem) -> int:
    """How many cells there may be.

    Raises
    ------
    BadSetting
        If there are too many nodes even for one.
    """
    most = MOST // (problem.lattice.size * len(shares(problem)))
    if not most:
        raise BadSetting("search.rules", "There are too many nodes for regional rules. Leave out levels or attributes.")
    return most


def check_room(problem: Problem, cells: Cells) -> None:
    """Raise `BadSetting` if there are too many cells."""
    if len(cells) > room(problem):
        raise BadSetting("search.regions", f"These are {len(cells)} regions, too many. Name coarser levels.")


@dataclass(frozen=True, eq=False)
class Pass:
    """Goes through the nodes.

    Parameters
    ----------
    problem : what rules are measured by
    cells : of its records
    each : where a bound is to hold for each record, that bound
    """

    problem: Problem
    cells: Cells
    each: Question | None = None

    def run(self, progress: Progress = silent, stop: Stop = never) -> Sums:
        """All figures of all cells.

        Raises
        ------
        BadSetting
            If there are too many cells.
        Stopped
            If `stop` said so.
        """
        check_room(self.problem, self.cells)
        levels = all_levels(self.problem.lattice)
        size = (len(levels), len(self.cells))
        losses = np.zeros((len(self.mixed), *size))
        broken, infinite = np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.float32)
        above = np.zeros((len(self.problem.dictionaries) if self._shared else 0, *size), dtype=np.float32)
        for number, node in enumerate(self.problem.lattice):
            progress(number, len(levels))
            if stop():
                raise Stopped
            counts = [one.at(node) for one in self.looked.identifications]
            self._node(node, counts, losses[:, number], broken[number], infinite[number])
            above[:, number] = self._above(counts)
        progress(len(levels), len(levels))
        return Sums(levels, losses, broken, infinite, self._utilities, tuple(self.problem.generalised), above)

    def seconds(self) -> float:
        """How long it takes, from how long the finest node, a middle one and the coarsest do."""
        lattice = self.problem.lattice
        self._tried(lattice.node(0))  # sorts the records, which is done once
        start = time.perf_counter()
        for place in (0, lattice.size // 2, lattice.size - 1):
            self._tried(lattice.node(place))
        return lattice.size * (time.perf_counter() - start) / 3

    def _tried(self, node: Node) -> None:
        size = len(self.cells)
        counts = [one.at(node) for one in self.looked.identifications]
        self._node(node, counts, np.zeros((len(self.mixed), size)), np.zeros(size), np.zeros(size))
        self._above(counts)

    def _node(self, node: Node, counts: list[Counts], losses: Numbers, broken: Numbers, infinite: Numbers) -> None:
        own = self._losses(node, counts)
        mixed = np.stack([sum(times(share, loss) for share, loss in zip(row, own, strict=True)) for row in self.mixed])
        weighed = times(self.looked.weights, mixed)
        there: Mask = np.asarray(np.isfinite(weighed).all(axis=0))
        losses[:] = np.add.reduceat(np.where(there, weighed, 0.0), self.looked.starts, axis=1)
        self._mark(infinite, ~there, self.looked.cell)
        self._mark(broken, self._breaks(node, counts, mixed), self.looked.cell)
        if self._groups_are_limited:
            self._mark(broken, self._groups_break(node), self.cells.of_record)

    @staticmethod
    def _mark(marks: Numbers, which: Mask, cell: Places) -> None:
        marks[cell[which]] = 1.0

    def _losses(self, node: Node, counts: list[Counts]) -> list[Numbers]:
        phi, pairs = self.looked.sensitivity.at(node), zip(self.problem.dictionaries, counts, strict=True)
        losses = {one.name: self.problem.loss.of(phi, some, one.everybody) for one, some in pairs}
        if self.problem.linkage is not None:
            every = {name: some[self.looked.of_record] for name, some in losses.items()}
            losses = linked_losses(self.problem, Released.at(self.problem.records, node), every, self._seen)
            losses = {name: some[self.looked.first] for name, some in losses.items()}
        return list(losses.values())

    def _breaks(self, node: Node, counts: list[Counts], losses: Numbers) -> Mask:
        """Which records have too large a chance, or miss the bound that each is to keep."""
        bad = np.zeros(len(self.looked), dtype=np.bool_)
        for some in counts:
            bad |= self._likelier(some, self._fewest)
        if self.each is None or self.each.kind == "trade_off":
            return bad
        slack = SLACK * abs(self.each.bound)
        if self.each.kind == "most_risk":
            return bad | (losses > self.each.bound + slack).any(axis=0)
        utilities = sum(
            table[node[place]][self.looked.records.columns[place].codes]
            for place, table in zip(self.problem.generalised, self.problem.utility.tables, strict=True)
        )
        return bad | (np.asarray(utilities) < self.each.bound - slack)

    def _above(self, counts: list[Counts]) -> Numbers:
        """By dictionaries and cells the records above a chance that only a share of the people may be above."""
        if not self._shared:
            return np.zeros((0, len(self.cells)))
        times = np.bincount(self.looked.of_record, minlength=len(self.looked))
        above = [times * self._likelier(some, self._fewest_shared) for some in counts]
        found: Numbers = np.add.reduceat(np.stack(above), self.looked.starts, axis=1)
        return found

    @property
    def _shared(self) -> bool:
        return self.problem.limits.share_above is not None

    def _likelier(self, some: Counts, fewest: int) -> Mask:
        """Who is found with a larger chance than with so many people."""
        nobody_counts = self.problem.loss.uncovered == "one"
        found: Mask = (np.maximum(some, 1) < fewest) & ((some > 0) | nobody_counts)
        return found

    @cached_property
    def _fewest(self) -> int:
        """With fewer people the chance is above the largest one allowed."""
        return self._people_for(self.problem.limits.largest_chance)

    @cached_property
    def _fewest_shared(self) -> int:
        """With fewer people the chance is above that which only a share of the people may be above."""
        limit = self.problem.limits.share_above
        return self._people_for(None if limit is None else limit.chance)

    def _people_for(self, chance: float | None) -> int:
        if chance is None:
            return 0
        most = 1 + max(one.everybody for one in self.problem.dictionaries)
        return 1 + bisect_left(range(1, most + 1), True, key=lambda people: not above(1 / people, chance))

    @cached_property
    def _inference(self) -> bool:
        return self.problem.limits.inference is not None and bool(self.problem.sensitive)

    @cached_property
    def _groups_are_limited(self) -> bool:
        asked = self.problem.limits.smallest_group is not None or self._inference
        return asked or asks_l(self.problem) or asks_t(self.problem)

    def _groups_break(self, node: Node) -> Mask:
        """Which records are in too small a group, betray too much, or whose group is too uniform or too far off.

        A group never lies in two regions, for its rows show theirs: so it is the same whatever the others choose.
        """
        groups, limits = grouped(self.problem, Released.at(self.problem.records, node)), self.problem.limits
        weak: Mask = groups.people < (limits.smallest_group or 0)
        bad: Mask = (weak | too_uniform(self.problem, groups) | too_far(self.problem, groups))[groups.group]
        if self._inference:
            most = limits.inference or 0.0
            for column in self.problem.sensitive:
                different, number = np.unique(inferences(groups, column.codes), return_inverse=True)
                bad = bad | np.array([above(value, most) for value in different.tolist()])[number]
        return bad

    @cached_property
    def mixed(self) -> Numbers:
        """The dictionaries' shares."""
        return shares(self.problem)

    @cached_property
    def _utilities(self) -> tuple[Numbers, ...]:
        found = []
        for place, table in zip(self.problem.generalised, self.problem.utility.tables, strict=True):
            size = (len(self.cells), table.shape[1])
            key = self.cells.of_record * size[1] + self.problem.column(place).codes
            counts = np.bincount(key, minlength=size[0] * size[1]).reshape(size)
            found.append(counts @ table.T / len(self.problem))
        return tuple(found)

    @cached_property
    def looked(self) -> Looked:
        """The records that are looked at."""
        return Looked(self.problem, self.cells)

    @cached_property
    def _seen(self) -> dict[str, Callable[..., Counts]]:
        pairs = zip(self.problem.dictionaries, self.looked.identifications, strict=True)
        return {one.name: lambda rows, cells, own=own: own.of_cells(cells.levels, cells.codes) for one, own in pairs}
