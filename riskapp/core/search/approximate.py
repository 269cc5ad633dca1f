"""The approximate search (Fouad, Alg. 5): the least risk by linear programmes over layers of Φ, with a certified bound.

In each layer Φ ≤ τ_i, with τ_i = φ(1 + ε)^i from the least positive φ up, the most |ρ| under u ≥ c is sought in the
Lovász extensions, where it is a linear programme with the value ẑ_i. Its solution is turned back into nodes by all of
its threshold sets, of which at least one has u ≥ c; the best is kept whose utility is at least the share σ₁ of what is
asked for. (The thesis draws one threshold set at random until it fits; its promise on the mean of 1/r is false, because
rejecting draws conditions them.) A node with u ≥ c and Φ in layer i has |ρ| ≤ ẑ_i and Φ > τ_{i−1}, so no risk under
u ≥ c is below min_i τ_{i−1}/ẑ_i: the answer carries this bound. At last better nodes one step away are taken, which the
threshold sets may step over. Utility is counted from that of ⊥ up.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.optimum import Question
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.closure import Closure, Linear
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.question import Asked, Point, allowed, key, refuse, shortfall, told
from riskapp.core.search.record import Record
from riskapp.core.search.scope import counted
from riskapp.core.table.lattice import Node

TOLERANCE = 1e-6
"""By so much, as a share, a value of the solver may be short of the true one."""
MOST_LAYERS = 10_000


def approximate(record: Record, question: Asked, options: Options) -> Answer:
    """A node of small risk whose utility is at least the share σ₁ of the least utility, with a bound on the risk.

    Raises
    ------
    BadSetting
        If another question is asked, the record is out of scope (see `counted`), or ε asks for too many layers.

    Examples
    --------
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> found = approximate(record, Question("least_utility", 1), Options())
    >>> found.node, round(found.risk, 3), round(found.bound, 3)
    ((1, 0), 0.333, 0.333)
    """
    refuse(question, "approximate", "least_utility")
    assert isinstance(question, Question)
    counted(record, "approximate")
    oracle = Oracle(record)
    finest = oracle.point(record.lattice.bottom)
    if shortfall(question, finest) > 0:
        return oracle.unmet(question)
    layers = _Layers(oracle, question, options)
    for node in layers.candidates():
        layers.offer(node)
    layers.improve()
    if layers.best is None:
        return oracle.unmet(question, proved=False)
    return oracle.found(question, layers.best, bound=layers.bound, exact=False)


class _Layers:
    def __init__(self, oracle: Oracle, question: Question, options: Options) -> None:
        self.oracle = oracle
        self.question = question
        self.options = options
        self.record = oracle.record
        self.best: Point | None = None
        self.bound = INFINITE
        least = sum(float(some[-1]) for some in self.record.utilities)
        self.enough = least + options.sigma1 * (question.bound - least)

    def offer(self, node: Node) -> None:
        """Take a node as the best if it is better and says enough."""
        point = self.oracle.point(node)
        if told(point.utility) < told(min(self.enough, self.question.bound)) or not allowed(point):
            return
        if self.best is None or key(self.question, point) < key(self.question, self.best):
            self.best = point

    def improve(self) -> None:
        """Go to a better node one step away as long as there is one."""
        before = None
        while self.best is not None and self.best is not before:
            before = self.best
            lattice = self.record.lattice
            for node in lattice.generalisations(before.node) + lattice.specialisations(before.node):
                self.offer(node)

    def candidates(self) -> Iterator[Node]:
        """The finest node, that of Φ = 0, and all threshold sets of the layers' solutions; the bound on the way."""
        yield self.record.lattice.bottom
        if self.record.loss.uncovered == "zero" and self.oracle.people(self.record.lattice.bottom)[0] == 0:
            self.bound = 0.0
        weights = self._weights()
        fine = tuple(int(np.isinf(some).sum()) for some in weights)
        if any(low == len(some) for low, some in zip(fine, weights, strict=True)):
            return
        harmless = tuple(min(int((some > 0).sum()), len(some) - 1) for some in weights)
        yield harmless
        if self._met(harmless) and self._phi(weights, harmless) == 0:
            self.bound = 0.0
        crowd = counted(self.record, "approximate")
        box = Closure(fine, self.record.heights, crowd)
        if not box.size:
            self._bounded(self._phi(weights, fine), box.people.constant)
            return
        for below, above in self._spans(weights, fine):
            result = self._relaxed(box, weights, above)
            if result.x is not None:
                yield from box.thresholds(_clean(result.x))
                self._bounded(below, box.people.constant - float(result.fun))

    def _met(self, node: Node) -> bool:
        return shortfall(self.question, self.oracle.point(node)) == 0

    def _weights(self) -> list[Numbers]:
        if self.record.loss.model != "anonymity":
            return list(self.record.weights)
        # Model II is Φ = 1: as though one more column of that weight were kept.
        return [np.zeros(height + 1) for height in self.record.heights]

    @property
    def _base(self) -> float:
        return 1.0 if self.record.loss.model == "anonymity" else 0.0

    def _phi(self, weights: list[Numbers], node: Node) -> float:
        return self._base + sum(float(some[level]) for some, level in zip(weights, node, strict=True))

    def _spans(self, weights: list[Numbers], fine: Node) -> Iterator[tuple[float, float]]:
        """The layers: above which Φ a node of it is, or what it is at least in the first, and its most."""
        kept = self._phi(weights, self.record.heights)
        most = self._phi(weights, fine)
        positive = [float(some[level]) for some in weights for level in range(len(some)) if 0 < some[level] < INFINITE]
        least = kept or min(positive, default=0.0)
        if not least or most < least:
            return
        number = math.ceil(math.log(most / least) / math.log1p(self.options.epsilon))
        if number > MOST_LAYERS:
            raise BadSetting("search.approximate.epsilon", f"It makes {number} layers. Give a larger one.")
        yield least, least
        for layer in range(number):
            yield least * (1 + self.options.epsilon) ** layer, least * (1 + self.options.epsilon) ** (layer + 1)

    def _relaxed(self, box: Closure, weights: list[Numbers], most: float) -> OptimizeResult:
        """The most |ρ| in the Lovász extension with u ≥ c and Φ ≤ τ."""
        phi = box.of_levels(weights, self._base)
        says = box.of_levels(self.record.utilities)
        rows = [
            LinearConstraint(box.implied, ub=0),
            LinearConstraint(phi.slopes[None, :], ub=most * (1 + TOLERANCE) - phi.constant),
            LinearConstraint(-says.slopes[None, :], ub=_room(says, self.question.bound)),
        ]
        return milp(-box.people.slopes, bounds=Bounds(0, 1), constraints=rows)

    def _bounded(self, below: float, people: float) -> None:
        crowd = people * (1 + TOLERANCE) + TOLERANCE
        crowd = max(crowd, 1.0) if self.record.loss.uncovered == "one" else crowd
        self.bound = min(self.bound, below / crowd)


def _room(says: Linear, bound: float) -> float:
    """By how much utility may fall from the finest node, and a little more, which only makes the bound weaker."""
    return says.constant - bound + TOLERANCE * max(abs(bound), abs(says.constant))


def _clean(values: Numbers) -> Numbers:
    """The solver's values without what is only its tolerance, so that threshold sets are not doubled by it."""
    rounded: Numbers = np.round(values, 9)
    return rounded
