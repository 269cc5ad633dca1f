"""A box of one record's nodes as 0/1 variables with linear Φ, u and |ρ|.

There is a variable for each step of each attribute, 1 when the node has taken it, and one for each meet vector, 1 when
all of its steps are taken. A step implies the one before, a meet vector its steps. With values between 0 and 1 the same
rows describe the Lovász extensions of the three: those of Φ and u are linear, that of |ρ| is the largest sum of the
meet vectors' variables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from riskapp.core.extended import Numbers
from riskapp.core.search.crowd import Meets
from riskapp.core.table.lattice import Node


@dataclass(frozen=True, eq=False)
class Linear:
    """A constant and a coefficient for each variable."""

    constant: float
    slopes: Numbers


@dataclass(frozen=True, eq=False)
class Closure:
    """The variables of a box.

    Parameters
    ----------
    fine, coarse : the finest and the coarsest node
    crowd : whose |ρ| it is

    Examples
    --------
    >>> box = Closure((0, 0), (1, 2), Meets.of([[0, 0], [1, 1], [1, 1]]))
    >>> box.of_levels([np.array([3.0, 0.0]), np.array([2.0, 2.0, 0.0])]).slopes
    array([-3.,  0., -2.,  0.])
    >>> box.people.constant, box.people.slopes
    (1.0, array([0., 0., 0., 2.]))
    >>> box.implied.toarray()
    array([[ 0., -1.,  1.,  0.],
           [-1.,  0.,  0.,  1.],
           [ 0., -1.,  0.,  1.]])
    >>> box.node(np.array([1.0, 1.0, 0.0, 1.0])), box.thresholds(np.array([0.5, 1.0, 0.0, 0.5]))
    ((1, 1), [(0, 1), (1, 1), (0, 0)])
    """

    fine: Node
    coarse: Node
    crowd: Meets

    @cached_property
    def _offsets(self) -> npt.NDArray[np.int64]:
        widths = [high - low for low, high in zip(self.fine, self.coarse, strict=True)]
        return np.append(0, np.cumsum(widths)).astype(np.int64)

    @property
    def steps(self) -> int:
        """The number of steps."""
        return int(self._offsets[-1])

    @property
    def size(self) -> int:
        """The number of variables."""
        return self.steps + len(self._asking.levels)

    @cached_property
    def _inside(self) -> Meets:
        return self.crowd.inside(self.fine, self.coarse)

    @cached_property
    def _asking(self) -> Meets:
        """The meet vectors that are not met by all nodes of the box."""
        some = self._inside.levels.any(axis=1)
        return Meets(self._inside.levels[some], self._inside.counts[some], self._inside.everybody)

    @cached_property
    def people(self) -> Linear:
        """|ρ|."""
        sure = self._inside.counts.sum() - self._asking.counts.sum()
        return Linear(float(sure), np.append(np.zeros(self.steps), self._asking.counts.astype(np.float64)))

    def of_levels(self, values: Sequence[Numbers], constant: float = 0.0) -> Linear:
        """A sum of functions of one attribute, given for all of its levels."""
        box = zip(values, self.fine, self.coarse, strict=True)
        parts = [np.asarray(some)[low : high + 1] for some, low, high in box]
        slopes = np.concatenate([np.diff(each) for each in parts])
        finest = constant + sum(float(each[0]) for each in parts)
        return Linear(finest, np.append(slopes, np.zeros(self.size - self.steps)))

    @cached_property
    def implied(self) -> sparse.csr_array:
        """Rows that are at most 0: what is implied has no smaller value."""
        first = np.zeros(self.steps, dtype=np.bool_)
        first[self._offsets[:-1][np.diff(self._offsets) > 0]] = True
        later = np.flatnonzero(~first)
        vectors, attributes = np.nonzero(self._asking.levels)
        needed = self._offsets[attributes] + self._asking.levels[vectors, attributes] - 1
        ones, zeros = np.append(later, self.steps + vectors), np.append(later - 1, needed)
        rows = np.arange(len(ones))
        both = (np.append(np.ones(len(ones)), -np.ones(len(ones))), (np.tile(rows, 2), np.append(ones, zeros)))
        return sparse.csr_array(both, shape=(len(ones), self.size))

    def taken(self, attribute: int, level: int) -> int:
        """The variable of the step to a level of an attribute."""
        return int(self._offsets[attribute]) + level - self.fine[attribute] - 1

    def node(self, values: Numbers) -> Node:
        """The node whose steps are taken."""
        sums = np.append(0, np.cumsum(values[: self.steps] > 0.5))
        taken = sums[self._offsets[1:]] - sums[self._offsets[:-1]]
        return tuple(low + int(steps) for low, steps in zip(self.fine, taken, strict=True))

    def thresholds(self, values: Numbers) -> list[Node]:
        """The nodes of the steps whose value is at least t, for every t above 0."""
        steps = values[: self.steps]
        least = [float(some) for some in np.unique(steps[steps > 0])[::-1]]
        return [self.node(np.where(steps >= some, 1.0, 0.0)) for some in least] + [self.fine]
