"""What a release means for people: how many of them an attacker with one dictionary finds.

A person may have several records; the one that is easiest to find counts.
"""

import numpy as np

from riskapp.core.digits import told_apart
from riskapp.core.evaluation import People
from riskapp.core.extended import Numbers, total
from riskapp.core.loss import Loss
from riskapp.core.table.hierarchy import Codes, Counts


def people(counts: Counts, persons: Codes | None, loss: Loss, everybody: int, limit: float | None = None) -> People:
    """The people figures of one released table and one dictionary.

    Parameters
    ----------
    counts : |ρ| of every record
    persons : a number from 0 for the person of every record; None when every record is somebody else's
    loss : says what the chance of somebody is whom nobody in the dictionary fits
    everybody : |θ|, the number of people in the dictionary
    limit : the chance above which people are counted, if they are

    Raises
    ------
    ValueError
        If there is no record, or not a person for each.

    Examples
    --------
    >>> people(np.array([1, 2, 4, 0]), None, Loss(), everybody=10, limit=0.5)
    People(expected_found=1.75, singled_out=1, uncovered=1, largest_chance=1.0, gain=1.35, share_above=0.5)
    >>> people(np.array([1, 2, 4, 0]), np.array([0, 0, 1, 1], dtype=np.int32), Loss(), everybody=10).expected_found
    1.25
    """
    if not len(counts) or (persons is not None and len(persons) != len(counts)):
        raise ValueError("There is at least one record, and a person for each.")
    found = largest_each(Loss(uncovered="zero").chances(counts), persons)
    chances = found if loss.uncovered == "zero" else largest_each(loss.chances(counts), persons)
    expected = total(found)
    return People(
        expected_found=expected,
        singled_out=int((found == 1).sum()),
        uncovered=int((found == 0).sum()),
        largest_chance=float(chances.max()),
        gain=expected - (len(found) / everybody if everybody else 0.0),
        share_above=None if limit is None else share_above(chances, limit),
    )


def largest_each(numbers: Numbers, persons: Codes | None) -> Numbers:
    """The largest number of each person's records, none of them below 0; in the order of the persons.

    >>> largest_each(np.array([0.5, 0.25, 1.0]), np.array([2, 0, 2], dtype=np.int32))
    array([0.25, 1.  ])
    """
    if persons is None:
        return numbers
    largest = np.full(int(persons.max()) + 1, -1.0)
    np.maximum.at(largest, persons, numbers)
    return largest[largest >= 0]


def share_above(chances: Numbers, limit: float) -> float:
    """The share of people whose chance is above a limit, to twelve digits.

    >>> share_above(np.array([0.1 + 0.2, 0.5]), 0.3)
    0.5
    """
    different, times = np.unique(chances, return_counts=True)
    return float(times[told_apart(different) > told_apart([limit])].sum() / len(chances))
