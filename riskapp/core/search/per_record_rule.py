"""What an attacker replays of a per-record rule: the same search, run on any record by its leaf codes.

Weights that only a person's own record holds are the attributes' for the attacker. A record for which no node will do
has no place in such a rule; where an attacker comes to one, it is suppressed. An attacker may also come to records of a
kind that the table has none of, and that the method is not made for: the best node of such a record is found by another
method, and where the rule is no best node, it has no place either.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riskapp.core.search.all_at_once import best_of_each
from riskapp.core.search.answer import Found, Options
from riskapp.core.search.best_so_far import NOT_YET
from riskapp.core.search.each_record import Running, answers
from riskapp.core.search.kinds import Kinds, looked_at, taken
from riskapp.core.search.methods import MONOTONE, needs_monotone
from riskapp.core.search.question import Asked
from riskapp.core.search.record import MOST_NODES
from riskapp.core.search.scope import rising
from riskapp.core.table.completions import NotDone
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Places, folded
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask
from riskapp.core.table.replay import Reading, Rule

Levels = npt.NDArray[np.integer]
Row = npt.NDArray[np.integer]

EXACT_FOR_ALL = "branch-and-bound"
MOST_SEARCHED = 100_000
"""For more records than these a search that takes them one by one is not replayed."""


@dataclass(frozen=True, eq=False)
class Remembered:
    """The levels of records that are known already.

    Attributes
    ----------
    places : the attributes that the rule looks at
    sizes : for each of them a number above all its codes
    leaves : the records' codes there
    levels : in all attributes
    """

    places: list[int]
    sizes: list[int]
    leaves: Codes
    levels: Levels

    def found(self, leaves: Codes) -> Places:
        """For each of some records its place among the known ones; −1 where it is not among them."""
        keys = folded([list(self.leaves.T), list(leaves[:, self.places].T)], self.sizes)
        order = np.argsort(keys.tables[0], kind="stable")
        known = keys.tables[0][order]
        place = np.minimum(np.searchsorted(known, keys.tables[1]), len(known) - 1)
        return np.where(known[place] == keys.tables[1], order[place], -1)


def remembered(kinds: Kinds, levels: Levels) -> Remembered | None:
    """The levels of all kinds; None where they rest on weights of persons, which nobody can know."""
    if any(weighed.personal is not None for weighed in kinds.problem.columns):
        return None
    places = sorted(read_by(kinds.problem))
    sizes = [kinds.problem.hierarchies[place].groups[0] + 1 for place in places]
    return Remembered(places, sizes, kinds.leaves[:, places], levels)


def looked_up(known: Remembered | None, leaves: Codes, search: Rule) -> tuple[Levels, Mask]:
    """The levels of some records, and who has none: those that are not known are searched for."""
    levels, hidden = np.zeros(leaves.shape, dtype=np.int64), np.zeros(len(leaves), dtype=np.bool_)
    new = np.arange(len(leaves))
    if known is not None:
        place = known.found(leaves)
        levels[place >= 0] = known.levels[place[place >= 0]]
        new = np.flatnonzero(place < 0)
    if len(new):
        levels[new], hidden[new] = search(leaves[new])
    return levels, hidden


class Solved:
    """A search that solves no record twice: those equal in the attributes it looks at are solved once, and remembered.

    Parameters
    ----------
    search : for records that were not solved yet
    places : the attributes that it looks at
    """

    def __init__(self, search: Rule, places: Sequence[int]) -> None:
        self._search, self._places = search, list(places)
        self._known: dict[bytes, tuple[Row, np.bool_]] = {}

    def __call__(self, leaves: Codes, /) -> tuple[Levels, Mask]:
        rows = np.ascontiguousarray(leaves[:, self._places])
        keys = [row.tobytes() for row in rows]
        first = {key: place for place, key in reversed(list(enumerate(keys))) if key not in self._known}
        new = sorted(first.values())
        if new:
            found = zip(new, *self._search(leaves[new]), strict=True)
            self._known |= {keys[place]: (levels, hidden) for place, levels, hidden in found}
        answers = [self._known[key] for key in keys]
        return np.array([levels for levels, _ in answers]), np.array([hidden for _, hidden in answers])


def read_by(problem: Problem) -> frozenset[int]:
    """The attributes that a per-record rule looks at: not the kept ones that are nothing to it but a fixed weight."""
    known = {place for dictionary in problem.dictionaries for place in dictionary.places}
    if problem.linkage is not None:
        known |= {one.place for one in problem.linkage.known}
    idle = {place for place in range(len(problem.columns)) if problem.columns[place].kept and _fixed(problem, place)}
    return frozenset(range(len(problem.columns))) - (idle - known)


def _fixed(problem: Problem, place: int) -> bool:
    """Whether a column weighs the same in every record, and is missing in none or in all."""
    weighed = problem.columns[place]
    seen = np.unique(weighed.column.codes)
    same = len(np.unique(weighed.weights.levels[0][seen])) == 1
    return weighed.personal is None and same and (seen > 0).all() == (seen > 0).any()


def replayed(rule: Rule, problem: Problem) -> Rule:
    """The rule as an attacker replays it, who need not guess what it does not look at."""
    return Reading(rule, read_by(problem))


@dataclass(frozen=True, eq=False)
class BestNode:
    """The rule that takes each record to its best node.

    Parameters
    ----------
    problem : what records are measured by
    method, question, options : how the best node is found; `seconds` are for one record
    known : levels that need not be searched again
    running : how the others are, one by one

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> BestNode(asked, "exhaustive", Question("least_utility", 4))(np.array([[1], [3]], dtype=np.int32))
    (array([[1],
           [0]]), array([False, False]))
    """

    problem: Problem
    method: str
    question: Asked
    options: Options = field(default_factory=Options)
    known: Remembered | None = None
    running: Running = field(default_factory=Running)

    def __call__(self, leaves: Codes, /) -> tuple[Levels, Mask]:
        """The levels of some records, and who has none."""
        return looked_up(self.known, leaves, self._exhaustive if self._all_at_once else self._solved)

    @property
    def _all_at_once(self) -> bool:
        """The methods that find the very same node need not be run one by one, unless there are too many nodes."""
        few = self.problem.lattice.size <= MOST_NODES
        return self.method == "exhaustive" or (self.method in MONOTONE and few)

    def _exhaustive(self, leaves: Codes) -> tuple[Levels, Mask]:
        best = best_of_each(looked_at(self.problem, leaves), self.question)
        return best.levels, best.number == NOT_YET

    @cached_property
    def _solved(self) -> Solved:
        return Solved(self._one_by_one, self._places)

    @cached_property
    def _places(self) -> list[int]:
        return sorted(read_by(self.problem))

    def _one_by_one(self, leaves: Codes) -> tuple[Levels, Mask]:
        if len(leaves) > MOST_SEARCHED:
            raise NotDone
        rows = looked_at(self.problem, leaves)
        levels, hidden = np.zeros(leaves.shape, dtype=np.int64), np.ones(len(leaves), dtype=np.bool_)
        for method, places in self._by_method(rows):
            found = answers(taken(rows, places), method, self.question, self.options, self.running, places=self._places)
            for place, answer in zip(places, found, strict=True):
                if isinstance(answer, Found):
                    levels[place], hidden[place] = answer.node, False
        return levels, hidden

    def _by_method(self, rows: Problem) -> list[tuple[str, Places]]:
        """Which records are searched by which method; others have no place in the rule."""
        if not needs_monotone(self.method, self.question):
            return [(self.method, np.arange(len(rows)))]
        outside = rising(rows)
        both = [(self.method, np.flatnonzero(~outside)), (EXACT_FOR_ALL, np.flatnonzero(outside))]
        return [(method, places) for method, places in both if len(places) and (method == self.method or self._best)]

    @property
    def _best(self) -> bool:
        """Whether the rule is each record's best node, however it is found."""
        return self.method in MONOTONE
