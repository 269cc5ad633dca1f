"""The best that attributes could do if each group of them added its own risk: convex hulls, merged.

A group of attributes has a point (utility, risk) for each choice of its levels. Where the risk of a node is no less
than the sum over its groups, no node lies below the merged lower hulls, so the answer on these bounds the true one.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.optimum import Question
from riskapp.core.table.keys import Places

SLACK = 1e-11


@compiled
def _lower(order, utility, risk, o_hull):
    """The lower hull of points in the order of their utility, from the least risk on; how many there are."""
    many = 0
    for at in order:
        if risk[at] == np.inf:
            continue
        while many > 0:
            last = o_hull[many - 1]
            if risk[last] >= risk[at]:
                many -= 1
                continue
            if many == 1:
                break
            before = o_hull[many - 2]
            rise = (risk[last] - risk[before]) * (utility[at] - utility[last])
            if rise < (risk[at] - risk[last]) * (utility[last] - utility[before]):
                break
            many -= 1
        o_hull[many] = at
        many += 1
    return many


def hull(utility: Numbers, risk: Numbers) -> Places:
    """The points of the lower hull, from the least risk to the most utility; none when all are infinite.

    >>> hull(np.array([0.0, 1.0, 2.0, 1.5]), np.array([0.0, 1.0, 1.0, 3.0]))
    array([0, 2])
    """
    found = np.empty(len(risk), np.intp)
    many = _lower(np.lexsort((-risk, utility)), utility, risk, found)
    return found[:many]


class Relaxed(NamedTuple):
    """What no node goes below, in the sense of the question, and the point of each group that was chosen for it."""

    bound: float
    chosen: tuple[int, ...]


NONE = Relaxed(INFINITE, ())


def slack(number: float) -> float:
    """What rounding may take from a number of this size; nothing from an infinite one."""
    return SLACK * max(1.0, abs(number)) if abs(number) < INFINITE else 0.0


def relaxed(question: Question, groups: Sequence[tuple[Numbers, Numbers]], common: float) -> Relaxed:
    """The answer to a question on the merged hulls; `NONE` when there is certainly none.

    Parameters
    ----------
    question : whose answer is bounded: the least risk, minus the most utility, or the least risk − λ·utility
    groups : for each of them the utility and the risk of every choice
    common : the risk that is there whatever is chosen

    Examples
    --------
    >>> groups = [(np.array([0.0, 2.0]), np.array([0.0, 1.0])), (np.array([0.0, 1.0]), np.array([0.0, 3.0]))]
    >>> found = relaxed(Question("least_utility", 1), groups, 0.25)
    >>> round(found.bound, 9), found.chosen
    (0.75, (1, 0))
    """
    hulls = [hull(*points) for points in groups]
    if any(not len(own) for own in hulls) or common == INFINITE:
        return NONE
    places = np.zeros(len(hulls), np.intp)
    utility = sum(float(points[0][own[0]]) for points, own in zip(groups, hulls, strict=True))
    risk = common + sum(float(points[1][own[0]]) for points, own in zip(groups, hulls, strict=True))
    owners = np.repeat(np.arange(len(hulls)), np.array([len(own) - 1 for own in hulls], np.intp))
    more = np.concatenate([[], *(np.diff(points[0][own]) for points, own in zip(groups, hulls, strict=True))])
    worse = np.concatenate([[], *(np.diff(points[1][own]) for points, own in zip(groups, hulls, strict=True))])
    order = np.argsort(worse / more, kind="stable")
    utilities = utility + np.append(0.0, np.cumsum(more[order]))
    risks = risk + np.append(0.0, np.cumsum(worse[order]))
    bound, taken = _answered(question, utilities, risks)
    np.add.at(places, owners[order[:taken]], 1)
    return Relaxed(bound, tuple(int(own[place]) for own, place in zip(hulls, places, strict=True)))


def _answered(question: Question, utilities: Numbers, risks: Numbers) -> tuple[float, int]:
    """The bound, and how many of the steps along the hull are taken for it."""
    if question.kind == "trade_off":
        worth = risks - question.bound * utilities
        return float(worth.min()) - slack(question.bound * float(utilities[-1])), int(worth.argmin())
    if question.kind == "least_utility":
        least = question.bound - slack(question.bound)
        if utilities[-1] < least - slack(float(utilities[-1])):
            return INFINITE, 0
        return float(np.interp(least, utilities, risks)), min(int(np.searchsorted(utilities, least)), len(risks) - 1)
    most = question.bound + slack(question.bound)
    if risks[0] > most:
        return INFINITE, 0
    if risks[-1] <= most:
        return -float(utilities[-1]), len(risks) - 1
    steps = int(np.searchsorted(risks, most, side="right")) - 1
    return -float(np.interp(most, risks, utilities)), steps
