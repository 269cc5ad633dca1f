"""Branch and bound over boxes of nodes, the one with the least bound first.

A box is looked at in its coarsest node. It is left when no node in it can be better than the best so far; otherwise it
is cut in two at a level of one attribute, where a node that would be best by the bounds ceases to be in the first half.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.search.anytime_bounds import Bounds
from riskapp.core.search.anytime_hulls import slack
from riskapp.core.search.anytime_looking import COUNTED, Looking
from riskapp.core.table.lattice import Node

Added = Sequence[Sequence[Numbers]]
TRIED, ONE_IN = 64, 8
"""In the first boxes, and then in one of so many, the node that would be best by the bounds is looked at."""


@dataclass(frozen=True, order=True)
class Box:
    """All nodes from `low` to `high`, none of which goes below `bound`; `hoped` is where it might be reached."""

    bound: float
    number: int
    low: Node = field(compare=False)
    high: Node = field(compare=False)
    hoped: Node = field(compare=False)
    added: Added = field(compare=False)


class Boxes:
    """The search; `bound` holds at any moment, `done` says whether all nodes are accounted for."""

    def __init__(self, looking: Looking, bounds: Bounds) -> None:
        self.looking, self.bounds = looking, bounds
        self.open: list[Box] = []
        self.made = 0
        self.whole = True
        self.done = False

    @property
    def bound(self) -> float:
        """No node that will do goes below this."""
        best = INFINITE if self.looking.best is None else self.looking.best.objective
        if self.whole:
            return -INFINITE
        return min(best, self.open[0].bound) if self.open else best

    def run(self) -> Iterator[None]:
        """Work on, pausing after every node."""
        lattice = self.looking.problem.lattice
        yield from self._opened(lattice.bottom, lattice.top, None)
        self.whole = False
        if self.open:
            yield from self.bounds.learn()
            yield from self._opened(lattice.bottom, lattice.top, self.open[0])
            heappop(self.open)
        while self.open and not self._no_better(self.open[0].bound):
            box = self.open[0]
            for low, high in self._halves(box):
                yield from self._opened(low, high, box)
            # Only now, for whoever interrupts must find it among the open ones; its halves come after it.
            heappop(self.open)
        self.done = True

    def _no_better(self, bound: float) -> bool:
        best = self.looking.best
        return best is not None and (best.objective <= bound or best.objective - bound <= slack(best.objective))

    def _opened(self, low: Node, high: Node, of: Box | None) -> Iterator[None]:
        """Look at a box and keep it if something better may be in it."""
        tight = self.bounds.tightened(low, high, self._least)
        if tight is None:
            return
        high = tight
        seen = self.looking.at(high)
        yield
        if self.bounds.monotone and any(name in COUNTED for name in seen.figures.broken):
            return
        if low == high or (self.bounds.monotone and seen.will_do and self.looking.question.kind == "least_utility"):
            return
        added = of.added if of is not None and of.high == high else self.bounds.added(high)
        found = self.bounds.of(low, high, seen.figures, added)
        if found is None or self._no_better(found[0]):
            return
        bound = found[0] if of is None else max(found[0], of.bound)
        self.made += 1
        if self.bounds.monotone and (self.made <= TRIED or self.made % ONE_IN == 0):
            self.looking.at(found[1])
            yield
        heappush(self.open, Box(bound, self.made, low, high, found[1], added))

    @property
    def _least(self) -> float:
        """Nodes of less utility are of no interest."""
        question, best = self.looking.question, self.looking.best
        if question.kind == "least_utility":
            return question.bound
        return best.utility if question.kind == "most_risk" and best is not None else -INFINITE

    def _halves(self, box: Box) -> list[tuple[Node, Node]]:
        place = max(range(len(box.low)), key=lambda at: self._gain(box, at))
        at = min(box.hoped[place], box.high[place] - 1)
        finer, coarser = list(box.high), list(box.low)
        finer[place], coarser[place] = at, at + 1
        return [(box.low, tuple(finer)), (tuple(coarser), box.high)]

    def _gain(self, box: Box, place: int) -> tuple[bool, float, int]:
        """What is gained by cutting at an attribute: the utility or risk between its hoped and its coarsest level."""
        low, high, hoped = box.low[place], box.high[place], box.hoped[place]
        if low == high:
            return False, 0.0, 0
        if not box.added:
            return True, float(high - hoped), high - low
        own = [some[place] for some in box.added]
        return True, max(float(some[hoped] - some[high]) if some[high] < INFINITE else 0.0 for some in own), high - low
