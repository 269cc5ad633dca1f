"""Inference: what a record's group betrays about a sensitive value, beyond what the whole table says of anybody."""

from typing import NamedTuple

import numpy as np

from riskapp.core.extended import Numbers, times
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


def weighted(groups: Groups, values: Codes, weights: Numbers) -> Inference:
    """Inference by how much it hurts: every record counts in the mean as much as its true value weighs.

    The worst is the largest weight × gain in belief. Where a value must never be learnt, its weight ∞, the mean is over
    the records that hold such a value.

    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> values = np.array([1, 1, 1, 2], dtype=np.int32)
    >>> weighted(groups, values, np.array([1.0, 1.0, 1.0, 2.0]))
    Inference(mean=0.2, worst=0.5)
    >>> weighted(groups, values, np.array([1.0, 1.0, 1.0, np.inf]))
    Inference(mean=0.25, worst=inf)
    """
    each, most = inferences(groups, values), float(weights.max(initial=0.0))
    parts = (weights == most if np.isinf(most) else weights / (most or 1.0)) * groups.times
    whole = parts.sum()
    return Inference(float(each @ parts / whole) if whole else 0.0, float(times(weights, each).max(initial=0.0)))
