"""An attribute as it is described, and the labels that its hierarchy has over what the dataset holds.

What a page shows while somebody is still describing must bear values that the hierarchy cannot hold: they are left out
here. An assessment refuses them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.build import build
from riskapp.core.table.build_rows import from_rows
from riskapp.core.table.faults import BadHierarchy, OutsideHierarchy
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import Flags, Texts, ValueList, texts
from riskapp.engine.coded import CodedTable

LISTING = ("rows", "groups")
"""The hierarchies that name all their leaves, whatever occurs."""


@dataclass(frozen=True)
class Described:
    """The name of an attribute and the description of its hierarchy.

    Parameters
    ----------
    name : of the column
    hierarchy : as the assessment file has it, without files; or {"rows": [[leaf, …, top], …], "header": names or None};
        None for value → *

    Examples
    --------
    >>> born = Described("born", {"dates": ["year"]})
    >>> born.over(texts([None, "1975-05-10", "in May"])).labels[1].to_pylist()
    [None, '1975']
    >>> born.fitting("year", texts(["1976", "76"]))
    array([ True, False])
    """

    name: str
    hierarchy: Mapping[str, Any] | None = None

    @property
    def lists_its_leaves(self) -> bool:
        """Whether the leaves are those listed, not those that occur."""
        return any(kind in (self.hierarchy or ()) for kind in LISTING)

    def over(self, values: Texts) -> Hierarchy:
        """The hierarchy over the values that it can hold.

        Raises
        ------
        BadHierarchy
            If the description is none of a hierarchy.
        """
        if self.lists_its_leaves:
            return self._made([])
        return self._made([ValueList.of(values.filter(pa.array(self.fitting(0, values))))])

    def fitting(self, level: int | str, values: Texts) -> Flags:
        """Which values the hierarchy can hold at a level; missing is no obstacle."""
        if self.lists_its_leaves:
            listed: Flags = self._made([]).found_at(level, values) >= 0
            return listed
        right = np.ones(len(values), dtype=np.bool_)
        while True:
            try:
                self._made([ValueList.of(values.filter(pa.array(right)), level)])
            except OutsideHierarchy as error:
                right[np.flatnonzero(right)[error.positions]] = False
            else:
                return right

    def _made(self, lists: Sequence[ValueList]) -> Hierarchy:
        given = self.hierarchy
        if given is not None and "rows" in given:
            return from_rows(self.name, given["rows"], names=given.get("header") or ())
        return build(self.name, given, lists, text_of=self._no_file)

    def _no_file(self, _: str) -> str:
        raise BadHierarchy(self.name, "No file is read here. Give the rows of the file instead.", key="file")


def column_place(table: CodedTable, name: str, key: str) -> int:
    """Where a column stands in a table.

    Raises
    ------
    BadSetting
        Of the key, if it is not there.
    """
    if name not in table.names:
        raise BadSetting(key, "The table has no such column. Name one that it has.")
    return table.names.index(name)


def distinct(table: CodedTable, name: str, key: str) -> Texts:
    """The distinct values of a column, missing left out."""
    return texts(table.values(column_place(table, name, key))).drop_null()


def spread(values: Texts, most: int) -> Texts:
    """At most so many of the values, evenly spread over the list.

    >>> spread(texts("abcdef"), 3).to_pylist()
    ['a', 'c', 'f']
    """
    if len(values) <= most:
        return values
    return values.take(pa.array(np.linspace(0, len(values) - 1, most).astype(np.int64)))
