"""What an attacker replays of a rule on the exact frontier: each record walks along its own hull up to one price."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.optimum import Question
from riskapp.core.search.all_at_once import Parts, best_of_each
from riskapp.core.search.best_so_far import NOT_YET
from riskapp.core.search.hull_points import hull_points
from riskapp.core.search.hulls import Growing, Hulls
from riskapp.core.search.kinds import Kinds, looked_at, taken
from riskapp.core.search.looking import Look, Whole, levels_of
from riskapp.core.search.per_record_rule import Levels, Remembered, looked_up, read_by
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask


def hulls_of(problem: Problem, parts: Parts | None = None) -> Hulls:
    """The hull of every record of a problem, without nodes of infinite risk or above the largest chance."""
    return Hulls.joined((parts or Parts()).each(problem, _grown, hull_points))


def hulls_of_kinds(kinds: Kinds, parts: Parts | None = None) -> Hulls:
    """The hull of every kind; of one that counts for nothing in the risk a single point: all it can say, at no risk."""
    hulls, idle = hulls_of(kinds.problem, parts), np.flatnonzero(kinds.shares == 0)
    if not len(idle):
        return hulls
    most = best_of_each(taken(kinds.problem, idle), Question("most_risk", INFINITE))
    there = most.number != NOT_YET
    return hulls.replaced(idle, idle[there], most.utility[there], most.number[there])


def _grown(problem: Problem, seen: Iterator[Look]) -> Hulls:
    growing = Growing(len(problem))
    for look in seen:
        growing.look(look, problem.limits.largest_chance)
    return growing.packed()


@dataclass(frozen=True, eq=False)
class FrontierRule:
    """The rule of a breakpoint.

    Parameters
    ----------
    problem : what records are measured by
    price : what the last step took for each unit of utility; None when there was none
    last : the leaf codes of the record that took it: of steps that cost the same, those of later records were not taken
    known : levels that need not be looked for again

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> FrontierRule(asked, 0.125, (1,))(np.array([[1], [3]], dtype=np.int32))
    (array([[1],
           [5]]), array([False, False]))
    """

    problem: Problem
    price: float | None = None
    last: tuple[int, ...] = ()
    known: Remembered | None = None

    def __call__(self, leaves: Codes, /) -> tuple[Levels, Mask]:
        """The levels of some records, and who has none."""
        return looked_up(self.known, leaves, self._walked)

    def _walked(self, leaves: Codes) -> tuple[Levels, Mask]:
        hulls = hulls_of(looked_at(self.problem, leaves))
        places = hulls.starts[:-1] + self._taken(hulls, leaves)
        levels = np.zeros(leaves.shape, dtype=np.int64)
        levels[~hulls.empty] = levels_of(self.problem.lattice, hulls.numbers[places[~hulls.empty]])
        return levels, hulls.empty

    def _taken(self, hulls: Hulls, leaves: Codes) -> Whole:
        """How many steps each record takes."""
        if self.price is None:
            return np.zeros(len(hulls), dtype=np.int64)
        owner, end = hulls.steps
        said, cost = np.diff(hulls.utilities)[end - 1], np.diff(hulls.risks)[end - 1]
        slope = cost / said
        places = sorted(read_by(self.problem))
        last = [self.last[place] for place in places]
        earlier = np.array([row <= last for row in leaves[:, places].tolist()], dtype=np.bool_)
        return np.bincount(owner[(slope < self.price) | ((slope == self.price) & earlier[owner])], minlength=len(hulls))
