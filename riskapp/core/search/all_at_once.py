"""Exhaustive search for all records of a table at once: every node is looked at, all records together."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.best_points import best_points
from riskapp.core.search.best_so_far import Best
from riskapp.core.search.kinds import taken
from riskapp.core.search.looking import Look, in_risk, looks
from riskapp.core.search.points import Points, only, room
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import MOST_NODES
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Watch

Found = TypeVar("Found")

AT_ONCE = 1 << 20
"""The most records that are looked at together node by node: they take some hundred bytes each."""


def best_of_each(
    problem: Problem, question: Asked, *, watch: Watch | None = None, threads: int = 1, at_once: int | None = None
) -> Best:
    """The best node of every record.

    Parameters
    ----------
    problem : whose records are looked at
    question : what is asked for each of them
    watch : who is told how far it is
    threads : how many parts of the records are looked at side by side
    at_once : the most records in a part, as many as fit where it is not given; neither changes what is found

    Raises
    ------
    BadSetting
        If there are too many nodes to look at each.
    Stopped
        If the watch says so.

    Examples
    --------
    >>> from riskapp.core.optimum import Question
    >>> from riskapp.core.table.plain_problem import problem
    >>> asked = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> best_of_each(asked, Question("least_utility", 2)).levels[:, 0]
    array([1, 1, 0], dtype=int16)
    """
    check_size(problem)
    parts = Parts(watch or Watch(), threads, at_once)
    return Best.joined(
        parts.each(
            problem,
            lambda part, seen: _searched(part, question, seen),
            lambda points, watch: best_points(points, question, watch),
        )
    )


def check_size(problem: Problem) -> None:
    """Raise `BadSetting` if there are too many nodes to look at each."""
    size = problem.lattice.size
    if size > MOST_NODES:
        told = f"There are {size} nodes, too many to look at each."
        raise BadSetting("search.methods", f"{told} Choose milp or branch-and-bound.")


@dataclass(frozen=True, eq=False)
class Parts:
    """Records looked at in parts that fit into memory, several parts side by side.

    Attributes
    ----------
    watch : who is told how far it is
    threads : how many parts are looked at side by side
    at_once : the most records in a part; as many as fit where it is not given
    """

    watch: Watch = field(default_factory=Watch)
    threads: int = 1
    at_once: int | None = None

    def each(
        self, problem: Problem, work: Callable[[Problem, Iterator[Look]], Found], fast: Callable[[Points, Watch], Found]
    ) -> list[Found]:
        """What is found in each part, in the order of the records.

        Parameters
        ----------
        problem : whose records they are
        work : finds it in a part, from all of its looks
        fast : finds the same in a part whose points can be had record by record
        """
        dictionary = only(problem)
        if dictionary is None:
            return self._by_node(problem, work)
        starts = range(0, len(problem), self.at_once or room(problem, dictionary))
        found = [self._by_record(problem, slice(start, start + starts.step), fast) for start in starts]
        self.watch.progress(len(problem), len(problem))
        return found

    def _by_record(self, problem: Problem, part: slice, fast: Callable[[Points, Watch], Found]) -> Found:
        """Records before this part are done already."""
        self.watch.tell(part.start, len(problem))
        shared = Watch(lambda done, total: self.watch.progress(part.start + done, len(problem)), self.watch.stop)
        whole = part.start == 0 and part.stop >= len(problem)
        return fast(Points.of(problem if whole else taken(problem, part), shared, self.threads), shared)

    def _by_node(self, problem: Problem, work: Callable[[Problem, Iterator[Look]], Found]) -> list[Found]:
        starts = range(0, len(problem), self.at_once or AT_ONCE)
        shared = _shared(self.watch, len(starts) * problem.lattice.size)
        parts = [taken(problem, slice(start, start + starts.step)) for start in starts]
        with ThreadPoolExecutor(self.threads) as pool:
            found = list(pool.map(lambda part: work(part, looks(part, shared)), parts))
        self.watch.progress(len(starts) * problem.lattice.size, len(starts) * problem.lattice.size)
        return found


def several(problem: Problem) -> bool:
    """Whether the risk is the worst of several dictionaries."""
    return problem.risk.over_dictionaries == "worst" and len(in_risk(problem)) > 1


def splits(problem: Problem, question: Asked) -> bool:
    """Whether the best for each record is the best for the table.

    A bound on every record's risk is as good for one as for all of them, and so is the most that λ/r + u^κ can be.
    Against one dictionary the mean, the largest and the smallest of all losses are least when each is. The worst of
    several dictionaries is a mean of losses against one of them, so the largest loss of every record is more than it
    takes, unless the largest of all counts; weighed by their priors they split only where the mean counts, for the
    largest losses against two of them need not be of one record. And a price of utility splits only between means in
    which all records count alike.
    """
    if isinstance(question, Aggregate) or question.kind == "most_risk":
        return True
    if question.kind == "least_utility":
        together = "max" if problem.risk.over_dictionaries == "worst" else "mean"
        return len(in_risk(problem)) == 1 or problem.risk.over_records == together
    return bounded(problem, question) and not several(problem)


def bounded(problem: Problem, question: Asked) -> bool:
    """Whether the least against each dictionary alone is a mean over records, so that no rule comes below it."""
    if isinstance(question, Aggregate) or problem.risk.over_records != "mean":
        return False
    alike = problem.risk.weights is None and problem.utility.over_records == "mean"
    return question.kind == "least_utility" or (question.kind == "trade_off" and alike)


def _shared(watch: Watch, total: int) -> Watch:
    """One watch for several parts at work: it is told how far all of them are together."""
    counted = count()
    return Watch(lambda done, here: watch.progress(next(counted), total), watch.stop)


def _searched(problem: Problem, question: Asked, seen: Iterator[Look]) -> Best:
    asked = len(in_risk(problem)) if several(problem) else 0
    best = Best.none(len(problem), len(problem.columns), asked)
    for look in seen:
        best.look(look, question, problem.limits.largest_chance)
    return best
