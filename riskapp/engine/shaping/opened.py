"""A hierarchy written out as rows, and opened for editing.

An *evened* spec has rows of one length that all end in `*`, and a name or "" for every level in its header, or none.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import TOP, Codes, Hierarchy
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping.fitting import Spec, build, column_at, fitted, lists_its_leaves

KEY = "hierarchy"
THIS = "this column"
MOST_LEAVES = 100_000
"""More values than this are not edited by hand."""

Rows = list[list[str]]
RowsSpec = dict[str, Any]
Change = Callable[[list[str]], list[str]]


def from_spec(table: CodedTable, column: int, spec: Spec) -> RowsSpec:
    """Any hierarchy over the column at a position, written out as rows, so that it can be edited.

    Values that it does not cover are left out; what it lists beyond the column stays.

    Raises
    ------
    BadSetting
        If the spec describes no hierarchy, or one with more values than can be edited by hand.
    """
    fit = fitted(column_at(table, column), spec)
    if lists_its_leaves(spec):
        _check_few(fit.hierarchy.groups[0])
        return rows_of(fit.hierarchy)
    if not fit.covered.any():
        raise BadSetting(KEY, "No cell of the column holds a value that could be grouped. Drop the column, or mend it.")
    _check_few(int(fit.covered.sum()))
    # 52 and 52.0 are one leaf of intervals, and two rows.
    values = fit.column.values.filter(pa.array(fit.covered)).to_pylist()
    return written(fit.hierarchy, values, fit.codes[fit.covered])


def _check_few(leaves: int) -> None:
    if leaves > MOST_LEAVES:
        told = f"The hierarchy has more than {MOST_LEAVES} values. Edit it as a CSV file, or build it by a rule."
        raise BadSetting(KEY, told)


def rows_of(hierarchy: Hierarchy) -> RowsSpec:
    """A hierarchy written out as rows, leaf by leaf."""
    leaves = np.arange(1, hierarchy.groups[0] + 1, dtype=np.int32)
    return written(hierarchy, hierarchy.labels[0][1:].to_pylist(), leaves)


def written(hierarchy: Hierarchy, values: Sequence[str], leaves: Codes) -> RowsSpec:
    """A row for each value, which stands for the leaf with this code."""
    above = [
        hierarchy.shown(level, codes[leaves]).to_pylist() for level, codes in enumerate(hierarchy.ancestors) if level
    ]
    return spec_of([list(row) for row in zip(values, *above, strict=True)], _given_names(hierarchy.names))


def evened(spec: Mapping[str, Any]) -> RowsSpec:
    """The same hierarchy with rows of one length.

    Raises
    ------
    BadSetting
        If it is none.

    >>> evened({"rows": [["Lafayette", "Indiana"], ["Paris"]], "header": ["city"]})
    {'rows': [['Lafayette', 'Indiana', '*'], ['Paris', 'Paris', '*']], 'header': ['city', '', '']}
    """
    with told_by(KEY):
        return rows_of(_checked(spec))


def _checked(spec: Mapping[str, Any]) -> Hierarchy:
    if not isinstance(spec, Mapping) or "rows" not in spec:
        raise BadHierarchy(THIS, "Write it out as rows before it is edited.")
    return build(THIS, spec)


def _given_names(names: Sequence[str]) -> list[str]:
    return ["" if name == str(level) else name for level, name in enumerate(names)]


def spec_of(rows: Rows, header: Sequence[str]) -> RowsSpec:
    return {"rows": rows, "header": list(header) if any(header) else None}


class Opened:
    """An evened spec taken apart: its rows, the names of its levels, and its height."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        even = evened(spec)
        self.rows: Rows = even["rows"]
        _check_few(len(self.rows))
        self.height = len(self.rows[0]) - 1
        self.names: list[str] = even["header"] or [""] * (self.height + 1)

    def labels(self, level: int) -> set[str]:
        return {row[level] for row in self.rows}

    def above(self, level: int, label: str) -> list[str]:
        """The labels of the levels above, for a label that is there."""
        return next(row[level + 1 :] for row in self.rows if row[level] == label)

    def check_groups(self, level: int) -> None:
        if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level < self.height:
            told = f"from 1 to {self.height - 1}" if self.height > 1 else "none yet; add a level first"
            raise BadSetting(KEY, f"Only levels between the values and the top can be changed: {told}.")

    def check_there(self, level: int, labels: Collection[str]) -> None:
        unknown = len(set(labels) - self.labels(level))
        if not labels or unknown:
            told = f"{unknown} of the {len(set(labels))} chosen are" if labels else "Nothing was chosen that is"
            raise BadSetting(KEY, f"{told} not in level {level}. Look at the hierarchy again and choose what is there.")

    def check_new(self, level: int, name: str) -> None:
        if name in self.labels(level):
            raise BadSetting(
                KEY, f"Level {level} has a group of this name already. Choose another name, or move to it."
            )

    def changed(self, level: int, labels: Collection[str], change: Change) -> RowsSpec:
        """The spec in which the rows with one of these labels in a level are changed."""
        wanted = set(labels)
        rows = [change(row) if row[level] in wanted else row for row in self.rows]
        return evened(spec_of(rows, self.names))


def check_label(name: str) -> None:
    if not isinstance(name, str) or not name.strip() or name == TOP:
        raise BadSetting(KEY, f"A group needs a name that is not empty and not {TOP}. Write one.")
