"""One question to one problem: three searches take turns, and then the rest of the range is looked over.

One looks for good nodes (`anytime_moves`), one cuts the lattice into boxes and bounds what is in them
(`anytime_boxes`), and one proves that no node goes below a target, which rises (`anytime_proof`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from riskapp.core.evaluation import Evaluation
from riskapp.core.extended import INFINITE
from riskapp.core.optimum import Question
from riskapp.core.search.anytime_archive import Archive, Seen
from riskapp.core.search.anytime_beside import Beside, in_order, neighbours
from riskapp.core.search.anytime_bounds import EVERYTHING, Bounds, not_monotone
from riskapp.core.search.anytime_boxes import Boxes
from riskapp.core.search.anytime_clock import Clock
from riskapp.core.search.anytime_hulls import slack
from riskapp.core.search.anytime_looking import Looking
from riskapp.core.search.anytime_moves import Moves
from riskapp.core.search.anytime_proof import Proof
from riskapp.core.search.anytime_rows import Rows
from riskapp.core.search.anytime_sweep import Sweep
from riskapp.core.search.candidate import Tag
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

Better = Callable[[float, float], None]
"""Told the risk and the utility of every new best."""

PIECES, EARLY = 3, 32
"""So many pieces of the proof for one node of the others, one more after so many nodes: good nodes are found early."""


class Turns:
    """The search at work.

    Attributes
    ----------
    looking : has the best, or what comes nearest where none will do
    why : the risk may rise under generalisation, so that there is no bound; None where it never does
    """

    def __init__(
        self,
        problem: Problem,
        rows: Rows | None,
        question: Question,
        seed: int,
        clock: Clock,
        better: Better = lambda risk, utility: None,
        archive: Archive | None = None,
    ) -> None:
        self.problem, self.rows, self.seed, self.clock = problem, rows, seed, clock
        self.why = not_monotone(problem, rows)
        told = lambda seen: better(seen.figures.risk, seen.utility)  # noqa: E731
        self.looking = Looking(problem, rows, question, told, archive or Archive())
        bounds = Bounds(problem, rows, question, self.why is None, clock.work(rows))
        self.boxes, self.moves = Boxes(self.looking, bounds), Moves(self.looking, seed)
        self.proof = Proof.of(self.looking, bounds)
        self.near: Seen | None = None

    @property
    def none(self) -> bool:
        """Whether there is certainly no node that will do."""
        return self.boxes.done and self.looking.best is None

    @property
    def over(self) -> bool:
        """Whether time or nodes are over."""
        return self.clock.over(self.looking.spent)

    def run(self, first: Sequence[Node] = ()) -> None:
        """Take turns until the best is proved or time is over; something is looked at in any case."""
        for node in first:
            self.looking.at(node)
        boxes, moves, proof = self.boxes.run(), self.moves.run(), iter(() if self.proof is None else self.proof.run())
        next(moves)
        while not self.over:
            if next(boxes, self) is self:
                break
            next(moves)
            if self._proved(proof):
                break
        self._polish()

    def _proved(self, proof: Iterator[None]) -> bool:
        """Whether the best is proved after some more pieces of the proof, of which one takes as long as a few nodes."""
        for _ in islice(proof, min(PIECES, self.looking.spent // EARLY)):
            if self.over:
                break
        return self.proof is not None and self.proof.done

    def _polish(self) -> None:
        """Among equally good neighbours of the best take the one that ties go to."""
        if self.looking.best is not None:
            for _ in self.moves.climbed(self.looking.best.node):
                if self.over:
                    return

    def settle(self) -> None:
        """Where certainly no node will do, look for what comes nearest by a question of its own."""
        question = self.looking.question
        if not self.none or question == EVERYTHING or question.kind == "trade_off":
            return
        self.clock.before = self.looking.spent
        other = Turns(self.problem, self.rows, self._instead, self.seed, self.clock, archive=self.looking.archive)
        other.run()
        self.clock.before = other.looking.spent
        self.near = other.looking.best or other.looking.nearest

    @property
    def nearest(self) -> Seen:
        """What comes nearest where no node will do."""
        nearest = self.near or self.looking.nearest
        assert nearest is not None
        return nearest

    @property
    def _instead(self) -> Question:
        """What is asked to find the rule that misses the bound by the least."""
        if self.looking.question.kind == "least_utility":
            return EVERYTHING
        return Question("least_utility", self.looking.utility(self.problem.lattice.top))

    def sweep(self) -> None:
        """Look over the whole range of utilities, as long as there is time."""
        for _ in Sweep(self.moves).run():
            if self.over:
                return

    def look_around(self) -> list[Node]:
        """Look at the neighbours of the answer, or of what comes nearest; a better one takes its place."""
        while True:
            around, here = list[Node](), self.answer
            for node in neighbours(self.problem.lattice, here.node, self.problem.generalised):
                if self.clock.over():
                    return around
                self.looking.at(node)
                around.append(node)
            if self.answer is here:
                return around

    @property
    def answer(self) -> Seen:
        """The best node, or what comes nearest where none will do."""
        return self.looking.best or self.nearest

    def beside(self, also: Sequence[Node], around: Sequence[Node]) -> Iterator[Beside]:
        """What is listed beside the answer: those in any case, its neighbours, and the best over the range."""
        for number, node in enumerate(in_order(self.looking.archive, [*also, *around])):
            if number >= len(also) and self.clock.over():
                return
            if node != self.answer.node:
                found = self.looking.measured(node)
                yield Beside(node, found, tagged(self._less(self.looking.utility(node), found)))

    @property
    def bound(self) -> float:
        """No node that will do goes below this."""
        return self.boxes.bound if self.proof is None else max(self.boxes.bound, self.proof.bound)

    @property
    def gap(self) -> float | None:
        """How far the best may be from what is possible; None when nothing is known."""
        best, bound = self.looking.best, self.bound
        if best is None or not self._bounded:
            return None
        gap = best.objective - bound if best.objective > bound else 0.0
        return 0.0 if gap <= slack(best.objective) else gap

    @property
    def _bounded(self) -> bool:
        return self.boxes.done or (self.why is None and self.bound > -INFINITE)

    def _less(self, utility: float, found: Evaluation) -> float | None:
        """By how much less a node may risk that says as much, and keeps the limits if this one does; None: unknown."""
        least = self._least_risk(utility, found)
        if least is None or found.risk_that_counts == INFINITE:
            return None
        gap = found.risk_that_counts - least
        return 0.0 if gap <= slack(found.risk_that_counts) else gap

    def _least_risk(self, utility: float, found: Evaluation) -> float | None:
        """Nodes that say so much do not risk less, as far as the question's bound or a look at every node tells."""
        archive, question, bound = self.looking.archive, self.looking.question, self.bound
        if self.looking.everything:
            best = (archive.every if found.broken else archive.within).least_risk(utility - slack(utility))
            return None if best is None else best.figures.risk
        if found.broken or self.looking.best is None or not self._bounded:
            return None
        if question.kind == "trade_off":
            return bound + question.bound * utility
        if question.kind == "least_utility":
            return bound if utility >= question.bound else None
        return question.bound if utility > slack(utility) - bound else None


def tagged(gap: float | None) -> Tag:
    """Exact where there is no gap."""
    return Tag("exact") if gap == 0 else Tag("heuristic", gap)
