"""A released table read back from its text: what each label says of the record it was made from.

The rows are those of the dataset, in its order. A label that a record has at several levels is taken at the lowest,
unless it is known which level the rule meant. An empty cell is a missing one, or says as little as `*`. A row of `*` in
all columns, kept ones too, is suppressed, unless the rule took it to the top everywhere.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from riskapp.core.errors import Unreadable
from riskapp.core.table.cells import Levels, matrix
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.hierarchy import TOP
from riskapp.core.table.released import Released
from riskapp.core.table.value_list import Flags, Texts, Values, flags, texts


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
    if len(labels) != len(records.columns):
        raise _wrong("The released table has not one column for each attribute.")
    columns = [texts(some) for some in labels]
    if any(len(column) != len(records) for column in columns):
        raise _wrong("The released table has not one row for each record.")
    suppressed = np.all([flags(pc.equal(column, TOP)) for column in columns], axis=0)
    levels = np.stack([_levels(column, shown) for column, shown in zip(records.columns, columns, strict=True)], axis=1)
    if meant is not None:
        suppressed &= meant.suppressed
        wanted = matrix(meant)
        for place, column in enumerate(columns):
            agrees = _shows(records.columns[place], wanted[:, place], column)
            levels[agrees, place] = wanted[agrees, place]
    return Released.each(records, levels, suppressed)


def _shows(column: CodedColumn, levels: Levels, shown: Texts) -> Flags:
    """Which records have their label at these levels."""
    hierarchy = column.hierarchy
    encoded = shown.fill_null("").dictionary_encode()
    label, agrees = encoded.indices.to_numpy(), np.zeros(len(column), dtype=np.bool_)
    for level in np.unique(levels).tolist():
        rows = np.flatnonzero(levels == level)
        found = hierarchy.found_at(level, encoded.dictionary)[label[rows]]
        agrees[rows] = (found == hierarchy.ancestors[level][column.codes[rows]]) & (found > 0)
    nothing = column.codes == 0
    agrees[nothing] = np.where(levels == hierarchy.height, flags(pc.equal(shown, TOP)), _empty(shown))[nothing]
    return agrees


def _levels(column: CodedColumn, shown: Texts) -> Levels:
    """The lowest level at which each record has its label."""
    hierarchy = column.hierarchy
    encoded = shown.fill_null("").dictionary_encode()
    label = encoded.indices.to_numpy()
    levels = np.full(len(column), -1, dtype=np.intp)
    levels[_empty(shown)] = hierarchy.height
    levels[_empty(shown) & (column.codes == 0)] = 0
    levels[flags(pc.equal(shown, TOP))] = hierarchy.height
    for level in range(hierarchy.height - 1, -1, -1):
        found = hierarchy.found_at(level, encoded.dictionary)[label]
        levels[(found == hierarchy.ancestors[level][column.codes]) & (found > 0)] = level
    outside = np.flatnonzero(levels < 0)
    if len(outside):
        where = f'Row {outside[0] + 1} of column "{hierarchy.attribute}"'
        raise _wrong(f"{where} does not show what the record's value becomes at any level.", int(outside[0]) + 1)
    return levels


def _empty(shown: Texts) -> Flags:
    return flags(pc.equal(shown.fill_null(""), ""))


def _wrong(message: str, row: int | None = None) -> Unreadable:
    advice = "Give the table that was released from these records: its rows in their order, with the same hierarchies."
    return Unreadable("not-released-from-this", message, advice=advice, line=row)
