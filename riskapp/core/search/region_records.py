"""The records that a pass over the nodes looks at: equal ones once, unless something about them is their own."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.search.regions import Cells
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.identification import Identification
from riskapp.core.table.keys import Places
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Sensitivity, Weighed


@dataclass(frozen=True, eq=False)
class Looked:
    """Records in the order of their cells.

    Parameters
    ----------
    problem : whose records they are
    cells : of all its records
    """

    problem: Problem
    cells: Cells

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def _own(self) -> bool:
        """Whether equal records may have different losses."""
        personal = any(weighed.personal is not None for weighed in self.problem.columns)
        return personal or self.problem.linkage is not None

    @cached_property
    def _kinds(self) -> tuple[Places, Places]:
        """Which records to look at, in the order of their cells, and for every record which of them it is like."""
        everybody = np.arange(len(self.problem))
        kind = everybody if self._own else self.problem.records.once().kind
        first = np.full(int(kind.max()) + 1, len(kind))
        np.minimum.at(first, kind, everybody)
        order = np.argsort(self.cells.of_record[first], kind="stable")
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.arange(len(order))
        return first[order], place[kind]

    @property
    def first(self) -> Places:
        """Where they are in the table."""
        return self._kinds[0]

    @property
    def of_record(self) -> Places:
        """For every record of the table which of them it is like."""
        return self._kinds[1]

    @cached_property
    def cell(self) -> Places:
        """Their cells, in rising order."""
        return self.cells.of_record[self.first]

    @cached_property
    def starts(self) -> Places:
        """Where each cell begins among them."""
        return np.searchsorted(self.cell, np.arange(len(self.cells)))

    @cached_property
    def weights(self) -> Numbers:
        """What they count in the mean risk, together with those that are equal."""
        given = self.problem.record_weights
        each = np.ones(len(self.problem)) if given is None else given
        counted = np.bincount(self.of_record, weights=each, minlength=len(self))
        weights: Numbers = counted / counted.sum()
        return weights

    @cached_property
    def records(self) -> CodedRecords:
        """Their leaf codes."""
        columns = self.problem.records.columns
        return CodedRecords.of([CodedColumn(column.hierarchy, column.codes[self.first]) for column in columns])

    @cached_property
    def identifications(self) -> list[Identification]:
        """For each dictionary how its people are counted."""
        return [Identification(one, self.records.columns) for one in self.problem.dictionaries]

    @cached_property
    def sensitivity(self) -> Sensitivity:
        """Their Φ."""
        whole, weighed = self.problem.sensitivity, []
        for own, column in zip(whole.columns, self.records.columns, strict=True):
            personal = None if own.personal is None else own.personal[self.first]
            weighed.append(Weighed(column, own.weights, personal, own.kept))
        return Sensitivity(tuple(weighed), whole.pairs, whole.family, whole.person_total)
