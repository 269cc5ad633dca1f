"""The frontier: the rules that nothing else beats.

A rule *dominates* another when it has no more risk and no less utility, and is better in one of the two. Risks and
utilities that agree to twelve digits are equal.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from riskapp.core.digits import told_apart
from riskapp.core.extended import INFINITE, Numbers

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]


def frontier(risks: Iterable[float], utilities: Iterable[float], ends: Iterable[int] = ()) -> Places:
    """The places of the rules on the frontier, in the order in which they were given.

    Parameters
    ----------
    risks, utilities : of every rule; a risk may be infinite
    ends : the places of the rules that are always listed: the table as it is, and nothing of it

    Examples
    --------
    >>> frontier([0.0, 1.0, 1.0, 2.0, float("inf")], [0.0, 5.0, 5.0, 4.0, 5.0], ends=[0, 4])
    array([0, 1, 2, 4])
    """
    marked = undominated(told_apart(risks), told_apart(utilities))
    marked[list(ends)] = True
    return np.flatnonzero(marked)


def undominated(risks: Numbers, utilities: Numbers) -> Flags:
    """Which rules no other dominates; equal rules do not dominate each other.

    >>> undominated(np.array([1.0, 1.0, 0.0]), np.array([2.0, 3.0, 3.0]))
    array([False, False,  True])
    """
    if len(risks) != len(utilities):
        raise ValueError("Every rule has a risk and a utility.")
    if not len(risks):
        return np.zeros(0, dtype=np.bool_)
    different, group = np.unique(risks, return_inverse=True)
    best = np.full(len(different), -INFINITE)
    np.maximum.at(best, group, utilities)
    before = np.append(-INFINITE, np.maximum.accumulate(best)[:-1])
    # The least risk is on the frontier even where its utility is minus infinity.
    rises = (best > before) | (np.arange(len(best)) == 0)
    marked: Flags = rises[group] & (utilities == best[group])
    return marked
