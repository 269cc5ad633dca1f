"""One record of a table as the searches for one record see it: its weights, its utilities and its crowds.

The lowest level at which an entry and the record agree is found for each *value* of the dictionary's column, and looked
up for the entries. A value matched by likeness agrees where any of the labels does that it may stand for. Where people
have several entries, |ρ| is counted at every node for many records together.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.crowd import Crowd, Meets, Tabled
from riskapp.core.search.kinds import taken
from riskapp.core.search.looking import in_risk, priors
from riskapp.core.search.record import MOST_NODES, Pair, Record
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.entries import Entries, entries
from riskapp.core.table.identification import Identification
from riskapp.core.table.matching import labels_of
from riskapp.core.table.problem import Problem

Levels = npt.NDArray[np.int16]

NEVER = np.int16(32_000)
"""The level at which a kept column agrees that does not."""
COUNTED_AT_ONCE = 1 << 24
"""So many counts, nodes times records, are in memory at a time."""
REMEMBERED = 4096


class Records:
    """The records of a problem, one by one.

    Parameters
    ----------
    problem : with one record of each kind

    Raises
    ------
    BadSetting
        If there are linkage data, or people have several entries and there are too many nodes to count at each.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> first = Records(asked)[0]
    >>> first.table().people[0], first.table().utility
    (array([1, 2, 2, 2, 3, 3]), array([5., 4., 3., 2., 1., 0.]))
    """

    def __init__(self, problem: Problem) -> None:
        if problem.linkage is not None:
            told = "Only the exhaustive search takes linkage into account."
            raise BadSetting("linkage", f"{told} Choose exhaustive in search.methods, or leave linkage out.")
        self.problem = problem
        limited = problem.limits.largest_chance is not None
        # A dictionary that only limits chances has no part in the risk.
        self.dictionaries = problem.dictionaries if limited else in_risk(problem)
        self._meeting = {one.name: _Meeting.of(one, problem) for one in self.dictionaries}
        self._tables: dict[str, tuple[int, npt.NDArray[np.int64]]] = {}
        if None in self._meeting.values() and problem.lattice.size > MOST_NODES:
            told = f"People have several entries and there are {problem.lattice.size} nodes, too many to count at each."
            raise BadSetting("dictionaries", f"{told} Leave identities out, or fewer levels.")

    def __len__(self) -> int:
        return len(self.problem)

    def __getitem__(self, row: int) -> Record:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self._record(row, tuple(self._crowd(dictionary, row) for dictionary in self.dictionaries))

    @cached_property
    def _counted_together(self) -> int:
        return max(1, COUNTED_AT_ONCE // self.problem.lattice.size)

    def _counts(self, dictionary: Dictionary, row: int) -> npt.NDArray[np.int64]:
        """|ρ| of a record at every node, where it cannot be added up; its neighbours' are counted with it."""
        number, place = divmod(row, self._counted_together)
        if self._tables.get(dictionary.name, (-1,))[0] != number:
            start = number * self._counted_together
            rows = slice(start, min(start + self._counted_together, len(self)))
            found = Identification(dictionary, taken(self.problem, rows).records.columns)
            self._tables[dictionary.name] = number, np.stack([found.at(node) for node in self.problem.lattice], axis=1)
        counts: npt.NDArray[np.int64] = self._tables[dictionary.name][1][place]
        return counts

    def _crowd(self, dictionary: Dictionary, row: int) -> Crowd:
        meeting = self._meeting[dictionary.name]
        if meeting is not None:
            return meeting.of_record([column.codes[row] for column in self.problem.records.columns])
        shape = [height + 1 for height in self.problem.lattice.heights]
        return Tabled(self._counts(dictionary, row).reshape(shape), dictionary.everybody)

    def _record(self, row: int, crowds: tuple[Crowd, ...]) -> Record:
        problem, factor = self.problem, self._factors[row]
        over = "worst" if problem.risk.over_dictionaries == "worst" else "bayes"
        return Record(
            heights=problem.lattice.heights,
            weights=[self._weights(place, row) * factor for place in range(len(problem.columns))],
            utilities=[self._utilities(place, row) for place in range(len(problem.columns))],
            crowds=crowds,
            pairs=self._pairs(row, factor),
            family=problem.sensitivity.family,
            loss=problem.loss,
            over_dictionaries=over,
            priors=self._priors,
            largest_chance=problem.limits.largest_chance,
        )

    @cached_property
    def _factors(self) -> npt.NDArray[np.float64]:
        """What each record's weights are multiplied by to sum to the person's total."""
        if self.problem.sensitivity.totals is None:
            return np.ones(len(self.problem))
        leaves, most = self.problem.sensitivity.totals
        return most / leaves

    def _weights(self, place: int, row: int) -> npt.NDArray[np.float64]:
        weighed, chosen = self.problem.columns[place], slice(row, row + 1)
        return np.array([weighed.at(level, chosen)[0] for level in range(weighed.height + 1)])

    def _utilities(self, place: int, row: int) -> npt.NDArray[np.float64]:
        if place not in self.problem.generalised:
            return np.zeros(1)
        table = self.problem.utility.tables[self.problem.generalised.index(place)]
        says: npt.NDArray[np.float64] = table[:, self.problem.columns[place].column.codes[row]]
        return says

    def _pairs(self, row: int, factor: float) -> tuple[Pair, ...]:
        places = {name: place for place, name in enumerate(self.problem.names)}
        pairs = [(places[pair.one], places[pair.other], pair.weight) for pair in self.problem.sensitivity.pairs]
        said = [self.problem.columns[place].column.codes[row] != 0 for place in range(len(places))]
        return tuple(Pair(one, other, weight * factor) for one, other, weight in pairs if said[one] and said[other])

    @property
    def _priors(self) -> Sequence[float]:
        """Where one dictionary is named the others are there for the limit only."""
        shares = dict(zip([one.name for one in in_risk(self.problem)], priors(self.problem).tolist(), strict=True))
        return [shares.get(one.name, 0.0) for one in self.dictionaries]


class _Meeting:
    """Where records meet the entries of one dictionary in which every entry is somebody else."""

    def __init__(self, some: Sequence[Entries], everybody: int, heights: Sequence[int]) -> None:
        self.some, self.everybody, self.heights = some, everybody, heights
        self._levels = lru_cache(REMEMBERED)(self._of_values)

    @classmethod
    def of(cls, dictionary: Dictionary, problem: Problem) -> "_Meeting | None":
        """None where people have several entries."""
        some = entries(dictionary)
        if any(one.persons is not None for one in some):
            return None
        return cls(some, dictionary.everybody, problem.lattice.heights)

    def of_record(self, leaves: Sequence[np.int32]) -> Meets:
        """The meet vectors with one record."""
        if not self.some:
            return Meets(np.zeros((0, len(self.heights)), dtype=np.int64), np.zeros(0, dtype=np.int64), self.everybody)
        (known,) = self.some
        levels = np.zeros((len(known), len(self.heights)), dtype=np.int64)
        possible = np.ones(len(known), dtype=np.bool_)
        for number, column in enumerate(known.columns):
            found = self._levels(number, int(leaves[column.place]))[column.codes]
            possible &= found < NEVER
            levels[:, column.place] = found
        return Meets.of(levels[possible], known.times[possible], self.everybody)

    def _of_values(self, number: int, leaf: int) -> Levels:
        """For every value of the dictionary's column the lowest level of a node at which it agrees with a leaf."""
        column = self.some[0].columns[number]
        lowest = _of_labels(column, leaf, self.heights[column.place])
        if column.alike is None:
            return lowest
        labels = labels_of(column)
        found = np.full(len(labels.starts) - 1, NEVER, dtype=np.int16)
        owner = np.repeat(np.arange(len(found)), np.diff(labels.starts))
        np.minimum.at(found, owner, lowest[labels.codes])
        found[0] = 0
        return found


def _of_labels(column: Known, leaf: int, height: int) -> Levels:
    """For every label of the column's level the lowest level of a node at which it agrees with a leaf."""
    tree = column.hierarchy
    lowest = np.full(tree.groups[column.level] + 1, NEVER, dtype=np.int16)
    # A kept column has no level to choose: who differs there is never met.
    for level in range(max(height, column.level), column.level - 1, -1):
        agree = tree.up(column.level, level) == tree.ancestors[level, leaf]
        lowest[agree] = level if level > column.level else 0
    lowest[0] = 0
    return lowest if leaf else np.zeros_like(lowest)
