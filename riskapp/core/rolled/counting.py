"""The figures of every node of one dictionary's lattice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers as Floats
from riskapp.core.rolled import kernels, missing, summing
from riskapp.core.rolled.classes import AnyArray, Classes, classes
from riskapp.core.rolled.fields import Column, Field, laid_out
from riskapp.core.rolled.forecast import TRIED, Forecast, forecast, tried
from riskapp.core.rolled.walk import Felt, Walk
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem
from riskapp.core.watching import Stop

Levels = npt.NDArray[np.intp]
"""The levels of every attribute at every node: a row for each node."""
Told = Callable[[int], None]
"""Told after every node how many classes were there."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What `summing.figures` found at every node of some fields.

    Attributes
    ----------
    fields : the attributes, in the order of the key
    figures : a row for each node of the fields, the last field changing fastest
    """

    fields: Sequence[Field]
    figures: Floats

    def at(self, levels: Levels) -> npt.NDArray[np.intp]:
        """The row of every node of the whole lattice."""
        rows = np.zeros(len(levels), dtype=np.intp)
        for field in self.fields:
            steps = np.clip(levels[:, field.place] - field.column.level, 0, field.steps)
            rows = rows * (field.steps + 1) + steps
        return rows


@dataclass(frozen=True, eq=False)
class Counting:
    """A walk that counts: how classes are summed up at every node.

    Parameters
    ----------
    fields, table, felt : the attributes, the classes at their lowest levels, and what adds to φ
    everybody : |θ|
    scale : what a weight of 1 counts in the sums
    entropic, zero, exponential : as `summing.figures` takes them
    above : people are counted who are one of fewer than so many
    weighted : whether the first of the sums are the records' weights
    wild : whether values are missing, so that a class's own people are not all that are consistent with it
    """

    fields: Sequence[Field]
    table: Classes
    felt: Felt
    everybody: int = 1
    scale: float = 1.0
    entropic: bool = False
    zero: bool = False
    exponential: bool = False
    above: float = 1.0
    weighted: bool = False
    wild: bool = False

    def run(self, told: Told, stop: Stop, threads: int = 2) -> Counted:
        """Count at every node."""
        shape = [field.steps + 1 for field in self.fields]
        figures = np.zeros((prod(shape), summing.FIGURES + self.table.terms))
        strides = [prod(shape[place + 1 :]) for place in range(len(shape))]

        def visit(steps: Node, found: Classes, last: Floats | None) -> None:
            row = sum(step * stride for step, stride in zip(steps, strides, strict=True))
            self._figures(steps, found, last, figures[row])
            told(found.size)

        Walk(self.fields, self.felt, visit, stop, threads).run(self.table)
        return Counted(self.fields, figures)

    def forecast(self, threads: int = 2) -> Forecast:
        """What counting will cost."""
        part = self.table.cut(min(self.table.rows, TRIED)).along(self.table.beside)
        out = np.zeros(summing.FIGURES + self.table.terms)
        bottom = (0,) * len(self.fields)
        looking = tried(lambda: self._figures(bottom, part, self.felt[-1][0], out))
        return forecast(self.fields, self.table, looking / max(1, part.rows), threads)

    def _figures(self, steps: Node, found: Classes, last: Floats | None, out: Floats) -> None:
        if self._alone:
            summing.figures_alone(
                found.rows,
                found.keys,
                found.records,
                found.phi,
                last,
                self.fields[-1].mask,
                self.scale,
                self.above,
                out,
            )
            return
        people = self._people(steps, found)
        summing.figures(
            found.rows, found.keys, found.records, people, found.sums, found.phi,
            last, self.fields[-1].mask, self.weighted, self.scale, self.entropic, float(self.everybody), self.zero,
            self.above, self.exponential, out,
        )  # fmt: skip

    @property
    def _alone(self) -> bool:
        """Whether |ρ| is the class and all records count alike."""
        plain = not (self.wild or self.entropic or self.exponential)
        return plain and self.table.people is None and self.table.sums is None and self.table.beside is None

    def _people(self, steps: Node, found: Classes) -> AnyArray | None:
        """|ρ| of every class; None when it is the number of its records."""
        if self.wild:
            return self._consistent(steps, found)
        beside = found.beside
        if beside is None:
            return found.people
        people = np.empty(max(1, found.rows), beside.records.dtype)
        kernels.joined(found.rows, found.keys, beside.rows, beside.keys, beside.records, people)
        return people

    def _consistent(self, steps: Node, found: Classes) -> AnyArray:
        """|ρ| of every class where values are missing."""
        below = [
            field.mask << field.shift
            for field, step in zip(self.fields, steps, strict=True)
            if field.column.kept or step < field.steps
        ]
        people = np.zeros(max(1, found.rows), np.int64)
        missing.consistent(found.rows, found.keys, found.records, found.people, np.array(below, np.int64), people)
        return people


def columns_of(problem: Problem, places: Sequence[int]) -> list[Column]:
    """Some of the problem's attributes at their leaves, without a dictionary."""
    return [
        Column(place, problem.hierarchies[place], 0, problem.column(place).codes, kept=problem.columns[place].kept)
        for place in places
    ]


def without_dictionary(problem: Problem, places: Sequence[int], tables: Sequence[Floats] | None) -> Counting | None:
    """How to count the records that look alike in some attributes, and what their cells say taken together.

    Parameters
    ----------
    places : the attributes
    tables : for each of them, a row for each level and a column for each leaf code, what a cell says
    """
    fields = laid_out(columns_of(problem, places))
    if fields is None:
        return None
    nothing: Felt = [[None] * (field.steps + 1) for field in fields]
    said = dict(zip(places, tables, strict=True)) if tables is not None else None
    felt = (
        nothing
        if said is None
        else [[field.by_number(step, said[field.place][step]) for step in range(field.steps + 1)] for field in fields]
    )
    return Counting(fields, classes(fields, (), None, itself=True), felt)


def all_levels(problem: Problem) -> Levels:
    """The levels of every attribute at every node, in the order of the lattice."""
    lattice = problem.lattice
    numbers = np.arange(lattice.size)
    columns = [
        numbers // stride % (height + 1) for stride, height in zip(lattice.strides, lattice.heights, strict=True)
    ]
    return np.stack(columns, axis=1)
