"""Nodes that say equally much: of each such layer only the one of least risk can lie on a record's hull.

By depth all records that lack no value have the same layers, and few of them. Then a hull is drawn through the least
risks of the layers, from the least utility to the most, and nothing is wound around hundreds of points.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, call-arg"

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.search.hulls import NEAR, below, near


@compiled
def layered(utility, ranks, o_nodes, o_ends):
    """Write the nodes layer by layer, those that say least first, by rank within a layer, and where each ends.

    Returns how many layers there are.
    """
    o_nodes[:] = np.argsort(utility)
    layers, start = 0, 0
    for place in range(1, o_nodes.size + 1):
        if place == o_nodes.size or not near(utility[o_nodes[place]], utility[o_nodes[start]]):
            o_nodes[start:place] = o_nodes[start:place][np.argsort(ranks[o_nodes[start:place]])]
            o_ends[layers] = place
            layers += 1
            start = place
    return layers


@compiled
def drawn(utility, risk, nodes, ends, layers, least, o_layers):
    """Write the layers on the hull, from the least risk to the most utility; how many they are.

    `least` becomes the least risk of every layer.
    """
    size = start = 0
    for layer in range(layers):
        lowest = np.inf
        for place in range(start, ends[layer]):
            lowest = min(lowest, risk[nodes[place]])
        said = utility[nodes[start]]
        start = ends[layer]
        least[layer] = lowest
        if lowest == np.inf:
            continue
        # Who says less and costs no less is beaten; and then who is no longer below its neighbours.
        while size and (least[o_layers[size - 1]] >= lowest or near(least[o_layers[size - 1]], lowest)):
            size -= 1
        while size > 1:
            last, other = o_layers[size - 1], o_layers[size - 2]
            u0, u1 = utility[nodes[ends[other] - 1]], utility[nodes[ends[last] - 1]]
            if below(u0, least[other], u1, least[last], said, lowest):
                break
            size -= 1
        o_layers[size] = layer
        size += 1
    return size


@compiled
def chosen(layer, risk, nodes, ends, least):
    """Of the nodes of a layer that have its least risk the one of the smallest rank."""
    place = ends[layer - 1] if layer else 0
    most = least[layer] + NEAR * abs(least[layer])
    while risk[nodes[place]] > most:
        place += 1
    return nodes[place]
