"""What every attribute adds to the mean risk, where Φ is linear and there is no Ψ."""

import numpy as np

from riskapp.core.extended import Numbers, times, total
from riskapp.core.search.anytime_classes import Classes
from riskapp.core.search.anytime_keys import spread
from riskapp.core.search.anytime_rows import Held, Rows
from riskapp.core.table.lattice import Node


def added(rows: Rows, held: Held, node: Node, found: Classes) -> list[Numbers]:
    """For each attribute what it adds to the mean risk at each of its levels, were |ρ| as it is at this node.

    Only for a linear Φ without Ψ. Pairs are left out.
    """
    ones = np.ones(len(found.first))
    shares = rows.problem.loss.of(ones, rows.crowd(held, node, found), held.dictionary.everybody)
    sizes = [len(column.weights.levels[0]) for column in rows.problem.columns]
    starts = np.cumsum([0, *sizes])
    out, weights = np.zeros(starts[-1]), rows.weights
    if rows.problem.sensitivity.totals is not None:
        leaves, most = rows.problem.sensitivity.totals
        weights = weights / leaves[rows.record] * most[rows.record]
    spread(rows.codes, found.kind, weights, shares, starts[:-1], out)
    each = weights * shares[found.kind]
    return [
        np.array([_added(rows, place, level, out[starts[place] : starts[place + 1]], each) for level in levels])
        for place, levels in enumerate(map(range, [len(column.weights.levels) for column in rows.problem.columns]))
    ]


def _added(rows: Rows, place: int, level: int, shares: Numbers, each: Numbers) -> float:
    column = rows.problem.columns[place]
    if column.personal is not None:
        return total(times(each, column.at(level)[rows.record]))
    return total(times(column.weights.levels[level], shares))


def beyond(rows: Rows, node: Node) -> tuple[float, ...]:
    """By dictionary the part of the mean risk that the attributes add which have a level to choose.

    Only for a linear Φ without Ψ.
    """
    found = rows.classes(node)
    phi = rows.phi.at(node, found.first) - rows.phi.at(rows.problem.lattice.top, found.first)
    crowds = [(held.dictionary, rows.crowd(held, node, found)) for held in rows.held]
    losses = [rows.problem.loss.of(phi, crowd, dictionary.everybody) for dictionary, crowd in crowds]
    return tuple(total(times(found.weights, own)) for own in losses)
