"""Parting a table as Mondrian does: every part that can be split is, all parts at once, round after round.

The values of a part have in each attribute a *lowest common ancestor*; a missing one makes it ⊥. A split sends them to
the children of that ancestor, those that are missing to a part of their own. It is allowed when every new part has k
people, what is required of sensitive columns holds in it, and it breaks no limit. A part is split in the attribute with
the widest range, n of its ancestor over m, in which a split is allowed; of equally wide ones in the first.

Where a share of the people may be above a chance, splits that put nobody above it are made first, as though there were
no such share. When none is left, those are made of all others that put the fewest people above it, as many together as
the share allows, each part in the attribute in which that is the fewest; and so on until none is left that is allowed.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.measure import Measuring
from riskapp.core.search.each_group import farthest, too_far, too_uniform
from riskapp.core.search.part_limits import PartLimits
from riskapp.core.search.part_share import Share
from riskapp.core.search.part_splits import Range, Tried, widest_first
from riskapp.core.search.parts import Ordered, Parts
from riskapp.core.search.split_tree import Growing
from riskapp.core.table.anonymity import Groups
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Once, Places, folded, once
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask
from riskapp.core.watching import Progress, Stop


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
        self._share = Share(self.problem, self._times)
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
        every = left = first[~self.hidden[first]]
        if len(self._share.above):
            self._begin(every)
        done = 0
        while len(left):
            done = max(done, len(first) - len(left))
            progress(done, len(first))
            left = self._round(Parts.of(self.part, left), stop)
            if not len(left) and len(self._share.above):
                left = self._dear_round(Parts.of(self.part, every), stop)
        self.part = self.part[first][kind]
        progress(len(first), len(first))

    def _begin(self, records: Places) -> None:
        """Count who is above the chance that only a share may be above before anything is split."""
        above = np.zeros((len(self._share.above), len(self.problem)), dtype=np.bool_)
        if self.hidden.any():
            above[:, self.hidden] = self._share.too_likely(self._limits.chances_of_hidden)
        if len(records):
            groups = self._grouped(self.part[records], records)
            likely = self._share.too_likely(self._limits.chances(groups, records))
            above[:, records] = likely[:, groups.group[records]]
        self._share.begin(self._alike.first, above[:, self._alike.first])

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
        chosen = self._nothing(parts)
        for places in widest_first(ranges):
            if stop():
                raise Stopped
            tried = self._try(parts, np.where(chosen.allowed, -1, places), ranges)
            chosen = chosen.with_parts(tried, tried.allowed & ~tried.costs.any(axis=0), parts.own)
        return self._make(parts, chosen, ranges)

    def _dear_round(self, parts: Parts, stop: Stop) -> Places:
        """The same, of all parts, with splits that put people above the chance that only a share may be above."""
        ranges = {place: self._range(parts, place) for place in self._ordered}
        chosen = self._nothing(parts)
        for places in widest_first(ranges):
            if stop():
                raise Stopped
            tried = self._try(parts, places, ranges)
            cheaper = ~chosen.allowed | (tried.costs.max(axis=0) < chosen.costs.max(axis=0))
            chosen = chosen.with_parts(tried, tried.allowed & cheaper, parts.own)
        possible = np.flatnonzero(chosen.allowed)
        taken = np.zeros(len(parts), dtype=np.bool_)
        taken[possible[self._share.affordable(chosen.costs[:, possible])]] = True
        return self._make(parts, self._nothing(parts).with_parts(chosen, taken, parts.own), ranges)

    def _nothing(self, parts: Parts) -> Tried:
        """No part is split."""
        many, records, dictionaries = len(parts), len(parts.records), len(self._share.above)
        return Tried(
            np.full(many, -1, dtype=np.intp),
            np.zeros(many, dtype=np.bool_),
            np.zeros(records, dtype=np.int32),
            np.zeros((dictionaries, records), dtype=np.bool_),
            np.zeros((dictionaries, many), dtype=np.int64),
        )

    def _make(self, parts: Parts, chosen: Tried, ranges: dict[int, Range]) -> Places:
        """Make the splits that were chosen; the records of the parts that are split."""
        if not chosen.allowed.any():
            return parts.records[:0]
        levels = np.zeros(len(parts), dtype=np.intp)
        for place, (found, _) in ranges.items():
            levels[chosen.places == place] = found[chosen.places == place] - 1
        self._split(parts, chosen.places, levels, chosen.codes)
        moved = chosen.allowed[parts.own]
        self._share.put(parts.records[moved], chosen.above[:, moved])
        return parts.records[moved]

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

    def _try(self, parts: Parts, places: Places, ranges: dict[int, Range]) -> Tried:
        """What comes of it to split parts by these attributes, −1 for none."""
        children = np.zeros(len(parts.records), dtype=np.int32)
        wide = np.zeros(len(parts), dtype=np.bool_)
        for place, found in ranges.items():
            split = (places == place) & (found.widths > 0)
            wide |= split
            at = np.flatnonzero(split[parts.own])
            leaves = self.problem.column(place).codes[parts.records[at]]
            children[at] = self.problem.hierarchies[place].ancestors[found.levels[parts.own[at]] - 1, leaves]
        at = np.flatnonzero(wide[parts.own])
        tried = self._nothing(parts)._replace(places=places, codes=children)
        return self._judged(parts, at, tried, wide) if len(at) else tried

    def _judged(self, parts: Parts, at: Places, tried: Tried, wide: Mask) -> Tried:
        """Allowed, unless a part would have a child of too few people or values, too far off, or beyond a limit."""
        own, records, codes = parts.own[at], parts.records[at], tried.codes[at]
        groups = self._grouped(own * (int(codes.max()) + 1) + codes, records)
        group, chances = groups.group[records], self._limits.chances(groups, records)
        bad = self._weak(groups) | too_far(self.problem, groups) | self._limits.broken(groups, chances)
        spoilt = np.zeros(len(parts), dtype=np.bool_)
        spoilt[own[bad[group]]] = True
        above = self._share.too_likely(chances)[:, group]
        tried.above[:, at] = above
        return tried._replace(allowed=wide & ~spoilt, costs=self._share.costs(own, records, above, len(parts)))

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


def _alike(problem: Problem) -> Once:
    """Records that nothing tells apart are parted once; where people have several records, each is one of its own."""
    every = np.arange(len(problem))
    if problem.people is not None:
        return Once(every, np.ones(len(problem), dtype=np.int64), every)
    columns = [problem.column(place).codes for place in problem.grouped]
    columns += [column.codes for column in problem.sensitive]
    keys = folded([columns], [int(codes.max(initial=0)) + 1 for codes in columns])
    return once(keys.numbers, keys.size)
