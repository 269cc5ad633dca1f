"""The most λ|ρ| + Φ·u^κ − αΦ over a box of nodes, as a minimum cut.

There is a variable for each step of each attribute, *chosen* when x has taken it; a step implies those before. What a
node is worth is written as rewards that a cut can represent:

- each meet vector: a reward for having **all** of its steps chosen, one auxiliary node;
- every function of one attribute: a gain or a cost for each step;
- Φ·u^κ: Φ and u both fall, so their product is a sum of rewards, none below 0, for having two steps (κ = 1) or three
  (κ = 2) **not** chosen: an arc between the two, or one auxiliary node.

The source side of the cut holds the chosen steps. By the flow, which needs no rounding, the best value is at most what
all rewards amount to less the flow, whatever the cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.search.crowd import Meets
from riskapp.core.search.max_flow import Flags, max_flow
from riskapp.core.table.lattice import Node

Ints = npt.NDArray[np.int64]
SOURCE, SINK, FIRST = 0, 1, 2


class Arcs(NamedTuple):
    """Arcs of a network."""

    tails: Ints
    heads: Ints
    capacities: Numbers

    @classmethod
    def of(cls, tails: npt.ArrayLike, heads: npt.ArrayLike, capacities: npt.ArrayLike) -> "Arcs":
        """Arcs between nodes; one tail, head or capacity stands for all."""
        some = np.broadcast_arrays(tails, heads, capacities)
        return cls(some[0].astype(np.int64), some[1].astype(np.int64), some[2].astype(np.float64))


class Cut(NamedTuple):
    """The best nodes of a box, and what no node of it can exceed."""

    nodes: tuple[Node, Node]
    most: float


@dataclass(frozen=True, eq=False)
class Worth:
    """λ|ρ| + Φ·u^κ − αΦ over the nodes between two, for any α.

    Parameters
    ----------
    fine, coarse : the finest and the coarsest node of the box
    weights, utilities : for each attribute those of all its levels; finite inside the box
    constant : what Φ has besides, and what u has besides
    crowd : whose |ρ| it is
    price : λ
    power : κ, one of 0, 1 and 2
    """

    fine: Node
    coarse: Node
    weights: Sequence[Numbers]
    utilities: Sequence[Numbers]
    constant: tuple[float, float]
    crowd: Meets
    price: float
    power: int

    def best(self, alpha: float) -> Cut:
        """The nodes of most worth: the finest of them and the coarsest."""
        gains = self._unary - alpha * self._steps(self._falls[0])
        sure, arcs, size = self._rewards
        gained, arcs = _unary(gains, arcs)
        flow = max_flow(size, *arcs)
        base = sure + self._sure - alpha * (self._least[0] + sum(float(each[0]) for each in self._falls[0]))
        nodes = (self._node(flow.reached), self._node(flow.unsunk))
        return Cut(nodes, base + gained - flow.value)

    @property
    def phi_at_least(self) -> float:
        """The least Φ in the box."""
        return self._least[0]

    def glance(self) -> float:
        """What f = λ|ρ|/Φ + u^κ nowhere exceeds: the most of every part, taken apart."""
        people = int(self.crowd.at(np.array([self.coarse]))[0])
        says = self.constant[1] + sum(float(some[low]) for some, low in zip(self.utilities, self.fine, strict=True))
        return self.price * people / self._least[0] + float(says**self.power)

    def at(self, node: Node, alpha: float) -> float:
        """The worth of one node, by its definition."""
        phi = self.constant[0] + sum(float(some[level]) for some, level in zip(self.weights, node, strict=True))
        says = self.constant[1] + sum(float(some[level]) for some, level in zip(self.utilities, node, strict=True))
        people = int(self.crowd.at(np.array([node]))[0])
        return self.price * people + phi * says**self.power - alpha * phi

    @cached_property
    def _offsets(self) -> Ints:
        widths = [high - low for low, high in zip(self.fine, self.coarse, strict=True)]
        return np.append(0, np.cumsum(widths)).astype(np.int64)

    @cached_property
    def _attribute(self) -> Ints:
        """Of every step its attribute."""
        return np.repeat(np.arange(len(self.fine)), np.diff(self._offsets))

    @cached_property
    def _least(self) -> tuple[float, float]:
        """Φ and u at the coarsest node."""
        phi = self.constant[0] + sum(float(some[high]) for some, high in zip(self.weights, self.coarse, strict=True))
        says = self.constant[1] + sum(float(some[high]) for some, high in zip(self.utilities, self.coarse, strict=True))
        return phi, says

    @cached_property
    def _falls(self) -> tuple[list[Numbers], list[Numbers]]:
        """For each attribute by how much its weight and its utility exceed those at the coarsest node."""
        box = list(zip(self.fine, self.coarse, strict=True))
        falls = [
            [some[low : high + 1] - some[high] for some, (low, high) in zip(each, box, strict=True)]
            for each in (self.weights, self.utilities)
        ]
        return falls[0], falls[1]

    def _steps(self, values: Sequence[Numbers]) -> Numbers:
        """For each step what choosing it adds to functions of one attribute."""
        return np.concatenate([np.diff(each) for each in values])

    @cached_property
    def _powers(self) -> tuple[list[Numbers], Numbers]:
        """Φ·u^κ as functions of one attribute, and as rewards for two steps not chosen."""
        phi, says = self._least
        pairs = list(zip(*self._falls, strict=True))
        if self.power == 0:
            return [a for a, _ in pairs], np.zeros((0, 0))
        one, two = -self._steps(self._falls[0]), -self._steps(self._falls[1])
        both = np.outer(one, two)
        if self.power == 1:
            return [phi * b + says * a + a * b for a, b in pairs], both + both.T
        alone = [2 * phi * says * b + phi * b**2 + says**2 * a + 2 * says * a * b + a * b**2 for a, b in pairs]
        square, mixed = -self._steps([b**2 for _, b in pairs]), -self._steps([a * b for a, b in pairs])
        crossed = np.outer(one, square) + 2 * np.outer(mixed, two) + 2 * says * both
        return alone, 2 * phi * np.outer(two, two) + crossed + crossed.T

    @cached_property
    def _sure(self) -> float:
        """What every node of the box is worth at least by the functions of one attribute, without α."""
        return self._least[0] * self._least[1] ** self.power

    @cached_property
    def _unary(self) -> Numbers:
        """For each step what choosing it adds by the functions of one attribute, without α."""
        return self._steps(self._powers[0])

    @cached_property
    def _rewards(self) -> tuple[float, Arcs, int]:
        """All that does not depend on α: the sum of the rewards, arcs, and the number of nodes."""
        size = FIRST + len(self._attribute)
        met, meeting, size = self._meets(size)
        kept, apart = self._pairs()
        more, triples, size = self._triples(size)
        # At the finest node no step is chosen: the functions of one attribute are at their largest.
        finest = sum(float(each[0]) for each in self._powers[0])
        return met + kept + more + finest, _joined([self._chains(), meeting, apart, triples]), size

    def _chains(self) -> Arcs:
        """A step implies the one before it."""
        later = np.flatnonzero(np.diff(self._attribute, prepend=-1) == 0)
        return Arcs.of(FIRST + later, FIRST + later - 1, INFINITE)

    def _meets(self, size: int) -> tuple[float, Arcs, int]:
        """Rewards for having all steps of a meet vector chosen; their sum is what can be lost of them."""
        crowd = self.crowd.inside(self.fine, self.coarse)
        asks = crowd.levels.any(axis=1)
        levels, rewards = crowd.levels[asks], self.price * crowd.counts[asks]
        rows, attributes = np.nonzero(levels)
        steps = FIRST + self._offsets[attributes] + levels[rows, attributes] - 1
        arcs = [Arcs.of(SOURCE, size + np.arange(len(levels)), rewards), Arcs.of(size + rows, steps, INFINITE)]
        return self.price * float(crowd.counts.sum()), _joined(arcs), size + len(levels)

    def _pairs(self) -> tuple[float, Arcs]:
        """Rewards for having neither of two steps chosen: sure, but lost by choosing the one, or only the other."""
        rewards = self._powers[1]
        if not rewards.size:
            return 0.0, NO_ARCS
        one, other = np.nonzero((self._attribute[:, None] < self._attribute) & (rewards > 0))
        amount = rewards[one, other]
        lost = np.bincount(one, weights=amount, minlength=len(self._attribute))
        arcs = [Arcs.of(FIRST + other, FIRST + one, amount), Arcs.of(FIRST + np.arange(len(lost)), SINK, lost)]
        return float(amount.sum()), _joined(arcs)

    def _triples(self, size: int) -> tuple[float, Arcs, int]:
        """Rewards for having none of three steps chosen, an auxiliary node each."""
        if self.power < 2:
            return 0.0, NO_ARCS, size
        steps, amount = self._threes()
        nodes = size + np.arange(len(amount))
        arcs = [Arcs.of(FIRST + each, nodes, INFINITE) for each in steps]
        return float(amount.sum()), _joined([*arcs, Arcs.of(nodes, SINK, amount)]), size + len(amount)

    def _threes(self) -> tuple[Ints, Numbers]:
        """All three steps of three different attributes with their reward in Φ·u²."""
        one, two = -self._steps(self._falls[0]), -self._steps(self._falls[1])
        found: list[tuple[Ints, Numbers]] = [(np.zeros((3, 0), dtype=np.int64), np.zeros(0))]
        spans = [np.arange(low, high) for low, high in zip(self._offsets, self._offsets[1:], strict=False)]
        for three in combinations([span for span in spans if len(span)], 3):
            i, j, k = (each.reshape(-1) for each in np.meshgrid(*three, indexing="ij"))
            amount = 2 * (one[i] * two[j] * two[k] + two[i] * one[j] * two[k] + two[i] * two[j] * one[k])
            some = amount > 0
            found.append((np.stack([i, j, k])[:, some], amount[some]))
        return np.concatenate([steps for steps, _ in found], axis=1), np.concatenate([some for _, some in found])

    def _node(self, chosen: Flags) -> Node:
        """The node whose steps are these."""
        taken = np.add.reduceat(np.append(chosen[FIRST : FIRST + len(self._attribute)], False), self._offsets[:-1])
        taken[np.diff(self._offsets) == 0] = 0
        return tuple(low + int(steps) for low, steps in zip(self.fine, taken, strict=True))


NO_ARCS = Arcs.of([], [], [])


def _joined(arcs: Sequence[Arcs]) -> Arcs:
    return Arcs(*(np.concatenate(parts) for parts in zip(*arcs, strict=True)))


def _unary(gains: Numbers, arcs: Arcs) -> tuple[float, Arcs]:
    """The arcs with those for the gains and costs of single steps, and the sum of the gains."""
    steps = FIRST + np.arange(len(gains))
    good, bad = gains > 0, gains < 0
    more = [Arcs.of(SOURCE, steps[good], gains[good]), Arcs.of(steps[bad], SINK, -gains[bad])]
    return float(gains[good].sum()), _joined([arcs, *more])
