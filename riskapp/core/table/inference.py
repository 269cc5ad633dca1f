"""Inference: what a record's group betrays about a sensitive value, beyond what the whole table says of anybody."""

from typing import NamedTuple

import numpy as np

from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.released import Floats


class Inference(NamedTuple):
    """The mean over records, and the worst of them."""

    mean: float
    worst: float


def inferences(groups: Groups, values: Codes) -> Floats:
    """For every record the share of its true value in its group minus its share in the table, never below 0.

    A suppressed record is in no group and betrays nothing.

    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> values = np.array([1, 1, 1, 2], dtype=np.int32)
    >>> inferences(groups, values)
    array([0.25, 0.25, 0.  , 0.25])
    >>> inference(groups, values)
    Inference(mean=0.1875, worst=0.25)
    """
    counts, table = value_counts(groups, values), table_counts(groups, values)
    everywhere = table.shares[np.searchsorted(table.value, counts.value)]
    found = np.zeros(len(groups.group))
    found[groups.released] = np.maximum(counts.shares - everywhere, 0.0)[counts.entry]
    return found


def inference(groups: Groups, values: Codes) -> Inference:
    """The mean and the worst over records; nothing is inferred from an empty table."""
    each, everybody = inferences(groups, values), groups.times.sum()
    return Inference(float(each @ groups.times / everybody) if everybody else 0.0, float(each.max(initial=0.0)))
