"""Looking for good nodes: down from the top along one chain, then by small moves.

The chain goes to the child that tells least for its utility, where what an attribute tells at a level is the entropy of
its values, which needs no look at a node. A move takes an attribute a step up or down, or one up and another down;
those are tried first that tell least. The first move to a better node is made. Where none is better, some steps are
made at random from the best node, and the search begins again from there. Under a most risk it is also tried whether a
node that says more than the best can be brought to so little risk.
"""

from collections.abc import Iterator
from random import Random

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.search.anytime_looking import Looking, Seen
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.lattice import Node

STEPS = 2
MOST_KICKS = 6
KICKS = 4
"""So many beginnings from the best node before its neighbours are tried again in another order."""
ON_THE_CHAIN = 8
STRIDE = 0.02
"""Of all utility, by which at least such a node says more."""
PATIENCE = 10
"""After so many neighbours that are no better the others are prepared for."""

Move = tuple[tuple[int, int], ...]


class Moves:
    """The search for good nodes; deterministic for a seed."""

    def __init__(self, looking: Looking, seed: int) -> None:
        self.looking, self.draw = looking, Random(seed)  # noqa: S311
        self.lattice = looking.problem.lattice
        self.places = looking.problem.generalised
        self.told = {place: entropies(looking.problem.column(place)) for place in self.places}
        self.means = dict(zip(self.places, looking.problem.utility.means, strict=True))

    def run(self) -> Iterator[None]:
        """Work on without end, pausing after every node."""
        self.looking.at(self.lattice.top)
        yield
        yield from self._along()
        while True:
            yield from self._beyond()
            for kick in range(KICKS):
                start = self.looking.nearest
                assert start is not None
                yield from self.climbed(self._kicked(start.node) if kick else start.node)

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

    def _along(self) -> Iterator[None]:
        """Look at some nodes of the chain: the first with utility enough, or where a bound or limit begins to break."""
        chain, question = self._chain(), self.looking.question
        if question.kind == "least_utility":
            enough = [node for node in chain if self.looking.utility(node) >= question.bound]
            self.looking.at(enough[0] if enough else chain[-1])
            yield
        if question.kind == "trade_off":
            for node in chain[:: max(1, len(chain) // ON_THE_CHAIN)]:
                self.looking.at(node)
                yield
        low, high = 0, len(chain) - 1
        while low < high:
            middle = (low + high + 1) // 2
            seen = self.looking.at(chain[middle])
            yield
            if seen.key[0] or (question.kind == "most_risk" and seen.key[1]):
                high = middle - 1
            else:
                low = middle

    def _beyond(self) -> Iterator[None]:
        """Under a most risk: from nodes that say more than the best to less risk, as long as that is little enough."""
        chain, stride = self._chain(), STRIDE * (self.looking.utility(self.lattice.bottom) - self._nothing)
        while self.looking.question.kind == "most_risk" and self.looking.best is not None:
            least = self.looking.best.utility + stride
            start = next((node for node in chain if self.looking.utility(node) >= least), None)
            if start is None:
                return
            yield from self.climbed(start, least)
            if self.looking.best.utility < least:
                return

    @property
    def _nothing(self) -> float:
        return self.looking.utility(self.lattice.top)

    def climbed(self, node: Node, least: float | None = None) -> Iterator[None]:
        """By moves to better nodes until there is none; with a least utility, to less risk until that will do."""
        better: Seen | None = self.looking.at(node)
        yield
        while better is not None and not (least is not None and better.will_do):
            here, better = better, None
            for tried, other in enumerate(self._neighbours(here, least)):
                if tried == PATIENCE:
                    self.looking.around(tuple(max(0, level - STEPS) for level in here.node))
                seen = self.looking.at(other)
                yield
                if _order(seen, least) < _order(here, least):
                    better = seen
                    break

    def _neighbours(self, here: Seen, least: float | None) -> list[Node]:
        moves: list[Move] = [((place, steps),) for place in self.places for steps in (-1, 1)]
        steps = range(1, STEPS + 1)
        pairs = [(one, other) for one in self.places for other in self.places if one != other]
        moves += [((one, up), (other, -down)) for one, other in pairs for up in steps for down in steps]
        moves = [move for move in moves if self._inside(here.node, move)]
        order = sorted(moves, key=lambda move: self._tells(here.node, move) + 0.5 * self.draw.random())
        nodes = [_moved(here.node, move) for move in order]
        return [node for node in nodes if self._promising(here, node, least)]

    def _inside(self, node: Node, move: Move) -> bool:
        return all(0 <= node[place] + steps <= self.lattice.heights[place] for place, steps in move)

    def _tells(self, node: Node, move: Move) -> float:
        """How much more the node tells after a move."""
        return sum(
            float(self.told[place][node[place] + steps] - self.told[place][node[place]]) for place, steps in move
        )

    def _promising(self, here: Seen, node: Node, least: float | None) -> bool:
        """Whether the node may be better, by its utility alone."""
        utility, question = self.looking.utility(node), self.looking.question
        if least is not None:
            return utility >= least
        if not here.will_do:
            return True
        if question.kind == "most_risk":
            return utility >= here.utility
        return question.kind == "trade_off" or utility >= question.bound

    def _kicked(self, node: Node) -> Node:
        """Some steps at random, then down again until there is utility enough."""
        levels = list(node)
        for _ in range(self.draw.randint(2, MOST_KICKS) if self.places else 0):
            place = self.draw.choice(self.places)
            levels[place] = self.draw.randint(0, self.lattice.heights[place])
        question = self.looking.question
        while question.kind == "least_utility" and any(levels):
            if self.looking.utility(tuple(levels)) >= question.bound:
                break
            place = self.draw.choice([place for place in self.places if levels[place]])
            levels[place] -= 1
        return tuple(levels)


def _order(seen: Seen, least: float | None) -> tuple[object, ...]:
    """By which nodes are compared: as answers, or those of utility enough by their risk."""
    return seen.key if least is None else (seen.key[0], seen.figures.risk)


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


def _moved(node: Node, move: Move) -> Node:
    levels = list(node)
    for place, steps in move:
        levels[place] += steps
    return tuple(levels)
