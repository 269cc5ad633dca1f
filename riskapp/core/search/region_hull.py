"""The exact frontier of rules that choose a point for each of several parts, by merging convex hulls.

Each part, a region, chooses one of its points; gains add up, and so do costs. The choices of least cost for what they
gain lie on the *merged* hull: start from every part's least cost, and take the edges of all parts' hulls by rising
slope. Every prefix is the cheapest choice for its gain (Lagrange). For a bound between two prefixes the best choice is
a knapsack: points that cost too much at the price of the crossed edge cannot be in it, and few are left to combine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from riskapp.core.digits import told_apart
from riskapp.core.extended import Numbers
from riskapp.core.table.keys import Places

SLACK = 4e-12
"""A bound is met when it is met to twelve digits."""
MOST = 200_000
"""So many choices of some parts are kept while they are combined."""


@dataclass(frozen=True, eq=False)
class Part:
    """What a part may choose from."""

    gains: Numbers
    costs: Numbers

    @cached_property
    def hull(self) -> Places:
        """The points of the lower convex hull from the least cost to the most gain, by rising gain.

        >>> Part(np.array([0.0, 1.0, 2.0, 2.0, 0.0]), np.array([0.0, 2.0, 3.0, 4.0, 1.0])).hull
        array([0, 2])
        """
        chain: list[int] = []
        for place in undominated(self.gains, self.costs).tolist():
            while len(chain) > 1 and self._above(chain[-2], chain[-1], place):
                chain.pop()
            chain.append(place)
        return np.array(chain, dtype=np.intp)

    def _above(self, first: int, middle: int, last: int) -> bool:
        """Whether the middle point is not below the line from the first to the last."""
        rise = (self.costs[middle] - self.costs[first]) * (self.gains[last] - self.gains[first])
        return bool(rise >= (self.costs[last] - self.costs[first]) * (self.gains[middle] - self.gains[first]))


@dataclass(frozen=True, eq=False)
class Chosen:
    """A choice: for each part the place of its point.

    `least` is a proved bound: no choice that gains enough costs less.
    """

    places: Places
    gain: float
    cost: float
    least: float


@dataclass(frozen=True, eq=False)
class Merged:
    """The frontier of all choices.

    Parameters
    ----------
    parts : each with at least one point

    Examples
    --------
    >>> one, other = Part(np.array([0.0, 2.0]), np.array([0.0, 1.0])), Part(np.array([1.0, 2.0]), np.array([0.0, 2.0]))
    >>> merged = Merged([one, other])
    >>> merged.gains, merged.costs, merged.choice(1)
    (array([1., 3., 4.]), array([0., 1., 3.]), array([1, 0]))
    >>> merged.value(2.0), merged.best(2.0).cost, merged.best(1.5).places
    (0.5, 1.0, array([1, 0]))
    """

    parts: Sequence[Part]

    @cached_property
    def hulls(self) -> list[Places]:
        """One for each part."""
        return [part.hull for part in self.parts]

    @cached_property
    def _edges(self) -> tuple[Places, Numbers, Numbers]:
        """For each edge by rising slope its part, what it gains and what it costs."""
        owner = np.repeat(np.arange(len(self.parts)), [len(own) - 1 for own in self.hulls])
        pairs = list(zip(self.parts, self.hulls, strict=True))
        gains = np.concatenate([np.diff(part.gains[own]) for part, own in pairs])
        costs = np.concatenate([np.diff(part.costs[own]) for part, own in pairs])
        order = np.argsort(costs / gains, kind="stable")
        return owner[order], gains[order], costs[order]

    @cached_property
    def gains(self) -> Numbers:
        """Of every prefix."""
        start, most = (
            sum(float(part.gains[own[end]]) for part, own in zip(self.parts, self.hulls, strict=True))
            for end in (0, -1)
        )
        walked: Numbers = np.cumsum(np.append(start, self._edges[1]))
        # Where losses cancel out, what is left of them is rounding: a bound of 0 would be missed by it.
        walked[-1] = most
        found: Numbers = np.minimum(walked, most)
        return found

    @cached_property
    def costs(self) -> Numbers:
        """Of every prefix."""
        start = sum(part.costs[own[0]] for part, own in zip(self.parts, self.hulls, strict=True))
        return np.cumsum(np.append(start, self._edges[2]))

    def choice(self, prefix: int) -> Places:
        """For each part the place of its point after so many edges."""
        steps = np.bincount(self._edges[0][:prefix], minlength=len(self.parts))
        return np.array([own[step] for own, step in zip(self.hulls, steps.tolist(), strict=True)], dtype=np.intp)

    def value(self, bound: float) -> float:
        """The cost on the line between the prefixes; no choice that gains as much costs less. ∞ beyond the end."""
        if bound > self.gains[-1] + SLACK * abs(bound):
            return float("inf")
        return float(np.interp(bound, self.gains, self.costs))

    def best(self, bound: float) -> Chosen:
        """The choice of least cost that gains as much; of equal costs the most gain. Without any, the most gain."""
        enough = self.gains >= bound - SLACK * abs(bound)
        if not enough.any():
            return self._chosen(self.choice(len(self.gains) - 1), float("inf"))
        first = int(np.argmax(enough))
        prefix = self.choice(first)
        if first == 0:
            return self._chosen(prefix, float(self.costs[0]))
        _, gains, costs = self._edges
        price = costs[first - 1] / gains[first - 1]
        found = _combined(self._within(price, bound, first), bound)
        return self._chosen(prefix, self.value(bound)) if found is None else self._chosen(found, None)

    def _chosen(self, places: Places, least: float | None) -> Chosen:
        pairs = list(zip(self.parts, places.tolist(), strict=True))
        gain = float(sum(part.gains[place] for part, place in pairs))
        cost = float(sum(part.costs[place] for part, place in pairs))
        return Chosen(places, gain, cost, cost if least is None else least)

    def _within(self, price: float, bound: float, first: int) -> "_Narrowed":
        """The points that can be in a choice no dearer than the first prefix that gains enough."""
        reduced = [part.costs - price * part.gains for part in self.parts]
        lowest = sum(float(own.min()) for own in reduced) + price * bound
        gap = max(0.0, float(self.costs[first]) - lowest)
        gap += 1e-9 * (abs(gap) + abs(float(self.costs[first])))
        over = [own - own.min() for own in reduced]
        kept = [np.flatnonzero(own <= gap) for own in over]
        return _Narrowed(self.parts, kept, over, gap)


class _Narrowed(NamedTuple):
    """For each part the places that are left, and by how much all of its points cost more than the best at a price."""

    parts: Sequence[Part]
    kept: Sequence[Places]
    over: Sequence[Numbers]
    gap: float


def _combined(narrowed: _Narrowed, bound: float) -> Places | None:
    """The best of all combinations of what is left; None when they are too many to tell."""
    gains, costs, over = np.zeros(1), np.zeros(1), np.zeros(1)
    back: list[tuple[Places, Places]] = []
    for part, kept, dearer in zip(narrowed.parts, narrowed.kept, narrowed.over, strict=True):
        if len(gains) * len(kept) > 50 * MOST:
            return None
        sums = (over[:, None] + dearer[kept]).ravel()
        which = np.flatnonzero(sums <= narrowed.gap)
        before, place = np.divmod(which, len(kept))
        gains, costs = gains[before] + part.gains[kept][place], costs[before] + part.costs[kept][place]
        left = undominated(gains, costs)
        gains, costs, over = gains[left], costs[left], sums[which][left]
        back.append((before[left], kept[place[left]]))
        if len(gains) > MOST:
            return None
    enough = np.flatnonzero(gains >= bound - SLACK * abs(bound))
    if not len(enough):
        return None
    cheapest = told_apart(costs[enough])
    tied = enough[cheapest == cheapest.min()]
    return _traced(back, int(tied[np.argmax(gains[tied])]))


def undominated(gains: Numbers, costs: Numbers) -> Places:
    """The points that no other beats, by rising cost and gain; of equal ones the first."""
    order = np.lexsort((-gains, costs))
    before = np.append(-np.inf, np.maximum.accumulate(gains[order])[:-1])
    left: Places = order[gains[order] > before]
    return left


def _traced(back: Sequence[tuple[Places, Places]], last: int) -> Places:
    places = []
    for before, place in reversed(back):
        places.append(place[last])
        last = int(before[last])
    return np.array(places[::-1], dtype=np.intp)
