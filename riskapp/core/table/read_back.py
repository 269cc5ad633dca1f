"""A released table read back from its text: what each label says of the record it was made from.

The rows are those of the dataset, in its order. A label that a record has at several levels is taken at the lowest,
unless it is known which level the rule meant. An empty cell is a missing one, or says as little as `*`. A row of `*` in
all columns, kept ones too, is suppressed, unless the rule took it to the top everywhere.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from riskapp.core.errors import Unreadable
from riskapp.core.table.cells import Levels
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.hierarchy import TOP, Codes
from riskapp.core.table.released import Released
from riskapp.core.table.value_list import Flags, Texts, Values, flags, texts


class Labels(NamedTuple):
    """What a column of a release shows.

    Attributes
    ----------
    different : the labels, each once or more often; an empty text or null where nothing is shown
    codes : for every record the place of its label
    """

    different: Texts
    codes: Codes

    @classmethod
    def of(cls, shown: Values) -> "Labels":
        """The labels of records, given one by one.

        >>> Labels.of(["b", None, "b"]).codes
        array([0, 1, 0], dtype=int32)
        """
        encoded = texts(shown).fill_null("").dictionary_encode()
        return cls(encoded.dictionary, encoded.indices.to_numpy())

    def are(self, label: str) -> Flags:
        """Which records show this label."""
        return flags(pc.equal(self.different.fill_null(""), label))[self.codes]


def read_back(records: CodedRecords, labels: Sequence[Values], meant: Released | None = None) -> Released:
    """The released table that shows these labels.

    Parameters
    ----------
    records : the dataset, as leaf codes
    labels : for each attribute what the release shows of every record, in the order of the records
    meant : the table that the rule gives: where a cell shows the label that it has there, it is at that level

    Raises
    ------
    Unreadable
        If there is not a column for each attribute with a cell for each record, or if a label is not what the record's
        own value becomes at some level; it says which column and row, and no value.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> records = CodedRecords.of([CodedColumn(race, np.array([3, 1, 3, 0], dtype=np.int32))])
    >>> table = read_back(records, [["Asian", "White", "*", ""]])
    >>> table.levels, table.suppressed
    ((array([1, 0, 2, 0]),), array([False, False,  True, False]))
    >>> read_back(records, [["Asian", "Asian", "*", ""]])
    Traceback (most recent call last):
    riskapp.core.errors.Unreadable: Row 2 of column "race" does not show what the record's value becomes at any level.
    """
    return read_labels(records, [Labels.of(some) for some in labels], meant)


def read_labels(records: CodedRecords, labels: Sequence[Labels], meant: Released | None = None) -> Released:
    """The same, with every different label once: a long table has few of them."""
    if len(labels) != len(records.columns):
        raise _wrong("The released table has not one column for each attribute.")
    if any(len(column.codes) != len(records) for column in labels):
        raise _wrong("The released table has not one row for each record.")
    stars = np.ones(len(records), dtype=np.bool_)
    for shown in labels:
        stars &= shown.are(TOP)
    hidden = stars if meant is None else stars & meant.suppressed
    levels = [_read(place, records.columns[place], shown, meant) for place, shown in enumerate(labels)]
    for column, level in zip(records.columns, levels, strict=True):
        level[hidden] = column.hierarchy.height
    return Released(records, tuple(levels), hidden)


def _read(place: int, column: CodedColumn, shown: Labels, meant: Released | None) -> Levels:
    """The level of every record in one column."""
    levels = _levels(column, shown)
    if meant is not None:
        wanted = np.where(meant.suppressed, column.hierarchy.height, meant.levels[place])
        agrees = _shows(column, wanted, shown)
        levels[agrees] = wanted[agrees]
    return levels


def _shows(column: CodedColumn, levels: Levels, shown: Labels) -> Flags:
    """Which records have their label at these levels."""
    hierarchy = column.hierarchy
    agrees = np.zeros(len(column), dtype=np.bool_)
    for level in np.unique(levels).tolist():
        found = hierarchy.found_at(level, shown.different.fill_null(""))
        agrees |= (levels == level) & _is_there(column, level, found, shown.codes)
    nothing = column.codes == 0
    agrees[nothing] = np.where(levels[nothing] == hierarchy.height, shown.are(TOP)[nothing], shown.are("")[nothing])
    return agrees


def _is_there(column: CodedColumn, level: int, found: Codes, labels: Codes) -> Flags:
    """Which records are at a level what their labels, found there, stand for."""
    codes = found[labels]
    there: Flags = (codes == column.hierarchy.ancestors[level][column.codes]) & (codes > 0)
    return there


def _levels(column: CodedColumn, shown: Labels) -> Levels:
    """The lowest level at which each record has its label."""
    hierarchy, empty = column.hierarchy, shown.are("")
    levels = np.full(len(column), -1, dtype=np.intp)
    levels[empty] = hierarchy.height
    levels[empty & (column.codes == 0)] = 0
    levels[shown.are(TOP)] = hierarchy.height
    for level in range(hierarchy.height - 1, -1, -1):
        found = hierarchy.found_at(level, shown.different.fill_null(""))
        levels[_is_there(column, level, found, shown.codes)] = level
    outside = np.flatnonzero(levels < 0)
    if len(outside):
        where = f'Row {outside[0] + 1} of column "{hierarchy.attribute}"'
        raise _wrong(f"{where} does not show what the record's value becomes at any level.", int(outside[0]) + 1)
    return levels


def _wrong(message: str, row: int | None = None) -> Unreadable:
    advice = "Give the table that was released from these records: its rows in their order, with the same hierarchies."
    return Unreadable("not-released-from-this", message, advice=advice, line=row)
