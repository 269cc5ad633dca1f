"""A proof that no node with utility enough has less risk than a target; the target is doubled until time is over.

The proof is a walk through partial nodes (`anytime_walk`). It counts in one dictionary: the one that makes the most of
the risk. Where it comes to a whole node that is not known to be no better, that node is looked at, and may be the new
best. A target that is the best node's own risk proves that there is none better.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.search.anytime_bounds import Bounds
from riskapp.core.search.anytime_ground import Surveyed, surveyed
from riskapp.core.search.anytime_looking import Looking
from riskapp.core.search.anytime_walk import DEPTH, THROUGH, WHOLE_NODE, Way, step_back, walked
from riskapp.core.table.lattice import Node

AT_ONCE = 500
"""So many chances are counted before others have their turn."""
ROOM = 1 << 22
"""Classes times values that can be told apart at a time."""
FIRST = 1e-6
"""Of the best node's risk, the first target."""
TOLD, LEFT = 1 - 5e-12, 1 - 2e-12
"""What is claimed of a target and what is left out at it, so that rounding does no harm."""


@dataclass(eq=False)
class Proof:
    """The proof at work; `bound` holds at any moment, `done` says that no node is better than the best."""

    looking: Looking
    over: Surveyed
    bound: float = -INFINITE
    done: bool = False

    @classmethod
    def of(cls, looking: Looking, bounds: Bounds) -> "Proof | None":
        """A proof for a least utility; None where the risk is not made of chances times sums of weights."""
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
        """Work on, pausing after every piece, until the best is proved."""
        target = FIRST * (self._best if self._best < INFINITE else 1.0)
        while not self.done:
            yield from self._through(target)
            self.bound = max(self.bound, min(target, self._best) * TOLD)
            self.done = target >= self._best
            target *= 2

    @property
    def _best(self) -> float:
        return INFINITE if self.looking.best is None else self.looking.best.objective

    def _through(self, target: float) -> Iterator[None]:
        """One walk to its end."""
        way = self.way
        way.place[DEPTH], way.level[0], way.fine[0] = 0, 0, 0
        paused = None
        while paused != THROUGH:
            # A node that was found meanwhile lowers what has to be shown.
            paused = walked(self.over.ground, way, min(target, self._best) * LEFT / self.over.share, AT_ONCE)
            if paused == WHOLE_NODE:
                self.looking.at(self._node())
                step_back(way)
            yield

    def _node(self) -> Node:
        node = list(self.looking.problem.lattice.bottom)
        for at, place in enumerate(self.over.order):
            node[place] = int(self.way.level[at]) - 1
        return tuple(node)
