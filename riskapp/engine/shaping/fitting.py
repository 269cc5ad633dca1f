"""A column and a hierarchy put together: which of its values the hierarchy covers, and where they are in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from riskapp.core.table import build as core
from riskapp.core.table.build_rows import from_rows
from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.value_list import Flags, Texts, ValueList
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.coded import CodedTable

Spec = Mapping[str, Any] | None

ROWS = {"rows", "header"}
LISTING = ("rows", "groups")
"""The specs that name all their leaves, whatever occurs."""


@dataclass(frozen=True, eq=False)
class Column:
    """The distinct values of a column, none of them missing, each with the number of records that hold it.

    `order` is what somebody has said about it: values from least to most.
    """

    name: str
    values: Texts
    records: Counts
    rows: int
    order: Sequence[str] = ()

    @property
    def key(self) -> str:
        """Where an assessment file says how this column is made coarser."""
        return f"attributes.{self.name}.hierarchy"


@dataclass(frozen=True, eq=False)
class Fitted:
    """A hierarchy, and the code of each value of a column at its level; −1 where the hierarchy does not cover it."""

    column: Column
    hierarchy: Hierarchy
    codes: Codes

    @property
    def covered(self) -> Flags:
        inside: Flags = self.codes > 0
        return inside


def column_at(table: CodedTable, position: int) -> Column:
    """The column at a position of a table, its records counted once."""
    counts = np.bincount(table.codes(position), minlength=table.distinct[position] + 1)
    return Column(table.names[position], table.values(position)[1:], counts[1:].astype(np.int64), table.rows)


def commonest(column: Column, most: int) -> Column:
    """The column with so many of its values, those that most records hold, as if it had no others."""
    if len(column.values) <= most:
        return column
    places = np.sort(np.argsort(-column.records, kind="stable")[:most])
    records = column.records[places]
    return replace(column, values=column.values.take(pa.array(places)), records=records, rows=int(records.sum()))


def fitted(column: Column, spec: Spec, level: int | str = 0) -> Fitted:
    """The hierarchy that a spec describes over a column; values that it cannot hold are left out of it.

    Parameters
    ----------
    level : the level whose labels the column holds; above the leaves only where the spec lists them

    Raises
    ------
    BadSetting
        If the spec describes no hierarchy, or none with this level.
    """
    with told_by(column.key):
        hierarchy = build(column.name, spec)
        if not lists_its_leaves(spec):
            hierarchy = _grown(column, spec)
        return Fitted(column, hierarchy, hierarchy.found_at(level, column.values))


def lists_its_leaves(spec: Spec) -> bool:
    return spec is not None and any(kind in spec for kind in LISTING)


def build(attribute: str, spec: Spec, lists: Sequence[ValueList] = ()) -> Hierarchy:
    """The hierarchy that a spec describes.

    Raises
    ------
    BadHierarchy, OutsideHierarchy
        If it describes none, or none that can hold the values listed.

    >>> build("city", {"rows": [["Lafayette", "Indiana"], ["Chicago", "Illinois"]], "header": None}).groups
    (2, 2, 1)
    """
    if not isinstance(spec, Mapping) or "rows" not in spec:
        return core.build(attribute, spec, lists, text_of=lambda name: _no_file(attribute))
    for key in spec:
        if key not in ROWS:
            raise BadHierarchy(attribute, "There is no such key. Known are header and rows.", key=str(key))
    rows, names = spec["rows"], spec.get("header") or []
    _check_labels(attribute, rows)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadHierarchy(attribute, "Name the levels in a list, or leave it out.", key="header")
    return from_rows(attribute, rows, names=names)


def _no_file(attribute: str) -> str:
    raise BadHierarchy(attribute, "Files are read into rows first. Upload the file.", key="file")


def _check_labels(attribute: str, rows: Any) -> None:
    if not isinstance(rows, list) or not all(isinstance(row, list | tuple) for row in rows):
        raise BadHierarchy(attribute, "Give a list of rows, each from the value to the top.", key="rows")
    for line, row in enumerate(rows, start=1):
        if not all(isinstance(label, str) and label for label in row):
            raise BadHierarchy(attribute, "A label is empty or no text. Name the group.", key="rows", line=line)


def _grown(column: Column, spec: Spec) -> Hierarchy:
    """The hierarchy over the values that it can hold: it is told which it cannot, one reason at a time."""
    places = np.arange(len(column.values))
    while True:
        listed = ValueList(column.values.take(pa.array(places)), column=column.name)
        try:
            return build(column.name, spec, [listed])
        except OutsideHierarchy as outside:
            places = np.delete(places, outside.positions)
