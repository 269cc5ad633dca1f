"""Looking at all records at one node after the other: their losses, utilities and chances of being identified.

Nodes come in an order in which those that are alike for the first dictionary follow each other, so that people are
counted once for all of them; sums over the columns are kept while the first columns stay at their levels.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import INFINITE, Numbers, inverse, plus, times
from riskapp.core.rolled.pointers import Crowds
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.linkage import linked_losses
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity_walk import walk
from riskapp.core.watching import Watch

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Look:
    """All records at one node.

    Attributes
    ----------
    node, number : the node, and its place in the order of ids as text
    phi, utility, chance : of every record; the chance is the largest of those with any dictionary
    losses : of every record, for each dictionary that the risk is about
    people : |ρ| of every record, for these and for those that only limit the chance
    """

    problem: Problem
    node: Node
    number: int
    phi: Numbers
    utility: Numbers
    chance: Numbers
    losses: tuple[Numbers, ...]
    people: tuple[Counts, ...]

    @cached_property
    def risk(self) -> Numbers:
        """What the losses against the dictionaries are together."""
        if len(self.losses) == 1:
            return self.losses[0]
        if self.problem.risk.over_dictionaries == "worst":
            worst: Numbers = reduce(np.maximum, self.losses)
            return worst
        return plus(*[times(share, loss) for share, loss in zip(priors(self.problem), self.losses, strict=True)])

    @cached_property
    def inverse(self) -> Numbers:
        """1/r as the aggregate question reads it: ∞ where r = 0, but 0 where that is only because there is nobody."""
        shown = (self.phi > 0) | (self.problem.loss.model == "anonymity")
        alone = (reduce(np.maximum, self._people_at_risk) == 0) & shown & (self.risk == 0)
        return np.where(alone, 0.0, np.where(self.risk == 0, INFINITE, inverse(self.risk)))

    @property
    def _people_at_risk(self) -> list[Counts]:
        """Without those of dictionaries that only limit the chance."""
        shares = zip(in_risk(self.problem), priors(self.problem), strict=True)
        counted = {dictionary.name for dictionary, share in shares if share > 0}
        pairs = zip(counted_for(self.problem), self.people, strict=True)
        return [people for dictionary, people in pairs if dictionary.name in counted]


def in_risk(problem: Problem) -> tuple[Dictionary, ...]:
    """The dictionaries that the risk is about: all of them, or the one that is named."""
    if problem.risk.over_dictionaries in ("worst", "bayes"):
        return problem.dictionaries
    return tuple(one for one in problem.dictionaries if one.name == problem.risk.over_dictionaries)


def counted_for(problem: Problem) -> tuple[Dictionary, ...]:
    """The dictionaries whose people are counted: those of the risk, and where chances are limited all of them."""
    return in_risk(problem) if problem.limits.largest_chance is None else problem.dictionaries


def priors(problem: Problem) -> Numbers:
    """Of the dictionaries that the risk is about, normalised; all alike where they are not weighed by them."""
    if problem.risk.over_dictionaries != "bayes":
        return np.full(len(in_risk(problem)), 1 / len(in_risk(problem)))
    given = np.array([problem.risk.priors.get(dictionary.name, 1.0) for dictionary in in_risk(problem)])
    shares: Numbers = given / given.max() / (given / given.max()).sum()
    return shares


def by_text(lattice: Lattice) -> Whole:
    """The numbers of all nodes in the order of their ids as text."""
    if max(lattice.heights, default=0) < 10:
        return np.arange(lattice.size)
    texts = [".".join(map(str, node)) for node in lattice]
    return np.array(sorted(range(lattice.size), key=texts.__getitem__))


def levels_of(lattice: Lattice, numbers: Whole) -> Whole:
    """The levels of nodes given by their places in that order, a row for each.

    >>> levels_of(Lattice((1, 10)), np.array([1, 2, 11]))
    array([[ 0,  1],
           [ 0, 10],
           [ 1,  0]])
    """
    nodes = by_text(lattice)[numbers]
    columns = zip(lattice.strides, lattice.heights, strict=True)
    return np.stack([nodes // stride % (height + 1) for stride, height in columns], axis=1)


def ordered(problem: Problem) -> list[Node]:
    """All nodes, those together that are alike for the first dictionary of the risk."""
    known = in_risk(problem)[0].known
    return sorted(problem.lattice, key=lambda node: [max(node[one.place], one.level) for one in known])


def looks(problem: Problem, watch: Watch | None = None, crowds: Crowds | None = None) -> Iterator[Look]:
    """All records at each node of the lattice.

    Parameters
    ----------
    problem : whose records they are
    watch : who is told how far it is
    crowds : where there is only one dictionary that matters, and its people are counted already

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> for look in looks(problem({"sex": ["f", "m", "f"]})):
    ...     print(look.node, look.risk, look.utility)
    (0,) [0.5 1.  0.5] [1. 1. 1.]
    (1,) [0. 0. 0.] [0. 0. 0.]
    """
    nodes, numbers, counting = ordered(problem), np.argsort(by_text(problem.lattice)), _Counting(problem, crowds)
    walked = zip(nodes, walk(problem.sensitivity, nodes), _utilities(problem, nodes), strict=True)
    for done, (node, phi, utility) in enumerate(walked):
        (watch or Watch()).tell(done, len(nodes))
        yield counting.look(node, int(numbers[problem.lattice.number(node)]), phi, utility)


class _Counting:
    """Counts people for the dictionaries that matter."""

    def __init__(self, problem: Problem, crowds: Crowds | None) -> None:
        self.problem = problem
        self.risky = [dictionary.name for dictionary in in_risk(problem)]
        wanted = counted_for(problem)
        self.found: dict[str, Identification | Crowds]
        if crowds is not None:
            self.found = {dictionary.name: crowds for dictionary in wanted}
        else:
            columns = problem.records.columns
            self.found = {dictionary.name: Identification(dictionary, columns) for dictionary in wanted}
        self.everybody = {dictionary.name: dictionary.everybody for dictionary in wanted}

    def look(self, node: Node, number: int, phi: Numbers, utility: Numbers) -> Look:
        loss = self.problem.loss
        people = {name: found.at(node) for name, found in self.found.items()}
        losses = {name: loss.of(phi, people[name], self.everybody[name]) for name in self.risky}
        if self.problem.linkage is not None:
            losses = linked_losses(
                self.problem,
                Released.at(self.problem.records, node),
                losses,
                {name: self._seen(name) for name in losses},
            )
        # The largest chance is that with the fewest people, unless nobody counts as no chance.
        chances = [loss.chances(some) for some in people.values()] if self._limited else [np.zeros(len(phi))]
        return Look(
            self.problem,
            node,
            number,
            phi,
            utility,
            reduce(np.maximum, chances),
            tuple(losses.values()),
            tuple(people.values()),
        )

    @property
    def _limited(self) -> bool:
        return self.problem.limits.largest_chance is not None

    def _seen(self, name: str) -> Callable[..., Counts]:
        found = self.found[name]
        if not isinstance(found, Identification):
            raise TypeError("People were counted without linkage.")
        return lambda rows, cells: found.of_cells(cells.levels, cells.codes)


def _utilities(problem: Problem, nodes: Sequence[Node]) -> Iterator[Numbers]:
    """The utility of every record at each node; sums over the columns that did not change are kept."""
    columns, tables = problem.utility.records.columns, problem.utility.tables
    sums, before = [np.zeros(len(problem))], (-1,) * len(columns)
    for node in map(problem.chosen, nodes):
        same = next(
            (place for place, pair in enumerate(zip(before, node, strict=True)) if pair[0] != pair[1]), len(node)
        )
        del sums[same + 1 :]
        for place in range(same, len(node)):
            sums.append(sums[-1] + tables[place][node[place]][columns[place].codes])
        yield sums[-1]
        before = node
