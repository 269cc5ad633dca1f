"""Completions: every record of the dataset that an entry of a dictionary could be.

What the dictionary does not know runs over the values that occur in the dataset. A known leaf is itself, a coarser
value stands for the occurring leaves under it, or else for any one, and a value matched by likeness for the leaves it
resembles; in all of these the dataset may have missing where the column has missing cells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.dictionary import Known, Places
from riskapp.core.table.hierarchy import Codes
from riskapp.core.table.matching import labels_of, parts, ranges

MOST = 10**6
"""With more completions of one entry a rule is not replayed."""
MOST_IN_ALL = 10**7
"""Nor with more of all entries that differ."""


class NotDone(Exception):
    """There are too many completions to run the rule on all of them."""


@dataclass(frozen=True, eq=False)
class Choices:
    """For every value of an entry's column the leaf codes it may be in the dataset.

    Attributes
    ----------
    starts : where the leaves of each value begin, and at last where they end
    leaves : their codes, 0 for missing
    """

    starts: Places
    leaves: Codes

    @classmethod
    def of(cls, values: Places, leaves: Codes, size: int) -> "Choices":
        """From pairs of a value below `size` and a leaf."""
        order = np.lexsort((leaves, values))
        return cls(np.searchsorted(values[order], np.arange(size + 1)), leaves[order])

    def many(self, values: Codes) -> Places:
        """How many leaves each value may be."""
        counts: Places = np.diff(self.starts)[values]
        return counts


def unknown(column: CodedColumn) -> Choices:
    """For a column the dictionary does not know, whose only value is 0."""
    seen = np.unique(column.codes)
    return Choices(np.array([0, len(seen)]), seen)


def known(column: Known, dataset: CodedColumn) -> Choices:
    """For a column the dictionary knows, in which 0 means that this entry does not.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> dataset = CodedColumn(race, np.array([1, 2, 0], dtype=np.int32))
    >>> found = known(Known(0, race, 1, np.array([2], dtype=np.int32)), dataset)
    >>> [part.tolist() for part in np.split(found.leaves, found.starts[1:-1])]
    [[0, 1, 2], [0, 1], [0, 2]]
    """
    seen, labels = np.unique(dataset.codes), labels_of(column)
    under = _under(column, seen)
    owner = np.repeat(np.arange(len(labels.starts) - 1), np.diff(labels.starts))
    many = under.many(labels.codes)
    values = [np.zeros(len(seen), dtype=np.intp), np.repeat(owner, many)]
    leaves = [seen, under.leaves[ranges(under.starts[labels.codes], many)]]
    if not seen.all():
        values.append(np.arange(1, len(labels.starts) - 1))
        leaves.append(np.zeros(len(values[-1]), dtype=np.int32))
    return Choices.of(np.concatenate(values), np.concatenate(leaves), len(labels.starts) - 1)


def possible(columns: Sequence[Known], dataset: Sequence[CodedColumn]) -> tuple[Known, ...]:
    """The same columns with those entries alone that could be a record which a rule can be run on."""
    lasting = np.logical_and.reduce([known(one, dataset[one.place]).many(one.codes) > 0 for one in columns])
    return tuple(replace(one, codes=one.codes[lasting]) for one in columns)


def _under(column: Known, seen: Codes) -> Choices:
    """For every code of the column's level the leaves that it may stand for."""
    hierarchy, size = column.hierarchy, column.hierarchy.groups[column.level] + 1
    above = hierarchy.ancestors[column.level]
    leaves = np.arange(len(above), dtype=np.int32) if column.level == 0 else seen[seen > 0]
    first_above, first = np.unique(above, return_index=True)
    others = first[~np.isin(first_above, above[leaves])].astype(np.int32)
    chosen = np.concatenate([leaves, others[others > 0]])
    return Choices.of(above[chosen].astype(np.intp), chosen, size)


def completed(values: Sequence[Codes], choices: Sequence[Choices]) -> Iterator[tuple[Places, list[Codes]]]:
    """All completions of some entries, so many at a time: whose they are, and their leaf codes column by column.

    Parameters
    ----------
    values : for each attribute the value of every entry
    choices : for each attribute what its values may be

    Raises
    ------
    NotDone
        If there are too many.
    """
    sizes = np.ones(len(values[0]))
    for column, choice in zip(values, choices, strict=True):
        sizes *= choice.many(column)
    if sizes.max(initial=0) > MOST or sizes.sum() > MOST_IN_ALL:
        raise NotDone
    for part in parts(sizes.astype(np.intp)):
        yield _expanded(np.arange(part.start, part.stop), values, choices)


def _expanded(owner: Places, values: Sequence[Codes], choices: Sequence[Choices]) -> tuple[Places, list[Codes]]:
    """Column by column each row is written once for every leaf it may have there."""
    columns: list[Codes] = []
    for column, choice in zip(values, choices, strict=True):
        own = column[owner]
        many = choice.many(own)
        again = np.repeat(np.arange(len(owner)), many)
        columns = [before[again] for before in columns] + [choice.leaves[ranges(choice.starts[own], many)]]
        owner = owner[again]
    return owner, columns
