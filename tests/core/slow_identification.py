"""Who is consistent with a released row, one entry and one cell at a time; and small dictionaries to try it on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_masks import flat, from_masks
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.dictionary import Alike, Dictionary, Known
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList

RACE = from_groups("race", {"Asian": {"East": ["Chinese", "Japanese"], "South": ["Indian"]}, "White": ["White"]})
BORN = from_dates("born", [ValueList.of(["1975-05-10", "1975-06-01", "1976-01-01"]), ValueList.of(["1980"], "year")])
ZIP = from_masks("zip", [ValueList.of(["11", "12", "21"])], 2)
ONE = flat("one", [ValueList.of(["only"])])
NOBODY = flat("nobody", [ValueList.of([None])])
HIERARCHIES = (RACE, BORN, ZIP, ONE, NOBODY)

Row = tuple[int, ...]
Cell = tuple[int, int]
"""A level and a code there."""


@dataclass(frozen=True)
class SlowColumn:
    """What entries know of one attribute: a cell's code, or with `alike` which of its sets of codes."""

    place: int
    level: int
    codes: list[int]
    alike: list[list[int]] | None = None


@dataclass(frozen=True)
class SlowDictionary:
    """A dictionary as plain lists."""

    hierarchies: tuple[Hierarchy, ...]
    columns: list[SlowColumn]
    times: list[int] | None = None
    identities: list[int] | None = None

    @property
    def fast(self) -> Dictionary:
        return Dictionary(
            "drawn",
            tuple(self._known(column) for column in self.columns),
            None if self.times is None else np.array(self.times, dtype=np.int64),
            None if self.identities is None else np.array(self.identities, dtype=np.int32),
        )

    def _known(self, column: SlowColumn) -> Known:
        alike = None
        if column.alike is not None:
            starts = np.cumsum([0, 0, *(len(some) for some in column.alike)])
            alike = Alike(starts, np.array([code for some in column.alike for code in some], dtype=np.int32))
        codes = np.array(column.codes, dtype=np.int32)
        return Known(column.place, self.hierarchies[column.place], column.level, codes, alike)


def climbed(hierarchy: Hierarchy, cell: Cell, level: int) -> int:
    """The ancestor's code, step by step."""
    code = cell[1]
    for parents in hierarchy.parents[cell[0] : level]:
        code = int(parents[code])
    return code


def comparable(hierarchy: Hierarchy, one: Cell, other: Cell) -> bool:
    """Equal at the coarser of their levels; what says nothing is comparable with all."""
    level = max(one[0], other[0])
    silent = hierarchy.height in (one[0], other[0]) or 0 in (one[1], other[1])
    return silent or climbed(hierarchy, one, level) == climbed(hierarchy, other, level)


def consistent(dictionary: SlowDictionary, entry: int, row: Sequence[Cell]) -> bool:
    """Whether an entry may be the person of a row."""
    for column in dictionary.columns:
        hierarchy, code = dictionary.hierarchies[column.place], column.codes[entry]
        possible = [code] if column.alike is None or code == 0 else column.alike[code - 1]
        if not any(comparable(hierarchy, (column.level, one), row[column.place]) for one in possible):
            return False
    return True


def people_met(dictionary: SlowDictionary, row: Sequence[Cell]) -> int:
    """|ρ| of one row."""
    entries = range(len(dictionary.columns[0].codes))
    found = [entry for entry in entries if consistent(dictionary, entry, row)]
    if dictionary.identities is not None:
        return len({dictionary.identities[entry] for entry in found})
    return len(found) if dictionary.times is None else sum(dictionary.times[entry] for entry in found)


def columns_of(hierarchies: Sequence[Hierarchy], rows: list[Row]) -> list[CodedColumn]:
    codes = np.array(rows, dtype=np.int32).reshape(len(rows), len(hierarchies)).T
    return [CodedColumn(hierarchy, column.copy()) for hierarchy, column in zip(hierarchies, codes, strict=True)]


def released_cells(hierarchies: Sequence[Hierarchy], row: Row, levels: Row) -> list[Cell]:
    """A record at its levels."""
    triples = zip(hierarchies, row, levels, strict=True)
    return [(level, climbed(hierarchy, (0, leaf), level)) for hierarchy, leaf, level in triples]


@st.composite
def hierarchies(draw: st.DrawFn) -> tuple[Hierarchy, ...]:
    return tuple(draw(st.permutations(HIERARCHIES))[: draw(st.integers(1, 4))])


@st.composite
def rows(draw: st.DrawFn, some: tuple[Hierarchy, ...], most: int = 8) -> list[Row]:
    row = st.tuples(*(st.integers(0, hierarchy.groups[0]) for hierarchy in some))
    return draw(st.lists(row, max_size=most))


def nodes(some: tuple[Hierarchy, ...]) -> st.SearchStrategy[Row]:
    return st.tuples(*(st.integers(0, hierarchy.height) for hierarchy in some))


@st.composite
def dictionaries(draw: st.DrawFn, some: tuple[Hierarchy, ...]) -> SlowDictionary:
    """Missing cells, coarser levels, labels no leaf has, sets of labels, shared people, counts, or no entry."""
    length = draw(st.integers(0, 10))
    places = sorted(draw(st.sets(st.integers(0, len(some) - 1), min_size=1)))
    columns = [draw(_columns(place, some[place], length)) for place in places]
    each = {"min_size": length, "max_size": length}
    kind = draw(st.sampled_from(["plain", "times", "identities", "identities"]))
    times = draw(st.lists(st.integers(0, 4), **each)) if kind == "times" else None
    identities = draw(st.lists(st.integers(0, max(1, length // 2)), **each)) if kind == "identities" else None
    return SlowDictionary(some, columns, times, identities)


@st.composite
def _columns(draw: st.DrawFn, place: int, hierarchy: Hierarchy, length: int) -> SlowColumn:
    level = draw(st.integers(0, hierarchy.height))
    groups = hierarchy.groups[level]
    alike = None
    if draw(st.booleans()):
        labels = st.lists(st.integers(1, groups), unique=True, max_size=3) if groups else st.just([])
        alike = draw(st.lists(labels, max_size=4))
    codes = st.integers(0, groups if alike is None else len(alike))
    return SlowColumn(place, level, draw(st.lists(codes, min_size=length, max_size=length)), alike)
