"""A proof that no node goes below a target in what the question makes small; the target rises until time is over.

The proof is a walk through partial nodes (`anytime_walk`). It counts in one dictionary: the one that makes the most of
the risk. Where it comes to a whole node that is not known to be no better, that node is looked at, and may be the new
best. A target that is the best node's own figure proves that there is none better.

Under a least utility the target is a risk, and is doubled. Under a most risk it is a utility, from that of the
unchanged table down: no node that says as much has so little risk. For a trade-off it is R − λU, from what it would be
with all utility and no risk up. What has to be gone through grows so fast that the walks before the last take little.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.search.anytime_bounds import Bounds
from riskapp.core.search.anytime_ground import Surveyed, surveyed
from riskapp.core.search.anytime_hulls import slack
from riskapp.core.search.anytime_looking import Looking
from riskapp.core.search.anytime_walk import DEPTH, THROUGH, WHOLE_NODE, Aim, Way, step_back, walked
from riskapp.core.table.lattice import Node

AT_ONCE = 250
"""So many chances are counted before others have their turn."""
ROOM = 1 << 22
"""Classes times values that can be told apart at a time."""
FIRST = 1e-6
"""Of the best node's risk, the first target."""
TOLD, LEFT = 1 - 5e-12, 1 - 2e-12
"""What is claimed of a risk and what is left out at it, so that rounding does no harm."""
STEPS = 64
"""In so many steps a target rises that is no risk."""


@dataclass(eq=False)
class Proof:
    """The proof at work; `bound` holds at any moment, `done` says that no node is better than the best."""

    looking: Looking
    over: Surveyed
    bound: float = -INFINITE
    done: bool = False

    @classmethod
    def of(cls, looking: Looking, bounds: Bounds) -> "Proof | None":
        """A proof for the question; None where the risk is not made of chances times sums of weights."""
        over = surveyed(looking.rows, bounds) if looking.rows is not None else None
        return None if over is None else cls(looking, over)

    def __post_init__(self) -> None:
        ground, start = self.over.ground, self.over.start
        many, rows, levels = len(ground.heights), len(ground.people), int(ground.heights.max()) + 1
        self.way = Way(
            place=np.zeros(2, np.int64),
            level=np.zeros(many + 1, np.int64),
            owner=np.zeros(many + 1, np.int64),
            kinds=np.zeros(many + 1, np.int64),
            chance=np.zeros(many + 1),
            phi=np.zeros(many + 1),
            said=np.zeros(many + 1),
            fine=np.zeros((many + 1, many), np.int64),
            classes=np.zeros((many + 3, rows), np.int32),
            pairs=np.full((many, levels, many, levels), -1.0),
            table=np.full(ROOM, -1, np.int64),
            people=np.zeros(rows, np.int64),
            weights=np.zeros(rows),
        )
        self.way.classes[0] = start
        self.way.kinds[0] = int(start.max()) + 1
        weights, people = (np.bincount(start, weights=some) for some in (ground.weights, ground.people))
        self.way.chance[0] = float((weights / np.maximum(people, 1)).sum())
        self.way.phi[0] = self.over.base

    def run(self) -> Iterator[None]:
        """Work on, pausing after every piece, until the best is proved or no node is left."""
        for target in self._targets():
            yield from self._through(target)
            if target >= self._best - self._room(target):
                self.bound, self.done = self._best, True
                return
            self.bound = max(self.bound, self._claimed(target))

    @property
    def _best(self) -> float:
        return INFINITE if self.looking.best is None else self.looking.best.objective

    def _targets(self) -> Iterator[float]:
        """They rise without end, unless there is nothing beyond them."""
        kind, price = self.looking.question.kind, self.looking.question.bound
        if kind == "least_utility":
            yield from self._doubled(FIRST * (self._best if self._best < INFINITE else 1.0))
        elif kind == "most_risk":
            yield from (-float(said) for said in np.linspace(self.over.most, self.over.least, STEPS + 1))
        else:
            first = target = -price * self.over.most
            step = (self._best - first if self._best < INFINITE else 1.0 + price * self._width) / STEPS
            for number in range(1, STEPS + 1):
                yield target
                target = first + number * step
            yield from (target + more for more in self._doubled(max(step, self._slack(target))))

    @staticmethod
    def _doubled(target: float) -> Iterator[float]:
        while True:
            yield target
            target *= 2

    @property
    def _width(self) -> float:
        return self.over.most - self.over.least

    def _slack(self, target: float) -> float:
        """What rounding may take from what the question makes small, where that is no risk alone."""
        price = self.looking.question.bound if self.looking.question.kind == "trade_off" else 1.0
        return slack(max(price * abs(self.over.most), price * abs(self.over.least), abs(target)))

    def _claimed(self, target: float) -> float:
        """What no node goes below, after a walk."""
        return target * TOLD if self.looking.question.kind == "least_utility" else target - self._room(target)

    def _room(self, target: float) -> float:
        """By so much a target may be missed for rounding; a risk that is doubled is passed in any case."""
        return 0.0 if self.looking.question.kind == "least_utility" else self._slack(target) / 2

    def _aim(self, target: float) -> Aim:
        """What a walk shows for a target."""
        question, tops = self.looking.question, self.over.least
        if question.kind == "least_utility":
            return Aim(target * LEFT / self.over.share, question.bound - 2 * slack(question.bound) - tops, 0.0)
        if question.kind == "most_risk":
            most, room = question.bound + slack(question.bound), self._slack(target) / 4
            # What says as much as the best is no better; what says as much as a target has to be looked at.
            return Aim(most / self.over.share, -target + (room if target >= self._best else -room) - tops, 0.0)
        price = question.bound / self.over.share
        return Aim((target - self._slack(target) / 4) / self.over.share + price * tops, -INFINITE, price)

    def _through(self, target: float) -> Iterator[None]:
        """One walk to its end."""
        way = self.way
        way.place[DEPTH], way.level[0], way.fine[0] = 0, 0, 0
        paused = None
        while paused != THROUGH:
            # A node that was found meanwhile lowers what has to be shown.
            paused = walked(self.over.ground, way, self._aim(min(target, self._best)), AT_ONCE)
            if paused == WHOLE_NODE:
                self.looking.at(self._node())
                step_back(way)
            yield

    def _node(self) -> Node:
        node = list(self.looking.problem.lattice.bottom)
        for at, place in enumerate(self.over.order):
            node[place] = int(self.way.level[at]) - 1
        return tuple(node)
