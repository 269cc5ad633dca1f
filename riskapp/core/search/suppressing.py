"""Suppressing the weak groups of a node: those of fewer than k people, and those that break a required l.

The people of a group are equal in what is released of the columns that have a hierarchy and of the kept columns that
some dictionary knows. A node releases the other groups; the records of the weak ones become rows of `*`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import Numbers
from riskapp.core.measure import grouped
from riskapp.core.search.each_group import farthest, too_uniform
from riskapp.core.table.anonymity import Groups
from riskapp.core.table.breaking import above
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import folded
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask, Released, shown_codes
from riskapp.core.table.replay import Reading


def check(k: Sequence[int], suppression_limit: float) -> list[int]:
    """The different k in their order.

    Raises
    ------
    BadSetting
        If a k is below 1 or the limit is not a share.
    """
    if any(people < 1 for people in k):
        raise BadSetting("search.k", "Give whole numbers, at least 1.")
    if not 0 <= suppression_limit <= 1:
        raise BadSetting("search.suppression_limit", "Give a share from 0 to 1.")
    return list(dict.fromkeys(k))


def within_share(share: float, many: int) -> int:
    """How many of so many are at most this share of them, compared in twelve digits.

    >>> within_share(0.07, 100), within_share(0.05, 39)
    (7, 1)
    """
    most = min(many, int(share * many) + 1)
    while above(most / many, share):
        most -= 1
    return most


def suppressed_at(problem: Problem, node: Node, k: int) -> Released:
    """The table at a node with its weak groups suppressed."""
    return AtNode(problem, node).released(k)


@dataclass(frozen=True, eq=False)
class AtNode:
    """A node of the lattice, with any k.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> zips = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> AtNode(zips, (1,)).released(2).suppressed
    array([False, False,  True])
    """

    problem: Problem
    node: Node

    @cached_property
    def groups(self) -> Groups:
        """Before anybody is suppressed."""
        return grouped(self.problem, Released.at(self.problem.records, self.node))

    @cached_property
    def _uniform(self) -> Mask:
        return too_uniform(self.problem, self.groups)

    @cached_property
    def _distances(self) -> Numbers:
        return farthest(self.problem, self.groups)

    def _weak(self, k: int) -> Mask:
        return self._uniform | (self.groups.people < k)

    def released(self, k: int) -> Released:
        """The table with its weak groups suppressed."""
        hidden = self._weak(k)[self.groups.group]
        if not hidden.any():
            return Released.at(self.problem.records, self.node)
        levels = np.broadcast_to(np.array(self.node, dtype=np.intp), (len(self.problem), len(self.node)))
        return Released.each(self.problem.records, levels, hidden)

    def distance(self, k: int) -> float:
        """How far the other groups are from the whole table."""
        return float(self._distances[~self._weak(k)].max(initial=0.0))


@dataclass(frozen=True, eq=False)
class GroupRule:
    """The rule of a node that suppresses weak groups, for any record.

    A record is released at the node when its group is one of those the table released, and suppressed otherwise. So a
    record whose group has nobody in the table is suppressed too: the rule is a function of the record and of what is
    published, and nobody who is not in the table makes a group larger.

    Attributes
    ----------
    node : the level of every attribute
    places : the attributes in which groups are equal
    shown : for each of these places a number for what every leaf code shows there
    kept : for each of these places what the released groups show
    """

    node: Node
    places: tuple[int, ...]
    shown: tuple[Codes, ...]
    kept: tuple[Codes, ...]

    @classmethod
    def of(cls, problem: Problem, node: Node, released: Released) -> "GroupRule":
        """The rule that released a table at a node."""
        places = tuple(problem.grouped)
        shown = tuple(shown_codes(problem.hierarchies[place])[node[place]] for place in places)
        there = np.flatnonzero(~released.suppressed)
        columns = [table[problem.column(place).codes[there]] for place, table in zip(places, shown, strict=True)]
        first = np.unique(folded([columns], [int(table.max()) + 1 for table in shown]).numbers, return_index=True)[1]
        return cls(node, places, shown, tuple(column[first] for column in columns))

    def __call__(self, leaves: Codes, /) -> tuple[Codes, Mask]:
        """The levels of some records, and which of them are suppressed."""
        asked = [table[leaves[:, place]] for place, table in zip(self.places, self.shown, strict=True)]
        keys = folded([list(self.kept), asked], [int(table.max()) + 1 for table in self.shown])
        levels = np.broadcast_to(np.array(self.node, dtype=np.int32), leaves.shape)
        return levels, ~np.isin(keys.tables[1], keys.tables[0])


def replayed(problem: Problem, node: Node, released: Released) -> Reading | None:
    """What an attacker replays: None when nobody is suppressed, for then the rule treats everybody alike."""
    if not released.suppressed.any():
        return None
    return Reading(GroupRule.of(problem, node, released), frozenset(problem.grouped))
