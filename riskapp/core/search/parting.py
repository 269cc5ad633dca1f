"""Parting a table as Mondrian does: every part that can be split is, all parts at once, round after round.

The values of a part have in each attribute a *lowest common ancestor*; a missing one makes it ⊥. A split sends them to
the children of that ancestor, those that are missing to a part of their own. It is allowed when every new part has k
people, what is required of sensitive columns holds in it, and it breaks no limit. A part is split in the attribute with
the widest range, n of its ancestor over m, in which a split is allowed; of equally wide ones in the first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.measure import Measuring
from riskapp.core.search.each_group import farthest, too_far, too_uniform
from riskapp.core.search.part_limits import PartLimits
from riskapp.core.search.parts import Ordered, Parts
from riskapp.core.search.split_tree import Growing
from riskapp.core.table.anonymity import Groups
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Once, Places, folded, once
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask
from riskapp.core.watching import Progress, Stop


class Range(NamedTuple):
    """What every part has in common in an attribute, and how wide that is; 0 where nothing can be split."""

    levels: Places
    widths: Numbers


@dataclass(eq=False)
class Parting:
    """A table that is being parted.

    Parameters
    ----------
    measuring : knows whose records are parted, and how chances are counted
    k : the least people of a part

    Attributes
    ----------
    problem : whose records are parted
    tree : the splits so far
    part : the number of every record's part
    hidden : which records cannot be released, for kept columns leave their parts too weak
    largest : the people of the largest part to begin with
    distance : how far the parts to begin with, those that can be released, are from the table
    """

    measuring: Measuring
    k: int

    def __post_init__(self) -> None:
        self.problem = self.measuring.problem
        self.tree = Growing()
        self.part = np.zeros(len(self.problem), dtype=np.intp)
        self._alike = _alike(self.problem)
        self._ordered = {place: Ordered(self.problem.hierarchies[place]) for place in self.problem.generalised}
        self._limits = PartLimits(self.measuring, self._ordered)
        self._part_by_kept_columns()
        everybody = self._grouped(self.part[self._alike.first], self._alike.first)
        self.largest = int(everybody.people.max())
        weak = self._weak(everybody)
        self.hidden: Mask = weak[everybody.group[self._alike.first]][self._alike.kind]
        self.distance = float(farthest(self.problem, everybody)[~weak].max(initial=0.0))

    def run(self, progress: Progress, stop: Stop) -> None:
        """Split until no allowed split is left.

        Raises
        ------
        Stopped
            If `stop` said so.
        """
        first, kind = self._alike.first, self._alike.kind
        left = first[~self.hidden[first]]
        while len(left):
            progress(len(first) - len(left), len(first))
            left = self._round(Parts.of(self.part, left), stop)
        self.part = self.part[first][kind]
        progress(len(first), len(first))

    def _part_by_kept_columns(self) -> None:
        """Kept columns are released as they are, so they part the records whatever becomes of it."""
        for place in self.problem.grouped:
            if self.problem.columns[place].kept:
                parts = Parts.of(self.part, self._alike.first)
                codes = self.problem.column(place).codes[parts.records]
                self._split(parts, np.full(len(parts), place), np.zeros(len(parts), dtype=np.intp), codes)

    def _round(self, parts: Parts, stop: Stop) -> Places:
        """Split each of these parts once, where a split is allowed; the records of those that were."""
        ranges = {place: self._range(parts, place) for place in self._ordered}
        chosen = np.full(len(parts), -1, dtype=np.intp)
        codes = np.zeros(len(parts.records), dtype=np.int32)
        for places in _widest_first(ranges):
            if stop():
                raise Stopped
            self._try(parts, np.where(chosen < 0, places, -1), ranges, chosen, codes)
        if (chosen < 0).all():
            return parts.records[:0]
        levels = np.zeros(len(parts), dtype=np.intp)
        for place, (found, _) in ranges.items():
            levels[chosen == place] = found[chosen == place] - 1
        self._split(parts, chosen, levels, codes)
        return parts.records[chosen[parts.own] >= 0]

    def _range(self, parts: Parts, place: int) -> Range:
        hierarchy = self.problem.hierarchies[place]
        leaves = self.problem.column(place).codes
        levels, codes = parts.common(self._ordered[place], leaves)
        widths = np.zeros(len(parts))
        for level in range(1, hierarchy.height + 1):
            own = levels == level
            widths[own] = hierarchy.leaf_counts[level][codes[own]] / hierarchy.leaves
        missing = np.logical_and.reduceat(leaves[parts.records] == 0, parts.starts)
        return Range(levels, np.where(missing, 0.0, widths))

    def _try(self, parts: Parts, places: Places, ranges: dict[int, Range], chosen: Places, codes: Codes) -> None:
        """Split parts by these attributes, −1 for none, where that is allowed: then say so in `chosen` and `codes`."""
        children = np.zeros(len(codes), dtype=np.int32)
        for place, found in ranges.items():
            tried = (places == place) & (found.widths > 0)
            places = np.where((places == place) & ~tried, -1, places)
            at = np.flatnonzero(tried[parts.own])
            leaves = self.problem.column(place).codes[parts.records[at]]
            children[at] = self.problem.hierarchies[place].ancestors[found.levels[parts.own[at]] - 1, leaves]
        at = np.flatnonzero(places[parts.own] >= 0)
        if len(at):
            good = (places >= 0) & ~self._spoilt(parts, at, children[at])
            chosen[good] = places[good]
            there = good[parts.own]
            codes[there] = children[there]

    def _spoilt(self, parts: Parts, at: Places, children: Codes) -> Mask:
        """Which parts would have a child of too few people or values, too far from the table, or beyond a limit."""
        size = int(children.max()) + 1
        groups = self._grouped(parts.own[at] * size + children, parts.records[at])
        bad = self._weak(groups) | too_far(self.problem, groups)
        bad |= self._limits.broken(groups, parts.records[at])
        spoilt = np.zeros(len(parts), dtype=np.bool_)
        spoilt[parts.own[at[bad[groups.group[parts.records[at]]]]]] = True
        return spoilt

    def _weak(self, groups: Groups) -> Mask:
        return too_uniform(self.problem, groups) | (groups.people < self.k)

    def _grouped(self, keys: Places, records: Places) -> Groups:
        """The groups of some records by their keys."""
        found = once(keys, int(keys.max(initial=0)) + 1)
        group = np.full(len(self.problem), -1, dtype=np.intp)
        group[records] = found.kind
        many = np.bincount(found.kind, weights=self._times[records]).astype(np.int64)
        return Groups(group, many, self._times, self.problem.people)

    @cached_property
    def _times(self) -> Counts:
        """How many records each first one of its kind stands for; none the others."""
        times = np.zeros(len(self.problem), dtype=np.int64)
        times[self._alike.first] = self._alike.times
        return times

    def _split(self, parts: Parts, places: Places, levels: Places, codes: Codes) -> None:
        """Split the parts that have an attribute for it, by the code of every record."""
        at = np.flatnonzero(places[parts.own] >= 0)
        size = int(codes.max(initial=0)) + 1
        found = once(parts.own[at] * size + codes[at], len(parts) * size)
        first = at[found.first]
        numbers = self.part[parts.records[parts.starts]]
        split = np.flatnonzero(places >= 0)
        owners = numbers[parts.own[first]]
        children = self.tree.grow(numbers[split], places[split], levels[split], owners, codes[first])
        self.part[parts.records[at]] = children[found.kind]


def _widest_first(ranges: dict[int, Range]) -> Iterator[Places]:
    """For every part its attributes, the widest first; of equally wide ones the first."""
    places = np.array(list(ranges))
    widths = np.stack([found.widths for found in ranges.values()], axis=1)
    for column in np.argsort(-widths, axis=1, kind="stable").T:
        yield places[column]


def _alike(problem: Problem) -> Once:
    """Records that nothing tells apart are parted once; where people have several records, each is one of its own."""
    every = np.arange(len(problem))
    if problem.people is not None:
        return Once(every, np.ones(len(problem), dtype=np.int64), every)
    columns = [problem.column(place).codes for place in problem.grouped]
    columns += [column.codes for column in problem.sensitive]
    keys = folded([columns], [int(codes.max(initial=0)) + 1 for codes in columns])
    return once(keys.numbers, keys.size)
