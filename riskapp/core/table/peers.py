"""The risks that other programs report, measured on the released table. Suppressed rows do not count.

* *Prosecutor*: the attacker knows that the target is in the dataset. A record's chance is 1 / people in its group.
* *Journalist*: the attacker does not know, and looks the target up in a dictionary. The chance is 1 / people of the
  dictionary who are consistent with the record.
* *Marketer*: the share of records that an attacker who names them all names rightly: the average of either chance.
* *Sample uniques*: the records that are alone in their group.
"""

from typing import NamedTuple

import numpy as np

from riskapp.core.table.anonymity import Groups
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.released import Floats


class Chances(NamedTuple):
    """The largest and the average chance over records, and the share of records above a threshold."""

    largest: float
    average: float
    share_above: float


def prosecutor(groups: Groups, threshold: float) -> Chances:
    """The chances of somebody who knows that the target is in the dataset.

    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 2]),), 3))
    >>> prosecutor(groups, 0.5)
    Chances(largest=1.0, average=0.75, share_above=0.5)
    >>> marketer(groups), sample_uniques(groups)
    (0.75, 2)
    """
    return _summary(1.0 / groups.people, groups.rows, threshold)


def journalist(consistent: Counts, threshold: float, *, times: Counts | None = None, uncovered: str = "one") -> Chances:
    """The chances of somebody who looks the target up in a dictionary.

    Parameters
    ----------
    consistent : for each released record how many people of the dictionary it may be
    threshold : the share of records with a larger chance is told
    times : how often each record occurs; once where it is not given
    uncovered : a record that nobody in the dictionary fits counts as `one` person's, or its chance is `zero`

    Examples
    --------
    >>> journalist(np.array([4, 2, 0]), 0.3)
    Chances(largest=1.0, average=0.5833333333333334, share_above=0.6666666666666666)
    >>> journalist(np.array([4, 2, 0]), 0.3, uncovered="zero")
    Chances(largest=0.5, average=0.25, share_above=0.3333333333333333)
    """
    if uncovered not in ("one", "zero"):
        raise ValueError("A record that nobody fits counts as one or as zero.")
    chances = 1.0 / np.maximum(consistent, 1)
    if uncovered == "zero":
        chances[consistent == 0] = 0.0
    return _summary(chances, np.ones(len(chances), dtype=np.int64) if times is None else times, threshold)


def marketer(groups: Groups) -> float:
    """The share of records named rightly when all are named; from a dictionary it is `journalist(…).average`."""
    return prosecutor(groups, 1.0).average


def sample_uniques(groups: Groups) -> int:
    """How many records are in a group of one person."""
    return int(groups.rows[groups.people == 1].sum())


def _summary(chances: Floats, times: Counts, threshold: float) -> Chances:
    everybody = times.sum()
    if not everybody:
        return Chances(0.0, 0.0, 0.0)
    above = times[chances > threshold].sum() / everybody
    return Chances(float(chances[times > 0].max()), float(chances @ times / everybody), float(above))
