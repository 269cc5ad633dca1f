"""What groups betray about a sensitive column, to somebody who knows nothing more and to somebody who does.

* *Homogeneity*: everybody in a group has the same value, so whoever is in it is known to have it.
* *Background knowledge*: somebody who can rule out b values for their target believes in the true one with its share
  among the values that are left; of the values that could be ruled out the b commonest others count.
"""

from typing import Any

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.measure import grouped
from riskapp.core.table.anonymity import Groups, ValueCounts, value_counts
from riskapp.core.table.problem import Sensitive
from riskapp.engine.ruling import Ruling

RULED_OUT = (0, 1, 2)


def inferred(found: Ruling, names: tuple[str, ...] | None = None) -> dict[str, Any]:
    """For each sensitive column, or for some of them, how many people's value is known.

    Parameters
    ----------
    found : the rule with its table
    names : the columns; all that are sensitive where they are not given
    """
    groups = grouped(found.problem, found.released)
    chosen = [column for column in found.problem.sensitive if names is None or column.name in names]
    return {column.name: _column(groups, column) for column in chosen}


def _column(groups: Groups, column: Sensitive) -> dict[str, Any]:
    if not len(groups):
        return {"groups": 0, "homogeneous_groups": 0, "people": 0, "background": []}
    counts = value_counts(groups, column.codes)
    values = np.bincount(counts.group)
    people = groups.people
    return {
        "groups": len(groups),
        "homogeneous_groups": int((values == 1).sum()),
        "people": int(people[values == 1].sum()),
        "background": [
            {
                "ruled_out": many,
                "known": int(people[values <= many + 1].sum()),
                "mean_belief": float(np.average(beliefs(counts, many), weights=counts.count)),
                "largest_belief": float(beliefs(counts, many).max()),
            }
            for many in RULED_OUT
        ],
    }


def beliefs(counts: ValueCounts, ruled_out: int) -> Numbers:
    """For each value of each group how strongly it is believed in where it is true and others are ruled out.

    >>> from riskapp.core.table.keys import Keys
    >>> groups = Groups.of(Keys((np.zeros(6, dtype=np.int64),), 1))
    >>> counts = value_counts(groups, np.array([1, 1, 1, 2, 2, 3], dtype=np.int32))
    >>> beliefs(counts, 0).round(3).tolist(), beliefs(counts, 1).round(3).tolist()
    ([0.5, 0.333, 0.167], [0.75, 0.667, 0.333])
    """
    order = np.lexsort((-counts.count, counts.group))
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order)) - counts.starts[counts.group[order]]
    sums = np.concatenate([[0], np.cumsum(counts.count[order])])
    first = counts.starts[counts.group]
    size = np.bincount(counts.group)[counts.group]
    # The commonest others: the first b of the group, or the first b + 1 without the value itself.
    own = rank < ruled_out
    take = np.minimum(np.where(own, ruled_out + 1, ruled_out), size)
    others = sums[first + take] - sums[first] - np.where(own, counts.count, 0)
    found: Numbers = counts.count / (counts.whole[counts.group] - others)
    return found
