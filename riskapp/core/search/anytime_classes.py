"""Rows that look alike at a node, found by covering bits of their keys (`anytime_keys`)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.core.search.anytime_keys import Words, classes, emptied
from riskapp.core.table.hierarchy import Counts

Kinds = npt.NDArray[np.int64]


class Classes(NamedTuple):
    """Classes of rows: each row's, and of each its first row, its people and its weight in the mean."""

    kind: Kinds
    first: Kinds
    times: Counts
    weights: Numbers


def grouped(words: Words, masks: Words, many: Counts, weights: Numbers) -> tuple[Classes, npt.NDArray[np.int32]]:
    """The classes under the masks, and the table that leads to them."""
    rows, table = len(words), emptied(len(words))
    kind, first, people = np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty(rows, np.int64)
    sums = np.empty(rows)
    found = classes(words, masks, many, weights, table, kind, first, people, sums)
    return Classes(kind, first[:found], people[:found], sums[:found]), table
