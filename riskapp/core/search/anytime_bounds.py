"""What no node of a box can do better than.

A *box* holds all nodes between a finest and a coarsest one. Where risk never rises under generalisation, |ρ| in it is
at most that of its coarsest node, and for some attributes at most that with all others at the top. For a linear Φ
without Ψ every attribute adds its own part to the risk, so these bounds add up over groups of attributes
(`anytime_hulls`); for others each group bounds by itself. Utility is a sum over attributes and needs no records.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import INFINITE, Numbers, times
from riskapp.core.optimum import Question
from riskapp.core.search.anytime_adding import added, beyond
from riskapp.core.search.anytime_hulls import Relaxed, relaxed, slack
from riskapp.core.search.anytime_rows import Figures, Rows
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

MOST_WORK, MOST_NODES = 200_000_000, 6_000
"""Rows times nodes of all groups' own lattices together, and the nodes of one group."""


LOOKING = 1_000
"""To count a node costs as much as so many rows even without any."""


EVERYTHING = Question("most_risk", INFINITE)
"""The most utility whatever the risk."""


def not_monotone(problem: Problem, rows: Rows | None) -> str | None:
    """Why the risk of the table may rise under generalisation; None when it never does."""
    loss = problem.loss
    if problem.linkage is not None:
        return "a coarser record may be linked to more rows"
    if loss.uncovered == "zero" and (rows is None or any(own.min() == 0 for own in _crowds(rows))):
        return "with risk.uncovered: zero a record that is nobody before it is generalised can become somebody"
    if loss.model == "sensitivity" and loss.unidentified:
        least = problem.sensitivity.at(problem.lattice.top).min()
        if loss.unidentified > least:
            return "with sensitivity.unidentified above the least sensitivity the loss can rise"
    return None


def _crowds(rows: Rows) -> Iterator[npt.NDArray[np.int64]]:
    bottom = rows.problem.lattice.bottom
    found = rows.classes(bottom)
    return (rows.crowd(held, bottom, found) for held in rows.held)


@dataclass(frozen=True, eq=False)
class Group:
    """Some attributes: the levels of every choice, its utility, and its risks with all others at the top.

    The risks are a row for each dictionary where Φ adds up, else one row.
    """

    places: tuple[int, ...]
    nodes: npt.NDArray[np.intp]
    utilities: Numbers
    risks: Numbers


@dataclass(eq=False)
class Bounds:
    """Bounds for one problem and one question.

    `added` at the coarsest node of a box is what `anytime_adding` says there for every dictionary, none where Φ does
    not add up. The groups begin as single attributes of which nothing is known, and become more by `learn`.
    """

    problem: Problem
    rows: Rows | None
    question: Question
    monotone: bool
    work: float = MOST_WORK
    groups: list[Group] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.means = dict(zip(self.problem.generalised, self.problem.utility.means, strict=True))
        self.adds = self.rows is not None and self.monotone and _adds(self.problem)
        self.groups = [self._group((place,)) for place in self.problem.generalised]

    def _group(self, places: tuple[int, ...]) -> Group:
        heights = [self.problem.lattice.heights[place] for place in places]
        nodes = np.indices([height + 1 for height in heights]).reshape(len(places), -1).T
        utilities = np.sum([self.means[place][nodes[:, at]] for at, place in enumerate(places)], axis=0)
        views = len(self.problem.dictionaries) if self.adds else 1
        return Group(places, nodes, utilities, np.zeros((views, len(nodes))))

    def learn(self) -> Iterator[None]:
        """Count within groups of attributes, pausing as often as if whole tables were counted."""
        if self.rows is None or not self.monotone or not self.problem.generalised:
            return
        for places, rows in self._gathered(self.rows):
            group = self._group(places)
            pause = 1 + len(self.rows) // (len(rows) + LOOKING)
            for at, levels in enumerate(group.nodes):
                node = self._with(places, levels)
                group.risks[:, at] = beyond(rows, node) if self.adds else rows.at(node).risk
                if at % pause == 0:
                    yield
            self.groups = [own for own in self.groups if not set(own.places) & set(places)] + [group]

    def _with(self, places: Sequence[int], levels: Sequence[int]) -> Node:
        """These attributes at these levels, all others at the top."""
        node = list(self.problem.lattice.top)
        for place, level in zip(places, levels, strict=True):
            node[place] = int(level)
        return tuple(node)

    def _gathered(self, rows: Rows) -> Iterator[tuple[tuple[int, ...], Rows]]:
        """Attributes by how many values they have, as many together as can be counted."""
        heights = self.problem.lattice.heights
        left = sorted(self.problem.generalised, key=lambda place: -len(rows.phi.values(place)))
        work = min(MOST_WORK, self.work) / max(1, len(left))
        while left:
            chosen = [left.pop(0)]
            kept = rows.rolled(self._with(chosen, [0]))
            while left:
                nodes = prod(heights[place] + 1 for place in [*chosen, left[0]])
                if nodes > MOST_NODES:
                    break
                wider = rows.rolled(self._with([*chosen, left[0]], [0] * (len(chosen) + 1)))
                if nodes * (len(wider) + LOOKING) > work * (len(chosen) + 1):
                    break
                chosen.append(left.pop(0))
                kept = wider
            yield tuple(chosen), kept

    def added(self, high: Node) -> list[list[Numbers]]:
        """What every attribute adds at each level with |ρ| as at this node, for every dictionary."""
        if not self.adds or self.rows is None:
            return []
        found = self.rows.classes(high)
        return [added(self.rows, held, high, found) for held in self.rows.held]

    def of(
        self, low: Node, high: Node, figures: Figures, added: Sequence[Sequence[Numbers]]
    ) -> tuple[float, Node] | None:
        """What no node of the box goes below in the question's sense, and where such a node might be.

        None when the bound of the question is certainly met by no node of the box.
        """
        slices = [self._slice(group, low, high) for group in self.groups]
        most = sum(float(group.utilities[own].max()) for group, own in zip(self.groups, slices, strict=True))
        floor = self._floor(figures.risk if self.monotone else 0.0, most)
        if floor is None:
            return None
        if self.question == EVERYTHING or not self.monotone:
            return floor, low
        if self.adds:
            found = [self._together(view, slices, added) for view in self.views]
        else:
            found = [self._alone(number, slices) for number, own in enumerate(self.groups) if own.risks.any()]
        if not found:
            return floor, low
        best = max(found, key=lambda own: own.bound)
        if best.bound == INFINITE:
            return None if self.question.kind == "most_risk" else (INFINITE, low)
        return max(floor, best.bound), self._node(high, slices, best)

    def _slice(self, group: Group, low: Node, high: Node) -> npt.NDArray[np.intp]:
        places = list(group.places)
        inside = (group.nodes >= np.array(low)[places]) & (group.nodes <= np.array(high)[places])
        return np.flatnonzero(inside.all(axis=1))

    def _floor(self, risk: float, utility: float) -> float | None:
        """The bound from the least risk and the most utility in the box; None when these do not do."""
        asked = self.question.bound
        if self.question.kind == "least_utility":
            return None if utility < asked - 2 * slack(asked) else risk
        if self.question.kind == "most_risk":
            return None if risk > asked + slack(asked) else -utility
        return risk - asked * utility - slack(asked * utility)

    @property
    def views(self) -> list[Numbers]:
        """How much each dictionary counts: one way, or for the worst case each by itself."""
        names = [dictionary.name for dictionary in self.problem.dictionaries]
        risk = self.problem.risk
        if risk.over_dictionaries == "worst":
            return list(np.eye(len(names)))
        if risk.over_dictionaries == "bayes":
            priors = np.array([risk.priors.get(name, 1.0) for name in names])
            return [priors / priors.sum()]
        return [np.array([float(name == risk.over_dictionaries) for name in names])]

    def _together(
        self, view: Numbers, slices: Sequence[npt.NDArray[np.intp]], added: Sequence[Sequence[Numbers]]
    ) -> Relaxed:
        every = list(zip(*added, strict=True))
        each = [np.sum([times(q, own) for q, own in zip(view, some, strict=True)], axis=0) for some in every]
        points = []
        for group, own in zip(self.groups, slices, strict=True):
            here = np.sum([each[place][group.nodes[own, at]] for at, place in enumerate(group.places)], axis=0)
            known = np.sum(times(view[:, None], group.risks[:, own]), axis=0)
            points.append((group.utilities[own], np.maximum(here, known)))
        kept = [float(each[place][0]) for place, column in enumerate(self.problem.columns) if column.kept]
        return relaxed(self.question, points, sum(kept))

    def _alone(self, number: int, slices: Sequence[npt.NDArray[np.intp]]) -> Relaxed:
        points = []
        for at, (group, own) in enumerate(zip(self.groups, slices, strict=True)):
            risks = group.risks[0, own] if at == number else np.zeros(len(own))
            points.append((group.utilities[own], risks))
        return relaxed(self.question, points, 0.0)

    def _node(self, high: Node, slices: Sequence[npt.NDArray[np.intp]], best: Relaxed) -> Node:
        node = list(high)
        for group, own, chosen in zip(self.groups, slices, best.chosen, strict=True):
            for place, level in zip(group.places, group.nodes[own[chosen]], strict=True):
                node[place] = int(level)
        return tuple(node)

    def tightened(self, low: Node, high: Node, least: float) -> Node | None:
        """The coarsest node of the box without levels at which none has at least this utility; None without any."""
        found = list(high)
        most = sum(float(own[low[place] : high[place] + 1].max()) for place, own in self.means.items())
        if most < least - slack(least):
            return None
        for place, own in self.means.items():
            there = own[low[place] : high[place] + 1]
            enough = np.flatnonzero(most - there.max() + there >= least - slack(least))
            found[place] = low[place] + int(enough[-1])
        return tuple(found)


def _adds(problem: Problem) -> bool:
    """Whether the mean risk is a sum over attributes."""
    if problem.sensitivity.family != "linear" or problem.risk.over_records != "mean":
        return False
    if problem.loss.model == "anonymity" or (problem.loss.model == "sensitivity" and problem.loss.unidentified):
        return False
    return bool(np.isfinite(problem.sensitivity.at(problem.lattice.top)).all())
