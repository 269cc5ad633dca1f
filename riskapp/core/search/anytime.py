"""Full-domain rules over lattices that nobody can enumerate: the best so far at any moment, and how far it may be off.

Three searches take turns: one looks for good nodes (`anytime_moves`), one cuts the lattice into boxes and bounds what
is in them (`anytime_boxes`), and one proves that no node goes below a target, which rises (`anytime_proof`). The best
is proved when no box is left that could hold a better node, or the target is the best node's own figure; when the time
is over before, the better of both bounds says how far from the best it is at most. Where risk may rise under
generalisation there is no such bound, and only a lattice that was looked at node by node is proved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.optimum import Question
from riskapp.core.search.anytime_archive import Seen
from riskapp.core.search.anytime_beside import Beside
from riskapp.core.search.anytime_clock import Clock
from riskapp.core.search.anytime_packing import rows_of
from riskapp.core.search.anytime_turns import Better, Turns, tagged
from riskapp.core.search.candidate import Candidate
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.watching import PARTS, Progress, Stop, never, silent

FAMILY = "full-domain"
SWEEPING = AROUND = MEASURING = 0.125
"""By such shares of the question's time it may be looked for the best over the whole range, and for the neighbours of
the answer, and what is listed be measured."""


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


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found.

    Attributes
    ----------
    answer : the best rule, or that there is none
    beside : other nodes to choose from
    """

    answer: Candidate | NoneFound
    beside: Sequence[Beside]


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

    Its tag is `exact` when it is proved that there is none better in what the question makes small; of those as good
    it is the first among the nodes looked at. Else the tag tells the gap, where one is known. `told` has the bound, the
    gap and the number of nodes looked at.

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
    found = _begun(problem, question, seed, better, Clock(seconds, most, progress, stop))
    found.run(first)
    found.settle()
    return _answer(found)


def listed(
    problem: Problem,
    question: Question,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    most: int | None = None,
    first: Sequence[Node] = (),
    also: Sequence[Node] = (),
    progress: Progress = silent,
    better: Better = lambda risk, utility: None,
    stop: Stop = never,
) -> Found:
    """The same, and what is best known over the whole range from the least utility to the most, to choose from.

    The question has all its time; up to three eighths as much go to the rest. The neighbours of the answer come first,
    one step less or more in each attribute, then at most two hundred nodes that no node looked at beats. The tag of
    each tells by how much less a node may risk that says as much.

    Parameters
    ----------
    problem, question, seconds, seed, most, first, progress, better, stop : as `search` takes them
    also : nodes that are listed in any case

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> zips = problem({"zip": ["47906", "47901", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> found = listed(zips, Question("least_utility", 2))
    >>> found.answer.id, [(one.node, str(one.number)) for one in found.beside]
    ('full-domain:1', [((0,), 'exact'), ((2,), 'exact'), ((5,), 'exact'), ((4,), 'exact')])
    """
    clock = Clock(seconds, most, progress, stop, SWEEPING + AROUND + MEASURING)
    found = _begun(problem, question, seed, better, clock)
    found.run([*first, *also])
    found.settle()
    clock.extend(SWEEPING)
    found.sweep()
    clock.extend(AROUND)
    around = found.look_around()
    clock.extend(MEASURING)
    answer, beside = _answer(found), list(found.beside(also, around))
    progress(PARTS, PARTS)
    return Found(answer, beside)


def _begun(problem: Problem, question: Question, seed: int, better: Better, clock: Clock) -> Turns:
    if problem.utility.over_records != "mean":
        raise BadSetting("utility.over_records", "This search needs the mean utility. Choose mean.")
    if not clock.seconds > 0 or (clock.most is not None and clock.most < 1):
        raise BadSetting("search.seconds", "Give a number above 0.")
    return Turns(problem, rows_of(problem), question, seed, clock, better)


def _answer(found: Turns) -> Candidate | NoneFound:
    """The best that was found, or what comes nearest to one."""
    near = _candidate(found, found.answer)
    if found.looking.best is not None:
        return near
    return NoneFound(near.evaluation.broken or (found.looking.question.kind,), near, found.none)


def _candidate(found: Turns, seen: Seen) -> Candidate:
    """A node as a candidate, with all its figures."""
    gap = found.gap
    told: dict[str, Any] = {
        "nodes_visited": found.looking.spent,
        "gap": gap,
        "bound": None if gap is None else found.bound,
    }
    if found.why is not None:
        told["no_bound"] = f"The risk may rise under generalisation: {found.why}."
    return Candidate(
        f"{FAMILY}:{'.'.join(map(str, found.problem.chosen(seen.node)))}",
        FAMILY,
        Released.at(found.problem.records, seen.node),
        found.looking.measured(seen.node),
        node=seen.node,
        number=tagged(gap),
        told=told,
    )
