"""Pairs of columns: how many rows are alone with their combination of two values, missing being a value of its own.

The most telling pairs come first, as many as the work allowed. Where one column is constant, or alone is enough to
tell every row from all others, the answer is known without counting.
"""

import heapq
from collections.abc import Iterator, Sequence

from riskapp.engine.profile.columns import Measured
from riskapp.engine.profile.counting import Key, Tick
from riskapp.engine.profile.figures import PairFigure, Pairs, Part
from riskapp.engine.profile.progress import Progress
from riskapp.engine.profile.source import Source

# About ten nanoseconds for each row of a pair: some seconds in all.
ROWS_TIMES_PAIRS = 300_000_000
PAIRS_MOST = 5_000
LISTED_MOST = 5_000
# A column that tells nine rows in ten apart by itself leaves little for a second column to add.
MOSTLY_ALONE = 0.9

Pair = tuple[int, int]


def alone_together(source: Source, columns: Sequence[int], measured: Sequence[Measured], tick: Tick) -> int:
    """The rows alone with their combination of the values of all these columns."""
    first, *others = columns
    key = Key(source.codes(first), measured[first].codes)
    for column in others:
        key = key.fold(source.codes(column), measured[column].codes)
        tick()
    return key.alone(tick)


def measure_pairs(source: Source, measured: Sequence[Measured], progress: Progress, start: int, end: int) -> Pairs:
    """The figures of the most telling pairs, as many as are allowed."""
    chosen = sorted(choose(measured, allowed(measured[0].rows if measured else 0)))
    counted = []
    for step, pair in enumerate(chosen):
        progress.at(start, end, step, len(chosen), f"Comparing pair {step + 1} of {len(chosen)}")
        alone = alone_together(source, pair, measured, progress.tick)
        counted.append(_figure(pair, alone, measured[0].rows, counted=True))
    return _told(counted, measured)


def allowed(rows: int) -> int:
    """How many pairs may be counted in a table of so many rows: one at least."""
    return min(PAIRS_MOST, max(1, ROWS_TIMES_PAIRS // max(1, rows)))


def choose(measured: Sequence[Measured], most: int) -> list[Pair]:
    """The most telling pairs, best first: those whose columns say most together (sum of entropies).

    Pairs with a column that is mostly unique by itself come after all others: that column tells it all already.
    """
    open_columns = [column for column, it in enumerate(measured) if not it.constant and not it.all_alone]
    scores = {column: _score(measured[column]) for column in open_columns}
    ranked = sorted(open_columns, key=lambda column: (-scores[column], column))
    best = heapq.nsmallest(most, _candidates(ranked, most), key=lambda pair: (-scores[pair[0]] - scores[pair[1]], pair))
    return [(min(pair), max(pair)) for pair in best]


def _score(it: Measured) -> float:
    behind_all_others = 1000.0 if it.alone > MOSTLY_ALONE * it.rows else 0.0
    return it.bits - behind_all_others


def _candidates(ranked: Sequence[int], most: int) -> Iterator[Pair]:
    """Pairs that can be among the best: ranks a < b have at least (a + 1)(b - a) pairs as good or better."""
    for a, first in enumerate(ranked):
        for second in ranked[a + 1 : a + 1 + most // (a + 1)]:
            yield first, second


def _told(counted: list[PairFigure], measured: Sequence[Measured]) -> Pairs:
    every = len(measured) * (len(measured) - 1) // 2
    telling = sum(1 for it in measured if not it.constant and not it.all_alone)
    to_count = telling * (telling - 1) // 2
    room = max(0, LISTED_MOST - len(counted))
    listed = [*counted, *(pair for pair, _ in zip(_known(measured), range(room), strict=False))]
    listed.sort(key=lambda pair: (-pair.alone, pair.first, pair.second))
    return Pairs(every, len(counted), every - to_count, to_count - len(counted), tuple(listed))


def _known(measured: Sequence[Measured]) -> Iterator[PairFigure]:
    """The pairs whose answer follows from one column: a constant leaves the other's rows alone, a unique one all.

    A constant column has no row alone (but the only one), so the larger of the two figures is the answer each time.
    """
    settled = {column for column, it in enumerate(measured) if it.all_alone or it.constant}
    for column in sorted(settled):
        for other in range(len(measured)):
            if other > column or other not in settled:
                alone = max(measured[column].alone, measured[other].alone)
                pair = (min(column, other), max(column, other))
                yield _figure(pair, alone, measured[column].rows, counted=False)


def _figure(pair: Pair, alone: int, rows: int, *, counted: bool) -> PairFigure:
    return PairFigure(*pair, alone, Part.of(alone, rows).share, counted)
