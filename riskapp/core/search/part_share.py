"""How many people of a parted table are above a chance that only a share may be above, and how many more may be.

Everybody in a part has the same chance, for all are shown alike. Whoever is above it stays so when the part is split
on, so that costs nothing; splitting another part costs those of its people who would be above.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.search.each_group import compared
from riskapp.core.search.suppressing import within_share
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.keys import Places, once
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask


@dataclass(eq=False)
class Share:
    """Counts the people above the chance, for each dictionary.

    Parameters
    ----------
    problem : whose people they are
    times : how many records each stands for; where people have several records, each stands for itself

    Attributes
    ----------
    above : by dictionaries which records are above the chance; no dictionary where there is no such limit
    """

    problem: Problem
    times: Counts

    def __post_init__(self) -> None:
        limit = self.problem.limits.share_above
        self._most = 0 if limit is None else within_share(limit.share, self.problem.persons)
        many = 0 if limit is None else len(self.problem.dictionaries)
        self.above: Mask = np.zeros((many, len(self.problem)), dtype=np.bool_)

    def too_likely(self, chances: Numbers) -> Mask:
        """By dictionaries, which of some chances are above it."""
        limit = self.problem.limits.share_above
        if limit is None:
            return np.zeros((0, chances.shape[1]), dtype=np.bool_)
        return np.stack([compared(some, limit.chance) > 0 for some in chances])

    def begin(self, records: Places, above: Mask) -> None:
        """With these records above it. Where they are too many, nobody may be in a new part, nor stay so in it."""
        self.put(records, above)
        if (self._people > self._most).any():
            self.above[:], self._most = False, 0

    def put(self, records: Places, above: Mask) -> None:
        """Some records are shown otherwise now."""
        self.above[:, records] = above

    def costs(self, own: Places, records: Places, above: Mask, parts: int) -> Counts:
        """By dictionaries and parts, how many people would be put above it, given the part of some records."""
        found = np.zeros((len(above), parts), dtype=np.int64)
        for dictionary, would in enumerate(above):
            people = self._who[records]
            new = would & ~self._people_above(dictionary)[people]
            pairs = once(own[new] * len(self._counts) + people[new], parts * len(self._counts))
            first = np.flatnonzero(new)[pairs.first]
            np.add.at(found[dictionary], own[first], self._counts[people[first]])
        return found

    def affordable(self, costs: Counts) -> Places:
        """The parts that may be split together: as many as can be, those first that cost the fewest people."""
        left = (self._most - self._people)[:, None]
        parts = np.flatnonzero((costs <= left).all(axis=0))
        parts = parts[np.argsort(costs[:, parts].max(axis=0), kind="stable")]
        return parts[(np.cumsum(costs[:, parts], axis=1) <= left).all(axis=0)]

    @property
    def _people(self) -> Counts:
        """By dictionaries, the people above it."""
        own = [self._counts[self._people_above(dictionary)].sum() for dictionary in range(len(self.above))]
        return np.array(own, dtype=np.int64)

    def _people_above(self, dictionary: int) -> Mask:
        found = np.zeros(len(self._counts), dtype=np.bool_)
        found[self._who[self.above[dictionary]]] = True
        return found

    @cached_property
    def _who(self) -> Places:
        """The number of every record's person."""
        people = self.problem.people
        return np.arange(len(self.problem)) if people is None else people.astype(np.intp)

    @cached_property
    def _counts(self) -> Counts:
        """How many people each of these numbers stands for."""
        return self.times if self.problem.people is None else np.ones(int(self._who.max()) + 1, dtype=np.int64)
