"""Small moves between nodes, those first that tell least; and nodes to begin from, which tell little for their utility.

What an attribute tells at a level is the entropy of its values, and what it weighs there is the mean of its weights;
neither needs a look at a node. A node tells the sum of the entropies and the logarithm of what it weighs, as if the
attributes did not depend on each other. A move takes an attribute some steps up or down, or one up and another down.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random

import numpy as np

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.search.anytime_hulls import hull, slack
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

STEPS = 2
LIGHT = 1e-9
"""No node weighs less: the logarithm of nothing would hide what it tells."""
HEAVY = 1e9
"""What must never be told weighs so much."""
NOISE = 0.5
"""Bits: what is told alike up to so much comes in any order."""
PRICES = (0.0, 0.25, 0.5, 1.0, 2.0)
"""In bits, of what an attribute weighs in the mean: the dearer, the fewer attributes say more each."""
UNSURE = 0.2
"""By this share what attributes cost is changed at random."""


class Steps:
    """The moves of one problem.

    Attributes
    ----------
    places : the attributes that have a level to choose
    chain : nodes from the top to the bottom, each the child of the one before that tells least for its utility
    """

    def __init__(self, problem: Problem, draw: Random) -> None:
        self.lattice, self.draw, self.places = problem.lattice, draw, problem.generalised
        self.told = {place: entropies(problem.column(place)) for place in self.places}
        self.means = dict(zip(self.places, problem.utility.means, strict=True))
        self.weighs = {place: weights(problem, place) for place in self.places}
        self.moves = _moves(len(self.places))
        self.chain = self._chain()

    def _chain(self) -> list[Node]:
        chain = [self.lattice.top]
        while any(chain[-1]):
            chain.append(min(self.lattice.specialisations(chain[-1]), key=lambda node: self._price(chain[-1], node)))
        return chain

    def _price(self, node: Node, finer: Node) -> float:
        place = next(place for place in self.places if node[place] > finer[place])
        more = float(self.means[place][finer[place]] - self.means[place][node[place]])
        told = float(self.told[place][finer[place]] - self.told[place][node[place]])
        return told / more if more > 0 else told + 1e9

    def starts(self, least: float) -> list[Node]:
        """Nodes of so much utility, one for every price of weight, that tell and weigh little; some may be alike."""
        found = [self._start(least, self._costs(price)) for price in PRICES]
        return list(dict.fromkeys(node for node in found if self.utility(node) >= least))

    def drawn(self, least: float) -> Node:
        """One more, as if what attributes tell was not known so well."""
        costs = self._costs(self.draw.choice(PRICES))
        return self._start(
            least, {place: own * self.draw.uniform(1 - UNSURE, 1 + UNSURE) for place, own in costs.items()}
        )

    def _costs(self, price: float) -> dict[int, Numbers]:
        return {place: self.told[place] + price * self._scaled[place] for place in self.places}

    def _start(self, least: float, costs: Mapping[int, Numbers]) -> Node:
        """Down the merged hulls of what attributes cost for their utility, then up again where that is not needed."""
        node, edges = list(self.lattice.top), list[tuple[float, int, int]]()
        for place in self.places:
            node[place], own = _edges(self.means[place], costs[place])
            edges += [(slope, place, level) for slope, level in own]
        edges.sort()
        for _, place, level in edges:
            if self.utility(tuple(node)) >= least:
                break
            node[place] = level
        for _, place, _ in reversed(edges):
            while node[place] < self.lattice.heights[place]:
                node[place] += 1
                if self.utility(tuple(node)) < least:
                    node[place] -= 1
                    break
        return tuple(node)

    @cached_property
    def _scaled(self) -> dict[int, Numbers]:
        """What attributes weigh, those that weigh anything 1 in the mean at their leaves."""
        leaves = [own[0] for own in self.weighs.values() if 0 < own[0] < HEAVY]
        return {place: own / (np.mean(leaves) if leaves else 1.0) for place, own in self.weighs.items()}

    def utility(self, node: Node) -> float:
        """The mean utility at a node; no record is looked at."""
        return sum(float(self.means[place][node[place]]) for place in self.places)

    def nearby(self, node: Node, least: float) -> Iterator[Node]:
        """The nodes a move away with so much utility, those that tell least first, and alike ones in any order."""
        more, utilities = self._tells(node), self.utility(node) + self._added(node, self.means)
        order = np.argsort(more + NOISE * np.array([self.draw.random() for _ in more]), kind="stable")
        promising = np.isfinite(more) & ~(utilities < least - slack(least))
        for number in order[promising[order]].tolist():
            other = self._moved(node, number)
            if self.utility(other) >= least:
                yield other

    def _tells(self, node: Node) -> Numbers:
        """How many bits more than this node every move tells; infinite where it leads out of the lattice."""
        now = sum(float(self.weighs[place][node[place]]) for place in self.places)
        after = np.maximum(now + self._added(node, self.weighs), LIGHT)
        told: Numbers = self._added(node, self.told) + np.log2(after / max(now, LIGHT))
        return told

    def _added(self, node: Node, of: Mapping[int, Numbers]) -> Numbers:
        """What every move adds to a sum over the attributes; infinite where it leads out of the lattice."""
        more = np.full((len(self.places), 2 * STEPS + 1), INFINITE)
        for at, place in enumerate(self.places):
            levels = np.arange(node[place] - STEPS, node[place] + STEPS + 1)
            inside = (levels >= 0) & (levels <= self.lattice.heights[place])
            more[at, inside] = of[place][levels[inside]] - of[place][node[place]]
        one, up, other, down = self.moves.T
        added: Numbers = more[one, up + STEPS] + more[other, down + STEPS]
        return added

    def _moved(self, node: Node, number: int) -> Node:
        levels = list(node)
        one, up, other, down = self.moves[number].tolist()
        levels[self.places[one]] += up
        levels[self.places[other]] += down
        return tuple(levels)


def _moves(attributes: int) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """A row for every move: an attribute and its steps, another and its steps, which are 0 where one moves alone."""
    steps = range(1, STEPS + 1)
    alone = [(one, step, one, 0) for one in range(attributes) for step in (-1, 1)]
    pairs = [(one, other) for one in range(attributes) for other in range(attributes) if one != other]
    both = [(one, up, other, -down) for one, other in pairs for up in steps for down in steps]
    return np.array([*alone, *both], dtype=np.intp).reshape(-1, 4)


def _edges(utilities: Numbers, costs: Numbers) -> tuple[int, list[tuple[float, int]]]:
    """An attribute's lower hull: the level that it begins at, and of each edge cost for utility and the level below."""
    first, *others = corners = hull(utilities, costs).tolist()
    slopes = np.diff(costs[corners]) / np.diff(utilities[corners])
    return first, list(zip(slopes.tolist(), others, strict=True))


def weights(problem: Problem, place: int) -> Numbers:
    """What an attribute weighs at each level in the mean; nothing where only the chance counts."""
    levels = range(problem.lattice.heights[place] + 1)
    if problem.loss.model == "anonymity":
        return np.zeros(len(levels))
    return np.minimum([float(np.mean(problem.columns[place].at(level))) for level in levels], HEAVY)


def entropies(column: CodedColumn) -> Numbers:
    """How much the values of a column tell at each level, in bits.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> entropies(CodedColumn(race, np.array([1, 1, 2, 3], dtype=np.int32)))
    array([1.5, 1. , 0. ])
    """
    counts = np.bincount(column.codes, minlength=column.hierarchy.groups[0] + 1)
    found = []
    for level, groups in enumerate(column.hierarchy.ancestors):
        shares = np.bincount(groups, weights=counts) / max(1, counts.sum())
        shares = shares[shares > 0]
        found.append(float(-(shares * np.log2(shares)).sum()) if level < column.hierarchy.height else 0.0)
    return np.array(found) + 0.0
