"""Fuzzy values: which labels of a level a misspelt value may stand for.

A value stands for the labels whose Jaro similarity with it is at least a threshold; itself, if it is a label. Every
pair of different values is compared once, in blocks: texts of one length against those long enough and short enough.
Floating-point similarities only sort out what is clear. What lies close to the threshold is worked out exactly, and the
threshold is meant as it is written: 0.8 is 4/5.
"""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Jaro

from riskapp.core.table import jaro
from riskapp.core.table.dictionary import Alike, Places
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import Texts

CLOSE = 1e-6
"""Far more than single-precision similarities are wrong by, far less than those of short texts differ."""
AT_ONCE = 1 << 24
"""The most pairs compared at a time: 64 MB of similarities."""

Pairs = tuple[Places, Places]


def alike(hierarchy: Hierarchy, level: int, values: Texts, threshold: float | str) -> Alike:
    """What the values of a column may stand for.

    Parameters
    ----------
    hierarchy, level : whose labels, and which
    values : the column's distinct values, null first, which is missing
    threshold : the least similarity, from 0 to 1

    Raises
    ------
    ValueError
        If the first value is not missing, or another one is; if the threshold is not from 0 to 1.

    Examples
    --------
    >>> from riskapp.core.table.build_masks import flat
    >>> from riskapp.core.table.value_list import ValueList, texts
    >>> surname = flat("surname", [ValueList.of(["Marhta", "Dixon", "Martha"])])
    >>> found = alike(surname, 0, texts([None, "Martha", "Dickson", "Q"]), "0.75")
    >>> found.starts, found.codes
    (array([0, 0, 2, 3, 3]), array([1, 3, 2], dtype=int32))
    """
    least = Fraction(Decimal(str(threshold).strip()))
    if not 0 <= least <= 1:
        raise ValueError("A similarity is from 0 to 1.")
    if values.null_count != 1 or values[0].is_valid:
        raise ValueError("The first value is missing, and no other.")
    labels = hierarchy.named(level).to_pylist()
    owner, place = _pairs(values[1:].to_pylist(), labels, least)
    order = np.lexsort((place, owner))
    starts = np.append([0, 0], np.cumsum(np.bincount(owner, minlength=len(values) - 1)))
    return Alike(starts, (place[order] + 1).astype(np.int32))


def _pairs(values: list[str], labels: list[str], least: Fraction) -> Pairs:
    """The places of every value and label that are alike enough."""
    parts = [_compared(values, labels, block, least) for block in _blocks(values, labels, least)]
    nothing = np.zeros(0, dtype=np.intp)
    owner, place = ([part[side] for part in parts] for side in (0, 1))
    return np.concatenate([nothing, *owner]), np.concatenate([nothing, *place])


def _blocks(values: list[str], labels: list[str], least: Fraction) -> Iterator[Pairs]:
    """Values of one length with the labels whose length does not forbid it, so many at a time as fit into memory."""
    labels_by_length = _by_length(labels)
    for length, places in _by_length(values).items():
        near = [found for other, found in labels_by_length.items() if jaro.largest(length, other) >= least]
        if near:
            across = np.concatenate(near)
            for part in np.array_split(places, -(-len(places) * len(across) // AT_ONCE)):
                yield part, across


def _by_length(texts: list[str]) -> dict[int, Places]:
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return {int(length): np.flatnonzero(lengths == length) for length in np.unique(lengths)}


def _compared(values: list[str], labels: list[str], block: Pairs, least: Fraction) -> Pairs:
    """The pairs of a block that are alike enough."""
    some, others = [values[place] for place in block[0]], [labels[place] for place in block[1]]
    cutoff = float(least) - CLOSE
    scores = process.cdist(
        some, others, scorer=Jaro.similarity, score_cutoff=max(cutoff, 0.0), workers=-1, dtype=np.float32
    )
    row, column = np.nonzero(scores >= cutoff)
    close = np.flatnonzero(scores[row, column] < float(least) + CLOSE)
    wrong = [place for place in close if jaro.similarity(some[row[place]], others[column[place]]) < least]
    row, column = np.delete(row, wrong), np.delete(column, wrong)
    return block[0][row], block[1][column]
