"""Mondrian, strict and multidimensional: parts of at least k people, each released by what its values have in common.

A part shows in every attribute the lowest common ancestor of its values, so parts differ in what they show and a part
is a group. Who fits a part's row would have been sent to that part, or might have been, had the same values been
missing: so where nobody is suppressed there is nothing for a replay to gain. Whether that holds is worked out for every
result from its tree, and where the tree does not tell, by replaying it.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from riskapp.core.measure import Measuring
from riskapp.core.search.candidate import Candidate, level_shares
from riskapp.core.search.each_group import compared
from riskapp.core.search.k_anonymity import verify
from riskapp.core.search.parting import Parting
from riskapp.core.search.parts import Ordered, Parts
from riskapp.core.search.reach import nearest_k, reachable_l
from riskapp.core.search.split_tree import SplitTree
from riskapp.core.search.suppressing import check, within_share
from riskapp.core.search.unmet import Unmet
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.replay import Reading, closed
from riskapp.core.watching import Progress, Stop, never, silent


def candidates(
    problem: Problem,
    k: Sequence[int],
    suppression_limit: float,
    seed: int,
    *,
    progress: Progress = silent,
    stop: Stop = never,
) -> Iterator[Candidate | Unmet]:
    """For each k the table that Mondrian parts, or what stands in the way.

    Parameters
    ----------
    problem, k, seed, stop : as `k_anonymity.candidates` takes them
    suppression_limit : the largest share of records that may be suppressed; only where kept columns that a dictionary
        knows leave parts too small is any
    progress : told how many records are done

    Raises
    ------
    BadSetting, Stopped
        As it does.

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> zips = problem({"zip": ["47906", "47901", "47901", "46402", "46402"]}, hierarchies={"zip": {"mask": 5}})
    >>> found, = candidates(zips, [2], 0.0, 0)
    >>> found.id, found.released.levels, found.evaluation.smallest_group, found.told["closed"]
    ('mondrian:2', (array([1, 1, 1, 0, 0]),), 2, True)
    >>> [str(found) for found in candidates(zips, [6], 0.0, 0)]
    ['mondrian:6: no group of so many people can be formed; search.k would have to be 5.']
    """
    measuring = Measuring(problem)
    for people in check(k, suppression_limit):
        parting = Parting(measuring, people)
        missed = _unmet(parting, suppression_limit)
        if missed is not None:
            yield missed
            continue
        parting.run(progress, stop)
        yield _candidate(parting)


def _unmet(parting: Parting, suppression_limit: float) -> Unmet | None:
    """What stands in the way, before anything is split: splits that are allowed leave everything as it should be."""
    problem, name, family = parting.problem, f"mondrian:{parting.k}", "mondrian"
    hidden, records = int(parting.hidden.sum()), len(problem)
    most, whole = within_share(suppression_limit, records), [problem.lattice.top]
    if hidden == records:
        if parting.largest >= parting.k:
            return Unmet.of(name, family, "search.require.l", reachable_l(problem, parting.k, most, nodes=whole))
        return Unmet.of(name, family, "search.k", nearest_k(problem, most, nodes=whole))
    if hidden > most:
        return Unmet(name, family, "search.suppression_limit", hidden / records)
    t = problem.limits.t
    if t is not None and compared(np.array([parting.distance]), t)[0] > 0:
        return Unmet(name, family, "search.require.t", parting.distance)
    return None


def _candidate(parting: Parting) -> Candidate:
    problem, tree = parting.problem, rule_of(parting)
    released = Released.each(problem.records, tree.released[parting.part], parting.hidden)
    rule = Reading(tree, frozenset(problem.grouped))
    nothing_to_gain = tree.is_closed or closed(problem, released, rule)
    replay = None if nothing_to_gain else rule
    told = {
        "parts": int((tree.place < 0).sum()),
        "closed": nothing_to_gain,
        "level_shares": level_shares(released, problem.names),
    }
    evaluation = parting.measuring.of(released, replay)
    found = Candidate(f"mondrian:{parting.k}", "mondrian", released, evaluation, replay, told=told)
    verify(found, parting.k)
    return found


def rule_of(parting: Parting) -> SplitTree:
    """The rule for any record, with what every part of the table releases."""
    problem = parting.problem
    parts = Parts.of(parting.part, np.arange(len(problem)))
    numbers = parting.part[parts.records[parts.starts]]
    levels, common = (np.zeros((parting.tree.parts, len(problem.columns)), dtype=np.int32) for _ in range(2))
    for place in problem.generalised:
        found = parts.common(Ordered(problem.hierarchies[place]), problem.column(place).codes)
        levels[numbers, place], common[numbers, place] = found
    suppressed = np.zeros(parting.tree.parts, dtype=np.bool_)
    suppressed[parting.part[parting.hidden]] = True
    kept = [weighed.kept for weighed in problem.columns]
    return SplitTree.of(problem.hierarchies, kept, parting.tree, levels, common, suppressed)
