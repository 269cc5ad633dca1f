"""Φ: what it hurts when a released record is traced to its person."""

import math
from collections.abc import Callable

from tests.oracle.arithmetic import exponential, inverse, times, total
from tests.oracle.consistency import Cells
from tests.oracle.hierarchies import Cell, Hierarchy
from tests.oracle.problem import Attribute, Problem, Record

LeafWeight = Callable[[str], float]


def leaf_weights(attribute: Attribute, record: Record) -> LeafWeight:
    """What each leaf of the attribute weighs for this record's person.

    A personal weight stands for every leaf; without one, the leaf's own weight, else the attribute's.
    """
    if attribute.name in record.personal:
        return lambda leaf: record.personal[attribute.name]
    return lambda leaf: attribute.weights.get(leaf, attribute.weight)


def harmonic(hierarchy: Hierarchy, cell: Cell, weigh: LeafWeight) -> float:
    """w(leaf) as given; w(parent) = 1 / Σ over children of 1/w(child); w(⊥) = 0."""
    if cell == hierarchy.top:
        return 0.0
    if cell[0] == 0:
        return weigh(cell[1])
    children = hierarchy.children(cell)
    if not children:  # a label that only a coarser table holds
        return weigh(cell[1])
    return inverse(total(inverse(harmonic(hierarchy, child, weigh)) for child in children))


def fallen(attribute: Attribute, record: Record, cell: Cell) -> float:
    """The weight of a disclosed cell for this person: step keeps the leaf's weight until ⊥, harmonic spreads it."""
    weigh = leaf_weights(attribute, record)
    if cell == attribute.hierarchy.top:
        return 0.0
    if attribute.fall == "harmonic":
        return remembered_harmonic(attribute, record, cell)
    own = record.values[attribute.name]
    if own is not None:
        return weigh(own)
    # Only a linked value is disclosed where the record's own is missing.
    return weigh(cell[1]) if cell[0] == 0 else record.personal.get(attribute.name, attribute.weight)


def remembered_harmonic(attribute: Attribute, record: Record, cell: Cell) -> float:
    """The harmonic fall, worked out once for each cell and personal weight."""
    key = (cell, record.personal.get(attribute.name))
    if key not in attribute.fallen_before:
        attribute.fallen_before[key] = harmonic(attribute.hierarchy, cell, leaf_weights(attribute, record))
    return attribute.fallen_before[key]


def pairs_of(problem: Problem, disclosed: set[str]) -> list[float]:
    """The weights of the pairs whose two attributes are both disclosed."""
    return [pair.weight for pair in problem.settings.pairs if {pair.one, pair.other} <= disclosed]


def person_factor(problem: Problem, record: Record) -> float:
    """What a person's weights are multiplied by so that they sum to c (scale), or to no more than c (cap).

    The sum runs over the leaf weights of the record's cells that are not missing, and its pairs. A sum of 0 or ∞ is
    left alone.
    """
    if problem.settings.person_total is None:
        return 1.0
    how, most = problem.settings.person_total
    filled = {name: value for name, value in record.values.items() if value is not None}
    leaves = [leaf_weights(problem.attributes[name], record)(value) for name, value in filled.items()]
    weight = total(leaves + pairs_of(problem, set(filled)))
    if weight in (0.0, math.inf):
        return 1.0
    return min(1.0, most / weight) if how == "cap" else most / weight


def sensitivity(problem: Problem, record: Record, cells: Cells, added: list[float] | None = None) -> float:
    """Φ(y): the sum of the fallen weights, of the pairs both below the top, and of columns gained by linking.

    The multiplicative family takes e to the power of that sum.
    """
    factor = person_factor(problem, record)
    disclosed = {name for name, cell in cells.items() if cell != problem.attributes[name].hierarchy.top}
    single = [fallen(problem.attributes[name], record, cells[name]) for name in sorted(disclosed)]
    weight = total([times(factor, part) for part in single + pairs_of(problem, disclosed)] + (added or []))
    return exponential(weight) if problem.settings.family == "multiplicative" else weight
