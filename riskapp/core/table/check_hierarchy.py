"""What makes levels of groups a hierarchy: one tree with one top, and leaf counts that fit it."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.level_names import check_names
from riskapp.core.table.value_list import Texts

TOP = "*"

Codes = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Wrong = Callable[[int, str], BadHierarchy]


def check(
    attribute: str,
    names: Sequence[str],
    labels: Sequence[Texts],
    parents: Sequence[Codes],
    leaf_counts: Sequence[Counts],
) -> None:
    """Raise `BadHierarchy` unless these are the levels of a hierarchy, every array beginning with missing."""
    if not len(names) == len(labels) == len(leaf_counts) == len(parents) + 1 >= 2:
        raise BadHierarchy(attribute, "It needs the leaves and a top, and a name and leaf counts for every level.")
    check_names(attribute, names)

    def wrong(level: int, message: str) -> BadHierarchy:
        return BadHierarchy(attribute, message, level=level)

    for level, shown in enumerate(labels):
        _check_labels(level, shown, level == len(parents), wrong)
    for level, codes in enumerate(parents):
        _check_parents(level, codes, len(labels[level]), len(labels[level + 1]), wrong)
    _check_leaf_counts(labels, parents, leaf_counts, wrong)


def _check_labels(level: int, labels: Texts, top: bool, wrong: Wrong) -> None:
    if top and labels.to_pylist() != [TOP, TOP]:
        raise wrong(level, f"The top is one group and its label is {TOP}.")
    if not top and (labels.null_count != 1 or labels[0].is_valid):
        raise wrong(level, "Every group has a label, and missing, the first, has none.")
    if not top and pc.count_distinct(labels).as_py() != len(labels) - 1:
        raise wrong(level, "Two groups have the same label.")


def _check_parents(level: int, parents: Codes, groups: int, above: int, wrong: Wrong) -> None:
    if parents.dtype != np.int32 or parents.shape != (groups,) or parents[0] != 0:
        raise wrong(level, "Every group has one parent, and missing stays missing.")
    if groups > 1 and not 1 <= parents[1:].min() <= parents[1:].max() < above:
        raise wrong(level, "A parent is a group of the next level.")


def _check_leaf_counts(
    labels: Sequence[Texts], parents: Sequence[Codes], leaf_counts: Sequence[Counts], wrong: Wrong
) -> None:
    top = leaf_counts[-1]
    for level, counts in enumerate(leaf_counts):
        if counts.dtype != np.int64 or counts.shape != (len(labels[level]),) or counts[0] != top[-1]:
            raise wrong(level, "Every group has a leaf count, and missing that of the top.")
        if (counts < 1).any():
            raise wrong(level, "A group without a leaf counts as one.")
    if (leaf_counts[0][1:] != 1).any():
        raise wrong(0, "A leaf counts as one.")
    for level, codes in enumerate(parents):
        if (leaf_counts[level] > leaf_counts[level + 1][codes])[1:].any():
            raise wrong(level, "A group has more leaves than the group it belongs to.")
