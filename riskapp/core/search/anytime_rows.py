"""One node at a time: risk and what limits ask for, exactly, without any other figure.

Equal records are one row. At a node rows become classes by covering bits of their keys (`anytime_keys`); |ρ| is counted
over classes, and Φ is that of a class wherever its values tell. What they do not tell, such as personal weights, is a
*kind* that keeps classes apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.evaluation import People
from riskapp.core.extended import Numbers, plus, times, total
from riskapp.core.risk import over_dictionaries, over_records
from riskapp.core.rolled.dictionaries import fewer_than, is_itself
from riskapp.core.search.anytime_keys import Layout, Words, classes, emptied, met, spread, weighed
from riskapp.core.table.breaking import broken
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.keys import Places, once
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import shown_codes

Kinds = npt.NDArray[np.int64]


class Classes(NamedTuple):
    """Classes of rows: each row's, and of each its first row, its people and its weight in the mean."""

    kind: Kinds
    first: Kinds
    times: Counts
    weights: Numbers


class Figures(NamedTuple):
    """What is known of a node.

    `risks` are by dictionary; `broken` are the limits on chances and groups that it breaks.
    """

    risk: float
    risks: tuple[float, ...]
    broken: tuple[str, ...]


def grouped(words: Words, masks: Words, many: Counts, weights: Numbers) -> tuple[Classes, npt.NDArray[np.int32]]:
    """The classes under the masks, and the table that leads to them."""
    rows, table = len(words), emptied(len(words))
    kind, first, people = np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty(rows, np.int64)
    sums = np.empty(rows)
    found = classes(words, masks, many, weights, table, kind, first, people, sums)
    return Classes(kind, first[:found], people[:found], sums[:found]), table


@dataclass(frozen=True, eq=False)
class Held:
    """A dictionary as keys: its entries' words and people, or None where these are the rows themselves.

    `slow` counts where values are missing or alike, record by record.
    """

    dictionary: Dictionary
    words: Words | None
    people: Counts | None
    slow: Identification | None

    def levels(self, problem: Problem, node: Sequence[int]) -> list[int | None]:
        """At which level each attribute is compared; None for what it does not know."""
        known = {one.place: one.level for one in self.dictionary.known}
        return [max(node[place], known[place]) if place in known else None for place in range(len(problem.columns))]


@dataclass(frozen=True, eq=False)
class Rows:
    """A problem's different records.

    Attributes
    ----------
    layout, words : the bits of the attributes, and of every row; where there are kinds, they have a last word
    codes : the leaf codes of every row
    record : a record for each row
    times, weights : how many records a row stands for, and what they count in the mean
    held : the dictionaries
    """

    problem: Problem
    layout: Layout
    words: Words
    codes: Codes
    record: Places
    times: Counts
    weights: Numbers
    held: tuple[Held, ...]

    def __len__(self) -> int:
        return len(self.words)

    def at(self, node: Node) -> Figures:
        """The figures of a node."""
        return self.figures(node, self.classes(node))

    def classes(self, node: Sequence[int]) -> Classes:
        """The rows that look alike at a node, and hurt alike."""
        return grouped(self.words, self._mask([*node], kinds=True), self.times, self.weights)[0]

    @property
    def _one_kind(self) -> bool:
        return bool(self.words.shape[1] == self.layout.words)

    def _mask(self, levels: Sequence[int | None], *, kinds: bool = False) -> Words:
        """What is left of the words at these levels; kinds are told apart or not."""
        masks = self.layout.mask(levels)
        return masks if self._one_kind else np.append(masks, ~np.uint64(0) if kinds else np.uint64(0))

    def figures(self, node: Node, found: Classes) -> Figures:
        """The figures of a node from its classes."""
        phi, loss, risk = self.phi(node, found.first), self.problem.loss, self.problem.risk
        crowds = [self.crowd(held, node, found) for held in self.held]
        risks = []
        for held, crowd in zip(self.held, crowds, strict=True):
            losses = loss.of(phi, crowd, held.dictionary.everybody)
            mean = risk.over_records == "mean"
            risks.append(total(times(found.weights, losses)) if mean else over_records(losses, risk.over_records))
        named = {held.dictionary.name: own for held, own in zip(self.held, risks, strict=True)}
        whole = over_dictionaries(named, risk.over_dictionaries, risk.priors)
        return Figures(whole, tuple(risks), self._broken(node, found, crowds))

    def crowd(self, held: Held, node: Node, found: Classes) -> Counts:
        """|ρ| of every class."""
        if held.slow is not None:
            return held.slow.at(node)[self.record[found.first]]
        masks = self._mask(held.levels(self.problem, node))
        if held.words is None or held.people is None:
            if self._all_known(held):
                return found.times
            own = grouped(self.words[found.first], masks, found.times, found.weights)[0]
            return own.times[own.kind]
        own, table = grouped(held.words, masks, held.people, np.zeros(len(held.words)))
        people = np.empty(len(found.first), np.int64)
        met(self.words, found.first, masks, table, held.words, own.first, own.times, people)
        return people

    def _all_known(self, held: Held) -> bool:
        """Whether a class is a crowd: the dictionary knows every attribute, and there is one kind."""
        return self._one_kind and len(held.dictionary.known) == len(self.problem.columns)

    def _broken(self, node: Node, found: Classes, crowds: Sequence[Counts]) -> tuple[str, ...]:
        limits = self.problem.limits
        if limits.largest_chance is None and limits.share_above is None and limits.smallest_group is None:
            return ()
        most = 1.0 if limits.share_above is None else fewer_than(limits.share_above.chance)
        people = []
        for crowd in crowds:
            chances = self.problem.loss.chances(crowd)
            above = found.times[(np.maximum(crowd, 1) < most) & (chances > 0)].sum() / len(self.problem)
            people.append(People(0.0, 0, 0, float(chances.max()), 0.0, float(above)))
        return broken(replace(limits, inference=None, l={}, recursive=None, t=None), people, self._smallest(node))

    def _smallest(self, node: Node) -> int:
        levels: list[int | None] = [level if place in self._together else None for place, level in enumerate(node)]
        masks = self._mask(levels)
        return int(grouped(self.words, masks, self.times, self.weights)[0].times.min())

    @cached_property
    def _together(self) -> set[int]:
        return set(self.problem.grouped)

    def phi(self, node: Sequence[int], rows: Kinds) -> Numbers:
        """Φ of some rows at a node."""
        sensitivity, columns = self.problem.sensitivity, self.problem.columns
        starts = np.array([own[level] for own, level in zip(self._starts, node, strict=True)])
        sums = np.full(len(rows), sum(own[level] for own, level in zip(self._common, node, strict=True)))
        weighed(self.codes, rows, self._tables, starts, sums)
        for column, level in zip(columns, node, strict=True):
            if column.personal is not None:
                sums = plus(sums, column.at(level)[self.record[rows]])
        return sensitivity.of_sums(self._brought(plus(sums, *self._pairs(node, rows)), rows))

    def _brought(self, sums: Numbers, rows: Kinds) -> Numbers:
        if self.problem.sensitivity.totals is None:
            return sums
        leaves, most = self.problem.sensitivity.totals
        return sums / leaves[self.record[rows]] * most[self.record[rows]]

    def _pairs(self, node: Sequence[int], rows: Kinds) -> list[Numbers]:
        names, found = self.problem.names, []
        for pair in self.problem.sensitivity.pairs:
            both = [names.index(pair.one), names.index(pair.other)]
            if all(node[place] < self.problem.hierarchies[place].height for place in both):
                found.append(np.where(self.codes[rows][:, both].all(axis=1), pair.weight, 0.0))
        return found

    @cached_property
    def _alike(self) -> list[list[float | None]]:
        """For each attribute and level what it weighs for all rows; None where that differs."""
        found: list[list[float | None]] = []
        for place, column in enumerate(self.problem.columns):
            seen = self.values(place)
            levels = [own[seen] for own in column.weights.levels]
            found.append([float(own[0]) if (own == own[0]).all() else None for own in levels])
            if column.personal is not None:
                found[-1] = [0.0] * len(levels)
        return found

    def values(self, place: int) -> Places:
        """The leaf codes of an attribute that occur."""
        return np.flatnonzero(np.bincount(self.codes[:, place]))

    @cached_property
    def _common(self) -> list[list[float]]:
        return [[weight or 0.0 for weight in own] for own in self._alike]

    @cached_property
    def _starts(self) -> list[list[int]]:
        """Where the weights of each attribute and level begin in `_tables`; −1 where all weigh alike."""
        sizes = [len(own) for column in self.problem.columns for own in column.weights.levels]
        begin = iter(np.cumsum([0, *sizes]).tolist())
        pairs = [[(next(begin), weight) for weight in own] for own in self._alike]
        return [[start if weight is None else -1 for start, weight in own] for own in pairs]

    @cached_property
    def _tables(self) -> Numbers:
        return np.concatenate([own for column in self.problem.columns for own in column.weights.levels])

    def added(self, held: Held, node: Node, found: Classes) -> list[Numbers]:
        """For each attribute what it adds to the mean risk at each of its levels, were |ρ| as it is at this node.

        Only for a linear Φ without Ψ. Pairs are left out.
        """
        ones = np.ones(len(found.first))
        shares = self.problem.loss.of(ones, self.crowd(held, node, found), held.dictionary.everybody)
        sizes = [len(column.weights.levels[0]) for column in self.problem.columns]
        starts = np.cumsum([0, *sizes])
        out, weights = np.zeros(starts[-1]), self.weights
        if self.problem.sensitivity.totals is not None:
            leaves, most = self.problem.sensitivity.totals
            weights = weights / leaves[self.record] * most[self.record]
        spread(self.codes, found.kind, weights, shares, starts[:-1], out)
        each = weights * shares[found.kind]
        return [
            np.array([self._added(place, level, out[starts[place] : starts[place + 1]], each) for level in levels])
            for place, levels in enumerate(map(range, [len(column.weights.levels) for column in self.problem.columns]))
        ]

    def _added(self, place: int, level: int, shares: Numbers, each: Numbers) -> float:
        column = self.problem.columns[place]
        if column.personal is not None:
            return total(times(each, column.at(level)[self.record]))
        return total(times(column.weights.levels[level], shares))

    def beyond(self, node: Node) -> tuple[float, ...]:
        """By dictionary the part of the mean risk that the attributes add which have a level to choose.

        Only for a linear Φ without Ψ.
        """
        found = self.classes(node)
        phi = self.phi(node, found.first) - self.phi(self.problem.lattice.top, found.first)
        crowds = [(held.dictionary, self.crowd(held, node, found)) for held in self.held]
        losses = [self.problem.loss.of(phi, crowd, dictionary.everybody) for dictionary, crowd in crowds]
        return tuple(total(times(found.weights, own)) for own in losses)

    def rolled(self, node: Node) -> "Rows":
        """The rows as they are at a node: enough for every node that generalises it, and fewer."""
        found, masks = self.classes(node), self._mask([*node], kinds=True)
        held = []
        for one in self.held:
            if one.words is None or one.people is None:
                held.append(one)
                continue
            own = self._mask(one.levels(self.problem, node))
            entries = grouped(one.words, own, one.people, np.zeros(len(one.words)))[0]
            held.append(replace(one, words=one.words[entries.first] & own, people=entries.times))
        return replace(
            self,
            words=self.words[found.first] & masks,
            codes=self.codes[found.first],
            record=self.record[found.first],
            times=found.times,
            weights=found.weights,
            held=tuple(held),
        )


def rows_of(problem: Problem) -> Rows | None:
    """The rows of a problem; None when only the general way of measuring is left."""
    named = problem.people is not None or any(one.identities is not None for one in problem.dictionaries)
    layout = Layout.of(problem.hierarchies)
    if named or layout is None or problem.linkage is not None or _like_missing(problem):
        return None
    columns = [column.column.codes for column in problem.columns]
    words, kinds = layout.packed(columns, [0] * len(columns)), _kinds(problem)
    several = bool(kinds.any())
    if several:
        words = np.column_stack([words, kinds])
    weights = np.ones(len(problem)) if problem.record_weights is None else problem.record_weights
    shares = weights / weights.max() / total(weights / weights.max())
    every = grouped(words, np.full(words.shape[1], ~np.uint64(0)), np.ones(len(words), np.int64), shares)[0]
    codes = np.stack([own[every.first] for own in columns], axis=1)
    held = tuple(_held(problem, layout, dictionary, several) for dictionary in problem.dictionaries)
    return Rows(problem, layout, words[every.first], codes, every.first, every.times, every.weights, held)


def _held(problem: Problem, layout: Layout, dictionary: Dictionary, kinds: bool) -> Held:
    columns = [problem.column(place) for place in range(len(problem.columns))]
    known = {one.place: one for one in dictionary.known}
    holes = any(not one.codes.all() or not columns[one.place].codes.all() for one in dictionary.known)
    if holes or any(one.alike is not None for one in dictionary.known) or not len(dictionary):
        return Held(dictionary, None, None, Identification(dictionary, columns))
    if is_itself(problem, dictionary):
        return Held(dictionary, None, None, None)
    places = range(len(columns))
    words = layout.packed(
        [known[place].codes if place in known else None for place in places],
        [known[place].level if place in known else 0 for place in places],
    )
    if kinds:
        words = np.column_stack([words, np.zeros(len(words), np.uint64)])
    many = np.ones(len(words), np.int64) if dictionary.times is None else dictionary.times
    own = grouped(words, np.full(words.shape[1], ~np.uint64(0)), many, np.zeros(len(words)))[0]
    return Held(dictionary, words[own.first], own.times, None)


def _kinds(problem: Problem) -> Words:
    """A number for what a record's generalised values do not tell about Φ, or about how missing cells are met."""
    untold: list[npt.NDArray[np.generic]] = []
    for column in problem.columns:
        if column.personal is not None:
            untold.append(np.nan_to_num(column.personal, nan=-1.0))
        elif not all(map(_told, column.column.hierarchy.ancestors, column.weights.levels)):
            untold.append(column.column.codes)
    if problem.sensitivity.totals is not None:
        untold += list(problem.sensitivity.totals)
    kinds = np.zeros(len(problem), np.int64)
    for own in untold:
        _, numbers = np.unique(own, return_inverse=True)
        kinds = once(kinds * (int(numbers.max(initial=0)) + 1) + numbers, 1 << 62).kind.astype(np.int64)
    return kinds.astype(np.uint64)


def _told(groups: Codes, weights: Numbers) -> bool:
    """Whether all leaves of a group weigh the same."""
    first = np.zeros(int(groups.max()) + 1, np.int64)
    first[groups[::-1]] = np.arange(len(groups) - 1, -1, -1)
    return bool((weights == weights[first[groups]]).all())


def _like_missing(problem: Problem) -> bool:
    """Whether a value that is shown as `*` below the top may meet a missing one there."""
    holes = [column for column in map(problem.column, problem.grouped) if not column.codes.all()]
    return any(not shown_codes(column.hierarchy)[:-1, 1:].all() for column in holes)
