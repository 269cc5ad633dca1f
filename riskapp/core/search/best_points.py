"""The best node of every record, from all its points in one compiled loop.

It chooses as `best_so_far` does. Whether two numbers agree to twelve digits is decided without rounding where they are
equal or far apart, and else by scaling both to whole numbers; the few for which that is too near to a half are looked
at again in the general way.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, call-arg"

from math import isfinite, nextafter
from typing import Any

import numpy as np

from riskapp.core.compiled import compiled
from riskapp.core.digits import LARGEST, rounded
from riskapp.core.extended import INFINITE
from riskapp.core.search.best_so_far import NEAR, NOT_YET, Best
from riskapp.core.search.kinds import taken
from riskapp.core.search.looking import looks
from riskapp.core.search.point_loops import filled
from riskapp.core.search.points import Points
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.table.keys import Places
from riskapp.core.watching import Watch

KINDS = ("least_utility", "most_risk", "trade_off", "aggregate")
UNSURE = -2
HALF = 2e-3
"""A number of twelve digits nearer to a half than this may be rounded either way."""
OBJECTIVE, SIZE, RISK, UTILITY, CHANCE, BOUND = range(6)


def best_points(points: Points, question: Asked, watch: Watch) -> Best:
    """The best node of every record, as `all_at_once.best_of_each` finds it."""
    problem, limit = points.problem, points.problem.limits.largest_chance
    many = len(problem)
    best, nodes = Best.none(many, len(problem.columns), 0), np.empty(many, np.int64)
    figures = np.empty((many, 6))
    asked = _asked(problem.utility.of_nothing, question, limit)

    def work(rows: Places) -> None:
        _best(rows, points.ranks, *asked, nodes, figures, *points.arguments)

    for _ in points.each(work, watch):
        pass
    again = np.flatnonzero(nodes == UNSURE)
    met = nodes >= 0
    best.number[met], best.levels[met] = points.ranks[nodes[met]], points.levels[nodes[met]]
    for place, name in enumerate(("objective", "size", "risk", "utility", "chance", "bound")):
        getattr(best, name)[:] = figures[:, place]
    if len(again):
        _looked_at_again(points, question, best, again)
    return best


def _looked_at_again(points: Points, question: Asked, best: Best, rows: Places) -> None:
    problem = taken(points.problem, rows)
    found = Best.none(len(rows), len(problem.columns), 0)
    for look in looks(problem, crowds=points.crowds.some(rows)):
        found.look(look, question, problem.limits.largest_chance)
    for name in ("number", "levels", "objective", "size", "risk", "utility", "chance", "bound"):
        getattr(best, name)[rows] = getattr(found, name)


def _asked(of_nothing: float, question: Asked, limit: float | None) -> tuple[Any, ...]:
    """The question as numbers: its kind, two amounts, the last number that meets it, and the last chance allowed."""
    kind = KINDS.index(question.kind)
    most = INFINITE if limit is None else last_within(limit)
    if isinstance(question, Aggregate):
        return kind, np.array([question.price, question.power, min(0.0, of_nothing)]), INFINITE, most, limit is not None
    bound = -question.bound if question.kind == "least_utility" else question.bound
    last = INFINITE if question.kind == "trade_off" else last_within(bound)
    return kind, np.array([question.bound, 0.0, 0.0]), last, most, limit is not None


def last_within(bound: float) -> float:
    """The largest number that in twelve digits is at most the bound.

    >>> last = last_within(0.3)
    >>> 0.1 + 0.2 <= last < 0.3 + 1e-12
    True
    """
    if not isfinite(bound) or bound == 0:
        return bound
    told, low, high = rounded(bound, bound), bound, bound + 4 * NEAR * abs(bound)
    while nextafter(low, INFINITE) < high:
        middle = low + (high - low) / 2
        middle = middle if low < middle < high else nextafter(low, INFINITE)
        low, high = (middle, high) if rounded(middle, middle) <= told else (low, middle)
    return low


@compiled
def compared(one, size, other, its):
    """−1, 0 or 1 as one number is less, equal or more in twelve digits; 2 where that must be looked at again."""
    if one == other and (size == its or one == 0.0):
        return 0
    if one != other and (np.isinf(one) or np.isinf(other) or abs(one - other) > NEAR * max(size, its)):
        return -1 if one < other else 1
    if not (1e-280 < size < LARGEST and 1e-280 < its < LARGEST):
        return 2
    mine, theirs = np.log10(size), np.log10(its)
    digits = np.floor(mine)
    if digits != np.floor(theirs) or min(mine, theirs) - digits < 1e-9 or max(mine, theirs) - digits > 1.0 - 1e-9:
        return 2
    scale = 10.0 ** (11.0 - digits)
    left, right = one * scale, other * scale
    lower, upper = np.floor(left), np.floor(right)
    if abs(left - lower - 0.5) < HALF or abs(right - upper - 0.5) < HALF:
        return 2
    lower, upper = np.floor(left + 0.5), np.floor(right + 0.5)
    return 0 if lower == upper else (-1 if lower < upper else 1)


@compiled
def _best(
    rows, ranks, kind, amounts, last, most, limited, o_nodes, o_figures,
    codes, sizes, weights, weights_at, says, says_at, own, places, amount, both, totals,
    classes, people, taken, projection, choices, numbers,
):  # fmt: skip
    """For each of some records its best node, `NOT_YET` where none will do, `UNSURE` where rounding must tell."""
    nodes, inner = ranks.size, taken.size
    phi, utility, risk, first = np.empty(nodes), np.empty(nodes), np.empty(nodes), np.empty(nodes)
    rho, share, rest = np.empty(inner), np.empty(inner), np.empty(inner)
    zero, before = choices[1] == 1, -1
    for row in rows:
        filled(
            row, before, codes, sizes, weights, weights_at, says, says_at, own, places, amount, both, totals,
            classes, people, taken, projection, choices, numbers, phi, utility, risk, rho, share, rest,
        )  # fmt: skip
        before = row
        for p in range(inner):
            share[p] = 0.0 if limited and zero and rho[p] == 0.0 else 1.0 / max(rho[p], 1.0)
        if kind == 0:
            for node in range(nodes):
                first[node] = risk[node] if -utility[node] <= last else np.inf
        elif kind == 1:
            for node in range(nodes):
                first[node] = -utility[node] if risk[node] <= last else np.inf
        elif kind == 2:
            for node in range(nodes):
                first[node] = risk[node] - amounts[0] * utility[node]
        else:
            for node in range(nodes):
                inverse = _inverse(risk[node], phi[node], rho[projection[node]])
                worth = -amounts[0] * inverse - max(utility[node] - amounts[2], 0.0) ** amounts[1]
                first[node] = worth if inverse < np.inf else np.inf
        chance = bound = least = np.inf
        for node in range(nodes if limited else 0):
            chance = min(chance, share[projection[node]])
            if share[projection[node]] > most:
                first[node] = np.nan
        for node in range(nodes):
            if not np.isnan(first[node]):
                bound = min(bound, -utility[node] if kind == 0 else risk[node])
                least = min(least, first[node])
        best, unsure = NOT_YET, False
        objective = size = 0.0
        # Most nodes are worse by far. Sums of large numbers may be equal where their difference is not small.
        enough = least + 4.0 * NEAR * abs(least) if kind < 2 else np.inf
        for node in range(nodes):
            worth = first[node]
            if not worth <= enough:
                continue
            if (kind == 0 and -utility[node] > last) or (kind == 1 and risk[node] > last):
                continue
            length = abs(worth)
            if kind == 2:
                length = max(abs(risk[node]), abs(amounts[0] * utility[node]))
            elif kind == 3:
                one = _inverse(risk[node], phi[node], rho[projection[node]])
                if one == np.inf:
                    continue
                length = max(amounts[0] * one, max(utility[node] - amounts[2], 0.0) ** amounts[1])
            if best >= 0:
                told = compared(worth, length, objective, size)
                if told == 0:
                    told = compared(risk[node], abs(risk[node]), risk[best], abs(risk[best]))
                if told == 0:
                    told = compared(utility[best], abs(utility[best]), utility[node], abs(utility[node]))
                if told == 0:
                    told = -1 if ranks[node] < ranks[best] else 1
                unsure |= told == 2
                if told != -1:
                    continue
            best, objective, size = node, worth, length
        o_nodes[row] = UNSURE if unsure else best
        o_figures[row, OBJECTIVE], o_figures[row, SIZE] = objective, size
        o_figures[row, RISK] = risk[best] if best >= 0 else 0.0
        o_figures[row, UTILITY] = utility[best] if best >= 0 else 0.0
        o_figures[row, CHANCE], o_figures[row, BOUND] = chance, bound


@compiled
def _inverse(risk, phi, met):
    """1/r as the aggregate question reads it; where only anonymity counts, Φ is 1 here."""
    if risk != 0.0:
        return 1.0 / risk
    return 0.0 if met == 0.0 and phi > 0.0 else np.inf
