"""Hierarchies: what a value becomes when it is generalised.

A *value generalisation hierarchy* is a tree whose leaves are the values of an attribute and whose root ⊥, the top, says
nothing. Every leaf is equally deep. Level 0 holds the leaves, level h, the *height*, holds the top alone, and
depth(v) = h − level(v). n(v) is the number of leaves of the *domain* under v, and m = n(⊥): the domain may be larger
than the values that were seen (all days of a year), so whoever builds a hierarchy says how many there are.

In every level the groups have codes 1, 2, … and 0 is missing: it says nothing (depth 0, n = m) whatever the level.

A group that only a dictionary knows may have no leaf that occurs. Somebody in it has some value all the same, so below
such a group hangs one *stand-in*, down to a leaf: a rule can be run on it, but nobody has it and it is no part of the
domain. Stand-ins have the last codes of their level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table import check_hierarchy
from riskapp.core.table.level_names import level_number
from riskapp.core.table.spelling import Spelling, as_written
from riskapp.core.table.value_list import TEXT, Rows, Texts, ValueList, Values, joined, texts

Codes = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]

TOP = check_hierarchy.TOP


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The hierarchy of one attribute. Checked when it is made, never changed afterwards.

    Parameters
    ----------
    attribute : the name of the attribute
    names : a name for each level, the leaves' first
    labels : for each level what the release shows, at the position of the code; null for missing, at the top `*`
    parents : for each level but the top, the code in the next level for every code
    leaf_counts : for each level n(v) for every code
    spelling : turns leaves that are the same, however they are written, into the same text
    stand_ins : for each level how many of its groups are stand-ins

    Raises
    ------
    BadHierarchy
        If the levels do not make one tree with one top.

    Examples
    --------
    >>> race = Hierarchy.of(
    ...     "race",
    ...     labels=[["White", "Chinese", "Japanese"], ["European", "Asian"], ["*"]],
    ...     parents=[[1, 2, 2], [1, 1]],
    ...     leaf_counts=[[1, 1, 1], [1, 2], [3]],
    ... )
    >>> race.height, race.groups, race.leaves
    (2, (3, 2, 1), 3)
    >>> race.ancestors
    array([[0, 1, 2, 3],
           [0, 1, 2, 2],
           [0, 1, 1, 1]], dtype=int32)
    >>> race.coded(["Japanese", None, "White"])
    array([3, 0, 1], dtype=int32)
    """

    attribute: str
    names: tuple[str, ...]
    labels: tuple[Texts, ...]
    parents: tuple[Codes, ...]
    leaf_counts: tuple[Counts, ...]
    spelling: Spelling = as_written
    stand_ins: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_hierarchy.check(self.attribute, self.names, self.labels, self.parents, self.leaf_counts)
        object.__setattr__(self, "stand_ins", self.stand_ins or (0,) * len(self.labels))
        for name in ("parents", "leaf_counts"):
            object.__setattr__(self, name, tuple(map(_read_only, getattr(self, name))))

    @classmethod
    def of(
        cls,
        attribute: str,
        *,
        labels: Sequence[Values],
        parents: Sequence[npt.ArrayLike],
        leaf_counts: Sequence[npt.ArrayLike],
        names: Sequence[str] | None = None,
        spelling: Spelling = as_written,
        stand_ins: Sequence[int] = (),
    ) -> "Hierarchy":
        """The hierarchy with these groups in each level, given without the code for missing."""
        counts = [np.atleast_1d(np.asarray(some, dtype=np.int64)) for some in leaf_counts]
        for_missing = [*(None for _ in labels[1:]), TOP]
        return cls(
            attribute=attribute,
            names=tuple(map(str, range(len(labels)))) if names is None else tuple(names),
            labels=tuple(
                joined([pa.array([first], TEXT), texts(some)]) for first, some in zip(for_missing, labels, strict=True)
            ),
            parents=tuple(np.append(0, some).astype(np.int32) for some in parents),
            leaf_counts=tuple(np.append(counts[-1][:1], some) for some in counts),
            spelling=spelling,
            stand_ins=tuple(stand_ins),
        )

    @property
    def height(self) -> int:
        """The number of steps from a leaf to the top."""
        return len(self.parents)

    @property
    def leaves(self) -> int:
        """m, the number of leaves in the domain."""
        return int(self.leaf_counts[-1][1])

    @property
    def groups(self) -> tuple[int, ...]:
        """The number of groups in each level, missing not counted; their codes are 1 to this."""
        return tuple(len(labels) - 1 for labels in self.labels)

    def named(self, level: int) -> Texts:
        """The labels of a level in the order of their codes from 1 on, without stand-ins."""
        return self.labels[level][1 : len(self.labels[level]) - self.stand_ins[level]]

    @cached_property
    def ancestors(self) -> Codes:
        """For each level, the code there of every leaf code: one row per level, one column per leaf code."""
        table = np.empty((self.height + 1, self.groups[0] + 1), dtype=np.int32)
        table[0] = np.arange(table.shape[1])
        for level, parents in enumerate(self.parents):
            np.take(parents, table[level], out=table[level + 1])
        table.setflags(write=False)
        return table

    def up(self, low: int, high: int) -> Codes:
        """For every code of one level, its code in a level at least as high."""
        if not 0 <= low <= high <= self.height:
            raise ValueError(f"There is no way up from level {low} to level {high} of {self.height}.")
        codes = np.arange(self.groups[low] + 1, dtype=np.int32)
        for parents in self.parents[low:high]:
            codes = parents[codes]
        return codes

    def depth(self, level: int) -> int:
        """How far below the top a level is."""
        return self.height - level

    def level(self, name: int | str) -> int:
        """The number of a level, given by number or by name.

        Raises
        ------
        BadHierarchy
            If there is no such level, or if the text is the name of one level and the number of another.
        """
        return level_number(self.attribute, self.names, name)

    def coded(self, values: Values, *, rows: Rows | None = None, column: str = "") -> Codes:
        """The leaf code of every value of a value list; `coded(values)[codes]` codes a column. Missing (null) is 0.

        Parameters
        ----------
        values : the value list of a column, null for missing
        rows, column : in how many rows each value stands, and the name of the column: for the message

        Raises
        ------
        OutsideHierarchy
            If some values are no leaves; it says how many, in which column and in how many rows.
        """
        return self.codes_at(0, values, rows=rows, column=column)

    def codes_at(self, level: int | str, values: Values, *, rows: Rows | None = None, column: str = "") -> Codes:
        """The code of every label of a level, as `coded` does for leaves."""
        number = self.level(level)
        listed = ValueList.of(values, number, column, rows)
        codes = self.found_at(number, listed.values)
        listed.refuse(self.attribute, number, codes < 0)
        return codes

    def found_at(self, level: int | str, values: Values) -> Codes:
        """The code of every label of a level, never of a stand-in; missing (null) is 0, what is not covered is −1."""
        number, asked = self.level(level), texts(values)
        places = pc.index_in(self._spelled(number, asked), value_set=self._spelled(number, self.named(number)))
        codes: Codes = pc.fill_null(places, -2).to_numpy().astype(np.int32) + np.int32(1)
        codes[asked.is_null().to_numpy(zero_copy_only=False)] = 0
        return codes

    def _spelled(self, level: int, labels: Texts) -> Texts:
        return self.spelling(labels) if level == 0 else labels

    def shown(self, level: int, codes: Codes) -> Texts:
        """What the release shows for codes of a level: null (an empty cell) for missing below the top, there `*`."""
        return self.labels[level].take(pa.array(codes))


def _read_only(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = numbers.view()
    view.setflags(write=False)
    return view
