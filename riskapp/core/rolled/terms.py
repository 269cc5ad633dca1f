"""Φ taken apart: what it has in common for everybody, what a class tells, and what must be added up over records.

At a level an attribute weighs the same for all records, or the same for all records of a class, or neither. In the
linear family the three parts are added: Σ over a class of Φ = (number) · (common + class's part) + (sums). In the
multiplicative family they are multiplied, and the sums are of products over those attributes that do neither.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from riskapp.core.extended import Numbers as Floats
from riskapp.core.extended import times
from riskapp.core.rolled.fields import Field
from riskapp.core.rolled.walk import Felt
from riskapp.core.table.keys import Places, folded, once
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Weighed

Rows = Places | slice
MOST_KINDS = 1 << 20
"""More kinds of records than these are not numbered."""
MOST_TERMS = 64
"""More sums than these in every class cost more than to go through the records."""


@dataclass(frozen=True, eq=False)
class Sums:
    """What is added up over the records of a class: a weight for each, if they differ, and some more numbers.

    Attributes
    ----------
    weights : of every record; None when all count alike
    terms : more numbers, for every record; where `kinds` is given, for every kind of record
    kinds : the kind of every record, where few numbers stand for all
    """

    weights: Floats | None
    terms: Sequence[Floats]
    kinds: Places | None = None

    def scaled(self, scale: float) -> list[Floats]:
        """All of it, the weights first as they are, the other numbers scaled."""
        weights = [] if self.weights is None else [self.weights]
        return weights + [term * scale for term in self.terms]


@dataclass(frozen=True, eq=False)
class Part:
    """What one attribute weighs at one level: `common` to all, by `leaf` where a class tells, or `each` record's."""

    common: float = 0.0
    leaf: Floats | None = None
    each: Callable[[Rows], Floats] | None = None


@dataclass(frozen=True, eq=False)
class Terms:
    """Φ taken apart for one dictionary.

    Attributes
    ----------
    sums : what is added up over the records of a class
    felt : what the fields add to φ
    common : for each attribute and level what all records have
    summed : for each attribute and level its column among the sums, −1 for none; for a product the strides
    pairs : for each pair its attributes, its weight for everybody, and its column among the sums or −1
    """

    sums: Sums
    felt: Felt
    common: tuple[Floats, ...]
    summed: tuple[Places, ...]
    pairs: tuple[tuple[int, int, float, int], ...]
    products: int


def taken_apart(problem: Problem, fields: Sequence[Field]) -> Terms | None:
    """Φ for these fields; None when there is no way but to go through the records."""
    phi = problem.sensitivity
    if problem.loss.model == "anonymity":
        return _without_harm(problem, fields)
    if phi.person_total is not None and (phi.family == "multiplicative" or problem.loss.unidentified):
        return None
    told = {field.place: field for field in fields}
    parts = [
        [_part(weighed, level, told.get(place)) for level in range(weighed.height + (weighed.kept))]
        for place, weighed in enumerate(problem.columns)
    ]
    rows, kinds = _kinds(problem, parts)
    made = (_added if phi.family == "linear" else _multiplied)(problem, parts, rows, kinds)
    if made is None:
        return None
    sums, summed, pairs, products = made
    return Terms(sums, _felt(fields, parts), _common(problem, parts), summed, pairs, products)


def _without_harm(problem: Problem, fields: Sequence[Field]) -> Terms:
    nothing = [[None] * (field.steps + 1) for field in fields]
    levels = [np.zeros(weighed.height + 1) for weighed in problem.columns]
    none = [np.full(weighed.height + 1, -1) for weighed in problem.columns]
    return Terms(Sums(problem.record_weights, ()), nothing, tuple(levels), tuple(none), (), 0)


def _part(weighed: Weighed, level: int, field: Field | None) -> Part:
    occurring = np.flatnonzero(np.bincount(weighed.column.codes, minlength=1))
    if weighed.personal is not None:
        each = weighed.at(level)
        return Part(common=float(each[0])) if _alike(each) else Part(each=lambda rows: each[rows])
    leaves = weighed.weights.levels[level]
    if _alike(leaves[occurring]):
        return Part(common=float(leaves[occurring[0]]) if len(occurring) else 0.0)
    if field is not None and field.column.level == 0 and _told(weighed, level, occurring):
        return Part(leaf=leaves)
    return Part(each=lambda rows: leaves[weighed.column.codes[rows]])


def _alike(numbers: Floats) -> bool:
    return not len(numbers) or bool((numbers == numbers[0]).all())


def _told(weighed: Weighed, level: int, occurring: Places) -> bool:
    """Whether all leaves of a group that occur weigh the same at this level."""
    groups, leaves = weighed.column.hierarchy.ancestors[level][occurring], weighed.weights.levels[level][occurring]
    least, most = np.full(groups.max() + 1, np.inf), np.full(groups.max() + 1, -np.inf)
    np.minimum.at(least, groups, leaves)
    np.maximum.at(most, groups, leaves)
    return bool((least == most)[groups].all())


def _felt(fields: Sequence[Field], parts: Sequence[Sequence[Part]]) -> Felt:
    felt: list[list[Floats | None]] = []
    for field in fields:
        felt.append([None] * (field.steps + 1))
        for level, part in enumerate(parts[field.place]):
            if part.leaf is not None:
                felt[-1][level] = field.by_number(level, part.leaf)
    return felt


def _common(problem: Problem, parts: Sequence[Sequence[Part]]) -> tuple[Floats, ...]:
    """At the top there is nothing in common but 0."""
    levels = zip(problem.columns, parts, strict=True)
    return tuple(
        np.array([part.common for part in own] + [0.0] * (weighed.height + 1 - len(own))) for weighed, own in levels
    )


def _kinds(problem: Problem, parts: Sequence[Sequence[Part]]) -> tuple[Rows, Places | None]:
    """One record of each kind, and the kind of every record, where what is added up depends on few codes alone."""
    apart = {place for place, levels in enumerate(parts) if any(part.each is not None for part in levels)}
    apart |= {place for one, other, _, both in _pairs(problem) if both is not None for place in (one, other)}
    personal = any(problem.columns[place].personal is not None for place in apart)
    if not apart or personal or _factors(problem) is not None:
        return slice(None), None
    columns = [problem.column(place) for place in sorted(apart)]
    keys = folded([[column.codes for column in columns]], [column.size(0) for column in columns])
    if keys.size > MOST_KINDS:
        return slice(None), None
    found = once(keys.numbers, keys.size)
    return found.first, found.kind


def _factors(problem: Problem) -> Floats | None:
    """What each record's weights count: its weight in the mean, times what brings its person to the total."""
    totals = problem.sensitivity.totals
    weights = problem.record_weights
    if totals is None:
        return weights
    leaves, most = totals
    return most / leaves if weights is None else weights * most / leaves


Made = tuple[Sums, tuple[np.ndarray, ...], tuple[tuple[int, int, float, int], ...], int]


def _added(problem: Problem, parts: Sequence[Sequence[Part]], rows: Rows, kinds: Places | None) -> Made | None:
    factors = _factors(problem)
    terms: list[Floats] = []
    summed = []
    for weighed, levels in zip(problem.columns, parts, strict=True):
        own, before = np.full(weighed.height + 1, -1), None
        for level, part in enumerate(levels):
            if part.each is not None:
                each = part.each(rows)
                if before is None or not np.array_equal(before, each):
                    terms.append(each if factors is None else times(factors, each))
                own[level], before = len(terms) - 1, each
        summed.append(own)
    pairs = []
    for one, other, weight, both in _pairs(problem):
        if both is not None:
            terms.append(both[rows] if factors is None else times(factors, both))
        pairs.append((one, other, weight, -1 if both is None else len(terms) - 1))
    return (Sums(factors, terms, kinds), tuple(summed), tuple(pairs), 0) if len(terms) <= MOST_TERMS else None


def _pairs(problem: Problem) -> Iterator[tuple[int, int, float, Floats | None]]:
    """Each pair with its weight, and by record where something is missing."""
    places = {name: place for place, name in enumerate(problem.names)}
    for pair in problem.sensitivity.pairs:
        one, other = places[pair.one], places[pair.other]
        there = (problem.column(one).codes > 0) & (problem.column(other).codes > 0)
        yield one, other, pair.weight, None if there.all() else np.where(there, pair.weight, 0.0)


def _multiplied(problem: Problem, parts: Sequence[Sequence[Part]], rows: Rows, kinds: Places | None) -> Made | None:
    pairs = list(_pairs(problem))
    apart = [place for place, levels in enumerate(parts) if any(part.each is not None for part in levels)]
    choices = [problem.columns[place].height + 1 for place in apart]
    if prod(choices) > MOST_TERMS or any(both is not None for *_, both in pairs):
        return None
    weights, terms = problem.record_weights, []
    size = len(problem) if kinds is None else len(problem.column(0).codes[rows])
    if apart:
        for node in product(*map(range, choices)):
            each = [_each(parts[place], level, rows, size) for place, level in zip(apart, node, strict=True)]
            with np.errstate(over="ignore"):
                factor = np.exp(np.sum(each, axis=0))
            terms.append(factor if weights is None else times(weights, factor))
    summed = [np.full(weighed.height + 1, -1) for weighed in problem.columns]
    for position, place in enumerate(apart):
        summed[place] = np.arange(choices[position]) * prod(choices[position + 1 :])
    plain = tuple((one, other, weight, -1) for one, other, weight, _ in pairs)
    return Sums(weights, terms, kinds), tuple(summed), plain, len(terms)


def _each(levels: Sequence[Part], level: int, rows: Rows, size: int) -> Floats:
    each = levels[level].each if level < len(levels) else None
    return np.zeros(size) if each is None else each(rows)
