"""Maximum flow with capacities that are any numbers, by Dinic's algorithm.

Its number of rounds does not depend on the capacities, so they need not be scaled to whole numbers, which could change
the smallest cut. What is left of a capacity counts as nothing below a share of `NOTHING` of the largest finite one.
"""

from typing import NamedTuple

import numba as nb
import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

NOTHING = 1e-14


class Flow(NamedTuple):
    """A maximum flow from node 0 to node 1.

    Attributes
    ----------
    value : how much flows
    reached : the nodes that the source still reaches: the smallest source side of a minimum cut
    unsunk : the nodes that no longer reach the sink: the largest source side of a minimum cut
    """

    value: float
    reached: Flags
    unsunk: Flags


def max_flow(size: int, tails: npt.ArrayLike, heads: npt.ArrayLike, capacities: npt.ArrayLike) -> Flow:
    """The maximum flow from node 0 to node 1 of a network with `size` nodes.

    Parameters
    ----------
    size : the number of nodes
    tails, heads, capacities : of every arc; ∞ is allowed where every path has a finite arc

    Examples
    --------
    >>> flow = max_flow(4, [0, 0, 2, 3, 2], [2, 3, 1, 1, 3], [3.0, 1.0, 1.5, 9.0, 0.5])
    >>> flow.value, flow.reached, flow.unsunk
    (3.0, array([ True, False,  True, False]), array([ True, False,  True, False]))
    """
    starts, pairs, ends, room = _network(size, tails, heads, capacities)
    finite = room[np.isfinite(room)]
    nothing = float(NOTHING * finite.max(initial=0.0))
    value = _dinic(starts, pairs, ends, room, nothing)
    reached = _search(starts, pairs, ends, room, nothing, 0, True) >= 0
    unsunk = _search(starts, pairs, ends, room, nothing, 1, False) < 0
    return Flow(float(value), reached, unsunk)


def _network(
    size: int, tails: npt.ArrayLike, heads: npt.ArrayLike, capacities: npt.ArrayLike
) -> tuple[Ints, Ints, Ints, Numbers]:
    """Arcs 2i and 2i + 1 are an arc and its reverse; `pairs` lists them by where they start."""
    one, other = np.asarray(tails, dtype=np.int64), np.asarray(heads, dtype=np.int64)
    origins, ends = np.stack([one, other], axis=1).reshape(-1), np.stack([other, one], axis=1).reshape(-1)
    room = np.zeros(len(ends))
    room[::2] = capacities
    starts = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(origins, minlength=size), out=starts[1:])
    return starts, np.argsort(origins, kind="stable").astype(np.int64), ends, room


@nb.njit(cache=True, nogil=True)
def _search(starts: Ints, pairs: Ints, ends: Ints, room: Numbers, nothing: float, origin: int, forward: bool) -> Ints:
    """The distance of every node from the origin through arcs with room, or to it; −1 where there is no way."""
    far = np.full(len(starts) - 1, -1, dtype=np.int64)
    queue = np.empty(len(far), dtype=np.int64)
    far[origin], queue[0], first, last = 0, origin, 0, 1
    while first < last:
        node = queue[first]
        first += 1
        for place in range(starts[node], starts[node + 1]):
            arc = pairs[place]
            left = room[arc] if forward else room[arc ^ 1]
            if left > nothing and far[ends[arc]] < 0:
                far[ends[arc]] = far[node] + 1
                queue[last] = ends[arc]
                last += 1
    return far


@nb.njit(cache=True, nogil=True)
def _dinic(starts: Ints, pairs: Ints, ends: Ints, room: Numbers, nothing: float) -> float:
    """Push flow along shortest ways until there is none; `room` is what is left of the capacities."""
    value = 0.0
    path = np.empty(len(starts), dtype=np.int64)
    while True:
        # Distances to the sink, so that no walk ends in a node that does not lead there.
        far = _search(starts, pairs, ends, room, nothing, 1, False)
        if far[0] < 0:
            return value
        current = starts[:-1].copy()
        value += _block(starts, pairs, ends, room, nothing, far, current, path)


@nb.njit(cache=True, nogil=True)
def _block(
    starts: Ints, pairs: Ints, ends: Ints, room: Numbers, nothing: float, far: Ints, current: Ints, path: Ints
) -> float:
    """Fill all ways that get one node nearer to the sink with every arc."""
    value, node, depth = 0.0, 0, 0
    while True:
        if node == 1:
            least = np.inf
            for step in range(depth):
                least = min(least, room[path[step]])
            back = depth
            for step in range(depth - 1, -1, -1):
                room[path[step]] -= least
                room[path[step] ^ 1] += least
                if room[path[step]] <= nothing:
                    back = step
            value += least
            depth, node = back, ends[path[back] ^ 1]
            continue
        moved = False
        while current[node] < starts[node + 1]:
            arc = pairs[current[node]]
            if room[arc] > nothing and far[ends[arc]] == far[node] - 1:
                path[depth] = arc
                depth += 1
                node = ends[arc]
                moved = True
                break
            current[node] += 1
        if not moved:
            if node == 0:
                return value
            depth -= 1
            node = ends[path[depth] ^ 1]
            current[node] += 1
