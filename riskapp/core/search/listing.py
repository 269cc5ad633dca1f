"""The figures of all nodes in a list: which place is the best, and which the nearest when none will do.

Everything is compared to twelve digits; as most numbers differ in far fewer, only near ones are rounded one by one.
"""

import numpy as np

from riskapp.core.digits import rounded, told_apart
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.frontier import Flags, Places
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import Figures, Record
from riskapp.core.table.lattice import Lattice

NEAR = 1e-10
"""Numbers further apart than this, relatively, differ in twelve digits too; only the others need be rounded."""


def best_place(record: Record, figures: Figures, question: Asked) -> int | None:
    """The number of the best node; None when none will do."""
    places = np.flatnonzero(within(figures, record.largest_chance) & meets(figures, question))
    if not len(places):
        return None
    for values, sizes in (_objectives(figures, question, record.least), (figures.risk, None), (-figures.utility, None)):
        places = _least(values, sizes, places)
    return _first(record.lattice, places)


def nearest_place(record: Record, figures: Figures, question: Asked) -> int:
    """The number of the node that breaks no limit, if there is one, and of those misses the bound by the least."""
    kept = within(figures, record.largest_chance)
    places = np.flatnonzero(kept) if kept.any() else np.arange(len(kept))
    short = shortfalls(figures, question)
    places = places[short[places] == short[places].min()]
    if not isinstance(question, Aggregate) and question.kind == "least_utility" and short[places[0]] > 0:
        # Nodes that all miss the bound by far are told apart by what they say.
        places = _least(-figures.utility, None, places)
    for values in (figures.risk, -figures.utility):
        places = _least(values, None, places)
    return _first(record.lattice, places)


def within(figures: Figures, limit: float | None) -> Flags:
    """Which nodes keep the limit on the largest chance."""
    if limit is None:
        return np.ones(len(figures.chance), dtype=np.bool_)
    return _at_most(figures.chance, limit)


def meets(figures: Figures, question: Asked) -> Flags:
    """Which nodes meet the question's bound."""
    if isinstance(question, Aggregate):
        return figures.inverse < INFINITE
    if question.kind == "least_utility":
        return _at_most(-figures.utility, -question.bound)
    if question.kind == "most_risk":
        return _at_most(figures.risk, question.bound)
    return np.ones(len(figures.risk), dtype=np.bool_)


def _at_most(numbers: Numbers, bound: float) -> Flags:
    """Which numbers are at most the bound in twelve digits."""
    small: Flags = numbers <= bound
    if np.isfinite(bound):
        near = np.abs(numbers - bound) <= NEAR * abs(bound)
        small[near] = _told(numbers[near]) <= told_apart([bound])[0]
    return small


def shortfalls(figures: Figures, question: Asked) -> Numbers:
    """By how much every node misses the question's bound; 0 where it is met."""
    if isinstance(question, Aggregate):
        return np.where(figures.inverse < INFINITE, 0.0, 1.0)
    bound = told_apart([question.bound])[0]
    if question.kind == "trade_off" or bound == INFINITE:
        return np.zeros(len(figures.risk))
    wanting = question.kind == "least_utility"
    over: Numbers = bound - _told(figures.utility) if wanting else _told(figures.risk) - bound
    return np.maximum(0.0, over)


def _told(numbers: Numbers) -> Numbers:
    """The numbers in twelve digits; each different one is rounded once."""
    different, place = np.unique(numbers, return_inverse=True)
    return told_apart(different)[place]


def _objectives(figures: Figures, question: Asked, least: float) -> tuple[Numbers, Numbers | None]:
    """What the question makes as small as it can, and the size of its larger part."""
    if isinstance(question, Aggregate):
        one, other = (
            -question.price * _finite(figures.inverse),
            -(np.maximum(figures.utility - least, 0.0) ** question.power),
        )
    elif question.kind == "trade_off":
        one, other = figures.risk, -question.bound * figures.utility
    else:
        return (figures.risk if question.kind == "least_utility" else -figures.utility), None
    return one + other, np.maximum(np.abs(one), np.abs(other))


def _finite(numbers: Numbers) -> Numbers:
    """Without the infinite ones, which belong to nodes that are no answer."""
    return np.where(numbers < INFINITE, numbers, 0.0)


def _least(values: Numbers, sizes: Numbers | None, places: Places) -> Places:
    """The places with the smallest value in twelve digits."""
    some = values[places]
    size = np.abs(some) if sizes is None else sizes[places]
    smallest = some.min()
    if not np.isfinite(smallest):
        return np.asarray(places[some == smallest])
    near = some <= smallest + NEAR * np.maximum(size, abs(smallest))
    places, some, size = places[near], some[near], size[near]
    pairs, place = np.unique(np.stack([some, size]), axis=1, return_inverse=True)
    told = np.array([rounded(float(value), float(scale)) for value, scale in pairs.T])[place.reshape(-1)]
    return np.asarray(places[told == told.min()])


def _first(lattice: Lattice, places: Places) -> int:
    """The place whose node is the smallest as text."""
    if max(lattice.heights, default=0) < 10:
        return int(places.min())
    return int(min(places, key=lambda place: ".".join(map(str, lattice.node(int(place))))))
