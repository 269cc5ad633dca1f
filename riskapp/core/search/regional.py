"""Regional rules: every region of the table, as its rows show it, has a node of its own.

They are closed by construction (see `regions`). The rules on the frontier of the family are released and measured, and
the best under the question first. A limit that couples the regions, a share of the people, is looked at in the finished
rules, the best unsplit one that keeps it among them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from riskapp.core.errors import Stopped
from riskapp.core.evaluation import Evaluation
from riskapp.core.measure import Measuring
from riskapp.core.optimum import Best, Question, Rules, optimum
from riskapp.core.search.candidate import Candidate, Tag, level_shares
from riskapp.core.search.full_domain import evaluate
from riskapp.core.search.region_family import MOST, Family, Wanted, family
from riskapp.core.search.region_rules import Assigned
from riskapp.core.search.region_rules import objective as objective_of
from riskapp.core.search.region_sums import Levels
from riskapp.core.search.region_tree import described
from riskapp.core.search.regions import Regional, given_splits
from riskapp.core.table.problem import Problem
from riskapp.core.table.replay import closed
from riskapp.core.watching import Progress, Stop, never, silent

SLACK = 1e-11
"""A gap that is smaller than this share is rounding."""


def candidates(
    problem: Problem,
    regions: Wanted,
    question: Question | None = None,
    *,
    per_record: bool = False,
    most: int = MOST,
    progress: Progress = silent,
    stop: Stop = never,
) -> Iterator[Candidate]:
    """The rules on the frontier of regional rules, and first the best under the question; see `family`.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> town = {"groups": {"north": ["a", "b"], "south": ["c", "d"]}}
    >>> asked = problem({"town": ["a", "a", "b", "b", "c", "d"]}, hierarchies={"town": town})
    >>> best = next(candidates(asked, [("town", 1)], Question("least_utility", 1.5)))
    >>> best.id, best.evaluation.risk, best.evaluation.utility, [one["node"] for one in best.told["patterns"]]
    ('regional:town@1', 0.5, 1.6666666666666667, [{'town': 0}, {'town': 1}])
    """
    found = family(problem, regions, question, per_record=per_record, progress=progress, stop=stop)
    yield from Releasing(found, _named(problem, regions)).candidates(most, stop)


def _named(problem: Problem, regions: Wanted) -> str:
    if isinstance(regions, int):
        return f"regional:auto:{regions}"
    splits = given_splits(problem, regions)
    return f"regional:{','.join(f'{problem.names[split.place]}@{split.level}' for split in splits)}"


@dataclass(frozen=True, eq=False)
class Releasing:
    """Releases and measures rules of a family.

    Parameters
    ----------
    family : of the rules
    name : how results name it
    """

    family: Family
    name: str

    def candidates(self, most: int, stop: Stop = never) -> Iterator[Candidate]:
        """The best under the question, then the frontier by rising risk."""
        frontier, question = self.family.frontier(most), self.family.question
        if question is not None:
            yield self._best(question, frontier, stop)
        for number, nodes in enumerate(frontier.nodes):
            if stop():
                raise Stopped
            yield self._candidate(f"{self.name}:{number}", nodes)

    def _best(self, question: Question, frontier: Assigned, stop: Stop) -> Candidate:
        """The best rule; where it breaks a limit that couples regions, the best that does not, as far as one is known.

        Where a share of the people couples them it is sought with prices, see `region_share`. With several dictionaries
        a bound on the risk of each record couples regions too; then the rules on the frontier and the best unsplit one
        are looked at.
        """
        best, least = self.family.best(question)
        found = self._candidate(self.name, best.nodes[0])
        if self._will_do(found, question):
            return self._tagged(found, question, least)
        if self.family.problem.limits.share_above is not None:
            best, bound = self.family.best_within_share(question)
            found, least = self._candidate(self.name, best.nodes[0]), max(least, bound)
        if not self._will_do(found, question):
            others = [*frontier.nodes, *self._best_unsplit(question, stop)]
            found = _first([found, *self._measured(others, stop)], question, self.family.each)
        return self._tagged(found, question, least)

    def _will_do(self, found: Candidate, question: Question) -> bool:
        return isinstance(optimum(_rules([found], self.family.each), question), Best)

    def _tagged(self, found: Candidate, question: Question, least: float) -> Candidate:
        """With its gap; a rule that will not do has none, however small its risk is."""
        gap = objective(found.evaluation, question) - least
        if gap <= SLACK * abs(least) and self._will_do(found, question):
            return replace(found, number=Tag())
        known = np.isfinite(gap) and self._will_do(found, question)
        return replace(found, number=Tag("heuristic", gap if known else None))

    def _best_unsplit(self, question: Question, stop: Stop) -> list[Levels]:
        """The best full-domain rule within all limits, as nodes of the regions; none where there is none."""
        every = evaluate(
            self.family.problem,
            stop=stop,
            worst_risk=self.family.each and question.kind == "most_risk",
            worst_utility=self.family.each and question.kind == "least_utility",
        )
        chosen = optimum(Rules.of(every, each=self.family.each), question)
        return [np.full(len(self.family.regions), chosen.place)] if isinstance(chosen, Best) else []

    def _measured(self, several: Sequence[Levels], stop: Stop) -> Iterator[Candidate]:
        for nodes in several:
            if stop():
                raise Stopped
            yield self._candidate(self.name, nodes)

    def _candidate(self, name: str, nodes: Levels) -> Candidate:
        rule = self.family.rule(nodes)
        released = rule.released(self.family.cells.of_record)
        replayed = None if self.closed or rule.same is not None else rule.replayed
        evaluation = self._measuring.of(released, replayed)
        shares = level_shares(released, self.family.problem.names)
        told = {"patterns": self._patterns(rule), "level_shares": shares, "closed": replayed is None}
        return Candidate(name, "regional", released, evaluation, replayed, rule.same, told=told)

    @cached_property
    def _measuring(self) -> Measuring:
        return Measuring(self.family.problem)

    @cached_property
    def closed(self) -> bool:
        """Whether replaying tells nothing: tried on the rule with the most different nodes.

        With too many completions to try, it holds by construction.
        """
        nodes = max(self.family.breakpoints.nodes, key=lambda row: len(np.unique(row)))
        rule = self.family.rule(nodes)
        released = rule.released(self.family.cells.of_record)
        if closed(self.family.problem, released, rule.replayed):
            return True
        return self._measuring.of(released, rule.replayed).risk_replay is None

    def _patterns(self, rule: Regional) -> list[dict[str, Any]]:
        """For each region what its rows show, its records and its node."""
        problem, many = self.family.problem, np.bincount(self.family.cells.of_record)
        shown = zip(described(problem, rule.regions), rule.regions, rule.nodes, strict=True)
        return [
            {
                "where": where,
                "records": int(many[region.cells].sum()),
                "node": {problem.names[place]: node[place] for place in problem.generalised},
            }
            for where, region, node in shown
        ]


def objective(found: Evaluation, question: Question) -> float:
    """What the question makes as small as it can, of a measured rule."""
    return float(objective_of(np.array([found.risk_that_counts]), np.array([found.utility]), question)[0])


def _first(found: list[Candidate], question: Question, each: bool) -> Candidate:
    """The best of measured candidates."""
    chosen = optimum(_rules(found, each), question)
    return found[chosen.place if isinstance(chosen, Best) else chosen.nearest]


def _rules(found: list[Candidate], each: bool) -> Rules:
    return Rules.of([one.evaluation for one in found], each=each)
