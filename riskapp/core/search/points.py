"""All that is read of a problem to look at every record at every node at once, record by record (`point_loops`).

What a record weighs and says in each attribute at each level is looked up once. Nodes have an order of their own here:
the attributes that the dictionary knows change fastest, so that neighbours have neighbouring rows of people. These come
from `Crowds`. That is for one dictionary of which entries are somebody else each; for everything else there is
`looking`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.core.loss import MODELS
from riskapp.core.rolled.pointers import Crowds, crowds, laid, projections
from riskapp.core.search.looking import Whole, by_text, counted_for, in_risk
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.keys import Places
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Weighed
from riskapp.core.watching import Watch

MOST_BYTES = 2 << 30
"""So much may be taken for the people of all records at all nodes of the dictionary's lattice."""
AT_ONCE = 1 << 15
"""So many records are looked at between two looks at the watch."""

Found = TypeVar("Found")


def only(problem: Problem) -> Dictionary | None:
    """The dictionary, where there is one that matters, it can be rolled up and nothing is linked."""
    counted = counted_for(problem)
    alone = len(counted) == 1 and problem.linkage is None and len(in_risk(problem)) == 1
    return counted[0] if alone and laid(problem, counted[0]) is not None else None


def room(problem: Problem, dictionary: Dictionary) -> int:
    """How many records can be looked at together."""
    return max(1, MOST_BYTES // (4 * projections(problem, dictionary)))


@dataclass(frozen=True, eq=False)
class Points:
    """All that the compiled loops read of a problem.

    Parameters
    ----------
    problem : whose records are looked at
    crowds : the people of its only dictionary
    threads : how many loops run side by side
    """

    problem: Problem
    crowds: Crowds
    threads: int = 1

    @classmethod
    def of(cls, problem: Problem, watch: Watch, threads: int) -> "Points":
        """Those of records, where `only` says that there is a dictionary."""
        return cls(problem, crowds(problem, counted_for(problem)[0], stop=watch.stop, threads=threads), threads)

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """What `point_loops.filled` takes after the rows."""
        problem, phi = self.problem, self.problem.sensitivity
        return (
            self.codes,
            self.sizes,
            *self._weights,
            *self._says,
            self.own_weights,
            *self._pairs,
            np.zeros((0, 2)) if phi.totals is None else np.stack(phi.totals, axis=1),
            *self._people,
            np.array(
                [
                    MODELS.index(problem.loss.model),
                    problem.loss.uncovered == "zero",
                    phi.family == "multiplicative",
                    self._multiplied,
                    _run(self._people[-1], self.sizes),
                ]
            ),
            np.array([problem.loss.unidentified, float(in_risk(problem)[0].everybody)]),
        )

    @cached_property
    def order(self) -> list[int]:
        """The attributes, those last that the dictionary knows; in this order all loops see them."""
        known = {field.place for field in self.crowds.fields}
        return sorted(range(len(self.problem.columns)), key=lambda place: (place in known, place))

    @property
    def _columns(self) -> list[Weighed]:
        return [self.problem.columns[place] for place in self.order]

    @cached_property
    def levels(self) -> npt.NDArray[np.int16]:
        """The levels of every node, in the order of the loops; a column for each attribute as the problem has them."""
        levels = np.indices(tuple(self.sizes.tolist()), dtype=np.int16).reshape(len(self.order), -1).T
        return np.ascontiguousarray(levels[:, np.argsort(self.order)])

    @cached_property
    def _nodes(self) -> list[Node]:
        return [tuple(row) for row in self.levels.tolist()]

    @cached_property
    def codes(self) -> Codes:
        """The leaf codes: a row for each record."""
        return np.stack([weighed.column.codes for weighed in self._columns], axis=1)

    @cached_property
    def sizes(self) -> Whole:
        """How many levels there are to choose from in each attribute."""
        return np.array([self.problem.lattice.heights[place] + 1 for place in self.order])

    @property
    def _weights(self) -> tuple[Numbers, Whole]:
        """What every leaf code weighs at every level, and where each attribute's begin."""
        levels = [
            np.stack(weighed.weights.levels[:size], axis=1)
            for weighed, size in zip(self._columns, self.sizes, strict=True)
        ]
        if self._multiplied:
            with np.errstate(over="ignore"):
                levels = [np.exp(own) for own in levels]
        return _flat(levels)

    @property
    def _multiplied(self) -> bool:
        """Whether Φ is a product of what attributes weigh, each taken as a power of e."""
        return self.problem.sensitivity.family == "multiplicative" and self.problem.sensitivity.person_total is None

    @property
    def _says(self) -> tuple[Numbers, Whole]:
        """The same for utility; kept columns say nothing more or less."""
        tables = iter(self.problem.utility.tables)
        columns = self.problem.columns
        says = [np.zeros((one.column.size(0), 1)) if one.kept else next(tables).T for one in columns]
        return _flat([says[place] for place in self.order])

    @cached_property
    def own_weights(self) -> Numbers:
        """For every record what it weighs at every level of every attribute; empty without weights of persons."""
        columns = self._columns
        if all(weighed.personal is None for weighed in columns):
            return np.zeros((0, 0))
        levels = [weighed.at(level) for weighed, size in zip(columns, self.sizes, strict=True) for level in range(size)]
        with np.errstate(over="ignore"):
            found = np.stack(levels, axis=1)
            return np.exp(found) if self._multiplied else found

    @property
    def _pairs(self) -> tuple[npt.NDArray[np.intp], Numbers, npt.NDArray[np.bool_]]:
        """Which two attributes each is of, what it weighs, and at which nodes both are shown."""
        problem, pairs = self.problem, self.problem.sensitivity.pairs
        named = [[problem.names.index(pair.one), problem.names.index(pair.other)] for pair in pairs]
        places = np.array(named, dtype=np.intp).reshape(-1, 2)
        shown = (self.levels < [hierarchy.height for hierarchy in problem.hierarchies]).T
        weights = np.array([pair.weight for pair in pairs], dtype=np.float64)
        if self._multiplied:
            with np.errstate(over="ignore"):
                weights = np.exp(weights)
        both = np.ascontiguousarray(shown[places[:, 0]] & shown[places[:, 1]])
        return np.argsort(self.order)[places], weights, both

    @cached_property
    def _people(self) -> tuple[Any, ...]:
        """The class of every record, people, the rows of these that nodes have, and which of those each has.

        Rows are taken as nodes come to them, so that those of neighbours mostly are neighbours.
        """
        rows = [self.crowds.row(node) for node in self._nodes]
        taken = {row: place for place, row in enumerate(dict.fromkeys(rows))}
        projection = np.array([taken[row] for row in rows], dtype=np.uintp)
        return self.crowds.own, self.crowds.people, np.array(list(taken), dtype=np.uintp), projection

    @cached_property
    def ranks(self) -> Whole:
        """For every node its place in the order of ids as text."""
        lattice = self.problem.lattice
        return np.argsort(by_text(lattice))[[lattice.number(node) for node in self._nodes]]

    def each(self, work: Callable[[Places], Found], watch: Watch) -> Iterator[Found]:
        """What the work finds in some records after others, those of a class one after the other."""
        starts = range(0, len(self.problem), AT_ONCE)
        with ThreadPoolExecutor(self.threads) as pool:
            found = pool.map(lambda start: work(self.crowds.order[start : start + AT_ONCE]), starts)
            try:
                for start, one in zip(starts, found, strict=True):
                    watch.tell(start, len(self.problem))
                    yield one
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _run(projection: npt.NDArray[np.uintp], sizes: Whole) -> int:
    """How many nodes in a row have neighbours for their projections, all through the lattice.

    >>> _run(np.array([0, 1, 2, 3, 0, 1, 2, 3], dtype=np.uintp), np.array([2, 2, 2]))
    4
    >>> _run(np.array([0, 0, 1, 1], dtype=np.uintp), np.array([2, 2]))
    1
    """
    longest = 1
    for length in np.cumprod(sizes[::-1]).tolist():
        rows = projection.reshape(-1, length)
        if not (rows == rows[:, :1] + np.arange(length, dtype=np.uintp)).all():
            break
        longest = length
    return longest


def _flat(levels: list[Numbers]) -> tuple[Numbers, Whole]:
    ends = np.cumsum([one.size for one in levels])
    return np.concatenate([one.ravel() for one in levels]), np.append(0, ends[:-1])
