"""A hierarchy from rows: one row for each leaf, from the leaf to the top. Files and groups are read into such rows.

Short rows repeat their last value below `*`, and `*` is added unless every row ends in it. A group is what has the same
label in the same level, so two rows that share a label share everything above it.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import TOP, Codes, Counts, Hierarchy
from riskapp.core.table.value_list import TEXT

Row = Sequence[str]


def from_rows(
    attribute: str, rows: Sequence[Row], *, names: Sequence[str] = (), lines: Sequence[int] | None = None
) -> Hierarchy:
    """The hierarchy that lists every leaf with the groups above it; n(v) counts the leaves listed.

    Parameters
    ----------
    attribute : the name of the attribute
    rows : for each leaf its label, the labels of its groups and, perhaps, `*`
    names : names of the levels, the leaves' first; levels without one are named by number
    lines : the line in which each row stands, for messages; otherwise 1, 2, …

    Raises
    ------
    BadHierarchy
        If a leaf is listed twice, if a group belongs to two groups of the next level, if there is no leaf, if there is
        not one top, or if there are more names than levels.

    Examples
    --------
    >>> city = from_rows("city", [["Lafayette", "Tippecanoe", "Indiana"], ["Chicago", "Illinois"]])
    >>> [labels.to_pylist() for labels in city.labels[1:3]]
    [[None, 'Tippecanoe', 'Illinois'], [None, 'Indiana', 'Illinois']]
    >>> city.height, city.leaves
    (3, 2)
    """
    numbers = range(1, len(rows) + 1) if lines is None else lines
    levels = [
        pa.array(labels, TEXT).dictionary_encode() for labels in zip(*_even(attribute, rows, numbers), strict=True)
    ]
    codes = [level.indices.to_numpy().astype(np.int32) for level in levels]
    _check_once(attribute, codes[0], len(levels[0].dictionary), numbers)
    parents = [_parents(attribute, level, codes, numbers) for level in range(len(levels) - 1)]
    if len(levels[-1].dictionary) > 1:
        raise BadHierarchy(attribute, f"There is more than one top. End every row in {TOP}, or none.")
    return Hierarchy.of(
        attribute,
        names=_names(attribute, names, len(levels)),
        labels=[level.dictionary for level in levels],
        parents=[above + 1 for above in parents],
        leaf_counts=rolled_up(np.ones(len(rows), dtype=np.int64), parents, [len(level.dictionary) for level in levels]),
    )


def _even(attribute: str, rows: Sequence[Row], lines: Sequence[int]) -> list[Row]:
    """The rows at one length, all ending in `*`."""
    if not rows:
        raise BadHierarchy(attribute, "It lists no value. Write one row for each value.")
    if not all(row and row[-1] == TOP for row in rows):
        rows = [[*row, TOP] for row in rows]
    for row, line in zip(rows, lines, strict=True):
        if len(row) < 2:
            raise BadHierarchy(attribute, "The row has no value. Begin it with one.", line=line)
    longest = max(map(len, rows))
    return [row if len(row) == longest else _padded(row, longest) for row in rows]


def _padded(row: Row, longest: int) -> Row:
    return [*row[:-1], *[row[-2]] * (longest - len(row)), TOP]


def _check_once(attribute: str, codes: Codes, leaves: int, lines: Sequence[int]) -> None:
    first = first_rows(codes, leaves)[codes]
    again = np.flatnonzero(first != np.arange(len(codes)))
    if len(again):
        told = f"The value stands in line {lines[first[again[0]]]} already. List each value once."
        raise BadHierarchy(attribute, told, level=0, line=lines[again[0]])


def _parents(attribute: str, level: int, codes: Sequence[Codes], lines: Sequence[int]) -> Codes:
    """For each group of a level the group of the next that its first row names; every other row must name the same."""
    groups, above = codes[level], codes[level + 1]
    first = first_rows(groups, int(groups.max()) + 1)
    parents = above[first]
    astray = np.flatnonzero(parents[groups] != above)
    if len(astray):
        row = astray[0]
        told = f"The group belongs to another group of level {level + 1} in line {lines[first[groups[row]]]}."
        raise BadHierarchy(attribute, f"{told} Give it one parent, or two names.", level=level, line=lines[row])
    return parents


def first_rows(codes: Codes, groups: int) -> Counts:
    """The first row of each group: of several assignments to one place the last remains."""
    first = np.empty(groups, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def _names(attribute: str, names: Sequence[str], levels: int) -> list[str]:
    if len(names) > levels:
        told = f"The header names {len(names)} levels, the rows have {levels}."
        raise BadHierarchy(attribute, f"{told} Give each one name at most.", line=1)
    return [names[level] if level < len(names) and names[level] else str(level) for level in range(levels)]


def rolled_up(leaves: Counts, parents: Sequence[Codes], groups: Sequence[int]) -> list[Counts]:
    """Leaf counts of every level, summed from the level below; a group without any leaf counts as one.

    >>> rolled_up(np.array([1, 1, 1]), [np.array([0, 2, 2]), np.array([0, 0, 0])], [3, 3, 1])
    [array([1, 1, 1]), array([1, 1, 2]), array([3])]
    """
    counts = [leaves]
    for above, number in zip(parents, groups[1:], strict=True):
        summed = np.zeros(number, dtype=np.int64)
        np.add.at(summed, above, counts[-1])
        counts.append(summed)
    return [np.maximum(some, 1) for some in counts]
