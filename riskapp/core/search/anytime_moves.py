"""Looking for good nodes: down from the top along one chain, then by small moves (`anytime_steps`).

The first move to a better node is made. Where none is better, some steps are made at random from the best node, and the
search begins again from there. Under a most risk the search goes to nodes that say more than the best and from there to
less risk, until that is little enough: a node of just the utility that will do rarely has a better neighbour.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.search.anytime_archive import Seen
from riskapp.core.search.anytime_looking import Looking
from riskapp.core.search.anytime_steps import STEPS, Steps
from riskapp.core.table.lattice import Node

MOST_KICKS = 6
KICKS = 4
"""So many beginnings from the best node before its neighbours are tried again in another order."""
ON_THE_WAY = 8
"""At so many utilities from the least to the most it is begun where nothing else says how much is wanted."""
RISING = (0.001, 0.02, 0.08)
"""Of all utility, by so much more in turn nodes say that are tried under a most risk."""
FIRST_PATIENCE = 32
"""After so many neighbours that are no better it is begun elsewhere; in the end all of them are tried."""
PATIENCE = 10
"""After so many neighbours that are no better the others are prepared for."""


class Moves:
    """The search for good nodes; deterministic for a seed."""

    def __init__(self, looking: Looking, seed: int) -> None:
        self.looking, self.draw = looking, Random(seed)  # noqa: S311
        self.patience = FIRST_PATIENCE
        self.lattice, self.steps = looking.problem.lattice, Steps(looking.problem, self.draw)

    def run(self) -> Iterator[None]:
        """Work on without end, pausing after every node."""
        self.looking.at(self.lattice.top)
        yield
        yield from self._along()
        while True:
            if self.looking.question.kind == "most_risk":
                yield from self._beyond()
            for kick in range(KICKS):
                yield from self.climbed(self._begun(kick))

    def _begun(self, kick: int) -> Node:
        """Where to begin again: at the best node, and in turn near it and somewhere else."""
        nearest = self.looking.nearest
        assert nearest is not None
        if not kick:
            return nearest.node
        if kick % 2 or self.looking.question.kind == "most_risk":
            return self._kicked(nearest.node, self._enough)
        return self.steps.drawn(self.draw.uniform(*self.range) if self._enough == -INFINITE else self._enough)

    @property
    def _enough(self) -> float:
        """The least utility that is asked for."""
        question = self.looking.question
        return question.bound if question.kind == "least_utility" else -INFINITE

    def _along(self) -> Iterator[None]:
        """Look at nodes that say enough, and where on the chain a bound or limit begins to break."""
        question = self.looking.question
        if question.kind == "least_utility":
            yield from self.looked(self.steps.starts(question.bound) or [self.lattice.bottom])
        if question.kind == "trade_off":
            for least in np.linspace(*self.range, ON_THE_WAY).tolist():
                yield from self.looked(self.steps.starts(least))
        chain = self.steps.chain
        low, high = 0, len(chain) - 1
        while low < high:
            middle = (low + high + 1) // 2
            seen = self.looking.at(chain[middle])
            yield
            if seen.key[0] or (question.kind == "most_risk" and seen.key[1]):
                high = middle - 1
            else:
                low = middle

    def looked(self, nodes: Iterable[Node]) -> Iterator[None]:
        """Look at these, pausing after each."""
        for node in nodes:
            self.looking.at(node)
            yield

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most utility."""
        return self.looking.utility(self.lattice.top), self.looking.utility(self.lattice.bottom)

    def _beyond(self) -> Iterator[None]:
        """Under a most risk: to nodes that say more than the best, as long as one of them will do in the end.

        Each time that none will, it is tried with twice the patience.
        """
        low, high = self.range
        before = None
        while self.looking.best is not None and self.looking.best is not before:
            before = self.looking.best
            for more in RISING:
                yield from self._towards(before.utility + more * (high - low))
                if self.looking.best is not before:
                    break
        self.patience *= 2

    def _towards(self, least: float) -> Iterator[None]:
        """To less risk with so much utility: from what is known to risk least, near it, and from somewhere else."""
        yield from self.looked(self.steps.starts(least))
        for begin in (self.known, self._near, self.steps.drawn):
            node = begin(least)
            if node is not None and not self._reached(least):
                yield from self.climbed(node, least, self.patience)

    def _near(self, least: float) -> Node | None:
        node = self.known(least)
        return None if node is None else self._kicked(node, least)

    def _reached(self, least: float) -> bool:
        return self.looking.best is not None and self.looking.best.utility >= least

    def known(self, least: float) -> Node | None:
        """Of the nodes looked at the one that risks least for so much utility; within the limits if there is one."""
        archive = self.looking.archive
        seen = archive.within.least_risk(least) or archive.every.least_risk(least)
        return None if seen is None else seen.node

    def climbed(
        self, node: Node, least: float | None = None, patience: int | None = None, *, past: bool = False
    ) -> Iterator[None]:
        """By moves to better nodes until there is none; with a least utility, to less risk until that will do.

        With `patience` so many nodes that are no better are enough; `past` that will do it goes on to less risk.
        """
        better: Seen | None = self.looking.at(node)
        yield
        while better is not None and not (least is not None and not past and better.will_do):
            here, better = better, None
            for tried, other in enumerate(islice(self.steps.nearby(here.node, self._wanted(here, least)), patience)):
                if tried == PATIENCE:
                    self.looking.around(tuple(max(0, level - STEPS) for level in here.node))
                seen = self.looking.at(other)
                yield
                if self._better(seen, here, least):
                    better = seen
                    break

    def _wanted(self, here: Seen, least: float | None) -> float:
        """A node with less utility than this is certainly no better."""
        if least is not None:
            return least
        if here.will_do and self.looking.question.kind == "most_risk":
            return here.utility
        return self._enough if here.will_do else -INFINITE

    def _better(self, seen: Seen, here: Seen, least: float | None) -> bool:
        """Whether a node is a better answer; or of those with utility enough breaks fewer limits, or has less risk."""
        if least is None:
            return seen.key < here.key
        if _risk(seen) >= _risk(here):
            return False
        return _risk(self.looking.whole(seen)) < _risk(here)

    def _kicked(self, node: Node, least: float) -> Node:
        """Some steps at random, then down again until there is utility enough."""
        levels, places = list(node), self.steps.places
        for _ in range(self.draw.randint(2, MOST_KICKS) if places else 0):
            place = self.draw.choice(places)
            levels[place] = self.draw.randint(0, self.lattice.heights[place])
        while any(levels) and self.looking.utility(tuple(levels)) < least:
            place = self.draw.choice([place for place in places if levels[place]])
            levels[place] -= 1
        return tuple(levels)


def _risk(seen: Seen) -> tuple[float, float]:
    return seen.key[0], seen.figures.risk
