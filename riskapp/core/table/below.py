"""θ̂ ≪ θ: one dictionary only adds people to another and coarsens what it knows about them.

It holds when every entry of θ̂ can be given a *partner*, an entry of θ of its own that knows nothing finer: whatever the
partner knows is at or above what the entry knows. Then, with one entry for each person, what is estimated with θ̂ bounds
the risk from θ in models I and II without a loss for the unidentified, whatever the rule.

All entries of θ with the same columns missing know the same levels, so of each such pattern an entry of θ̂ can only have
partners with one combination of codes. That leaves few kinds of entries on both sides, and giving partners is a flow
between kinds. Because partners can be exchanged, the first entry without one ends the shortest beginning of θ̂ that has
too few. Columns matched by likeness are not compared: they count as not known.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from riskapp.core.table.dictionary import Dictionary, Known, Places
from riskapp.core.table.entries import Patterns
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import folded, once, renumbered
from riskapp.core.table.released import Mask


def first_without_partner(smaller: Dictionary, larger: Dictionary) -> int | None:
    """The place of the first entry of θ̂ (`smaller`) for which θ (`larger`) has no partner left; None when θ̂ ≪ θ.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> guess = Dictionary("guess", (Known(0, race, 0, np.array([3, 2, 1], dtype=np.int32)),))
    >>> truth = Dictionary("truth", (Known(0, race, 1, np.array([1, 2, 2, 2], dtype=np.int32)),))
    >>> first_without_partner(guess, truth) is None, first_without_partner(truth, guess)
    (True, 0)
    """
    if not len(smaller):
        return None
    partners = _partners(smaller, larger)
    alone = np.flatnonzero(partners.has_none[partners.kind])
    beginning = int(alone[0]) if len(alone) else len(smaller)
    if partners.enough(beginning):
        return beginning if len(alone) else None
    return bisect_left(range(beginning), True, key=lambda place: not partners.enough(place + 1))


def without_partner(smaller: Dictionary, larger: Dictionary) -> int:
    """How many entries of θ̂ have no partner, however partners are given: 0 exactly when θ̂ ≪ θ.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> guess = Dictionary("guess", (Known(0, race, 0, np.array([3, 2, 1, 1], dtype=np.int32)),))
    >>> truth = Dictionary("truth", (Known(0, race, 1, np.array([1, 2], dtype=np.int32)),))
    >>> without_partner(guess, truth)
    2
    """
    if not len(smaller):
        return 0
    partners = _partners(smaller, larger)
    return len(smaller) - partners.given(np.bincount(partners.kind, minlength=len(partners.possible)))


@dataclass(frozen=True, eq=False)
class _Partners:
    """Which kinds of entries of θ each kind of θ̂ can have as partners.

    `kind` is the kind of every entry of θ̂, `possible` has a row for each kind and in it, for every pattern of θ, the
    kind of θ, or −1; `times` says how many entries of θ are of each kind.
    """

    kind: Places
    possible: Places
    times: Counts

    @property
    def has_none(self) -> Mask:
        """The kinds without any partner."""
        none: Mask = self.possible.max(axis=1) < 0
        return none

    def enough(self, beginning: int) -> bool:
        """Whether so many of the first entries can all have partners at the same time."""
        return self.given(np.bincount(self.kind[:beginning], minlength=len(self.possible))) == beginning

    def given(self, many: Counts) -> int:
        """The most entries that can have partners at the same time when there are so many of each kind."""
        kinds = len(self.possible)
        if self.possible.shape[1] == 1:
            some = (many > 0) & ~self.has_none
            wanted = np.bincount(self.possible[some, 0], many[some], minlength=len(self.times))
            return int(np.minimum(wanted, self.times).sum())
        own, pattern = np.nonzero(self.possible >= 0)
        theirs = self.possible[own, pattern]
        last = 1 + kinds + len(self.times)
        start = np.concatenate([np.zeros(kinds, dtype=np.intp), 1 + own, 1 + kinds + np.arange(len(self.times))])
        end = np.concatenate([1 + np.arange(kinds), 1 + kinds + theirs, np.full(len(self.times), last)])
        room = np.concatenate([many, many[own], self.times]).astype(np.int32)
        graph = csr_array((room, (start, end)), shape=(last + 1, last + 1))
        return int(maximum_flow(graph, 0, last).flow_value)


def _partners(smaller: Dictionary, larger: Dictionary) -> _Partners:
    columns = [known for known in larger.known if known.alike is None and known.level < known.hierarchy.height]
    fine, coarse = [_seen_by(smaller, known) for known in columns], [known.codes for known in columns]
    sizes = [known.hierarchy.groups[known.level] + 1 for known in columns]
    patterns = Patterns.of(coarse, len(larger))
    possible, times, before = [], [], 0
    for number, missing in enumerate(patterns.missing):
        rows = patterns.at(number)
        places = [place for place, out in enumerate(missing) if not out]
        mine, many = _matched(
            [fine[place] for place in places],
            [coarse[place][rows] for place in places],
            [sizes[place] for place in places],
            len(smaller),
            len(rows),
        )
        possible.append(np.where(mine < 0, -1, mine + before))
        times.append(many)
        before += len(many)
    return _kinds(np.stack(possible, axis=1), np.concatenate(times))


def _seen_by(smaller: Dictionary, known: Known) -> Codes:
    """What the entries of θ̂ know of an attribute, at the level of θ; 0 where they know nothing or nothing as fine."""
    for own in smaller.known:
        if own.place == known.place and own.alike is None and own.level <= known.level:
            return own.hierarchy.up(own.level, known.level)[own.codes]
    return np.zeros(len(smaller), dtype=np.int32)


def _matched(
    fine: Sequence[Codes], coarse: Sequence[Codes], sizes: Sequence[int], many: int, others: int
) -> tuple[Places, Counts]:
    """For each entry of θ̂ the kind of entry of θ that it can have, −1 for none; and how many are of each kind."""
    if not sizes:
        return np.full(many, 0 if others else -1), np.full(min(others, 1), others)
    keys = renumbered(folded([coarse, fine], sizes))
    times = np.bincount(keys.numbers, minlength=keys.size)
    kinds = np.flatnonzero(times)
    number = np.full(keys.size, -1, dtype=np.intp)
    number[kinds] = np.arange(len(kinds))
    return number[keys.tables[1]], times[kinds]


def _kinds(possible: Places, times: Counts) -> _Partners:
    """Entries of θ̂ that can have the same partners are of one kind."""
    columns = [(column + 1).astype(np.int32) for column in possible.T]
    keys = folded([columns], [len(times) + 1] * len(columns))
    found = once(keys.numbers, keys.size)
    return _Partners(found.kind, possible[found.first], times)
