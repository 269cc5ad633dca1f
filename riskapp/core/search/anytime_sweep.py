"""Looking for the least risk at utilities all over the range, after the question has been answered.

First nodes that tell little are looked at everywhere; then, from the best that is known there, it goes on by small
moves, in each round with more patience. The limits may leave only a part of the range: half of it is looked for there.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from riskapp.core.search.anytime_moves import Moves

Item = TypeVar("Item")
TARGETS = 32
PATIENCE = (12, 48)
"""After so many neighbours that are no better a node is left, in one round after the other."""


class Sweep:
    """The walk over the range; it ends by itself."""

    def __init__(self, moves: Moves) -> None:
        self.moves, self.archive = moves, moves.looking.archive

    def run(self) -> Iterator[None]:
        """Work on, pausing after every node."""
        for least in self._targets():
            yield from self.moves.looked(self.moves.steps.starts(least))
        for patience in PATIENCE:
            for least in self._targets():
                begin = self.moves.known(least)
                if begin is not None:
                    yield from self.moves.climbed(begin, least, patience, past=True)

    def _targets(self) -> list[float]:
        """Utilities from the least to the most, in such an order that any beginning of it is spread."""
        low, high = self.moves.range
        most = self.archive.within.utilities[-1] if len(self.archive.within) else low
        if not self.moves.looking.limited:
            return spread_out(np.linspace(low, high, TARGETS).tolist())
        ranges = (np.linspace(low, end, TARGETS // 2).tolist() for end in (most, high))
        return [least for pair in zip(*map(spread_out, ranges), strict=True) for least in pair]


def spread_out(items: Sequence[Item]) -> list[Item]:
    """The same items in such an order that any beginning of it is spread over all of them.

    >>> spread_out([0, 1, 2, 3, 4, 5])
    [0, 4, 2, 1, 5, 3]
    """
    bits = max(1, (len(items) - 1).bit_length())
    order = sorted(range(len(items)), key=lambda place: f"{place:0{bits}b}"[::-1])
    return [items[place] for place in order]
