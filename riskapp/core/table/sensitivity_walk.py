"""Φ of all records at many nodes, one after the other, at a fraction of what each would cost alone."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from riskapp.core.extended import Numbers, plus
from riskapp.core.table.lattice import Node
from riskapp.core.table.sensitivity import Sensitivity


def walk(sensitivity: Sensitivity, nodes: Iterable[Node]) -> Iterator[Numbers]:
    """Φ of every record at each node, digit for digit what `Sensitivity.at` gives.

    The sums over the first columns are kept and only what changed since the node before is added anew. In the order of
    a lattice, where the last attribute changes fastest, that is little more than one column for a node. It keeps one
    number for each record and column in memory, and one more.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn
    >>> from riskapp.core.table.sensitivity import Weighed
    >>> from riskapp.core.table.weights import Weights
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([1, 2], dtype=np.int32))
    >>> phi = Sensitivity((Weighed(column, Weights.of(race, 3.0, fall="harmonic")),))
    >>> [found.tolist() for found in walk(phi, phi.lattice)]
    [[3.0, 3.0], [3.0, 1.5], [0.0, 0.0]]
    """
    before: Node = ()
    sums = [np.zeros(len(sensitivity.columns[0].column))]
    for node in nodes:
        sensitivity.check(node)
        same = _same(before, node)
        del sums[same + 1 :]
        for weighed, level in zip(sensitivity.columns[same:], node[same:], strict=True):
            sums.append(plus(sums[-1], weighed.at(level)))
        yield sensitivity.of_columns(sums[-1], node)
        before = node


def _same(one: Sequence[int], other: Sequence[int]) -> int:
    """In how many places two nodes agree before they first differ."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (left, right) in enumerate(pairs) if left != right), len(one))
