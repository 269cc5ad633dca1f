"""Choosing: every full-domain rule of a problem with its figures, the frontier among them, and the best one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from riskapp.core.errors import RiskappError
from riskapp.core.evaluation import Evaluation
from riskapp.core.frontier import frontier
from riskapp.core.optimum import Infeasible, Question, Rules, optimum
from riskapp.core.search.full_domain import evaluate
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Progress, Stop, never, silent


@dataclass(frozen=True)
class NodeRule:
    """The rule that takes everybody to one node.

    Attributes
    ----------
    id : its name in results
    node : the level of every attribute, 0 for those that are kept
    evaluation : its figures
    """

    id: str
    node: Mapping[str, int]
    evaluation: Evaluation = field(repr=False)

    @property
    def risk(self) -> float:
        """By definition or by replay, whichever is larger."""
        return self.evaluation.risk_that_counts

    @property
    def utility(self) -> float:
        """How much the released table still says."""
        return self.evaluation.utility


class CannotBeMet(RiskappError):
    """No rule does what is asked: what stands in the way, and the rule that comes nearest."""

    def __init__(self, missed: Sequence[str], nearest: NodeRule) -> None:
        super().__init__(f"No rule will do: {', '.join(missed)} cannot be met. The nearest rule is {nearest.id}.")
        self.missed = tuple(missed)
        self.nearest = nearest


@dataclass(frozen=True, eq=False)
class FullDomain:
    """The full-domain rules of a problem, in the order of the lattice.

    Parameters
    ----------
    problem : whose rules they are
    evaluations : the figures of every node
    """

    problem: Problem
    evaluations: Sequence[Evaluation]

    def __len__(self) -> int:
        return len(self.evaluations)

    def __getitem__(self, place: int) -> NodeRule:
        number = range(len(self))[place]
        levels = dict(zip(self.problem.names, self.problem.lattice.node(number), strict=True))
        return NodeRule(self._ids[number], levels, self.evaluations[number])

    def __iter__(self) -> Iterator[NodeRule]:
        return map(self.__getitem__, range(len(self)))

    def at(self, **levels: int) -> NodeRule:
        """The rule with these levels; an attribute that is not named stays as it is."""
        unknown = set(levels) - set(self.problem.names)
        if unknown:
            raise ValueError(f"There is no attribute {', '.join(sorted(unknown))}.")
        return self[self.problem.lattice.number([levels.get(name, 0) for name in self.problem.names])]

    def frontier(self) -> list[NodeRule]:
        """The rules that no other beats in both risk and utility, from the least utility to the most.

        The table as it is and nothing of it are always among them.
        """
        rules = self._rules
        places = frontier(rules.risks, rules.utilities, ends=(0, len(self) - 1))
        return sorted(map(self.__getitem__, places.tolist()), key=lambda rule: (rule.utility, rule.risk, rule.id))

    def optimum(
        self, *, least_utility: float | None = None, most_risk: float | None = None, trade_off: float | None = None
    ) -> NodeRule:
        """The best rule under one question, within the problem's limits.

        Parameters
        ----------
        least_utility : the least risk with at least this utility
        most_risk : the most utility with at most this risk
        trade_off : the least risk − λ·utility

        Raises
        ------
        BadSetting
            If two questions are asked, or a bound is impossible.
        ValueError
            If none is asked.
        CannotBeMet
            If no rule will do.
        """
        question = Question.asked(least_utility=least_utility, most_risk=most_risk, trade_off=trade_off)
        if question is None:
            raise ValueError("Ask for least_utility, most_risk or trade_off.")
        found = optimum(self._rules, question)
        if isinstance(found, Infeasible):
            raise CannotBeMet(found.missed, self[found.nearest])
        return self[found.place]

    def table(self, rule: NodeRule) -> dict[str, list[str | None]]:
        """What the rule releases: for every column the text of every record; None where it is missing."""
        columns = zip(self.problem.names, self.problem.records.columns, strict=True)
        return {name: column.shown(rule.node[name]).to_pylist() for name, column in columns}

    @cached_property
    def _ids(self) -> list[str]:
        chosen = map(self.problem.chosen, self.problem.lattice)
        return [f"full-domain:{'.'.join(map(str, levels))}" for levels in chosen]

    @cached_property
    def _rules(self) -> Rules:
        return Rules(
            self._ids,
            np.array([found.risk_that_counts for found in self.evaluations]),
            np.array([found.utility for found in self.evaluations]),
            broken=[found.broken for found in self.evaluations],
        )


def full_domain(problem: Problem, *, progress: Progress = silent, stop: Stop = never) -> FullDomain:
    """Every full-domain rule of a problem with its figures.

    Parameters
    ----------
    problem : what rules are measured by
    progress : told how much of the work is done
    stop : asked often whether to stop

    Raises
    ------
    Stopped
        If `stop` said so.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> rules = full_domain(problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}}))
    >>> best = rules.optimum(least_utility=2)
    >>> best.id, best.node, round(best.risk, 3), best.utility
    ('full-domain:1', {'zip': 1}, 0.667, 4.0)
    >>> rules.table(best)
    {'zip': ['4790*', '4790*', '4640*']}
    """
    return FullDomain(problem, evaluate(problem, progress=progress, stop=stop))
