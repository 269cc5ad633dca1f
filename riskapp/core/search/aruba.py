"""ARUBA, a risk-utility based algorithm (Fouad, Alg. 3): only the frontier between enough and too little is walked.

A *frontier node* is open (it meets the bound) with a node one step before that is not. Where risk never falls from step
to step the best is among those none of whose nodes before are open. The frontier hangs together through *adjacency
cubes*, the up to 3^k − 1 nodes at most one step away in each attribute, so one of its nodes leads to all. It is empty
when the start itself is open, which is then the best, and when nothing is open.

Whether a node is open need not be asked when it lies beyond an open one or before one that is not.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked
from riskapp.core.search.record import Record
from riskapp.core.search.scope import check_monotone
from riskapp.core.search.steps import Steps, moved
from riskapp.core.table.lattice import Node


def aruba(record: Record, question: Asked, options: Options) -> Answer:
    """The best node under a least utility or a most risk.

    Raises
    ------
    BadSetting
        If another question is asked, or risk may rise under generalisation.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> aruba(record, Question("least_utility", 1), Options()).node
    (1, 0)
    """
    check_monotone(record, "aruba")
    oracle = Oracle(record)
    steps = Steps(oracle, question, "aruba")
    ends = [place for place in _first_open(steps) if steps.kept(place)]
    if not ends:
        return oracle.unmet(question)
    least = min(steps.cost(place) for place in ends)
    best = min(_equals(steps, [place for place in ends if steps.cost(place) == least]), key=steps.key)
    return oracle.found(question, steps.point(best))


def _first_open(steps: Steps) -> list[Node]:
    """All open places none of whose places before are open."""
    known = _Openness(steps)
    if not known.open(steps.heights):
        return []
    if known.open(steps.start):
        return [steps.start]
    first = _on_a_path(known)
    waiting, seen, ends = [first], {first}, []
    while waiting:
        place = waiting.pop()
        if not any(known.open(before) for before in steps.back(place)):
            ends.append(place)
        for near in _cube(steps, place):
            if near not in seen and known.frontier(near):
                seen.add(near)
                waiting.append(near)
    return ends


class _Openness:
    """Which places are open: inferred where it follows from what is known, asked otherwise."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self._told: dict[Node, bool] = {}
        self._open = np.empty((0, len(steps.heights)), dtype=np.int64)
        self._shut = np.empty((0, len(steps.heights)), dtype=np.int64)

    def open(self, place: Node) -> bool:
        if place not in self._told:
            self._told[place] = self._inferred(np.array(place))
        return self._told[place]

    def frontier(self, place: Node) -> bool:
        return self.open(place) and any(not self.open(before) for before in self.steps.back(place))

    def _inferred(self, place: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
        if (self._open <= place).all(axis=1).any():
            return True
        if (self._shut >= place).all(axis=1).any():
            return False
        answer = self.steps.open(tuple(int(steps) for steps in place))
        # What follows from the new answer need not be kept.
        if answer:
            self._open = np.vstack([self._open[~(self._open >= place).all(axis=1)], place])
        else:
            self._shut = np.vstack([self._shut[~(self._shut <= place).all(axis=1)], place])
        return answer


def _on_a_path(known: _Openness) -> Node:
    """The first open place on a path from the start to the end, by halving."""
    path = [known.steps.start]
    while path[-1] != known.steps.heights:
        left = [height - steps for height, steps in zip(known.steps.heights, path[-1], strict=True)]
        path.append(moved(path[-1], left.index(max(left)), 1))
    shut, opened = 0, len(path) - 1
    while opened - shut > 1:
        middle = (shut + opened) // 2
        shut, opened = (shut, middle) if known.open(path[middle]) else (middle, opened)
    return path[opened]


def _cube(steps: Steps, place: Node) -> Iterator[Node]:
    """The places at most one step away in each attribute."""
    near = zip(place, steps.heights, strict=True)
    return product(*(range(max(at - 1, 0), min(at + 1, height) + 1) for at, height in near))


def _equals(steps: Steps, places: list[Node]) -> set[Node]:
    """These places and all further ones of the same cost that keep the limit."""
    cost, seen, waiting = steps.cost(places[0]), set(places), list(places)
    while waiting:
        for further in steps.onward(waiting.pop()):
            if further not in seen and steps.cost(further) == cost and steps.kept(further):
                seen.add(further)
                waiting.append(further)
    return seen
