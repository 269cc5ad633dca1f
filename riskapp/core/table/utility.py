"""Utility: how much a release still says.

The utility of a record is the sum over its attributes, each with its weight, of what the released value v says. With n
the leaves under v and m all leaves (missing: depth 0 and n = m), v says

========================  ==================  ====================================
``depth``                 depth(v)            the steps that are left to the top
``inverse-leaves``        1 / n
``log-leaves``            ln(m / n)
``xiao-tao``              −(n − 1) / m        the negative of a loss
``lm``                    −(n − 1) / (m − 1)  the negative of a loss; 0 when m = 1
========================  ==================  ====================================

The utility of a release is the mean over its records, or the smallest, or the largest. Suppressed records count as ⊥.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from riskapp.core.table.codes import CodedRecords
from riskapp.core.table.hierarchy import Counts, Hierarchy
from riskapp.core.table.lattice import Node
from riskapp.core.table.released import Floats, Released

LOSSES = ("xiao-tao", "lm")
"""The measures that are negatives of losses: 0 for the unchanged table."""

Says = Callable[[Counts, int], Floats]


def _inverse(under: Counts, leaves: int) -> Floats:
    return 1.0 / under


def _logarithm(under: Counts, leaves: int) -> Floats:
    logarithms: Floats = np.log(leaves / under)
    return logarithms


def _xiao_tao(under: Counts, leaves: int) -> Floats:
    return (1.0 - under) / leaves


def _lm(under: Counts, leaves: int) -> Floats:
    return (1.0 - under) / max(leaves - 1, 1)


BY_LEAVES: Mapping[str, Says] = MappingProxyType(
    {"inverse-leaves": _inverse, "log-leaves": _logarithm, "xiao-tao": _xiao_tao, "lm": _lm}
)
MEASURES = ("depth", *BY_LEAVES)
OVER_RECORDS = ("mean", "min", "max")


def cell_utilities(hierarchy: Hierarchy, measure: str) -> Floats:
    """What each leaf code says at each level: a row for each level, a column for each leaf code.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> cell_utilities(race, "depth")
    array([[0., 2., 2., 2.],
           [0., 1., 1., 1.],
           [0., 0., 0., 0.]])
    >>> cell_utilities(race, "lm")
    array([[-1. ,  0. ,  0. ,  0. ],
           [-1. ,  0. , -0.5, -0.5],
           [-1. , -1. , -1. , -1. ]])
    """
    if measure == "depth":
        return _depths(hierarchy)
    if measure not in BY_LEAVES:
        raise ValueError(f"Utility is measured by {', '.join(MEASURES)}.")
    if len(hierarchy.named(0)) == 0 and hierarchy.leaves == 1:
        # Every cell is missing and nothing tells what could stand there: the 1 only stands for "no leaf".
        return np.zeros(hierarchy.ancestors.shape)
    under = np.stack([counts[codes] for counts, codes in zip(hierarchy.leaf_counts, hierarchy.ancestors, strict=True)])
    return BY_LEAVES[measure](under, hierarchy.leaves)


def _depths(hierarchy: Hierarchy) -> Floats:
    depths = np.arange(hierarchy.height, -1.0, -1.0)
    table: Floats = np.repeat(depths[:, None], hierarchy.ancestors.shape[1], axis=1)
    table[:, 0] = 0.0
    return table


@dataclass(frozen=True, eq=False)
class Utility:
    """The utility of any release of some records, by one measure.

    Parameters
    ----------
    records : the dataset, as leaf codes
    measure : one of `MEASURES`
    over_records : mean, min or max
    weights : one for each attribute; 1 where they are not given

    Raises
    ------
    ValueError
        If there is no record, no such measure, or if the weights are not one finite number ≥ 0 for each attribute.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 0], dtype=np.int32))])
    >>> utility = Utility(records)
    >>> utility.at((0,)), utility.at((1,)), utility.share(utility.at((1,)))
    (1.5, 0.75, 0.5)
    >>> utility.each(Released.each(records, np.array([[0], [1], [2], [0]])))
    array([2., 1., 0., 0.])
    """

    records: CodedRecords
    measure: str = "depth"
    over_records: str = "mean"
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.weights:
            object.__setattr__(self, "weights", (1.0,) * len(self.records.columns))
        if len(self.weights) != len(self.records.columns) or not all(0 <= w < np.inf for w in self.weights):
            raise ValueError("Give each attribute a weight: a finite number that is not negative.")
        if self.measure not in MEASURES or self.over_records not in OVER_RECORDS:
            raise ValueError(f"Utility is {', '.join(OVER_RECORDS)} over the records of {', '.join(MEASURES)}.")
        if not self.records.times.sum():
            raise ValueError("There is no record.")

    @cached_property
    def tables(self) -> tuple[Floats, ...]:
        """For each attribute its cells' utilities, weighted: a row for each level, a column for each leaf code."""
        pairs = zip(self.records.columns, self.weights, strict=True)
        return tuple(weight * cell_utilities(column.hierarchy, self.measure) for column, weight in pairs)

    @cached_property
    def means(self) -> tuple[Floats, ...]:
        """For each attribute and level the mean over records. Their sum along a node is the mean utility there."""
        return tuple(map(self._means, range(len(self.tables))))

    def _means(self, place: int) -> Floats:
        table, codes = self.tables[place], self.records.columns[place].codes
        counts = np.bincount(codes, weights=self.records.times, minlength=table.shape[1])
        means: Floats = table @ counts / counts.sum()
        return means

    def each(self, released: Released) -> Floats:
        """The utility of every record."""
        found = np.zeros(len(released.records))
        for place, table in enumerate(self.tables):
            found += released.looked_up(place, table)
        return found

    def over(self, each: Floats) -> float:
        """The mean, smallest or largest of the records' utilities; records that do not occur do not count."""
        times = self.records.times
        if self.over_records == "mean":
            return float(each @ times / times.sum())
        there = each[times > 0]
        return float(there.min() if self.over_records == "min" else there.max())

    def of(self, released: Released) -> float:
        """The utility of a released table."""
        return self.over(self.each(released))

    def at(self, node: Node) -> float:
        """The utility of the rule that takes every record to one node; for the mean no record is looked at again."""
        if node not in self.records.lattice:
            raise ValueError("The node is not in the lattice.")
        if self.over_records == "mean":
            return float(sum(means[level] for means, level in zip(self.means, node, strict=True)))
        return self.of(Released.at(self.records, node))

    @cached_property
    def unchanged(self) -> float:
        """The utility of the unchanged table."""
        return self.at(self.records.lattice.bottom)

    @cached_property
    def of_nothing(self) -> float:
        """The utility of a suppressed record, ⊥: the negative of the largest loss."""
        return float(sum(table[-1, -1] for table in self.tables))

    def share(self, value: float) -> float:
        """A utility as a share of the unchanged table's; for a loss form 1 − loss / largest loss. 0/0 is 1."""
        if self.measure in LOSSES:
            return 1 - value / self.of_nothing if self.of_nothing else 1.0
        return value / self.unchanged if self.unchanged else 1.0
