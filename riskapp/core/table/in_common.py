"""How many values several sets have in common, counted for many choices of sets at once."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numpy as np

from riskapp.core.compiled import compiled


@compiled
def in_common(starts, values, chosen):
    """For every row of chosen sets the number of values that all of them hold.

    Parameters
    ----------
    starts : where in `values` each set begins, and where the last ends
    values : of all sets, one after the other, in each set sorted and once
    chosen : a row for each question, with the numbers of the sets in it

    >>> in_common(np.array([0, 2, 5]), np.array([3, 4, 1, 3, 9], dtype=np.int32), np.array([[0, 1], [1, 1], [0, 0]]))
    array([1, 3, 2])
    """
    found = np.zeros(chosen.shape[0], np.int64)
    for row in range(chosen.shape[0]):
        least = chosen[row, 0]
        for one in chosen[row]:
            if starts[one + 1] - starts[one] < starts[least + 1] - starts[least]:
                least = one
        for place in range(starts[least], starts[least + 1]):
            inside = True
            for one in chosen[row]:
                if one != least and inside:
                    inside = _holds(values, starts[one], starts[one + 1], values[place])
            found[row] += inside
    return found


@compiled
def _holds(values, first, end, value):
    """Whether a value stands between two places of a sorted list, found by halving."""
    while first < end:
        middle = (first + end) // 2
        if values[middle] < value:
            first = middle + 1
        elif values[middle] > value:
            end = middle
        else:
            return True
    return False
