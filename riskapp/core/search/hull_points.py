"""The lower convex hull of every record, from all its points in one compiled loop.

Where a record says as much at every node as the one before it, its hull is drawn through their common `layers`. Else it
is wound around the points: from the least risk on, always to the point that costs least for what it says more, the
furthest of those that cost the same. What counts as the same is what does in `hulls`. Only hulls are kept.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, call-arg"

from concurrent.futures import ThreadPoolExecutor
from math import inf

import numpy as np

from riskapp.core.compiled import compiled, compiled_without_nan
from riskapp.core.search.best_points import last_within
from riskapp.core.search.hulls import NEAR, Hulls
from riskapp.core.search.layers import chosen, drawn, layered
from riskapp.core.search.point_loops import filled
from riskapp.core.search.points import Points
from riskapp.core.table.keys import Places
from riskapp.core.watching import Watch

LOOSE = 1e-9
"""So much further than it would be a line may lie, so that no point on it is missed."""
FIRST_ROOM = 8
"""For so many points of each record there is room at first."""


def hull_points(points: Points, watch: Watch) -> Hulls:
    """The hull of every record, as `exact_rule.hulls_of` finds it."""
    limit = points.problem.limits.largest_chance
    most = inf if limit is None else last_within(limit)
    many = np.zeros(len(points.problem), np.int32)

    def work(rows: Places) -> tuple[Places, Hulls]:
        room = FIRST_ROOM * len(rows)
        while True:
            us, rs, ns = np.empty(room), np.empty(room), np.empty(room, np.int32)
            used = _hulls(rows, points.ranks, most, many, us, rs, ns, *points.arguments)
            if used >= 0:
                ends = np.cumsum(many[rows], dtype=np.int64)
                return rows, Hulls(np.append(0, ends), us[:used].copy(), rs[:used].copy(), ns[:used].copy())
            room *= 2

    parts = list(points.each(work, watch))
    starts = np.append(0, np.cumsum(many, dtype=np.int64))
    whole = Hulls(starts, np.empty(starts[-1]), np.empty(starts[-1]), np.empty(starts[-1], np.int32))
    target = whole.utilities, whole.risks, whole.numbers

    def put(found: tuple[Places, Hulls]) -> None:
        rows, part = found
        _placed(rows, starts, part.starts, part.utilities, part.risks, part.numbers, *target)

    with ThreadPoolExecutor(points.threads) as pool:
        list(pool.map(put, parts))
    return whole


@compiled
def _placed(rows, starts, own, us, rs, ns, o_us, o_rs, o_ns):
    """Put the hulls of some records where they belong."""
    for i in range(rows.size):
        at = starts[rows[i]]
        for k in range(own[i], own[i + 1]):
            o_us[at], o_rs[at], o_ns[at] = us[k], rs[k], ns[k]
            at += 1


@compiled
def _hulls(
    rows, ranks, most, o_many, o_us, o_rs, o_ns,
    codes, sizes, weights, weights_at, says, says_at, own, places, amount, both, totals,
    classes, people, taken, projection, choices, numbers,
):  # fmt: skip
    """Write the hulls of some records one after the other; −1 when there is not room enough."""
    nodes, inner = ranks.size, taken.size
    phi, utility, risk, slope = np.empty(nodes), np.empty(nodes), np.empty(nodes), np.empty(nodes)
    rho, share, rest = np.empty(inner), np.empty(inner), np.empty(inner)
    under, alike, ends = np.empty(nodes + 1, np.int64), np.empty(nodes, np.int64), np.empty(nodes, np.int64)
    zero = choices[1] == 1
    at, before, layers = 0, -1, 0
    for row in rows:
        same = filled(
            row, before, codes, sizes, weights, weights_at, says, says_at, own, places, amount, both, totals,
            classes, people, taken, projection, choices, numbers, phi, utility, risk, rho, share, rest,
        )  # fmt: skip
        before = row
        if most < np.inf:
            for node in range(nodes):
                met = rho[projection[node]]
                if (0.0 if zero and met == 0.0 else 1.0 / max(met, 1.0)) > most:
                    risk[node] = np.inf
        if same and not layers:
            layers = layered(utility, ranks, alike, ends)
        if same:
            many = drawn(utility, risk, alike, ends, layers, slope, under)
            for place in range(many):
                under[place] = chosen(under[place], risk, alike, ends, slope)
        else:
            layers, many = 0, _wound(utility, risk, ranks, slope, alike, under)
        if at + many > o_us.size:
            return -1
        for place in range(many):
            node = under[place]
            o_us[at], o_rs[at], o_ns[at] = utility[node], risk[node], ranks[node]
            at += 1
        o_many[row] = many
    return at


@compiled
def _wound(utility, risk, ranks, slope, under, o_nodes):
    """Write the nodes on the hull, from the least risk to the most utility; how many they are."""
    here, last = _ends(utility, risk, ranks)
    if here < 0:
        return 0
    left, many = _under(here, last, utility, risk, slope, under), 0
    while True:
        o_nodes[many] = here
        many += 1
        if here == last:
            return many
        left = _further_on(here, left, utility, risk, slope, under)
        if left == 0:
            return many
        cheapest = _least(slope[:left])
        cheapest += 2.0 * NEAR * abs(cheapest)
        here = -1
        for i in range(left):
            if slope[i] <= cheapest and (here < 0 or _further(under[i], here, utility, risk, ranks)):
                here = under[i]


@compiled
def _further_on(here, many, utility, risk, o_slope, o_nodes):
    """Keep those nodes that say more than this one, with what they cost for it; how many they are."""
    u0, r0, left = utility[here], risk[here], 0
    for i in range(many):
        node = o_nodes[i]
        said = utility[node] - u0
        o_nodes[left] = node
        o_slope[left] = (risk[node] - r0) / (said if said > 0.0 else 1.0)
        left += said > NEAR * max(abs(utility[node]), abs(u0))
    return left


@compiled_without_nan
def _least(numbers):
    least = np.inf
    for number in numbers:
        least = number if number < least else least
    return least


@compiled
def _ends(utility, risk, ranks):
    """The least risk with the most utility of those that have it, and the most utility with the least risk.

    They are the same node where the first says as much as any; −1 where every risk is infinite.
    """
    least, most = _least(risk), _most_finite(utility, risk)
    first = last = -1
    if least == np.inf:
        return first, last
    least += NEAR * abs(least)
    most -= NEAR * abs(most)
    for node in range(ranks.size):
        if risk[node] <= least and (first < 0 or _further(node, first, utility, risk, ranks)):
            first = node
    if utility[first] >= most:
        return first, first
    for node in range(ranks.size):
        if utility[node] >= most and risk[node] < np.inf and (last < 0 or _further(node, last, utility, risk, ranks)):
            last = node
    return first, last


@compiled_without_nan
def _most_finite(utility, risk):
    """The most utility of nodes at which risk is finite."""
    most = -np.inf
    for node in range(risk.size):
        said = utility[node] if risk[node] < np.inf else -np.inf
        most = said if said > most else most
    return most


@compiled
def _under(first, last, utility, risk, below, o_nodes):
    """The nodes that may be on the hull, the last among them; how many they are.

    The one that lies furthest below the line between the ends is on it, and then others only below the lines from
    there to the ends, which are few. Those on these lines are kept, for they may be the same point.
    """
    if first == last:
        return 0
    u0, r0 = utility[first], risk[first]
    price = (risk[last] - r0) / (utility[last] - u0)
    lowest = 0.0
    for node in range(utility.size):
        below[node] = (risk[node] - r0) - price * (utility[node] - u0)
        lowest = min(lowest, below[node])
    middle = first
    for node in range(utility.size):
        # By rounding the last may seem to lie below its own line.
        if below[node] == lowest and u0 < utility[node] < utility[last]:
            middle = node
    u1, r1 = utility[middle], risk[middle]
    lower, upper = 0.0, (risk[last] - r1) / (utility[last] - u1)
    if u1 > u0:
        lower = (r1 - r0) / (u1 - u0)
    lower += LOOSE * abs(lower)
    upper += LOOSE * abs(upper)
    many = 0
    for node in range(utility.size):
        u, r = utility[node], risk[node]
        left = u > u0 and r - r0 <= lower * (u - u0) + LOOSE * r0
        if left or (u >= u1 and r - r1 <= upper * (u - u1) + LOOSE * r1):
            o_nodes[many] = node
            many += 1
    return many


@compiled
def _further(one, other, utility, risk, ranks):
    """Whether a point says more than another, or as much at less risk, or the same with a smaller node."""
    u, v = utility[one], utility[other]
    if abs(u - v) > NEAR * max(abs(u), abs(v)):
        return u > v
    r, s = risk[one], risk[other]
    if abs(r - s) > NEAR * max(abs(r), abs(s)):
        return r < s
    return ranks[one] < ranks[other]
