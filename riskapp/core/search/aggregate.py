"""The aggregate search: the most λ/r + u^κ exactly, in polynomial time.

f = N/Φ with N = λ|ρ| + Φ·u^κ. By Dinkelbach's iteration one maximises N − αΦ, which is one minimum cut (`cut`), sets α
to the f of the maximiser, and repeats until it stops rising. Nodes with Φ = 0 are excluded, so the rest is parted by
the first attribute that is still disclosed with a weight: that one stays at or below its last level of positive weight,
the ones before it are above theirs. Where nobody counts as one person, f is the larger of two such functions, with |ρ|
and with 1. Levels of infinite weight make f no more than u^κ, which is most at the finest node. Model II is Φ = 1.

Fouad used a general minimiser of submodular functions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.crowd import Meets
from riskapp.core.search.cut import Worth
from riskapp.core.search.listing import best_place
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Aggregate, Asked, Point, feasible, key, parts, refuse
from riskapp.core.search.record import Record
from riskapp.core.search.scope import counted
from riskapp.core.table.lattice import Node

POWERS = (0, 1, 2)
RISES = 1e-13
"""A smaller relative rise of α is rounding."""
LISTED = 1_000_000
"""Up to so many nodes each is looked at where the limit excludes the best."""
EXACT = 1e-9
"""The proof is that nothing is better by more than this share."""


def aggregate(record: Record, question: Asked, options: Options) -> Answer:
    """The node with the most λ/r + u^κ.

    Where the limit on the largest chance excludes that node, every node is looked at. Of more than a million nodes
    another is sought with higher prices λ, and the answer is not exact: its bound is the most without the limit.

    Raises
    ------
    BadSetting
        If another question is asked, κ is not 0, 1 or 2, or the record is out of scope (see `counted`).

    Examples
    --------
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> found = aggregate(record, Aggregate(1, 1), Options())
    >>> found.node, found.objective, found.exact
    ((1, 0), -4.0, True)
    """
    refuse(question, "aggregate", "aggregate")
    assert isinstance(question, Aggregate)
    crowd = counted(record, "aggregate")
    if question.power not in POWERS:
        raise BadSetting("search.aggregate.kappa", "The search aggregate needs 0, 1 or 2; exhaustive takes others.")
    oracle = Oracle(record)
    rising = _Rising(oracle, question)
    for worth in worths(record, crowd, question):
        rising.over(worth)
    return _answer(rising, crowd)


def worths(record: Record, crowd: Meets, question: Aggregate) -> Iterator[Worth]:
    """The functions whose maximum is sought; together they cover all nodes with a finite Φ above 0."""
    crowds = [crowd]
    if record.loss.uncovered == "one" and not crowd.at(np.array([record.lattice.bottom]))[0]:
        crowds.append(Meets(np.zeros((1, len(record.heights)), dtype=np.int64), np.array([1]), 1))
    for fine, coarse, weights, base in _boxes(record):
        for some in crowds:
            constants = (base, -record.least)
            power = int(question.power)
            yield Worth(fine, coarse, weights, record.utilities, constants, some, question.price, power)


def _boxes(record: Record) -> Iterator[tuple[Node, Node, list[Numbers], float]]:
    """Boxes of nodes with a finite Φ above 0, with the weights and what Φ has besides."""
    if record.loss.model == "anonymity":
        yield record.lattice.bottom, record.heights, [np.zeros(h + 1) for h in record.heights], 1.0
        return
    weights = list(record.weights)
    fine = [int(np.isinf(some).sum()) for some in weights]
    if any(low == len(some) for low, some in zip(fine, weights, strict=True)):
        return
    if any(some[-1] > 0 for some in weights):
        yield tuple(fine), record.heights, weights, 0.0
        return
    # The cheapest first: it is the likeliest to be disclosed, and a high α soon makes the others short.
    last = [int((some > 0).sum()) - 1 for some in weights]
    order = [at for at in np.argsort([some[end] for some, end in zip(weights, last, strict=True)]) if last[at] >= 0]
    for at in (int(each) for each in order):
        if fine[at] <= last[at]:
            yield tuple(fine), (*record.heights[:at], last[at], *record.heights[at + 1 :]), weights, 0.0
            fine[at] = last[at] + 1
        # Nodes where its weight is infinite are not looked at; above its last positive level it weighs nothing.


@dataclass
class _Rising:
    """Dinkelbach's iteration over several functions with one α: that of the best node so far."""

    oracle: Oracle
    question: Aggregate
    best: Point | None = None
    most: float = -INFINITE
    seen: list[Point] = field(default_factory=list)

    def over(self, worth: Worth) -> None:
        """Raise α to the most of one function, and bound that."""
        self.offer(worth.fine)
        self.offer(worth.coarse)
        rise = True
        while rise:
            alpha = self.alpha
            if self._short(worth, alpha):
                return
            cut = worth.best(alpha)
            for node in cut.nodes:
                self.offer(node)
            rise = self.alpha > alpha + RISES * abs(alpha)
            if not rise:
                self.most = max(self.most, alpha + max(cut.most, 0.0) / worth.phi_at_least)

    def _short(self, worth: Worth, alpha: float) -> bool:
        """Whether a glance shows that the function is nowhere above α."""
        short = worth.glance() < alpha
        if short:
            self.most = max(self.most, alpha)
        return short

    @property
    def alpha(self) -> float:
        """f of the best node."""
        return -INFINITE if self.best is None else -sum(parts(self.question, self.best))

    def offer(self, node: Node) -> None:
        """Take a node as the best if it is better."""
        point = self.oracle.point(node)
        self.seen.append(point)
        if point.inverse < INFINITE and (self.best is None or self._key(point) < self._key(self.best)):
            self.best = point

    def _key(self, point: Point) -> tuple[float, float, float, str]:
        return key(self.question, point)

    def settle(self) -> None:
        """Among equals below the best take the one that ties prefer."""
        assert self.best is not None
        better = True
        while better:
            before = self.best
            for finer in self.oracle.record.lattice.specialisations(before.node):
                self.offer(finer)
            better = self.best is not before


def _answer(rising: _Rising, crowd: Meets) -> Answer:
    oracle, question = rising.oracle, rising.question
    finest = oracle.record.lattice.bottom
    if oracle.phi(finest) == INFINITE:
        rising.offer(finest)
        rising.most = max(rising.most, -sum(parts(question, oracle.point(finest))))
    if rising.best is None:
        return oracle.unmet(question)
    rising.settle()
    alpha = rising.alpha
    exact = rising.most <= alpha + EXACT * abs(alpha)
    if feasible(question, rising.best):
        return oracle.found(question, rising.best, bound=-max(rising.most, alpha), exact=exact)
    return _listed(oracle, question) if oracle.record.lattice.size <= LISTED else _limited(rising, crowd)


def _listed(oracle: Oracle, question: Aggregate) -> Answer:
    """The best of all nodes that keep the limit."""
    place = best_place(oracle.record, oracle.table(), question)
    return oracle.unmet(question) if place is None else oracle.found(question, oracle.listed(place))


def _limited(rising: _Rising, crowd: Meets) -> Answer:
    """A node that keeps the limit: higher prices λ draw the best node to larger crowds."""
    oracle, question = rising.oracle, rising.question
    candidates = list(rising.seen)
    price = max(question.price, 1.0)
    for _ in range(40):
        price *= 2
        dearer = _Rising(oracle, replace(question, price=price))
        for worth in worths(oracle.record, crowd, dearer.question):
            dearer.over(worth)
        candidates += dearer.seen
        if dearer.best is not None and feasible(question, dearer.best):
            break
    good = [point for point in candidates if feasible(question, point)]
    if not good:
        return oracle.unmet(question, proved=False)
    return oracle.found(question, min(good, key=lambda some: key(question, some)), bound=-rising.most, exact=False)
