"""What every node of the lattice would suppress for some k, and what would be left: all nodes, exactly.

Where every record is a person of its own, the groups of a node are classes of records that look alike, rolled up from
those of a finer node. Otherwise every node's groups are formed from the records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from threading import Lock

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.rolled.classes import Classes, classes
from riskapp.core.rolled.counting import Counted, all_levels, columns_of
from riskapp.core.rolled.fields import Field, laid_out, values_field
from riskapp.core.rolled.walk import Felt, Walk
from riskapp.core.search.class_groups import GROUPS, LEAST, LEFT, MOST, SUPPRESSED, ClassGroups, Far
from riskapp.core.search.each_group import asks_l, asks_t
from riskapp.core.search.log import Log, NoLog
from riskapp.core.search.suppressing import AtNode
from riskapp.core.search.top_down import TopDown
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import like_missing
from riskapp.core.watching import Progress, Stop

Figures = list[list[float]]
"""Of one node, for every k: how many records are suppressed, the utility, and the distance."""


@dataclass(frozen=True, eq=False)
class Suppressions:
    """The nodes of a lattice with their weak groups suppressed, for one k; a place for each node.

    Attributes
    ----------
    suppressed : how many records are; all of them, where a node suppresses more than may be and was not looked at
    utilities : of the released tables
    distances : of the farthest released group from the table; 0 where no t is asked for
    """

    suppressed: Counts
    utilities: Numbers
    distances: Numbers


def suppressions(
    problem: Problem,
    k: Sequence[int],
    most: int,
    *,
    progress: Progress,
    stop: Stop,
    threads: int = 2,
    log: Log[Figures] | None = None,
) -> list[Suppressions]:
    """For each k what the nodes suppress, in the order of the lattice: exact for those that keep the limit.

    Parameters
    ----------
    problem, k : what is released, and the least people of a group
    most : so many records may be suppressed
    progress, stop : told how much is done, and asked whether to stop
    threads : how many work at once
    log : where nodes are gone through one by one, what is known from an earlier start, and who keeps what is found

    Raises
    ------
    Stopped
        If `stop` said so.
    """
    rolled = by_classes(problem, k)
    if rolled is None:
        return by_records(problem, k, progress, stop, log)
    found = {people: rolled.few(people, most, stop) for people in k}
    others = [people for people, nodes in found.items() if nodes is None]
    if others:
        found |= zip(others, rolled.only(others).run(progress, stop, threads), strict=True)
    else:
        progress(1, 1)
    return [nodes for nodes in map(found.get, k) if nodes is not None]


def by_records(
    problem: Problem, k: Sequence[int], progress: Progress, stop: Stop, log: Log[Figures] | None = None
) -> list[Suppressions]:
    """Every node from its records: slow, and possible for every problem."""
    size, log = problem.lattice.size, log or NoLog()
    found = log.taken(size)
    for place in range(len(found), size):
        progress(place, size)
        if stop():
            raise Stopped
        there = AtNode(problem, problem.lattice.node(place))
        found.append([_figures(there, people) for people in k])
        log.keep(found[-1:])
    progress(size, size)
    figures = np.array(found).reshape(size, len(k), 3).swapaxes(0, 1)
    return [Suppressions(some[:, 0].astype(np.int64), some[:, 1], some[:, 2]) for some in figures]


def _figures(there: AtNode, k: int) -> list[float]:
    """How many records a node suppresses, its utility then, and how far the farthest group is."""
    released = there.released(k)
    utility = there.problem.utility.of(released.only(there.problem.generalised))
    return [float(released.suppressed.sum()), utility, there.distance(k)]


@dataclass(frozen=True, eq=False)
class Rolled:
    """A walk over classes that sums up their groups.

    Attributes
    ----------
    fields : the attributes in which groups are equal, and in the lowest bits the sensitive values where l or t needs
        them
    felt : what the cells say
    """

    problem: Problem
    fields: tuple[Field, ...]
    table: Classes
    felt: Felt
    groups: ClassGroups

    def run(self, progress: Progress, stop: Stop, threads: int) -> list[Suppressions]:
        """All nodes."""
        shape = [field.steps + 1 for field in self.fields]
        strides = [prod(shape[place + 1 :]) for place in range(len(shape))]
        figures = np.zeros((prod(shape), len(self.groups.k), len(self.groups.FIGURES)))
        lock, done = Lock(), 0

        def visit(steps: Node, found: Classes, last: Numbers | None) -> None:
            nonlocal done
            row = sum(step * stride for step, stride in zip(steps, strides, strict=True))
            self.groups.summed(found, last, figures[row])
            with lock:
                done += 1
                progress(done, len(figures))

        Walk(self.fields, self.felt, visit, stop, threads).run(self.table)
        rows = Counted(self.fields, figures[:, 0]).at(all_levels(self.problem))
        return [self._suppressions(figures[rows, place]) for place in range(len(self.groups.k))]

    def measuring(self, far: Far) -> "Rolled":
        """The same with another figure in the place of the distance."""
        return replace(self, groups=replace(self.groups, far=far))

    def only(self, k: Sequence[int]) -> "Rolled":
        """The same for some k."""
        return replace(self, groups=replace(self.groups, k=np.array(k, dtype=np.int64)))

    def few(self, k: int, most: int, stop: Stop) -> Suppressions | None:
        """The nodes that suppress few records, where only k is asked for and there are few such nodes."""
        if asks_l(self.problem) or asks_t(self.problem):
            return None
        lattice = self.problem.lattice
        top_down = TopDown(lattice, self.fields, self.table, self.felt, k).floored(most)
        if not top_down.rare(most):
            return None
        return self.filled(top_down.within(most, stop))

    def filled(self, found: Mapping[Node, Numbers]) -> Suppressions:
        """Of all nodes, when some were looked at."""
        lattice = self.problem.lattice
        figures = np.zeros((lattice.size, len(self.groups.FIGURES)))
        figures[:, SUPPRESSED] = len(self.problem)
        for node, own in found.items():
            figures[lattice.number(node)] = own
        return self._suppressions(figures)

    def _suppressions(self, figures: Numbers) -> Suppressions:
        suppressed = figures[:, SUPPRESSED]
        return Suppressions(suppressed.astype(np.int64), self._utilities(figures, suppressed), figures[:, -1])

    def _utilities(self, figures: Numbers, suppressed: Numbers) -> Numbers:
        utility = self.problem.utility
        if utility.over_records == "mean":
            mean: Numbers = (figures[:, LEFT] + suppressed * utility.of_nothing) / len(self.problem)
            return mean
        extreme, at = (np.minimum, LEAST) if utility.over_records == "min" else (np.maximum, MOST)
        with_nothing = extreme(figures[:, at], utility.of_nothing)
        found: Numbers = np.where(suppressed > 0, with_nothing, figures[:, at])
        return np.where(figures[:, GROUPS] > 0, found, utility.of_nothing)


def by_classes(problem: Problem, k: Sequence[int]) -> Rolled | None:
    """How all nodes can be counted by classes; None when the records must be gone through."""
    if problem.people is not None or like_missing(map(problem.column, problem.grouped)):
        return None
    groups = ClassGroups.of(problem, k)
    values = groups.codes if asks_l(problem) or asks_t(problem) else None
    own = () if values is None else (values_field(0, problem.hierarchies[0], values),)
    fields = laid_out(columns_of(problem, problem.grouped), lowest=sum(field.mask.bit_length() for field in own))
    if fields is None:
        return None
    said = dict(zip(problem.generalised, problem.utility.tables, strict=True))
    felt: Felt = [
        [field.by_number(step, said[field.place][step]) if field.place in said else None for step in _steps(field)]
        for field in fields
    ]
    every = (*fields, *own)
    nothing: Felt = [[None] for _ in own]
    return Rolled(problem, every, classes(every, (), None, itself=True), [*felt, *nothing], groups)


def _steps(field: Field) -> range:
    return range(field.steps + 1)
