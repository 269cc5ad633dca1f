"""What is required of a sensitive column, measured: its l in every sense, its t, and what its groups betray."""

from typing import NamedTuple

import numpy as np

from riskapp.core.table import closeness, diversity
from riskapp.core.table.anonymity import ValueCounts
from riskapp.core.table.limits import Limits


class Reached(NamedTuple):
    """What a sensitive column reaches in its worst group.

    Attributes
    ----------
    distinct, probabilistic, entropy : the least l
    recursive : whether every group is recursive (c, l)
    t : the largest distance from the table
    """

    distinct: float
    probabilistic: float
    entropy: float
    recursive: bool
    t: float


def reached(limits: Limits, counts: ValueCounts, table: ValueCounts, ordered: int | None) -> Reached:
    """What the groups with these counts reach; only what is limited is worked out, the rest is as good as can be.

    >>> from riskapp.core.table.anonymity import Groups, table_counts, value_counts
    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.array([0, 0, 1, 1]),), 2))
    >>> values = np.array([1, 1, 2, 3], dtype=np.int32)
    >>> counts, table = value_counts(groups, values), table_counts(groups, values)
    >>> reached(Limits(l={"distinct": 2}, t=0.3), counts, table, None)
    Reached(distinct=1.0, probabilistic=inf, entropy=inf, recursive=True, t=0.5)
    """
    kinds = {"distinct": diversity.distinct, "probabilistic": diversity.probabilistic, "entropy": diversity.entropy}
    least = {name: float(kind(counts).min()) if name in limits.l else np.inf for name, kind in kinds.items()}
    recursive = limits.recursive is None or diversity.is_recursive(counts, *limits.recursive)
    return Reached(**least, recursive=recursive, t=_farthest(counts, table, ordered) if limits.t is not None else 0.0)


def _farthest(counts: ValueCounts, table: ValueCounts, ordered: int | None) -> float:
    if ordered is None:
        return float(closeness.categorical(counts, table).max())
    return float(closeness.ordered(counts, table, ordered).max())
