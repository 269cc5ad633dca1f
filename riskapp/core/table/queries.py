"""The count-query error: how wrong "how many records have …?" becomes when it is asked of the release.

A *query* names a few attributes and a group of each, and is drawn so: a record at random, attributes at random, and for
each a level at random below the top; the group is the record's there. An attribute that the record misses asks for
nothing. So there is always something to count, and common values are asked for more often than rare ones.

The *answer* of a table is the sum over its records of the chance that the record is meant, which is a product over the
attributes: 1 if the cell lies in the group q, n(q)/n(v) if the cell v is coarser than q, 0 if they are apart. Missing,
like `*`, is coarser than everything.

The *error* of a query is |answer of the release − answer of the unchanged table| / max(answer of the unchanged table,
0.1 % of the records), and that of the release the mean over queries.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riskapp.core.table.codes import CodedRecords
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.lattice import Node
from riskapp.core.table.released import Floats, Released

SMALLEST_SHARE = 0.001
"""Errors in smaller answers are not blown up any further."""


@dataclass(frozen=True)
class Query:
    """How many records are in these groups? For each attribute asked for, a leaf of the group and the group's level."""

    places: tuple[int, ...]
    leaves: tuple[int, ...]
    levels: Node


def drawn(records: CodedRecords, *, queries: int, attributes: int, seed: int) -> list[Query]:
    """Queries at random; the same for the same seed."""
    random = np.random.default_rng(seed)
    chosen = random.choice(len(records), size=queries, p=records.times / records.times.sum())
    return [_drawn(records, int(record), attributes, random) for record in chosen]


def _drawn(records: CodedRecords, record: int, attributes: int, random: np.random.Generator) -> Query:
    number = min(attributes, len(records.columns))
    places = sorted(random.choice(len(records.columns), size=number, replace=False).tolist())
    heights = [records.columns[place].hierarchy.height for place in places]
    return Query(
        tuple(places),
        tuple(int(records.columns[place].codes[record]) for place in places),
        tuple(int(random.integers(height)) for height in heights),
    )


def answer(released: Released, query: Query) -> float:
    """How many records a table says are in the groups.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 3], dtype=np.int32))])
    >>> japanese = Query(places=(0,), leaves=(3,), levels=(0,))
    >>> [answer(Released.at(records, (level,)), japanese) for level in (0, 1)]
    [3.0, 1.5]
    """
    chances = released.records.times.astype(np.float64)
    for place, leaf, level in zip(query.places, query.leaves, query.levels, strict=True):
        if leaf:
            chances *= released.looked_up(place, overlaps(released.hierarchies[place], leaf, level))
    return float(chances.sum())


def overlaps(hierarchy: Hierarchy, leaf: int, level: int) -> Floats:
    """For each level and leaf code the chance that such a cell is in the group of a leaf at a level."""
    path = hierarchy.ancestors[:, leaf]
    under = np.array([counts[code] for counts, code in zip(hierarchy.leaf_counts, path, strict=True)])
    same = hierarchy.ancestors == path[:, None]
    # Up to the group's own level a cell is inside with its whole group or not at all.
    same[: level + 1] = same[level]
    table: Floats = same * np.minimum(under[level] / under, 1.0)[:, None]
    table[:, 0] = under[level] / hierarchy.leaves
    return table


def count_query_error(released: Released, *, queries: int = 100, attributes: int = 2, seed: int = 0) -> float:
    """The mean error of count queries.

    Parameters
    ----------
    released : the released table
    queries : how many are drawn
    attributes : how many a query asks for; all, if there are not so many
    seed : the same queries are drawn for the same seed

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 3, 3, 3], dtype=np.int32))])
    >>> count_query_error(Released.at(records, (0,)))
    0.0
    >>> 0 < count_query_error(Released.at(records, (1,))) < 0.5
    True
    """
    if queries < 1 or attributes < 1:
        raise ValueError("Ask at least one query, for at least one attribute.")
    return mean_error(released, drawn(released.records, queries=queries, attributes=attributes, seed=seed))


def mean_error(released: Released, asked: Sequence[Query]) -> float:
    """The mean error of these queries."""
    unchanged = Released.at(released.records, released.records.lattice.bottom)
    smallest = SMALLEST_SHARE * float(released.records.times.sum())
    true = np.array([answer(unchanged, query) for query in asked])
    told = np.array([answer(released, query) for query in asked])
    return float(np.mean(np.abs(told - true) / np.maximum(true, smallest)))
