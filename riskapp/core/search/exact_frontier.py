"""The exact frontier of all per-record rules: the least mean risk for every mean utility, from one sort.

Under a constraint on a mean the records separate: at any price of utility each is best at a point of its own lower
convex hull. Sorted by what they cost for what they say, the steps of all hulls together lead from the least risk to the
most utility, and every prefix of them is an optimal rule for the utility it reaches. Between two prefixes no rule lies
below the straight line, so the first sufficient prefix is within one step of the best.

Equal records move together, since a rule is a function of a record; so do those that differ only in columns that are
nothing to the rule, as otherwise it would betray by its steps what they hold.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Question
from riskapp.core.search.all_at_once import Parts, several
from riskapp.core.search.candidate import Candidate, Tag
from riskapp.core.search.exact_rule import FrontierRule, hulls_of_kinds
from riskapp.core.search.hulls import Hulls
from riskapp.core.search.kinds import Kinds
from riskapp.core.search.looking import Whole, levels_of
from riskapp.core.search.per_record_rule import read_by, remembered, replayed
from riskapp.core.search.per_record_told import FAMILY, described
from riskapp.core.search.record import MOST_NODES
from riskapp.core.search.rising import first_above, first_from, stable_order
from riskapp.core.search.unmet import NotMet
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released

MOST_LISTED = 1000


@dataclass(frozen=True)
class Prefix:
    """So many steps of the frontier answer a question.

    Attributes
    ----------
    steps : taken from the least risk on
    gap : by how much another per-record rule may be better: of risk, or of utility where risk was bounded
    """

    steps: int
    gap: float


def why_not(problem: Problem) -> str | None:
    """Why there is no exact frontier; None when there is."""
    if problem.risk.over_records != "mean" or problem.utility.over_records != "mean":
        return "Risk or utility is not a mean over records."
    if several(problem):
        return "Risk is the worst of several dictionaries."
    if problem.lattice.size > MOST_NODES:
        return f"There are {problem.lattice.size} nodes, too many to look at each."
    return None


def exact_frontier(problem: Problem, parts: Parts | None = None) -> "ExactFrontier | str":
    """The exact frontier, or the reason why there is none.

    Parameters
    ----------
    problem : what rules are measured by
    parts : how the records are looked at; it changes nothing of what is found

    Raises
    ------
    Stopped
        If the watch says so.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> found = exact_frontier(asked)
    >>> found.utilities.round(2), found.risks.round(2)
    (array([0.  , 1.33, 2.67, 4.33, 4.67, 5.  ]), array([0.  , 0.17, 0.33, 0.67, 0.83, 1.  ]))
    >>> enough = found.answer(Question("least_utility", 4))
    >>> enough.steps, round(enough.gap, 3), found.levels(enough.steps)[:, 0]
    (3, 0.067, array([1, 1, 0]))
    """
    reason = why_not(problem)
    if reason:
        return reason
    kinds = Kinds.of(problem, read_by(problem))
    hulls = hulls_of_kinds(kinds, parts)
    if hulls.empty.any():
        records = int(kinds.times[hulls.empty].sum())
        return f"{records} records have no node at which their risk is finite and no limit is broken."
    return ExactFrontier(problem, kinds, hulls)


@dataclass(frozen=True, eq=False)
class ExactFrontier:
    """The hulls of all kinds of records, and the steps along them in the order of their slopes.

    Parameters
    ----------
    problem : what rules are measured by
    kinds : its records that differ in what a rule looks at
    hulls : of each of them, see `hulls_of_kinds`
    """

    problem: Problem
    kinds: Kinds
    hulls: Hulls
    _slope: Numbers = field(init=False)
    _owner: Whole = field(init=False)
    _order: Whole = field(init=False)

    def __post_init__(self) -> None:
        owner, end = self.hulls.steps
        said = self.hulls.utilities[end] - self.hulls.utilities[end - 1]
        cost = self.hulls.risks[end] - self.hulls.risks[end - 1]
        slope = self._ratio[owner] * (cost / said)
        # Steps of a record stay in their order, and those that cost the same come in the order of the records.
        order = stable_order(slope)
        for name, numbers in (("_slope", slope[order]), ("_owner", owner[order]), ("_order", order)):
            object.__setattr__(self, name, numbers)

    @property
    def _ratio(self) -> Numbers:
        """What a kind counts in the risk for what it counts in the utility."""
        if self.problem.risk.weights is None:
            return np.ones(len(self.kinds))
        ratio: Numbers = self.kinds.shares * self.kinds.times.sum() / self.kinds.times
        return ratio

    def __len__(self) -> int:
        """The number of breakpoints: one more than there are steps."""
        return len(self._slope) + 1

    @cached_property
    def utilities(self) -> Numbers:
        """The mean utility of every breakpoint, never falling."""
        return self._walked(self.hulls.utilities, self.kinds.times / self.kinds.times.sum())

    @cached_property
    def risks(self) -> Numbers:
        """The mean risk of every breakpoint, never falling."""
        return self._walked(self.hulls.risks, self.kinds.shares)

    def _walked(self, points: Numbers, weights: Numbers) -> Numbers:
        owner, end = self.hulls.steps
        steps = (weights[owner] * (points[end] - points[end - 1]))[self._order]
        start, most = (float(weights @ points[ends]) for ends in (self.hulls.starts[:-1], self.hulls.starts[1:] - 1))
        walked = np.cumsum(np.append(start, steps), dtype=np.longdouble).astype(np.float64)
        # Where losses cancel out, what is left of them is rounding: a utility of 0 would be missed by it.
        walked[-1] = most
        return np.minimum(walked, most)

    def listed(self, most: int = MOST_LISTED) -> list[int]:
        """Breakpoints for a list, both ends among them: all, or so many evenly spread."""
        return sorted(set(np.linspace(0, len(self) - 1, min(most, len(self))).round().astype(int).tolist()))

    def answer(self, question: Question) -> Prefix | NotMet:
        """The breakpoint that answers a question about means, and how far from the best it can be.

        For `least_utility` the first that is sufficient, for `most_risk` the last that is, for `trade_off` the best.
        """
        if question.kind == "trade_off":
            return Prefix(int(np.searchsorted(self._slope, question.bound)), 0.0)
        return self._sufficient(question) if question.kind == "least_utility" else self._most_utility(question)

    def _sufficient(self, question: Question) -> Prefix | NotMet:
        enough = first_from(self.utilities, question.bound)
        if enough == len(self):
            return NotMet("exact", len(self.problem), (question.kind,), float(self.utilities[-1]))
        around = slice(max(enough - 1, 0), enough + 1)
        between = np.interp(question.bound, self.utilities[around], self.risks[around])
        return Prefix(enough, max(0.0, float(self.risks[enough] - between)))

    def _most_utility(self, question: Question) -> Prefix | NotMet:
        last = first_above(self.risks, question.bound) - 1
        if last < 0:
            return NotMet("exact", len(self.problem), (question.kind,), float(self.risks[0]))
        if last == len(self) - 1:
            return Prefix(last, 0.0)
        between = np.interp(question.bound, self.risks[last : last + 2], self.utilities[last : last + 2])
        return Prefix(last, max(0.0, float(between - self.utilities[last])))

    def levels(self, steps: int) -> Whole:
        """The node of every kind after so many steps, as a row of levels."""
        if not 0 <= steps < len(self):
            raise ValueError(f"There are {len(self) - 1} steps.")
        taken = np.bincount(self._owner[:steps], minlength=len(self.kinds))
        return levels_of(self.problem.lattice, self.hulls.numbers[self.hulls.starts[:-1] + taken])

    def rule(self, steps: int) -> FrontierRule:
        """What the rule does with any record."""
        known = remembered(self.kinds, self.levels(steps))
        if not steps:
            return FrontierRule(self.problem, known=known)
        return FrontierRule(
            self.problem,
            float(self._slope[steps - 1]),
            tuple(self.kinds.leaves[self._owner[steps - 1]].tolist()),
            known,
        )

    def candidate(self, prefix: Prefix | int, measuring: Measuring | None = None) -> Candidate:
        """The rule of a breakpoint, measured."""
        found = Prefix(prefix, 0.0) if isinstance(prefix, int) else prefix
        levels, rule = self.levels(found.steps), replayed(self.rule(found.steps), self.problem)
        released = Released.each(self.problem.records, levels[self.kinds.kind])
        evaluation = (measuring or Measuring(self.problem)).of(released, rule)
        told = {
            "visited": len(self.kinds) * self.problem.lattice.size,
            **described(self.problem, self.kinds, levels, released),
        }
        number = Tag() if found.gap == 0 else Tag("heuristic", found.gap)
        return Candidate(f"exact:{found.steps}", FAMILY, released, evaluation, rule, number=number, told=told)
