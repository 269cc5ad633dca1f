"""The lattice as a walk that starts where risk is least: each step gains utility and costs risk.

To make risk small under a least utility one starts at ⊥ and *specialises*; to make utility large under a most risk one
starts at the other end and *generalises*, and risk and utility change places. In both a place is a vector of steps
taken, its cost never falls from step to step, and once a place is `open` (the bound is met) all places further on are.
The limit on the largest chance is the other way round in the first case: once broken it stays broken (`kept`).
"""

from collections.abc import Iterator

from riskapp.core.optimum import Question
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked, Key, Point, allowed, feasible, key, refuse, told
from riskapp.core.table.lattice import Node


class Steps:
    """Places counted in steps from the start.

    >>> from riskapp.core.search.crowd import Meets
    >>> from riskapp.core.search.record import Record
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (Meets.of([[0, 0]]),))
    >>> steps = Steps(Oracle(record), Question("least_utility", 1), "btda")
    >>> steps.node((0, 1)), steps.cost((0, 1)), steps.open((0, 1)), list(steps.onward((0, 1)))
    ((1, 0), 1.0, True, [(1, 1)])
    """

    def __init__(self, oracle: Oracle, question: Asked, method: str) -> None:
        refuse(question, method, "least_utility", "most_risk")
        assert isinstance(question, Question)
        self.oracle = oracle
        self.question = question
        self.heights = oracle.record.heights
        self.upward = question.kind == "most_risk"
        self._enough = told(question.bound)

    @property
    def start(self) -> Node:
        """No step taken."""
        return (0,) * len(self.heights)

    def node(self, place: Node) -> Node:
        """The lattice node at a place; it is its own inverse."""
        return place if self.upward else tuple(h - steps for h, steps in zip(self.heights, place, strict=True))

    def point(self, place: Node) -> Point:
        """The figures at a place."""
        return self.oracle.point(self.node(place))

    def cost(self, place: Node) -> float:
        """What is to be small: risk, or minus utility, in twelve digits."""
        point = self.point(place)
        return -told(point.utility) if self.upward else told(point.risk)

    def open(self, place: Node) -> bool:
        """Whether the bound is met, here and further on."""
        if self.upward:
            return feasible(self.question, self.point(place))
        return told(self.oracle.utility(self.node(place))) >= self._enough

    def kept(self, place: Node) -> bool:
        """Whether the limit is kept, here and at all places before."""
        return self.upward or allowed(self.point(place))

    def feasible(self, place: Node) -> bool:
        """Whether the place may be the answer."""
        return feasible(self.question, self.point(place))

    def key(self, place: Node) -> Key:
        """By which feasible places are compared."""
        return key(self.question, self.point(place))

    def onward(self, place: Node) -> Iterator[Node]:
        """The places one step further."""
        for attribute, height in enumerate(self.heights):
            if place[attribute] < height:
                yield moved(place, attribute, 1)

    def back(self, place: Node) -> Iterator[Node]:
        """The places one step before."""
        for attribute, steps in enumerate(place):
            if steps:
                yield moved(place, attribute, -1)


def moved(place: Node, attribute: int, steps: int) -> Node:
    """The place after some more steps in one attribute."""
    return (*place[:attribute], place[attribute] + steps, *place[attribute + 1 :])
