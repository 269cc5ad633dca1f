"""The mean risk at every node, from the figures of one dictionary's own lattice."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.digits import told_apart
from riskapp.core.extended import Numbers as Floats
from riskapp.core.extended import times
from riskapp.core.rolled import missing, summing
from riskapp.core.rolled.classes import classes
from riskapp.core.rolled.counting import Counted, Counting, Levels
from riskapp.core.rolled.fields import Column, Field, laid_out, values_field
from riskapp.core.rolled.persons import PersonCounting
from riskapp.core.rolled.terms import Terms, taken_apart
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.problem import Problem


@dataclass(frozen=True, eq=False)
class DictionaryCount:
    """One dictionary's figures for a problem, before and after they are counted.

    The mean risk at a node is a sum over its classes of g(|ρ|) times the sum of Φ, so the figures of the dictionary's
    own lattice suffice for all nodes, whatever is done to attributes that it does not know.
    """

    problem: Problem
    dictionary: Dictionary
    terms: Terms
    counting: Counting | PersonCounting

    def risks(self, counted: Counted, levels: Levels) -> Floats:
        """The mean loss at every node."""
        rows, figures = counted.at(levels), counted.figures
        loss = self.problem.loss
        if loss.model == "anonymity":
            chances: Floats = figures[rows, summing.CHANCE]
            return chances
        harm = self._linear if self.problem.sensitivity.family == "linear" else self._multiplicative
        with np.errstate(over="ignore"):
            risks = harm(figures, rows, levels)
            if loss.model == "sensitivity" and loss.unidentified:
                risks = risks + times(loss.unidentified, figures[rows, summing.REST])
        return risks

    @property
    def _first(self) -> int:
        """The column of the first sum that is not the weights'."""
        return summing.FIGURES + self.counting.weighted

    def _linear(self, figures: Floats, rows: Levels, levels: Levels) -> Floats:
        found: Floats = figures[rows, summing.HARM] + times(self._shared(levels), figures[rows, summing.CHANCE])
        for place, own in enumerate(self.terms.summed):
            columns = own[levels[:, place]]
            there = columns >= 0
            found[there] += figures[rows[there], self._first + columns[there]]
        for one, other, _, column in self.terms.pairs:
            if column >= 0:
                both = self._disclosed(levels, one) & self._disclosed(levels, other)
                found[both] += figures[rows[both], self._first + column]
        return found

    def _multiplicative(self, figures: Floats, rows: Levels, levels: Levels) -> Floats:
        factor = np.exp(self._shared(levels))
        if not self.terms.products:
            return times(factor, figures[rows, summing.HARM])
        columns = np.zeros(len(levels), dtype=np.intp)
        for place, own in enumerate(self.terms.summed):
            columns += np.maximum(own[levels[:, place]], 0)
        return times(factor, figures[rows, self._first + columns])

    def _shared(self, levels: Levels) -> Floats:
        """What all records have in common in the sum of weights."""
        common = np.zeros(len(levels))
        for place, own in enumerate(self.terms.common):
            common += own[levels[:, place]]
        for one, other, weight, column in self.terms.pairs:
            if column < 0:
                common[self._disclosed(levels, one) & self._disclosed(levels, other)] += weight
        return common

    def _disclosed(self, levels: Levels, place: int) -> npt.NDArray[np.bool_]:
        below: npt.NDArray[np.bool_] = levels[:, place] < self.problem.hierarchies[place].height
        return below


def countable(problem: Problem, dictionary: Dictionary) -> DictionaryCount | None:
    """How to count with a dictionary; None when only the general way is left."""
    if any(known.alike is not None for known in dictionary.known):
        return None
    itself = is_itself(problem, dictionary)
    columns = [
        Column(
            known.place,
            known.hierarchy,
            known.level,
            problem.column(known.place).codes,
            None if itself else known.codes,
            problem.columns[known.place].kept,
        )
        for known in dictionary.known
    ]
    several = problem.people is not None or dictionary.identities is not None
    persons = persons_field(problem, dictionary, itself) if several else None
    fields = laid_out(columns, lowest=0 if persons is None else persons.mask.bit_length())
    if fields is None or (any(field.missing for field in fields) and (several or len(fields) > missing.MOST_FIELDS)):
        return None
    terms = taken_apart(problem, fields)
    if terms is None:
        return None
    how = _common(problem, dictionary, terms)
    if persons is None:
        return DictionaryCount(problem, dictionary, terms, _counting(dictionary, fields, terms, how, itself))
    counting = _by_person(problem, dictionary, (*fields, persons), terms, how, itself)
    return DictionaryCount(problem, dictionary, terms, counting)


def persons_field(problem: Problem, dictionary: Dictionary | None, itself: bool) -> Field:
    """The persons of records and entries; all 0 where every row is somebody else."""
    nobody = np.zeros(len(problem), dtype=np.int32)
    own = nobody if problem.people is None else problem.people
    entries = None
    if dictionary is not None and not itself:
        named = dictionary.identities
        entries = np.zeros(len(dictionary), dtype=np.int32) if named is None else named
    return values_field(-1, problem.hierarchies[0], own, entries)


def is_itself(problem: Problem, dictionary: Dictionary) -> bool:
    """Whether the dictionary's people are the dataset's records, one by one."""
    same = dictionary.identities is problem.people
    return (
        dictionary.times is None
        and same
        and all(known.level == 0 and known.codes is problem.column(known.place).codes for known in dictionary.known)
    )


def _common(problem: Problem, dictionary: Dictionary, terms: Terms) -> dict[str, Any]:
    """What both ways of counting are told."""
    weights, above = problem.record_weights, problem.limits.share_above
    return {
        "everybody": dictionary.everybody,
        "scale": 1.0 / (len(problem) if weights is None else float(weights.sum())),
        "entropic": problem.loss.model == "entropic",
        "zero": problem.loss.uncovered == "zero",
        "exponential": problem.sensitivity.family == "multiplicative" and problem.loss.model != "anonymity",
        "above": 1.0 if above is None else fewer_than(above.chance),
        "weighted": terms.sums.weights is not None,
    }


def _counting(
    dictionary: Dictionary, fields: Sequence[Field], terms: Terms, how: dict[str, Any], itself: bool
) -> Counting:
    wild = any(field.missing for field in fields)
    sums = terms.sums.scaled(how["scale"])
    table = classes(fields, sums, dictionary.times, itself=itself, together=wild, kinds=terms.sums.kinds)
    return Counting(fields, table, terms.felt, wild=wild, **how)


def _by_person(
    problem: Problem, dictionary: Dictionary, fields: Sequence[Field], terms: Terms, how: dict[str, Any], itself: bool
) -> PersonCounting:
    sums = terms.sums.scaled(how["scale"])
    table = classes(fields, sums, dictionary.times, itself=itself, kinds=terms.sums.kinds)
    named = dictionary.identities is not None
    persons = 0 if problem.people is None else int(problem.people.max(initial=0)) + 1
    return PersonCounting(fields, table, [*terms.felt, [None]], persons, named, **how)


def fewer_than(chance: float) -> float:
    """The least number of people that one of them may be without a chance above this one.

    >>> fewer_than(0.5), fewer_than(0.3), fewer_than(0.0)
    (2.0, 4.0, inf)
    """
    if chance < 2**-62:
        return inf
    first = max(1, int(1 / chance) - 1)
    limit = told_apart([chance])[0]
    return float(next(many for many in range(first, first + 4) if told_apart([1 / many])[0] <= limit))
