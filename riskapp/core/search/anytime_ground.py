"""What a proof walks over: rows by leaf, what their values become at each level, and what levels weigh and say.

Everything is counted in one dictionary, whose people and the records are rows of one table. Weights are the least of
any record, so that no record loses less than is counted.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.core.search.anytime_bounds import EVERYTHING, Bounds
from riskapp.core.search.anytime_classes import grouped
from riskapp.core.search.anytime_hulls import hull
from riskapp.core.search.anytime_keys import Words
from riskapp.core.search.anytime_rows import Held, Rows
from riskapp.core.search.anytime_walk import Ground, Small, Whole
from riskapp.core.table.hierarchy import Counts

MOST_CELLS = 1 << 25
"""With more rows times attributes there is no proof: it would take too much memory."""


class Surveyed(NamedTuple):
    """The ground of a proof.

    Attributes
    ----------
    ground : to be walked over
    start : the class of every row with all attributes at their tops
    order : the attributes, in which it is walked
    share : how much the dictionary counts in the risk
    base : what every record weighs whatever is chosen
    least, most : the utility of the coarsest and of the finest node
    """

    ground: Ground
    start: Small
    order: Sequence[int]
    share: float
    base: float
    least: float
    most: float


class _Table(NamedTuple):
    """Records and people of a dictionary as rows, equal ones once; people of records and weights of people are 0."""

    words: Words
    people: Counts
    weights: Numbers


def surveyed(rows: Rows, bounds: Bounds) -> Surveyed | None:
    """The ground of a problem; None where the risk is not a mean of chances times sums of weights."""
    problem = rows.problem
    chances = problem.loss.model != "entropic" and problem.risk.over_records == "mean"
    adds = bounds.adds or problem.loss.model == "anonymity"
    if not (chances and adds and bounds.monotone and problem.generalised and bounds.question != EVERYTHING):
        return None
    held, share = _counted(rows, bounds)
    cells = (len(rows) + (0 if held.words is None else len(held.words))) * len(problem.generalised)
    if held.slow is not None or share == 0 or cells > MOST_CELLS:
        return None
    order = sorted(problem.generalised, key=lambda place: -len(rows.phi.values(place)))
    table = _table(rows, held)
    top = rows.layout.mask(held.levels(problem, problem.lattice.top))
    start = grouped(table.words, top, table.people, table.weights)[0].kind.astype(np.int32)
    kept = [_weighs(rows, place, 0) for place, column in enumerate(problem.columns) if column.kept]
    base = 1.0 if problem.loss.model == "anonymity" else sum(kept)
    ends = [sum(float(own[level]) for own in bounds.means.values()) for level in (-1, 0)]
    return Surveyed(_ground(rows, bounds, table, order), start, order, share, base, *ends)


def _counted(rows: Rows, bounds: Bounds) -> tuple[Held, float]:
    """The dictionary that makes the most of the unchanged table's risk, and how much it counts."""
    risks = np.minimum(rows.at(rows.problem.lattice.bottom).risks, 1e300)
    parts = [(float(view[at] * risks[at]), at, float(view[at])) for view in bounds.views for at in range(len(risks))]
    _, at, share = max(parts)
    return rows.held[at], share


def _table(rows: Rows, held: Held) -> _Table:
    words, people, weights = rows.words[:, : rows.layout.words], rows.times, rows.weights
    if held.words is not None and held.people is not None:
        words = np.concatenate([words, held.words[:, : rows.layout.words]])
        people = np.append(np.zeros_like(people), held.people)
        weights = np.append(weights, np.zeros(len(held.words)))
    known = rows.layout.mask(held.levels(rows.problem, rows.problem.lattice.bottom))
    every = grouped(words, known, people, weights)[0]
    return _Table(words[every.first] & known, every.times, every.weights)


def _ground(rows: Rows, bounds: Bounds, table: _Table, order: Sequence[int]) -> Ground:
    problem = rows.problem
    heights = np.array([problem.lattice.heights[place] for place in order], np.int64)
    shape = (len(order), int(heights.max()) + 1)
    leaves, ancestors = np.zeros((len(order), len(table.words)), np.int32), list[Small]()
    starts, groups, phi, said = np.zeros(shape, np.int64), np.ones(shape, np.int64), np.zeros(shape), np.zeros(shape)
    for at, place in enumerate(order):
        way, means = rows.layout.ways[place], bounds.means[place]
        own, leaves[at] = np.unique(table.words[:, way.word] & way.masks[0], return_inverse=True)
        for level in range(int(heights[at]) + 1):
            # What the dictionary does not know is 0 everywhere, and what it knows coarsely is equal below.
            values, becomes = np.unique(own & way.masks[level], return_inverse=True)
            starts[at, level], groups[at, level] = sum(map(len, ancestors)), len(values)
            ancestors.append(becomes.astype(np.int32))
            phi[at, level], said[at, level] = _weighs(rows, place, level), means[level] - means[-1]
    return Ground(
        *(leaves, np.concatenate(ancestors), starts, groups, heights, table.people, table.weights),
        *(_each(table), phi, said, *_lines(phi, said, heights)),
    )


def _weighs(rows: Rows, place: int, level: int) -> float:
    """The least that an attribute weighs at a level in any record; nothing where only the chance counts."""
    if rows.problem.loss.model == "anonymity":
        return 0.0
    weights = rows.problem.columns[place].at(level)[rows.record]
    if rows.problem.sensitivity.totals is not None:
        leaves, most = rows.problem.sensitivity.totals
        weights = weights / leaves[rows.record] * most[rows.record]
    return float(weights.min())


def _each(table: _Table) -> float:
    """What a class adds to the mean chance where every row weighs as its people are many; else 0."""
    if not table.people.all():
        return 0.0
    shares = table.weights / table.people
    return float(shares.min()) if np.allclose(shares, shares[0], rtol=1e-13, atol=0) else 0.0


def _lines(phi: Numbers, said: Numbers, heights: Whole) -> tuple[Numbers, Numbers, Whole]:
    """For the attributes from each on: the merged lower hulls of what they weigh for what they say."""
    many, most = len(heights), int(heights.sum()) + 1
    saying, costing, corners = np.zeros((many + 1, most)), np.zeros((many + 1, most)), np.ones(many + 1, np.int64)
    first, steps = np.zeros(2), np.zeros((0, 2))
    for at in reversed(range(many)):
        points = np.stack([said[at, : heights[at] + 1], phi[at, : heights[at] + 1]], axis=1)
        corner: npt.NDArray[np.intp] = hull(*points.T)
        if len(corner):
            first = first + points[corner[0]]
            steps = np.vstack([steps, np.diff(points[corner], axis=0)])
        steps = steps[np.argsort(steps[:, 1] / steps[:, 0], kind="stable")]
        corners[at] = len(steps) + 1
        saying[at, : corners[at]], costing[at, : corners[at]] = np.cumsum(np.vstack([first, steps]), axis=0).T
    return saying, costing, corners
