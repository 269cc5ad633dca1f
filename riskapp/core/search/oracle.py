"""The oracle: answers what a search asks about nodes, and counts the nodes it was asked about."""

from collections.abc import Sequence

import numpy as np

from riskapp.core.search.answer import Found, Unmet
from riskapp.core.search.listing import nearest_place
from riskapp.core.search.question import Asked, Point, missed, nearness, objective
from riskapp.core.search.record import MOST_NODES, Figures, Record
from riskapp.core.table.lattice import Node


class Oracle:
    """Asked for figures of one record's nodes, each worked out once.

    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> oracle = Oracle(Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,)))
    >>> oracle.risk((0, 1)), oracle.utility((0, 1)), oracle.risk((0, 0)), oracle.visited
    (1.0, 1.0, 3.0, 2)
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._points: dict[Node, Point] = {}
        self._utilities: dict[Node, float] = {}
        self._says = [some.tolist() for some in record.utilities]
        self._figures: dict[Node, tuple[float, tuple[int, ...]]] = {}
        self._all: Figures | None = None

    @property
    def visited(self) -> int:
        """How many different nodes it was asked about."""
        return len(self._utilities.keys() | self._points.keys()) if self._all is None else self.record.lattice.size

    def point(self, node: Node) -> Point:
        """All figures of a node."""
        if node not in self._points:
            self.points([node])
        return self._points[node]

    def points(self, nodes: Sequence[Node]) -> list[Point]:
        """All figures of some nodes."""
        new = [node for node in dict.fromkeys(nodes) if node not in self._points]
        if new:
            figures = self.record.at(np.array(new, dtype=np.int64))
            for place, node in enumerate(new):
                self._points[node] = self._told(node, figures, place)
                people = tuple(int(some[place]) for some in figures.people)
                self._figures[node] = (float(figures.phi[place]), people)
        return [self._points[node] for node in nodes]

    def _told(self, node: Node, figures: Figures, place: int) -> Point:
        return Point(
            node,
            risk=float(figures.risk[place]),
            utility=float(figures.utility[place]),
            chance=float(figures.chance[place]),
            inverse=float(figures.inverse[place]),
            least=self.record.least,
            limit=self.record.largest_chance,
        )

    def risk(self, node: Node) -> float:
        """r at a node."""
        return self.point(node).risk

    def utility(self, node: Node) -> float:
        """u at a node; cheaper than its risk, for nobody is counted."""
        if node not in self._utilities:
            self._utilities[node] = sum(says[level] for says, level in zip(self._says, node, strict=True))
        return self._utilities[node]

    def phi(self, node: Node) -> float:
        """Φ at a node."""
        self.point(node)
        return self._figures[node][0]

    def people(self, node: Node) -> tuple[int, ...]:
        """|ρ| at a node for each dictionary."""
        self.point(node)
        return self._figures[node][1]

    def table(self) -> Figures:
        """The figures of all nodes: every one is visited."""
        if self._all is None:
            self._all = self.record.table()
        return self._all

    def listed(self, number: int) -> Point:
        """The figures of one node of the table."""
        return self._told(self.record.lattice.node(number), self.table(), number)

    def found(self, question: Asked, point: Point, *, bound: float | None = None, exact: bool = True) -> Found:
        """The answer that this node is the best."""
        reached = objective(question, point)
        proved = reached if exact and bound is None else bound
        return Found(point.node, point.risk, point.utility, self.visited, exact, reached, proved)

    def unmet(self, question: Asked, *, proved: bool = True) -> Unmet:
        """The answer that no node will do, with the nearest; of very many nodes it is the nearest of a few."""
        if self.record.lattice.size <= MOST_NODES:
            point = self.listed(nearest_place(self.record, self.table(), question))
            chance = float(self.table().chance.min())
        else:
            some = [*self.points([self.record.lattice.bottom, self.record.lattice.top]), *self._points.values()]
            point = min(some, key=lambda one: nearness(question, one))
            chance = min(one.chance for one in some)
        return Unmet(missed(question, point), point.node, point.risk, point.utility, chance, self.visited, proved)
