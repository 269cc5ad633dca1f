"""The crowd of one record: how many people of a dictionary it may be, at any node.

An entry t *meets* the record in attribute j at the lowest level m_j at which the two are consistent. It is consistent
with the record at node x when m ≤ x in every attribute, so |ρ(x)| is the number of people whose meet vector lies below
x (`Meets`). Where one person has several entries, such counts cannot be added up; then |ρ| is given for every node
(`Tabled`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numba as nb
import numpy as np
import numpy.typing as npt

from riskapp.core.loss import Counts
from riskapp.core.table.lattice import Lattice, Node

Levels = npt.NDArray[np.int64]


class Crowd(Protocol):
    """What is asked about one dictionary."""

    @property
    def everybody(self) -> int:
        """|θ|, the number of people in the dictionary."""

    def at(self, nodes: Levels) -> Counts:
        """|ρ| at each of some nodes, the rows of an array of levels."""

    def table(self, heights: Node) -> Counts:
        """|ρ| at all nodes, in the order of their numbers."""

    def fits(self, heights: Node) -> bool:
        """Whether it is about a lattice of these heights."""


@dataclass(frozen=True, eq=False)
class Meets:
    """Distinct meet vectors, each with the number of people that have it.

    Parameters
    ----------
    levels : a row for each meet vector, a column for each attribute; 0 where the dictionary does not know the attribute
    counts : how many people have this vector
    everybody : |θ|; it may exceed the sum, for some entries meet the record nowhere

    Raises
    ------
    ValueError
        If the arrays do not belong together, or there are more people than everybody.

    Examples
    --------
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 2]])
    >>> crowd.counts, crowd.everybody
    (array([1, 1, 2]), 4)
    >>> crowd.at(np.array([[0, 0], [1, 0], [1, 2]])), crowd.table((1, 2))
    (array([1, 3, 4]), array([1, 1, 2, 3, 3, 4]))
    """

    levels: Levels
    counts: Counts
    everybody: int

    def __post_init__(self) -> None:
        if self.levels.ndim != 2 or self.counts.shape != self.levels.shape[:1]:
            raise ValueError("There is a row of levels and a count for every meet vector.")
        if (self.counts < 0).any() or self.counts.sum() > self.everybody:
            raise ValueError("An entry stands for no fewer than no people, all of them for everybody at most.")

    @classmethod
    def of(
        cls, vectors: npt.ArrayLike, times: Sequence[int] | Counts | None = None, everybody: int | None = None
    ) -> "Meets":
        """From the meet vectors of all entries, `times` people to each, or one."""
        rows = np.asarray(vectors, dtype=np.int64)
        weights = np.ones(len(rows), dtype=np.int64) if times is None else np.asarray(times, dtype=np.int64)
        order, new = _sorted(rows)
        counts = np.add.reduceat(weights[order], np.flatnonzero(new)) if len(rows) else weights
        return cls(rows[order[new]], counts, int(counts.sum()) if everybody is None else everybody)

    def at(self, nodes: Levels) -> Counts:
        """|ρ| at each of some nodes."""
        counted: Counts = _below(np.ascontiguousarray(self.levels), self.counts, np.asarray(nodes, dtype=np.int64))
        return counted

    def table(self, heights: Node) -> Counts:
        """|ρ| at all nodes: the histogram of the meet vectors, summed up along each axis."""
        shape = tuple(height + 1 for height in heights)
        histogram = np.zeros(shape, dtype=np.int64)
        np.add.at(histogram, tuple(self.levels.T), self.counts)
        for axis in range(len(shape)):
            np.cumsum(histogram, axis=axis, out=histogram)
        return histogram.reshape(-1)

    def inside(self, fine: Node, coarse: Node) -> "Meets":
        """The crowd within a box of nodes: levels counted from the finest node, without who meets at none of them.

        >>> Meets.of([[0, 0], [1, 0], [1, 2]]).inside((1, 0), (1, 1)).counts
        array([2])
        """
        some = (self.levels <= np.array(coarse)).all(axis=1)
        needed = np.maximum(self.levels[some] - np.array(fine), 0)
        return Meets.of(needed, self.counts[some], self.everybody)

    def fits(self, heights: Node) -> bool:
        """Whether every meet vector is a node."""
        inside = self.levels.shape[1] == len(heights) and bool((self.levels >= 0).all())
        return inside and bool((self.levels <= np.array(heights, dtype=np.int64)).all())


def _sorted(rows: Levels) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """The rows in order, and which of them differ from the one before."""
    keys = _packed(rows)
    order = np.lexsort(keys[::-1])
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = (np.diff(keys[:, order], axis=1) != 0).any(axis=0)
    return order, new


def _packed(rows: Levels) -> Levels:
    """As many columns as fit in one number at a time: a few keys instead of dozens of columns to sort by."""
    keys, room = [np.zeros(len(rows), dtype=np.int64)], 1
    for column in rows.T:
        width = int(column.max(initial=0)) + 1
        if room * width >= 1 << 62:
            keys.append(np.zeros(len(rows), dtype=np.int64))
            room = 1
        keys[-1] = keys[-1] * width + column
        room *= width
    return np.stack(keys)


@nb.njit(cache=True, nogil=True)
def _below(levels: Levels, counts: Counts, nodes: Levels) -> Counts:
    sums = np.zeros(len(nodes), dtype=np.int64)
    for place in range(len(nodes)):
        for entry in range(len(levels)):
            meets = True
            for attribute in range(levels.shape[1]):
                if levels[entry, attribute] > nodes[place, attribute]:
                    meets = False
                    break
            if meets:
                sums[place] += counts[entry]
    return sums


@dataclass(frozen=True, eq=False)
class Tabled:
    """|ρ| of every node, counted elsewhere.

    Parameters
    ----------
    counts : an axis for each attribute, level by level; never falling along an axis
    everybody : |θ|

    Raises
    ------
    ValueError
        If a coarser node has fewer people than a finer one, or more than everybody.

    Examples
    --------
    >>> Tabled(np.array([[0, 1], [1, 1]]), 1).at(np.array([[1, 1]]))
    array([1])
    """

    counts: Counts
    everybody: int

    def __post_init__(self) -> None:
        if any((np.diff(self.counts, axis=axis) < 0).any() for axis in range(self.counts.ndim)):
            raise ValueError("A coarser node is consistent with nobody fewer.")
        if self.counts.min() < 0 or self.counts.max() > self.everybody:
            raise ValueError("A record is consistent with nobody, somebody or everybody.")

    def at(self, nodes: Levels) -> Counts:
        """|ρ| at each of some nodes."""
        counted: Counts = self.counts[tuple(np.asarray(nodes).T)]
        return counted

    def table(self, heights: Node) -> Counts:
        """|ρ| at all nodes."""
        if not self.fits(heights):
            raise ValueError("The counts are not about this lattice.")
        return self.counts.reshape(Lattice(heights).size)

    def fits(self, heights: Node) -> bool:
        """Whether there is a count for every node."""
        return self.counts.shape == tuple(height + 1 for height in heights)
