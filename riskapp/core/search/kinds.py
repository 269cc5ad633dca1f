"""Kinds of records: equal ones are looked at once, and any rows of leaf codes can be looked at like records.

Two records are of one kind when all their codes are equal and their person has the same weights; what their weights
are brought to in sum then is the same too. A kind gets one node, so a rule is a function of a record.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Once, Places, folded, once
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Weighed


@dataclass(frozen=True, eq=False)
class Kinds:
    """The different records of a problem.

    Attributes
    ----------
    problem : the same problem with one record of each kind, in the order of their codes
    times : how many records are of each kind
    kind : of every record of the table
    shares : what each kind counts in the mean risk; together 1

    Examples
    --------
    >>> from riskapp.core.table.plain_problem import problem
    >>> found = Kinds.of(problem({"sex": ["f", "m", "f"]}))
    >>> found.times, found.kind, found.shares
    (array([2, 1]), array([0, 1, 0]), array([0.66666667, 0.33333333]))
    """

    problem: Problem
    times: Counts
    kind: Places
    shares: Numbers

    @classmethod
    def of(cls, problem: Problem, places: Collection[int] | None = None) -> "Kinds":
        """The kinds of all records; given some attributes, those that are equal in them are of one kind."""
        found = _alike(problem, range(len(problem.columns)) if places is None else places)
        weights = problem.record_weights
        counted = np.bincount(found.kind, weights, minlength=len(found.times))
        return cls(taken(problem, found.first), found.times, found.kind, counted / (counted.sum() or 1.0))

    def __len__(self) -> int:
        return len(self.times)

    def alike(self, places: Collection[int]) -> Once:
        """Those kinds once that are equal in some attributes, and in the weights of their persons."""
        return _alike(self.problem, places)

    @property
    def leaves(self) -> Codes:
        """The leaf codes: a row for each kind, a column for each attribute."""
        return np.stack([column.codes for column in self.problem.records.columns], axis=1)


def _alike(problem: Problem, places: Collection[int]) -> Once:
    columns = [problem.columns[place].column.codes for place in sorted(places)]
    sizes = [problem.hierarchies[place].groups[0] + 1 for place in sorted(places)]
    for weighed in problem.columns:
        if weighed.personal is not None:
            # −1 stands for "none of their own", as no weight is below 0.
            numbers = np.unique(np.where(np.isnan(weighed.personal), -1.0, weighed.personal), return_inverse=True)
            columns.append(numbers[1].astype(np.int32))
            sizes.append(len(numbers[0]))
    keys = folded([columns], sizes)
    return once(keys.numbers, keys.size)


def taken(problem: Problem, rows: Places | slice) -> Problem:
    """The same problem with some of its records: what one of them is at a node depends on no other."""
    columns = [CodedColumn(one.column.hierarchy, one.column.codes[rows]) for one in problem.columns]
    own = [None if one.personal is None else one.personal[rows] for one in problem.columns]
    return _with_records(problem, columns, own)


def looked_at(problem: Problem, leaves: Codes) -> Problem:
    """The same problem about rows of leaf codes; weights that nobody can know of them are the attributes' own."""
    pairs = zip(problem.hierarchies, leaves.T, strict=True)
    columns = [CodedColumn(hierarchy, np.ascontiguousarray(codes, dtype=np.int32)) for hierarchy, codes in pairs]
    return _with_records(problem, columns, [None] * len(columns))


def _with_records(problem: Problem, columns: Sequence[CodedColumn], personal: Sequence[Numbers | None]) -> Problem:
    weighed = tuple(
        Weighed(column, one.weights, own, one.kept)
        for column, one, own in zip(columns, problem.columns, personal, strict=True)
    )
    generalised = CodedRecords.of([column for column, one in zip(columns, weighed, strict=True) if not one.kept])
    return replace(
        problem,
        sensitivity=replace(problem.sensitivity, columns=weighed),
        utility=replace(problem.utility, records=generalised),
        risk=replace(problem.risk, weights=None),
        people=None,
        sensitive=(),
    )
