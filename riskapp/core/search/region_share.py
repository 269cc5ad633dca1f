"""A limit that couples regions: so many people, of all regions together, may be above a chance.

Everybody above it is given a price, which is added to what the regions make small. At a high price the best choice puts
few people above the chance, at a low one many; prices are halved until the choice hardly changes. And the least that
costs and prices can be together, less the price of all people that may be above, bounds what any choice within the
limit can reach (Lagrange).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.search.region_hull import Chosen, Merged, Part
from riskapp.core.table.keys import Places

LOWEST, STEPS = 1e-9, 24
"""The lowest price as a share of the highest, and so often the range between them is halved."""


@dataclass(frozen=True, eq=False)
class Priced:
    """The choices of some parts at many prices.

    Parameters
    ----------
    parts : what regions may choose from
    above : for each part by dictionaries and points the people above the chance
    bound : what must be gained
    most : so many may be above, with every dictionary

    Examples
    --------
    >>> parts = [Part(np.zeros(2), np.array([0.0, 3.0])), Part(np.zeros(2), np.array([0.0, 1.0]))]
    >>> priced = Priced(parts, [np.array([[2.0, 0.0]])] * 2, 0.0, 2)
    >>> [choice.tolist() for choice in priced.found[-1:]], round(priced.least, 6)
    ([[0, 1]], 1.0)
    """

    parts: Sequence[Part]
    above: Sequence[Numbers]
    bound: float
    most: int

    @property
    def found(self) -> list[Places]:
        """The choices that put no more people above the chance, at most one for each price."""
        return self._searched[0]

    @property
    def least(self) -> float:
        """No choice within the limit costs less."""
        return self._searched[1]

    @cached_property
    def _searched(self) -> tuple[list[Places], float]:
        high = float(sum(np.ptp(part.costs) for part in self.parts)) or 1.0
        low, price, found, least = high * LOWEST, high, list[Places](), -INFINITE
        for _ in range(STEPS):
            chosen = self._at(price)
            least = max(least, chosen.least - price * self.most * len(self.above[0]))
            kept = chosen.least < INFINITE and bool((self._people(chosen.places) <= self.most).all())
            if kept:
                found.append(chosen.places)
            elif price == high and not found:
                break
            low, high = (low, price) if kept else (price, high)
            price = float(np.sqrt(low * high))
        return found, least

    def _at(self, price: float) -> Chosen:
        pairs = zip(self.parts, self.above, strict=True)
        return Merged([Part(part.gains, part.costs + price * own.sum(axis=0)) for part, own in pairs]).best(self.bound)

    def _people(self, places: Places) -> Numbers:
        pairs = zip(self.above, places.tolist(), strict=True)
        people: Numbers = np.sum([own[:, place] for own, place in pairs], axis=0)
        return people
