"""A family of regional rules: all choices of a node for each region, and the unsplit rules, without which ⊥ is missing.

Under a bound on the mean the regions separate, so the frontier of the family comes from merging their hulls and the
best rule is found exactly. With the worst of several dictionaries they do not: mixtures of the dictionaries are tried,
and since the worst is no better than any mixture, the best of them bounds how far from the best the answer can be.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.digits import told_apart
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.frontier import undominated
from riskapp.core.optimum import Best, Question, optimum
from riskapp.core.search.region_aim import Aim
from riskapp.core.search.region_hull import Merged, Part
from riskapp.core.search.region_pass import Pass, check_room
from riskapp.core.search.region_rules import Assigned, compared, objectives, unbounded
from riskapp.core.search.region_share import Priced
from riskapp.core.search.region_sums import Levels, Points, Sums
from riskapp.core.search.region_tree import Tree, finest
from riskapp.core.search.regions import Cells, Region, Regional, given_splits
from riskapp.core.search.suppressing import within_share
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Progress, Stop, never, silent

Wanted = Sequence[tuple[str, int | str]] | int
"""Splits, each an attribute and a level; or how many patterns there may be."""
MOST = 200
"""So many rules of a frontier are released and measured."""


@dataclass(frozen=True, eq=False)
class Family:
    """All rules over some regions, the unsplit ones among them.

    Parameters
    ----------
    problem : what rules are measured by
    cells, sums : of its records
    regions : put together from the cells
    question : what is asked, if anything
    each : whether its bound holds for each record
    """

    problem: Problem
    cells: Cells
    sums: Sums
    regions: Sequence[Region]
    question: Question | None = None
    each: bool = False

    @cached_property
    def points(self) -> list[Points]:
        """What every region may choose."""
        return self.sums.of(self.regions)

    @cached_property
    def unsplit(self) -> Assigned:
        """The full-domain rules."""
        whole = self.sums.of([Region((), np.arange(len(self.cells)))])[0]
        nodes = np.repeat(whole.nodes[:, None], len(self.regions), axis=1)
        risks = whole.losses.max(axis=0) if whole.finite else np.full(len(nodes), INFINITE)
        return Assigned(nodes, risks, whole.utilities, np.full(len(nodes), whole.kept), whole.above.T)

    @cached_property
    def mixes(self) -> Numbers:
        """Shares of the dictionaries: each by itself and all alike."""
        many = len(self.points[0].losses)
        return np.eye(1) if many == 1 else np.vstack([np.eye(many), np.full((1, many), 1 / many)])

    def assigned(self, choices: Sequence[Places]) -> Assigned:
        """The rules that choose such points."""
        table = np.stack(choices)
        pairs = list(zip(self.points, table.T, strict=True))
        losses = np.asarray(sum(points.losses[:, chosen] for points, chosen in pairs))
        finite = all(points.finite for points in self.points)
        return Assigned(
            np.stack([points.nodes[chosen] for points, chosen in pairs], axis=1),
            losses.max(axis=0) if finite else np.full(len(table), INFINITE),
            np.asarray(sum(points.utilities[chosen] for points, chosen in pairs)),
            np.full(len(table), self.split_kept),
            np.asarray(sum(points.above[:, chosen] for points, chosen in pairs)).T,
        )

    @cached_property
    def split_kept(self) -> bool:
        """Whether every region has a node that keeps the limits."""
        return all(points.kept for points in self.points)

    @cached_property
    def breakpoints(self) -> Assigned:
        """Those of the merged hulls, of every mixture."""
        found = []
        for mix in self.mixes:
            aim = Aim(None, False, mix, np.zeros(0))
            merged = Merged([aim.part(points) for points in self.points])
            found.append(self.assigned([merged.choice(prefix) for prefix in range(len(merged.gains))]))
        return Assigned.joined(found)

    def frontier(self, most: int = MOST) -> Assigned:
        """The breakpoints and the unsplit rules that nothing beats, by rising risk; both ends, if they are too many."""
        every = Assigned.joined([self.breakpoints, self.unsplit])
        if every.kept.any():
            every = every.taken(np.flatnonzero(every.kept))
        risks, utilities = told_apart(every.risks), told_apart(every.utilities)
        left = np.flatnonzero(undominated(risks, utilities))
        left = left[np.unique(np.stack([risks[left], utilities[left]]), axis=1, return_index=True)[1]]
        if len(left) > most:
            left = left[np.unique(np.linspace(0, len(left) - 1, most).round().astype(np.intp))]
        return every.taken(left)

    def best(self, question: Question) -> tuple[Assigned, float]:
        """The best rule, and a bound: no rule of the family has a smaller objective (R, −U or R − λU)."""
        answers, least = [], -INFINITE
        for aim, parts in self.aims(question):
            chosen = aim.best(parts)
            answers.append(chosen.places)
            least = max(least, chosen.least)
        return self._best([self.assigned(answers), self.unsplit, self.breakpoints], self.unsplit, question, least)

    def best_within_share(self, question: Question) -> tuple[Assigned, float]:
        """The same of the rules that put no more people above a chance than may be.

        Where people have several records each counts for itself, so that too many may seem to be above; then nothing
        is known of the bound.
        """
        limit = self.problem.limits.share_above
        assert limit is not None
        most, found, least = within_share(limit.share, self.problem.persons), [], -INFINITE
        for aim, parts in self.aims(question):
            priced = Priced(parts, [points.above for points in self.points], aim.bound, most)
            found += priced.found
            least = max(least, priced.least)
        answers = [self.assigned(found)] if found else []
        every = [some.within(most) for some in (*answers, self.unsplit, self.breakpoints)]
        best, least = self._best(every, self.unsplit.within(most), question, least)
        return best, least if self.problem.people is None else -INFINITE

    def aims(self, question: Question) -> Iterator[tuple[Aim, list[Part]]]:
        """For each mixture of the dictionaries, what the regions may choose from as far as it matters."""
        for mix in self.mixes:
            aim = Aim(question, self.each, mix, np.zeros(0))
            yield aim, [aim.part(points) for points in self.points]

    def _best(
        self, several: Sequence[Assigned], unsplit: Assigned, question: Question, least: float
    ) -> tuple[Assigned, float]:
        """The best of some rules, and the bound, given that of the split ones."""
        every, asked = Assigned.joined(several), unbounded(question) if self.each else question
        found, whole = optimum(compared(every), asked), optimum(compared(unsplit), asked)
        if not self.split_kept:
            least = INFINITE
        if isinstance(whole, Best):
            least = min(least, float(objectives(unsplit, question)[whole.place]))
        return every.taken(np.array([found.place if isinstance(found, Best) else found.nearest])), least

    def rule(self, nodes: Levels) -> Regional:
        """The rule with these nodes."""
        return Regional(self.problem, self.regions, [self.sums.node(int(number)) for number in nodes])


def family(
    problem: Problem,
    regions: Wanted,
    question: Question | None = None,
    *,
    per_record: bool = False,
    progress: Progress = silent,
    stop: Stop = never,
) -> Family:
    """The rules over given splits, or over a tree of up to so many patterns.

    Parameters
    ----------
    problem : what rules are measured by
    regions : attributes and levels; or how many patterns there may be
    question : what is asked, if anything
    per_record : whether its bound holds for each record
    progress, stop : told how much is done; asked whether to stop

    Raises
    ------
    BadSetting
        If risk or utility is not a mean, a split is impossible, or there are too many regions.
    Stopped
        If `stop` said so.
    """
    check(problem, regions)
    auto = regions if isinstance(regions, int) else None
    cells = finest(problem, regions) if isinstance(regions, int) else Cells.of(problem, given_splits(problem, regions))
    sums = Pass(problem, cells, question if per_record else None).run(progress, stop)
    if auto is None:
        return Family(problem, cells, sums, cells.regions, question, per_record)
    many, whole = len(sums.losses), sums.of([Region((), np.arange(len(cells)))])[0]
    aim = Aim.of(question, per_record, np.full(many, 1 / many), whole)
    return Family(problem, cells, sums, Tree(problem, cells, sums, aim, auto).grown(), question, per_record)


def check(problem: Problem, regions: Wanted) -> None:
    """Raise `BadSetting` as `family` does, without anything being searched.

    Weights of records and priors of dictionaries that cannot be are found out too.
    """
    problem.risk.of({dictionary.name: np.zeros(len(problem)) for dictionary in problem.dictionaries})
    if problem.risk.over_records != "mean":
        raise BadSetting("risk.over_records", "Regional rules are found for the mean. Choose mean, or leave them out.")
    if problem.utility.over_records != "mean":
        raise BadSetting("utility.over_records", "Regional rules are found for the mean. Choose mean.")
    if not isinstance(regions, int):
        check_room(problem, Cells.of(problem, given_splits(problem, regions)))
