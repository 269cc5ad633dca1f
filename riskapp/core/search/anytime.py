"""Full-domain rules over lattices that nobody can enumerate: the best so far at any moment, and how far it may be off.

Three searches take turns: one looks for good nodes (`anytime_moves`), one cuts the lattice into boxes and bounds what
is in them (`anytime_boxes`), and under a least utility one proves that no node has less risk than a target, which rises
(`anytime_proof`). When no box is left that could hold a better node, or the target is the best node's own risk, the
best is proved; when the time is over before, the better of both bounds says how far from the best it is at most. Where
risk may rise under generalisation there is no such bound, and only a lattice that was looked at node by node is proved.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.extended import INFINITE
from riskapp.core.optimum import Question
from riskapp.core.search.anytime_bounds import EVERYTHING, Bounds, not_monotone
from riskapp.core.search.anytime_boxes import Boxes
from riskapp.core.search.anytime_hulls import slack
from riskapp.core.search.anytime_looking import Looking, Seen
from riskapp.core.search.anytime_moves import Moves
from riskapp.core.search.anytime_packing import rows_of
from riskapp.core.search.anytime_proof import Proof
from riskapp.core.search.anytime_rows import Rows
from riskapp.core.search.candidate import Candidate, Tag
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.watching import Progress, Stop, never, silent

Better = Callable[[float, float], None]
"""Told the risk and the utility of every new best."""

FAMILY = "full-domain"
WORK_PER_SECOND = 5_000_000
PIECES, EARLY = 3, 32
"""So many pieces of the proof for one node of the others, one more after so many nodes: good nodes are found early."""
PARTS = 1000
"""Progress is told in so many parts of the time, or of the nodes, that may be spent."""


@dataclass(frozen=True, eq=False)
class NoneFound:
    """No rule that will do was found.

    Attributes
    ----------
    missed : what the nearest rule misses: limits, or the question itself
    nearest : of the rules looked at the one that breaks the fewest limits, and of those misses the bound by the least
    proved : whether there is certainly none that will do
    """

    missed: tuple[str, ...]
    nearest: Candidate
    proved: bool


def search(
    problem: Problem,
    question: Question,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    most: int | None = None,
    first: Sequence[Node] = (),
    progress: Progress = silent,
    better: Better = lambda risk, utility: None,
    stop: Stop = never,
) -> Candidate | NoneFound:
    """The best full-domain rule that can be found in a time, within the problem's limits.

    Its tag is `exact` when it is proved that there is none better; else it tells the gap, where one is known, in what
    the question makes small. `told` has the bound, the gap and the number of nodes looked at.

    Parameters
    ----------
    problem : what rules are measured by
    question : the least risk, the most utility or the trade-off, of the table's mean
    seconds : when to stop with the best so far
    seed : of everything that is drawn at random
    most : how many nodes may be looked at; with it, and time enough, the answer is the same on every machine
    first : nodes that are looked at before all others, whatever the time
    progress : told how much of what may be spent is spent
    better : told of every new best
    stop : asked often whether to stop without an answer

    Raises
    ------
    BadSetting
        If utility is not the mean over the records, or there is no time at all.
    Stopped
        If `stop` said so.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> zips = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> found = search(zips, Question("least_utility", 2))
    >>> found.id, round(found.evaluation.risk, 3), str(found.number)
    ('full-domain:1', 0.667, 'exact')
    >>> nothing = search(zips, Question("least_utility", 6))
    >>> nothing.missed, nothing.nearest.id, nothing.proved
    (('least_utility',), 'full-domain:0', True)
    """
    if problem.utility.over_records != "mean":
        raise BadSetting("utility.over_records", "This search needs the mean utility. Choose mean.")
    if not seconds > 0 or (most is not None and most < 1):
        raise BadSetting("search.seconds", "Give a number above 0.")
    clock = _Clock(seconds, most, progress, stop)
    rows = rows_of(problem)
    found = _Search(problem, rows, question, seed, better, clock)
    found.run(first)
    if found.looking.best is not None:
        return found.candidate(found.looking.best)
    if not found.boxes.done or question == EVERYTHING or question.kind == "trade_off":
        return found.nothing(found.boxes.done)
    other = _Search(problem, rows, _instead(problem, question), seed, lambda risk, utility: None, clock)
    other.run()
    nearest = other.looking.best or other.looking.nearest or found.looking.nearest
    assert nearest is not None
    return found.nothing(True, nearest)


def _instead(problem: Problem, question: Question) -> Question:
    """What is asked to find the rule that misses the bound by the least."""
    if question.kind == "least_utility":
        return EVERYTHING
    return Question("least_utility", problem.utility.at(problem.chosen(problem.lattice.top)))


class _Clock:
    """Whether time or nodes are over."""

    def __init__(self, seconds: float, most: int | None, progress: Progress, stop: Stop) -> None:
        self.began, self.seconds, self.most, self.progress, self.stop = time.monotonic(), seconds, most, progress, stop
        self.before = 0

    def work(self, rows: Rows | None) -> float:
        """How much of it may go into bounds for groups of attributes, in rows."""
        work = self.seconds * WORK_PER_SECOND
        return work if self.most is None or rows is None else min(work, self.most * len(rows) / 2)

    def over(self, spent: int) -> bool:
        """Whether to end, after so many nodes; the person is told and asked."""
        if self.stop():
            raise Stopped
        share = (time.monotonic() - self.began) / self.seconds
        if self.most is not None:
            share = max(share, (self.before + spent) / self.most)
        self.progress(min(PARTS, int(share * PARTS)), PARTS)
        return share >= 1


class _Search:
    """One question to one problem."""

    def __init__(
        self, problem: Problem, rows: Rows | None, question: Question, seed: int, better: Better, clock: _Clock
    ) -> None:
        self.problem, self.why, self.clock = problem, not_monotone(problem, rows), clock
        self.looking = Looking(problem, rows, question, lambda seen: better(seen.figures.risk, seen.utility))
        bounds = Bounds(problem, rows, question, self.why is None, clock.work(rows))
        self.boxes, self.moves = Boxes(self.looking, bounds), Moves(self.looking, seed)
        self.proof = Proof.of(self.looking, bounds)

    def run(self, first: Sequence[Node] = ()) -> None:
        """Take turns until the best is proved or time is over; something is looked at in any case."""
        for node in first:
            self.looking.at(node)
        boxes, moves, proof = self.boxes.run(), self.moves.run(), iter(() if self.proof is None else self.proof.run())
        next(moves)
        while not self.clock.over(self.looking.spent):
            if next(boxes, self) is self:
                break
            next(moves)
            if self._proved(proof):
                break
        self._polish()
        self.clock.before += self.looking.spent

    def _proved(self, proof: Iterator[None]) -> bool:
        """Whether the best is proved after some more pieces of the proof, of which one takes as long as a few nodes."""
        for _ in islice(proof, min(PIECES, self.looking.spent // EARLY)):
            if self.clock.over(self.looking.spent):
                break
        return self.proof is not None and self.proof.done

    def _polish(self) -> None:
        """Among equally good neighbours of the best take the one that ties go to."""
        if self.looking.best is not None:
            for _ in self.moves.climbed(self.looking.best.node):
                if self.clock.over(self.looking.spent):
                    return

    @property
    def bound(self) -> float:
        """No node that will do goes below this."""
        return self.boxes.bound if self.proof is None else max(self.boxes.bound, self.proof.bound)

    @property
    def gap(self) -> float | None:
        """How far the best may be from what is possible; None when nothing is known."""
        best, bound = self.looking.best, self.bound
        if best is None or (not self.boxes.done and (self.why is not None or bound == -INFINITE)):
            return None
        gap = best.objective - bound if best.objective > bound else 0.0
        return 0.0 if gap <= slack(best.objective) else gap

    def candidate(self, seen: Seen) -> Candidate:
        """A node as a candidate, with all its figures."""
        gap = self.gap
        told: dict[str, Any] = {
            "nodes_visited": self.looking.spent,
            "gap": gap,
            "bound": None if gap is None else self.bound,
        }
        if self.why is not None:
            told["no_bound"] = f"The risk may rise under generalisation: {self.why}."
        return Candidate(
            f"{FAMILY}:{'.'.join(map(str, self.problem.chosen(seen.node)))}",
            FAMILY,
            Released.at(self.problem.records, seen.node),
            self.looking.measured(seen.node),
            node=seen.node,
            number=Tag("exact") if gap == 0 else Tag("heuristic", gap),
            told=told,
        )

    def nothing(self, proved: bool, nearest: Seen | None = None) -> NoneFound:
        """That none was found."""
        seen = nearest or self.looking.nearest
        assert seen is not None
        found = self.candidate(seen)
        return NoneFound(found.evaluation.broken or (self.looking.question.kind,), found, proved)
