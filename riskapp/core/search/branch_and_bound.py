"""Branch and bound: boxes of nodes are halved, and boxes that cannot hold a better node are dropped. Exact.

In a box from its finest node to its coarsest, Φ and u are largest at the finest and |ρ| at the coarsest. From these
ends follows the least loss that a node of the box could have, whatever the model: a loss is linear in p and never falls
with Φ, so its least is at the least Φ and one of the ends of p. This holds with Ψ, for the uncovered and for several
dictionaries too, where risk itself may rise under generalisation. (Fouad's branch and bound was a heuristic.)
"""

import heapq
import time
from dataclasses import dataclass
from itertools import count

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Aggregate, Asked, Key, Point, feasible, key, parts
from riskapp.core.search.record import Record
from riskapp.core.table.lattice import Node

SLACK = 1e-10
"""A box is kept when it could be better by rounding only: ties are decided between nodes, in twelve digits."""
LAST = "~"
"""After every node as text."""


@dataclass(frozen=True)
class Box:
    """All nodes between two."""

    fine: Node
    coarse: Node

    def halves(self) -> tuple["Box", "Box"]:
        """Its two parts in the attribute in which it is widest."""
        widths = [high - low for low, high in zip(self.fine, self.coarse, strict=True)]
        at = widths.index(max(widths))
        middle = (self.fine[at] + self.coarse[at]) // 2
        below = (*self.coarse[:at], middle, *self.coarse[at + 1 :])
        above = (*self.fine[:at], middle + 1, *self.fine[at + 1 :])
        return Box(self.fine, below), Box(above, self.coarse)


def branch_and_bound(record: Record, question: Asked, options: Options) -> Answer:
    """The best node for any question; with `seconds` the best so far and a bound, when they do not suffice.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> branch_and_bound(record, Question("trade_off", 1), Options()).node
    (1, 0)
    """
    oracle = Oracle(record)
    best, bound = _Branching(oracle, question).search(options.seconds)
    done = bound is None
    if best is None:
        return oracle.unmet(question, proved=done)
    return oracle.found(question, best, bound=bound, exact=done)


class _Branching:
    def __init__(self, oracle: Oracle, question: Asked) -> None:
        self.oracle = oracle
        self.question = question
        self.record = oracle.record
        self.best: Point | None = None
        self.best_key: Key = (INFINITE, INFINITE, INFINITE, LAST)
        self.best_size = 0.0
        self.number = count()

    def search(self, seconds: float | None) -> tuple[Point | None, float | None]:
        """The best point, and a bound when time ran out before everything was decided."""
        end = INFINITE if seconds is None else time.monotonic() + seconds
        heap: list[tuple[float, int, Box]] = []
        self._push(heap, Box(self.record.lattice.bottom, self.record.lattice.top))
        while heap:
            bound, _, box = heapq.heappop(heap)
            if not self._hopeful(bound):
                break
            if time.monotonic() > end:
                return self.best, bound
            if box.fine != box.coarse:
                for half in box.halves():
                    self._push(heap, half)
        return self.best, None

    def _push(self, heap: list[tuple[float, int, Box]], box: Box) -> None:
        """Put a box on the heap by its bound, unless no node of it can be the best; its ends are tried as answers."""
        fine = self.oracle.point(box.fine)
        box = self._narrowed(box, fine)
        for point in self.oracle.points([box.fine, box.coarse]):
            if feasible(self.question, point) and (found := key(self.question, point)) < self.best_key:
                one, other = parts(self.question, point)
                self.best, self.best_key, self.best_size = point, found, max(abs(one), abs(other))
        risk, chance = self._least(box)
        if not self._impossible(fine, risk, chance) and self._hopeful(bound := self._bound(fine, risk)):
            heapq.heappush(heap, (bound, next(self.number), box))

    def _narrowed(self, box: Box, fine: Point) -> Box:
        """The box without the levels that leave too little utility, whatever the other attributes say."""
        if self.question.kind != "least_utility" or isinstance(self.question, Aggregate):
            return box
        enough = self.question.bound - SLACK * abs(self.question.bound)
        coarse = list(box.coarse)
        for at, says in enumerate(self.record.utilities):
            others = fine.utility - says[box.fine[at]]
            while coarse[at] > box.fine[at] and others + says[coarse[at]] < enough:
                coarse[at] -= 1
        return Box(box.fine, tuple(coarse))

    def _hopeful(self, bound: float) -> bool:
        """Whether a node with such an objective would be as good as the best."""
        slack = SLACK * self.best_size if self.best_size < INFINITE else 0.0
        return self.best is None or bound <= self.best_key[0] + slack

    def _bound(self, fine: Point, risk: float) -> float:
        """The least objective in a box with this finest node and least risk, less what rounding may hide."""
        gain = fine._replace(risk=risk, inverse=INFINITE if risk == 0 else 1 / risk)
        free = isinstance(self.question, Aggregate) and not self.question.price
        one, other = parts(self.question, gain._replace(inverse=0.0) if free else gain)
        size = max(abs(one), abs(other))
        return one + other - (SLACK * size if size < INFINITE else 0.0)

    def _impossible(self, fine: Point, risk: float, chance: float) -> bool:
        limit = self.record.largest_chance
        if limit is not None and chance > limit * (1 + SLACK):
            return True
        if isinstance(self.question, Aggregate) or self.question.kind == "trade_off":
            return False
        bound = self.question.bound
        if self.question.kind == "least_utility":
            return fine.utility < bound - SLACK * abs(bound)
        return risk > bound and risk > bound + SLACK * abs(bound)

    def _least(self, box: Box) -> tuple[float, float]:
        """The least risk and the least chance that a node of the box could have."""
        phi = self.oracle.phi(box.coarse)
        sides = zip(self.oracle.people(box.fine), self.oracle.people(box.coarse), self.record.crowds, strict=True)
        losses, chances = [], []
        for fewest, most, crowd in sides:
            people = np.array([fewest, min(max(fewest, 1), most), most], dtype=np.int64)
            losses.append(np.array([self.record.loss.of(np.full(3, phi), people, crowd.everybody).min()]))
            chances.append(float(self.record.loss.chances(people).min()))
        return float(self.record.combined(losses)[0]), max(chances)
