"""One-to-one assignment: every row is somebody else's, so what one row takes, another cannot have.

A *matching* gives rows entries of their own, each consistent with its row. An attacker who believes that all rows are
about people of the dictionary looks for a matching that gives as many rows as possible an entry. A pair is *forced*
when every such matching has it: then the row is found, however many entries fit it.

With one matching at hand, direct its edges from entry to row and all others from row to entry. A pair of the matching
is in no other matching of the same size exactly when it lies on no directed cycle, its entry cannot be reached from a
row without entry, and its row cannot reach an entry without row.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_bipartite_matching

from riskapp.core.table.keys import Places
from riskapp.core.table.matching import ranges

Flags = npt.NDArray[np.bool_]
MOST_CELLS = 1_000_000
"""Blocks of more rows times entries are assigned without regard to likelihood."""


@dataclass(frozen=True, eq=False)
class Assigned:
    """A largest matching.

    Attributes
    ----------
    entry : for every row its entry, −1 where it has none
    forced : which rows have the same entry in every largest matching
    blocks, weighed : the parts that have nothing to do with each other, and those in which the likeliest was looked for
    """

    entry: Places
    forced: Flags
    blocks: int
    weighed: int


def assign(rows: Places, entries: Places, shape: tuple[int, int], seed: int = 0) -> Assigned:
    """The likeliest of the largest matchings of rows and entries that are consistent.

    The likelihood of a pair falls with the number of entries that fit its row and of rows that fit its entry. Of
    equally likely ones the seed decides, so that the order in which they are given tells nothing.

    Parameters
    ----------
    rows, entries : the consistent pairs, each once
    shape : how many rows and entries there are

    Examples
    --------
    >>> found = assign(np.array([0, 0, 1]), np.array([0, 1, 0]), (2, 2))
    >>> found.entry, found.forced
    (array([1, 0]), array([ True,  True]))
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    mixed_rows, mixed_entries = (chance.permutation(size) for size in shape)
    graph = _graph(mixed_rows[rows], mixed_entries[entries], shape)
    entry = maximum_bipartite_matching(graph, perm_type="column").astype(np.intp)
    blocks, weighed = _likeliest(graph, entry)
    forced = _forced(graph, entry)
    back = np.argsort(mixed_entries)
    found = np.where(entry >= 0, back[entry], -1)
    return Assigned(found[mixed_rows], forced[mixed_rows], blocks, weighed)


def _graph(rows: Places, entries: Places, shape: tuple[int, int]) -> csr_array:
    return csr_array((np.ones(len(rows), dtype=np.int8), (rows, entries)), shape=shape)


def _likeliest(graph: csr_array, entry: Places) -> tuple[int, int]:
    """In every block that is small enough put the likeliest matching in the place of the one found."""
    rows, entries = graph.shape
    starts = graph.indptr.astype(np.intp)
    degrees = np.diff(starts), np.bincount(graph.indices, minlength=entries)
    both = csr_array(
        (graph.data, graph.indices + rows, np.append(graph.indptr, [graph.nnz] * entries)), shape=(rows + entries,) * 2
    )
    block = connected_components(both, directed=False)[1].astype(np.intp)
    used = np.unique(block[:rows][degrees[0] > 0])
    column = np.zeros(entries, dtype=np.intp)
    weighed = 0
    for mine, theirs in zip(_of_blocks(block[:rows], used), _of_blocks(block[rows:], used), strict=True):
        if len(mine) * len(theirs) > MOST_CELLS:
            continue
        weighed += 1
        if len(mine) > 1 and len(theirs) > 1:
            column[theirs] = np.arange(len(theirs))
            there = np.zeros((len(mine), len(theirs)), dtype=np.bool_)
            fitting = graph.indices[ranges(starts[mine], degrees[0][mine])]
            there[np.repeat(np.arange(len(mine)), degrees[0][mine]), column[fitting]] = True
            entry[mine] = _in_block(there, mine, theirs, *degrees)
    return len(used), weighed


def _of_blocks(block: Places, used: Places) -> Iterator[Places]:
    """The places that are in each of these blocks."""
    order = np.argsort(block, kind="stable")
    ends = np.searchsorted(block[order], [used, used + 1])
    return (order[start:stop] for start, stop in ends.T.tolist())


def _in_block(there: Flags, rows: Places, entries: Places, fits: Places, fitted: Places) -> Places:
    cost = np.log(fits[rows])[:, None] + np.log(fitted[entries])[None, :]
    apart = 1.0 + 2.0 * cost.max(initial=1.0) * min(there.shape)
    mine, theirs = linear_sum_assignment(np.where(there, cost, apart))
    kept = there[mine, theirs]
    found = np.full(len(rows), -1, dtype=np.intp)
    found[mine[kept]] = entries[theirs[kept]]
    return found


def _forced(graph: csr_array, entry: Places) -> Flags:
    rows, entries = graph.shape
    row = np.repeat(np.arange(rows), np.diff(graph.indptr))
    column = graph.indices.astype(np.intp)
    taken = entry[row] == column
    # One more vertex leads to every row without entry; another is reached from every entry without row.
    source, sink = rows + entries, rows + entries + 1
    free_rows = np.flatnonzero(entry < 0)
    free_entries = np.setdiff1d(np.arange(entries), entry[entry >= 0]) + rows
    starts = [np.where(taken, column + rows, row), np.full(len(free_rows), source), free_entries]
    stops = [np.where(taken, row, column + rows), free_rows, np.full(len(free_entries), sink)]
    size = rows + entries + 2
    first, last = np.concatenate(starts), np.concatenate(stops)
    directed = csr_array((np.ones(len(first), dtype=np.int8), (first, last)), shape=(size, size))
    _, strong = connected_components(directed, directed=True, connection="strong")
    from_free = _reached(directed, source)
    to_free = _reached(csr_array(directed.T), sink)
    matched = np.flatnonzero(entry >= 0)
    partner = entry[matched] + rows
    free = (strong[matched] == strong[partner]) | from_free[partner] | to_free[matched]
    forced = np.zeros(rows, dtype=np.bool_)
    forced[matched[~free]] = True
    return forced


def _reached(directed: csr_array, start: int) -> Flags:
    found = np.zeros(directed.shape[0], dtype=np.bool_)
    found[breadth_first_order(directed, start, return_predecessors=False)] = True
    return found
