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

from riskapp.core.evaluation import People
from riskapp.core.extended import Numbers, times, total
from riskapp.core.measure import Counted
from riskapp.core.risk import over_dictionaries, over_records
from riskapp.core.rolled.dictionaries import fewer_than
from riskapp.core.search.anytime_classes import Classes, grouped
from riskapp.core.search.anytime_keys import Layout, Words, met
from riskapp.core.search.anytime_phi import Phi
from riskapp.core.table.anonymity import Groups
from riskapp.core.table.breaking import broken
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.keys import Places
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem


class Figures(NamedTuple):
    """What is known of a node.

    `risks` are by dictionary; `broken` are the limits on chances and groups that it breaks.
    """

    risk: float
    risks: tuple[float, ...]
    broken: tuple[str, ...]


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
    record, row : a record for each row, and for each record its row
    times, weights : how many records a row stands for, and what they count in the mean
    held : the dictionaries
    """

    problem: Problem
    layout: Layout
    words: Words
    codes: Codes
    record: Places
    row: Places
    times: Counts
    weights: Numbers
    held: tuple[Held, ...]

    @cached_property
    def phi(self) -> Phi:
        """Φ of some of the rows."""
        return Phi(self.problem, self.codes, self.record)

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
        phi, loss, risk = self.phi.at(node, found.first), self.problem.loss, self.problem.risk
        crowds = [self.crowd(held, node, found) for held in self.held]
        risks = []
        for held, crowd in zip(self.held, crowds, strict=True):
            losses = loss.of(phi, crowd, held.dictionary.everybody)
            mean = risk.over_records == "mean"
            risks.append(total(times(found.weights, losses)) if mean else over_records(losses, risk.over_records))
        named = {held.dictionary.name: own for held, own in zip(self.held, risks, strict=True)}
        whole = over_dictionaries(named, risk.over_dictionaries, risk.priors)
        return Figures(whole, tuple(risks), self._broken(node, found, crowds))

    def counted(self, node: Node) -> Counted:
        """What measuring needs of a node that is counted here at once."""
        found = self.classes(node)
        people = {held.dictionary.name: self.crowd(held, node, found)[found.kind][self.row] for held in self.held}
        if self.problem.sensitive:
            # Sums over groups are taken in the order of the groups, which has to be that of any release.
            return Counted(people)
        alike = self._alike(node)
        return Counted(people, Groups(alike.kind[self.row], alike.times, np.ones(len(self.row), np.int64)))

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
        return int(self._alike(node).times.min())

    def _alike(self, node: Node) -> Classes:
        levels: list[int | None] = [level if place in self._together else None for place, level in enumerate(node)]
        masks = self._mask(levels)
        return grouped(self.words, masks, self.times, self.weights)[0]

    @cached_property
    def _together(self) -> set[int]:
        return set(self.problem.grouped)

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
            row=found.kind[self.row],
            times=found.times,
            weights=found.weights,
            held=tuple(held),
        )
