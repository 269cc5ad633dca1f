"""Record linkage: rows z without names that make a released record y finer before it is looked up.

y is linked with the same probability to each z consistent with it. y ∨ z has in each attribute the finer of the two
cells, and gains the columns that z adds. The loss of a record is expected over these z; a record that has none keeps
its own.

What a gained cell weighs: by the harmonic fall what that cell does; by the step what the record's own leaf does, and
where that is missing the gained leaf, or for a coarser cell the heaviest leaf under it. A personal weight goes before
all of them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers, plus, times
from riskapp.core.table.cells import Cells, kinds, matrix, row_kinds
from riskapp.core.table.dictionary import Known
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Once, Places
from riskapp.core.table.linkage_table import LinkageTable
from riskapp.core.table.matching import pairs, parts, ranges
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.sensitivity import Weighed

Count = Callable[[Places, Cells], Counts]
"""|ρ| of some records seen through cells: those of the record joined with a row of linkage data."""


def linked_losses(
    problem: Problem, released: Released, losses: Mapping[str, Numbers], count: Mapping[str, Count]
) -> dict[str, Numbers]:
    """The loss of every record, expected over the rows it may be linked to, for each dictionary.

    Parameters
    ----------
    problem : with linkage data
    released : its records, as they are released
    losses : without linking, for each dictionary
    count : how each dictionary counts people

    Raises
    ------
    ValueError
        If there are no linkage data.
    """
    if problem.linkage is None:
        raise ValueError("There are no linkage data.")
    return _Linking(problem, released, _distinct(problem.linkage)).losses(losses, count)


@dataclass(frozen=True, eq=False)
class _Distinct:
    """Different rows of linkage data, and how often each occurs."""

    known: tuple[Known, ...]
    added: Numbers
    times: Counts


def _distinct(table: LinkageTable) -> _Distinct:
    added, number = np.unique(table.added, return_inverse=True)
    sizes = [column.hierarchy.groups[column.level] + 1 for column in table.known]
    found = kinds([*(column.codes for column in table.known), number.astype(np.int32)], [*sizes, max(1, len(added))])
    known = tuple(replace(column, codes=column.codes[found.first]) for column in table.known)
    return _Distinct(known, table.added[found.first], found.times)


@dataclass(frozen=True, eq=False)
class _Linking:
    """One released table against linkage data."""

    problem: Problem
    released: Released
    table: _Distinct

    def losses(self, unlinked: Mapping[str, Numbers], count: Mapping[str, Count]) -> dict[str, Numbers]:
        everybody = {dictionary.name: dictionary.everybody for dictionary in self.problem.dictionaries}
        sums = {name: np.zeros(len(self._records.first)) for name in unlinked}
        linked = np.zeros(len(self._records.first))
        for rows, found in pairs(self.table.known, self._cells):
            cells = self._joined(rows, found)
            people = {name: count[name](self._rows.first[rows], cells) for name in unlinked}
            for again, record in self._written_out(rows):
                phi = self._phi(record, found[again], cells.taken(again))
                often = self.table.times[found[again]]
                np.add.at(linked, record, often)
                for name, some in people.items():
                    loss = self.problem.loss.of(phi, some[again], everybody[name])
                    np.add.at(sums[name], record, times(often, loss))
        return {name: self._expected(sums[name], linked, unlinked[name]) for name in unlinked}

    def _expected(self, sums: Numbers, linked: Numbers, unlinked: Numbers) -> Numbers:
        expected = (sums / np.maximum(linked, 1))[self._records.kind]
        return np.where(linked[self._records.kind] > 0, expected, unlinked)

    @cached_property
    def _rows(self) -> Once:
        return row_kinds(self.released)

    @cached_property
    def _cells(self) -> Cells:
        """Of each kind of row."""
        return Cells.of(self.released).taken(self._rows.first)

    @cached_property
    def _records(self) -> Once:
        """Records that are released alike and weigh alike."""
        columns = [self._rows.kind.astype(np.int32)]
        for weighed in self.problem.columns:
            columns.append(weighed.column.codes)
            if weighed.personal is not None:
                columns.append(np.unique(weighed.personal, return_inverse=True)[1].astype(np.int32))
        return kinds(columns, [int(codes.max(initial=0)) + 1 for codes in columns])

    @cached_property
    def _by_row(self) -> tuple[Places, Places]:
        """The kinds of records of each kind of row, and where they start."""
        row = self._rows.kind[self._records.first]
        order = np.argsort(row, kind="stable")
        return order, np.searchsorted(row[order], np.arange(len(self._rows.first) + 1))

    def _written_out(self, rows: Places) -> Iterator[tuple[Places, Places]]:
        """Each pair once for every kind of record that is released as its row: which pair, and the kind of record."""
        order, starts = self._by_row
        many = np.diff(starts)[rows]
        for part in parts(many):
            again = np.repeat(np.arange(part.start, part.stop), many[part])
            yield again, order[ranges(starts[rows[part]], many[part])]

    def _joined(self, rows: Places, found: Places) -> Cells:
        """y ∨ z."""
        cells = self._cells.taken(rows)
        levels, codes = list(cells.levels), list(cells.codes)
        for column in self.table.known:
            theirs = column.codes[found]
            finer = (theirs > 0) & (column.level < levels[column.place])
            levels[column.place] = np.where(finer, column.level, levels[column.place])
            codes[column.place] = np.where(finer, theirs, codes[column.place])
        return Cells(cells.hierarchies, tuple(levels), tuple(codes))

    def _phi(self, record: Places, found: Places, cells: Cells) -> Numbers:
        """Φ of kinds of records linked to rows, given the joined cells."""
        rows = self._records.first[record]
        parts_of_sum = []
        for place, weighed in enumerate(self.problem.columns):
            own = self._own[place][record]
            gained = np.flatnonzero(cells.levels[place] < self._levels[place][record])
            own[gained] = _gained(weighed, rows[gained], cells.levels[place][gained], cells.codes[place][gained])
            parts_of_sum.append(own)
        weights = times(self._factors[record], plus(*parts_of_sum, *self._pairs(cells)))
        return self.problem.sensitivity.of_sums(plus(weights, self.table.added[found]))

    @cached_property
    def _levels(self) -> list[Places]:
        """For each attribute the level of each kind of record; at the top where it says nothing."""
        kind = self._rows.kind[self._records.first]
        return [levels[kind] for levels in self._cells.levels]

    @cached_property
    def _own(self) -> list[Numbers]:
        """For each attribute what each kind of record discloses without linking."""
        levels = matrix(self.released)
        first = self._records.first
        return [weighed.at_each(levels[:, place])[first] for place, weighed in enumerate(self.problem.columns)]

    @cached_property
    def _factors(self) -> Numbers:
        """What the weights of each kind of record are multiplied by to make the person's total."""
        totals = self.problem.sensitivity.totals
        if totals is None:
            return np.ones(len(self._records.first))
        leaves, become = totals
        return (become / leaves)[self._records.first]

    def _pairs(self, cells: Cells) -> Iterator[Numbers]:
        """For each pair of attributes its weight where both are disclosed."""
        disclosed = {
            weighed.name: levels < weighed.column.hierarchy.height
            for weighed, levels in zip(self.problem.columns, cells.levels, strict=True)
        }
        for pair in self.problem.sensitivity.pairs:
            yield np.where(disclosed[pair.one] & disclosed[pair.other], pair.weight, 0.0)


def _gained(weighed: Weighed, records: Places, levels: Places, codes: Codes) -> Numbers:
    """What gained cells, below the top, weigh for these records."""
    weights = np.zeros(len(records))
    for level in np.unique(levels):
        here = np.flatnonzero(levels == level)
        weights[here] = _gained_at(weighed, int(level), records[here], codes[here])
    return weights


def _gained_at(weighed: Weighed, level: int, records: Places, codes: Codes) -> Numbers:
    weights = cell_weights(weighed, level)[codes]
    if weighed.weights.fall == "step":
        leaves = weighed.column.codes[records]
        weights = np.where(leaves > 0, weighed.weights.levels[0][leaves], weights)
    if weighed.personal is None:
        return weights
    own = weighed.personal[records]
    under = np.maximum(weighed.weights.hierarchy.leaf_counts[level][codes], 1)
    return np.where(np.isnan(own), weights, own / under if weighed.weights.fall == "harmonic" else own)


def cell_weights(weighed: Weighed, level: int) -> Numbers:
    """What each code of a level below the top weighs by itself, whoever's it is.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn
    >>> from riskapp.core.table.weights import Weights
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([0], dtype=np.int32))
    >>> cell_weights(Weighed(column, Weights.of(race, 2.0, fall="harmonic")), 1)
    array([0., 2., 1.])
    """
    hierarchy = weighed.weights.hierarchy
    if level == 0:
        return weighed.weights.levels[0]
    weights = np.full(hierarchy.groups[level] + 1, weighed.weights.own)
    if weighed.weights.fall == "harmonic":
        weights /= np.maximum(hierarchy.leaf_counts[level], 1)
        weights[hierarchy.ancestors[level]] = weighed.weights.levels[level]
    weights[0] = 0.0
    return weights
