"""Exhaustive search: every node is looked at, all at once. Exact for every question, every risk and every limit."""

from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.listing import best_place
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record


def exhaustive(record: Record, question: Asked, options: Options) -> Answer:
    """The best node of all.

    Raises
    ------
    BadSetting
        If the lattice has too many nodes to look at each.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> found = exhaustive(record, Question("least_utility", 1), Options())
    >>> found.node, found.visited
    ((1, 0), 4)
    """
    oracle = Oracle(record)
    place = best_place(record, oracle.table(), question)
    return oracle.unmet(question) if place is None else oracle.found(question, oracle.listed(place))
