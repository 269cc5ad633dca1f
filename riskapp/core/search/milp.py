"""Many attributes: the threshold questions as integer programmes, for lattices that nobody can enumerate.

The least Φ/|ρ| under u ≥ c is sought by Dinkelbach's iteration: maximise |ρ| − αΦ under u ≥ c, a closure problem with
one more row, set α to the |ρ|/Φ of the maximiser, and repeat until it stops rising. The most u under r ≤ c is one such
programme with the row Φ ≤ c|ρ|. The solver (HiGHS) proves its optimum up to its tolerance, or says how far it may be
when time runs out; what it returns is checked against the definition, and excluded when it only seemed feasible.
"""

import time
from dataclasses import dataclass

import numpy as np

from riskapp.core.extended import INFINITE
from riskapp.core.optimum import Question
from riskapp.core.search.answer import Answer, Options
from riskapp.core.search.closure import Closure, Linear
from riskapp.core.search.crowd import Meets
from riskapp.core.search.genetic import bred
from riskapp.core.search.oracle import Oracle
from riskapp.core.search.programme import LARGE, MANY, Programme, Solved, Verdict
from riskapp.core.search.question import Asked, Point, feasible, key, objective, refuse, shortfall, told
from riskapp.core.search.record import Record
from riskapp.core.search.scope import counted
from riskapp.core.search.solver import APART
from riskapp.core.search.steps import Steps
from riskapp.core.table.lattice import Node

EXACT = 1e-6
"""The solver's tolerance: nothing is better by more than this share, which is called exact."""
RISES = 1e-12


def milp(record: Record, question: Asked, options: Options) -> Answer:
    """The best node under a least utility or a most risk, with a proof or a bound.

    Of nodes that are equally good any may be returned.

    Raises
    ------
    BadSetting
        If another question is asked, or the record is out of scope (see `counted`).

    Examples
    --------
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> found = milp(record, Question("least_utility", 1), Options())
    >>> found.node, found.exact
    ((1, 0), True)
    """
    refuse(question, "milp", "least_utility", "most_risk")
    assert isinstance(question, Question)
    crowd = counted(record, "milp")
    end = INFINITE if options.seconds is None else time.monotonic() + options.seconds
    search = _Programmes(Oracle(record), question, crowd, end, options)
    if not search.nobody() and search.fewest < INFINITE:
        search.least_risk() if question.kind == "least_utility" else search.most_utility()
    return search.answer()


def fewest(limit: float | None) -> float:
    """The smallest crowd with a chance within the limit; ∞ when none is.

    >>> fewest(None), fewest(0.09), fewest(0.1), fewest(1.0), fewest(0.0)
    (0, 12, 10, 0, inf)
    """
    if limit is None or told(limit) >= 1:
        return 0
    if limit == 0:
        return INFINITE
    about = int(1 / limit)
    return next(people for people in range(max(about - 1, 1), about + 3) if told(1 / people) <= told(limit))


@dataclass
class _Programmes:
    """The programmes of one record, with the best node so far and what no node is better than."""

    oracle: Oracle
    question: Question
    crowd: Meets
    end: float
    options: Options

    def __post_init__(self) -> None:
        self.record = self.oracle.record
        self.fewest = fewest(self.record.largest_chance)
        self.best: Point | None = None
        self.bound = INFINITE
        self.in_time = True
        if self.end < INFINITE and MANY < self.crowd.levels.size < LARGE:
            APART.prepare()
        finest = self.record.lattice.bottom
        self.stranger = not self.crowd.at(np.array([finest]))[0]
        self.anonymity = self.record.loss.model == "anonymity"
        none = [np.zeros(height + 1) for height in self.record.heights]
        self.weights = none if self.anonymity else list(self.record.weights)
        self.base = 1.0 if self.anonymity else 0.0

    def least_risk(self) -> None:
        """The least Φ/|ρ| under a least utility."""
        finite = self._finite()
        if finite is not None and not self._harmless(finite):
            self._ratio(finite)
            if self.stranger and self.fewest <= 1:
                self._alone(finite)
        if self.best is None and self.in_time:
            self._most_utility(self._box(self.record.lattice.bottom), [])
            self.bound = INFINITE if self.best is None else objective(self.question, self.best)

    def most_utility(self) -> None:
        """The most u under a most risk."""
        if self.question.bound == INFINITE:
            self._most_utility(self._box(self.record.lattice.bottom), [])
            return
        finite = self._finite()
        if finite is None:
            return
        self._guessed()
        box, phi, most = self._box(finite), self._phi(self._box(finite)), self.question.bound
        crowded = Linear(most * box.people.constant - phi.constant, most * box.people.slopes - phi.slopes)
        self._most_utility(box, [crowded])
        if self.stranger and self.fewest <= 1:
            alone = self._box(finite, self._nobody_at_all)
            phi = self._phi(alone)
            self._most_utility(alone, [Linear(most - phi.constant, -phi.slopes)])

    def nobody(self) -> bool:
        """Where nobody is no risk, a record that is nobody needs no protection: the finest node is the best."""
        point = self.oracle.point(self.record.lattice.bottom)
        free = self.record.loss.uncovered == "zero" and self.stranger and feasible(self.question, point)
        if free:
            self.best, self.bound = point, objective(self.question, point)
        return free

    def _finite(self) -> Node | None:
        """The finest node of finite Φ, unless there is none."""
        fine = tuple(int(np.isinf(some).sum()) for some in self.weights)
        inside = all(low < len(some) for low, some in zip(fine, self.weights, strict=True))
        return fine if inside else None

    def _harmless(self, finite: Node) -> bool:
        """Whether a node with Φ = 0 will do; then the one of most utility is the best."""
        if self.base or any(some[-1] for some in self.weights):
            return False
        free = tuple(max(low, int((some > 0).sum())) for low, some in zip(finite, self.weights, strict=True))
        self._most_utility(self._box(free), [])
        if self.best is not None:
            self.bound = 0.0
        return self.best is not None

    def _ratio(self, finite: Node) -> None:
        """Dinkelbach's iteration over |ρ|/Φ."""
        box = self._box(finite)
        phi, alpha = self._phi(box), max(self._offer(finite), self._guessed())
        while True:
            goal = Linear(box.people.constant - alpha * phi.constant, box.people.slopes - alpha * phi.slopes)
            solved = self._solve(box, goal, [self._enough(box)])
            rise = 0.0 if solved.node is None else self._offer(solved.node)
            if rise <= alpha * (1 + RISES) or not solved.in_time:
                self._bounded(alpha, max(solved.most, 0.0), finite)
                return
            alpha = rise

    def _guessed(self) -> float:
        """|ρ|/Φ of a node that a genetic search finds: a good start saves rounds, and may be all there is time for."""
        steps = Steps(self.oracle, self.question, "milp")
        if not steps.open(steps.heights):
            return 0.0
        return self._offer(steps.node(bred(steps, self.options, (time.monotonic() + self.end) / 2)))

    def _offer(self, node: Node) -> float:
        """Take a node as the best if it is better; its |ρ|/Φ if it is feasible, else 0."""
        point = self.oracle.point(node)
        if not feasible(self.question, point):
            return 0.0
        if self.best is None or key(self.question, point) < key(self.question, self.best):
            self.best = point
        phi = 1.0 if self.anonymity else self.oracle.phi(node)
        return self.oracle.people(node)[0] / phi if phi else 0.0

    def _bounded(self, alpha: float, more: float, finite: Node) -> None:
        """From |ρ| − αΦ ≤ `more` for all nodes: r ≥ (1 − more/|ρ|)/α, and r ≥ 1/(α + more/Φ)."""
        crowd = max(self.fewest, 1)
        least = self._least_phi(finite)
        # Out of time the solver may know nothing; that there are only so many people is always known.
        more = min(more, max(self.crowd.everybody - alpha * least, 0.0))
        steep = 1 / (alpha + more / least) if least > 0 and alpha + more > 0 else 0.0
        flat = (1 - more / crowd) / alpha if alpha else (INFINITE if more < 1 else 0.0)
        self.bound = min(self.bound, max(steep, flat))

    def _least_phi(self, finite: Node) -> float:
        """What Φ is at least where enough is said: that of parts of levels, which takes no time."""
        box = self._box(finite, self._nobody_at_all)
        phi = self._phi(box)
        goal = Linear(-phi.constant, -phi.slopes)
        return max(-Programme(box, goal, [self._enough(box)], lambda node: Verdict(True)).relaxed(), 0.0)

    def _alone(self, finite: Node) -> None:
        """The least Φ, for records that are nobody and count as one."""
        box = self._box(finite, self._nobody_at_all)
        phi = self._phi(box)
        solved = self._solve(box, Linear(-phi.constant, -phi.slopes), [self._enough(box)])
        if solved.node is not None:
            self._offer(solved.node)
        self.bound = min(self.bound, -solved.most)

    def _most_utility(self, box: Closure, rows: list[Linear]) -> None:
        says = box.of_levels(self.record.utilities)
        solved = self._solve(box, says, rows)
        if solved.node is not None:
            self._offer(solved.node)
        if self.question.kind == "most_risk":
            self.bound = min(self.bound, -solved.most)

    def _solve(self, box: Closure, goal: Linear, rows: list[Linear]) -> Solved:
        if self.fewest > 1:
            rows = [*rows, Linear(box.people.constant - self.fewest, box.people.slopes)]
        solved = Programme(box, goal, rows, self._judged).solve(self.end)
        self.in_time = self.in_time and solved.in_time
        return solved

    def _judged(self, node: Node) -> Verdict:
        point = self.oracle.point(node)
        short = self.question.kind == "least_utility" and shortfall(self.question, point) > 0
        return Verdict(feasible(self.question, point), too_coarse=short)

    def _enough(self, box: Closure) -> Linear:
        """The utility above the least."""
        says = box.of_levels(self.record.utilities)
        return Linear(says.constant - self.question.bound, says.slopes)

    @property
    def _nobody_at_all(self) -> Meets:
        return Meets(self.crowd.levels[:0], self.crowd.counts[:0], 0)

    def _box(self, fine: Node, crowd: Meets | None = None) -> Closure:
        return Closure(fine, self.record.heights, self.crowd if crowd is None else crowd)

    def _phi(self, box: Closure) -> Linear:
        return box.of_levels(self.weights, self.base)

    def answer(self) -> Answer:
        """The best node with its bound, or that there is none."""
        if self.best is None:
            return self.oracle.unmet(self.question, proved=self.in_time)
        reached = objective(self.question, self.best)
        exact = self.in_time and (reached == INFINITE or self.bound >= reached - EXACT * abs(reached))
        return self.oracle.found(self.question, self.best, bound=min(self.bound, reached), exact=exact)
