"""Compile the hot loops ahead of time, so that nobody waits for it at a click.

Compiled code is kept on disk beside the modules (or where NUMBA_CACHE_DIR says); after the first time this only reads
it.
"""

# mypy: disable-error-code="call-arg"

from collections.abc import Iterator

import numpy as np

from riskapp.core.rolled import kernels, merging, missing, summing

KINDS = [(people, sums, felt) for people in (None, np.int32) for sums in (False, True) for felt in (False, True)]


def warm() -> None:
    """Call every kernel once with each kind of table that occurs."""
    for _ in warming():
        pass


def warming() -> Iterator[None]:
    """The same kernel by kernel, so that whoever is needed elsewhere can leave off."""
    for people, sums, felt in KINDS:
        yield from _merge(people, sums, felt)
    yield from _count()


def _merge(people: type[np.signedinteger] | None, sums: bool, felt: bool) -> Iterator[None]:
    keys = np.arange(2)
    columns = (
        np.ones(2, np.int32),
        None if people is None else np.ones(2, people),
        np.zeros((2, 1)) if sums else None,
        np.zeros(2) if felt else None,
    )
    out = (keys.copy(), *(None if column is None else column.copy() for column in columns))
    parents = np.zeros(2, np.int64)
    merging.merge_neighbours(2, keys, *columns, parents, 0, 1, *out)
    yield
    scratch = (*(None if column is None else np.zeros_like(column) for column in columns[:3]),)
    bitmaps = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    merging.merge_blocks(2, keys, *columns, parents, 1, 1, *out, *scratch, *bitmaps)
    yield
    merging.merge_sorted(np.arange(2), keys, *columns, *out)
    yield
    figures = np.zeros(summing.FIGURES + 1)
    for last in (None, np.zeros(2)):
        summing.figures(2, keys, *columns, last, 1, False, 1.0, False, 2.0, False, 1.0, False, figures)
        yield
        if people is None and not sums:
            summing.figures_alone(2, keys, columns[0], columns[3], last, 1, 1.0, 1.0, figures)
            yield
    if people is None:
        missing.consistent(2, keys, columns[0], columns[1], np.array([1]), np.zeros(2, np.int64))
        yield


def _count() -> Iterator[None]:
    codes, keys, counts = np.zeros(2, np.int32), np.zeros(2, np.int64), np.zeros(2, np.int32)
    kernels.pack(codes, np.zeros(1, np.int64), 0, keys)
    yield
    kernels.runs(keys, keys.copy(), counts)
    yield
    for values in (counts, np.zeros((2, 1)), np.zeros(2, np.int64)):
        kernels.summed_runs(keys, np.arange(2), values, keys.copy(), np.zeros_like(values))
        yield
        kernels.placed(values, np.arange(2), np.zeros_like(values))
        yield
    kernels.union(keys[:1], keys[:1], keys.copy(), keys.copy(), keys.copy())
    yield
    kernels.looked_up(2, keys, 0, 1, np.zeros(2), None, np.zeros(2))
    yield
    kernels.looked_up(2, keys, 0, 1, np.zeros(2), np.zeros(2), np.zeros(2))
    yield
    merging.merging_order(2, np.arange(2), np.zeros(2, np.int64), 0, 1, keys, np.arange(2), np.arange(2))
    yield
