"""Warnings about groups whose values are the same, nearly the same, or far from the whole table's."""

from collections.abc import Iterator

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.measure import grouped
from riskapp.core.table.anonymity import Groups, value_counts
from riskapp.core.table.inference import inferences
from riskapp.core.table.problem import Sensitive
from riskapp.engine.releasing.attack.inferring import inferred
from riskapp.engine.releasing.report.words import so_many
from riskapp.engine.releasing.warnings.warned import Warned, that_of
from riskapp.engine.ruling import Ruling

SKEWED = 0.3
"""A group whose share of the true value is so much above the table's teaches a reader something."""
SIMILAR = 0.1
"""Values within so small a part of the whole range are as good as one value."""


def homogeneous(found: Ruling) -> Iterator[Warned]:
    for column, told in inferred(found).items():
        if told["people"]:
            groups, many = told["homogeneous_groups"], told["people"]
            about = f"In {so_many(groups, 'group')} everybody has the same {column}: that of {that_of(many)} known."
            yield Warned("homogeneous", column, many, about, _against_one_value(found, column))


def _against_one_value(found: Ruling, column: str) -> str:
    """What to do where all of a group have one value; a column that forms the groups has one in each by itself."""
    if found.problem.names.index(column) in found.problem.grouped:
        return (
            f"{column} itself forms the groups. If nobody can know it beforehand let it be released unchanged; else "
            "coarser, or not at all."
        )
    return f"Make groups larger, ask for several values of {column} in each (l) in the next run, or drop it."


def skewed(found: Ruling) -> Iterator[Warned]:
    groups = grouped(found.problem, found.released)
    for column in found.problem.sensitive:
        rises = inferences(groups, column.codes)
        single = _single(groups, column)
        many = int(((rises > SKEWED) & ~single).sum())
        if many:
            about = (
                f"For {so_many(many, 'record')} the group says much more about {column.name} than the whole table "
                f"does: the share of its value is higher by more than {100 * SKEWED:.0f} percentage "
                "points."
            )
            yield Warned("skewed", column.name, many, about, _ask_t(column.name))


def _ask_t(column: str) -> str:
    return f"Ask for shares of {column} like the whole table's (t) in the next run, or take a coarser rule."


def _single(groups: Groups, column: Sensitive) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which rows are in a group where everybody has the same value."""
    rows = np.zeros(len(groups.group), dtype=np.bool_)
    if len(groups):
        one = np.bincount(value_counts(groups, column.codes).group) == 1
        rows[groups.released] = one[groups.group[groups.released]]
    return rows


def similar(found: Ruling) -> Iterator[Warned]:
    groups = grouped(found.problem, found.released)
    for column in found.problem.sensitive if len(groups) else ():
        numbers = _as_numbers(found, column)
        if numbers is None:
            continue
        low, high = _ranges(groups, numbers)
        whole = np.nanmax(numbers) - np.nanmin(numbers)
        several = np.bincount(value_counts(groups, column.codes).group) > 1
        close = several & (high - low <= SIMILAR * whole)
        many = int(groups.people[close].sum())
        if many and whole:
            where = so_many(int(close.sum()), "group")
            same = f"all values of {column.name} are nearly the same, so that of {that_of(many)} known nearly"
            yield Warned("similar", column.name, many, f"In {where} {same}.", _ask_t(column.name))


def _as_numbers(found: Ruling, column: Sensitive) -> Numbers | None:
    """The values as numbers, their places where they have an order; None for categories, NaN for missing."""
    if column.ordered is not None:
        places = column.codes.astype(np.float64)
        return np.where(places > 0, places, np.nan)
    place = found.problem.names.index(column.name)
    try:
        labels = found.problem.hierarchies[place].labels[0].drop_null().to_pylist()
        leaves = np.array([np.nan, *map(float, labels)])
    except ValueError:
        return None
    return leaves[found.problem.column(place).codes] if len(labels) > 1 else None


def _ranges(groups: Groups, numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The least and the largest number in every group; a missing one may be anything."""
    low, high = np.full(len(groups), np.inf), np.full(len(groups), -np.inf)
    rows, group = numbers[groups.released], groups.group[groups.released]
    np.minimum.at(low, group, np.where(np.isnan(rows), -np.inf, rows))
    np.maximum.at(high, group, np.where(np.isnan(rows), np.inf, rows))
    return low, high
