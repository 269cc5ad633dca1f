"""Maximum flow with capacities that are any numbers, by OR-tools, whose capacities are whole numbers.

They are scaled by a power of two, the largest that there is room for. So a capacity without digits below 2⁻⁵⁹ of what
all finite ones amount to stays what it is; of the others it is counted by how much rounding may have changed the flow.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from ortools.graph.python.max_flow import SimpleMaxFlow

from riskapp.core.extended import Numbers

Flags = npt.NDArray[np.bool_]

ROOM = 60
"""All finite capacities together are below two to this when scaled, and ∞ is this: both together fit into 64 bits."""


class Flow(NamedTuple):
    """A maximum flow from node 0 to node 1.

    Attributes
    ----------
    value : how much flows at least; it is what flows where nothing was rounded
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
    exact = np.asarray(capacities, dtype=np.float64)
    finite = np.isfinite(exact)
    scale = _scale(exact[finite])
    scaled = np.where(finite, exact, 0.0) * scale
    # More than all finite arcs together let through is as good as infinite.
    whole = np.where(finite, np.rint(scaled), 2.0**ROOM).astype(np.int64)
    network = SimpleMaxFlow()
    network.add_arc_with_capacity(0, 1, 0)  # it knows only nodes that have an arc
    network.add_arcs_with_capacity(np.asarray(tails, dtype=np.int32), np.asarray(heads, dtype=np.int32), whole)
    status = network.solve(0, 1)
    if status != SimpleMaxFlow.Status.OPTIMAL:
        raise ArithmeticError(f"The flow was not found: {status.name}.")
    rounded = float(np.abs(scaled - np.rint(scaled)).sum())
    reached = _flags(size, network.get_source_side_min_cut())
    unsunk = ~_flags(size, network.get_sink_side_min_cut())
    return Flow((network.optimal_flow() - rounded) / scale, reached, unsunk)


def _scale(finite: Numbers) -> float:
    """The largest power of two that leaves all finite capacities together within the room."""
    total = float(finite.sum())
    return math.ldexp(1.0, ROOM - math.frexp(total)[1]) if total > 0 else 1.0


def _flags(size: int, nodes: npt.ArrayLike) -> Flags:
    flags = np.zeros(size, dtype=np.bool_)
    flags[np.asarray(nodes, dtype=np.int64)] = True
    return flags
