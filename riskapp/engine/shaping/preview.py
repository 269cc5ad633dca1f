"""The preview of a hierarchy over a column: level by level, how many groups there are and how many records are alone.

`preview` tells counts only. `seen_examples` and `seen_uncovered` give values out, for an audited page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping.fitting import Column, Fitted, Spec, column_at, fitted
from riskapp.engine.shaping.homes import homes

EXAMPLES = 5
UNCOVERED = 100


@dataclass(frozen=True)
class Level:
    """One level: its groups that occur, the records in the smallest of them, and those alone in theirs."""

    number: int
    name: str
    groups: int
    smallest: int
    alone: int
    alone_share: float


@dataclass(frozen=True)
class Uncovered:
    """What the hierarchy has no place for."""

    values: int
    records: int
    share: float


@dataclass(frozen=True)
class Preview:
    """A hierarchy over a column; missing cells and values not covered are in no group. Shares are of all records."""

    records: int
    missing: int
    uncovered: Uncovered
    levels: tuple[Level, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def preview(table: CodedTable, column: int, spec: Spec) -> Preview:
    """The preview of a spec over the column at a position of a table.

    Raises
    ------
    BadSetting
        If the spec describes no hierarchy; values that it does not cover are counted, not refused.
    """
    return of_column(column_at(table, column), spec)


def of_column(column: Column, spec: Spec) -> Preview:
    """The same for a column that is counted already: enough while somebody tries one spec after the other."""
    return of_fit(fitted(column, spec))


def of_fit(fit: Fitted) -> Preview:
    """The same for a hierarchy and a column that are put together already."""
    column = fit.column
    return Preview(
        records=column.rows,
        missing=column.rows - int(column.records.sum()),
        uncovered=_uncovered(fit),
        levels=tuple(_level(fit, number, records) for number, records in enumerate(records_by_level(fit))),
    )


def _uncovered(fit: Fitted) -> Uncovered:
    records = int(fit.column.records[~fit.covered].sum())
    return Uncovered(int((~fit.covered).sum()), records, _share(records, fit.column))


def records_by_level(fit: Fitted) -> list[Counts]:
    """For each level the records under every code, from the leaves up."""
    hierarchy = fit.hierarchy
    found = [_summed(fit.codes[fit.covered], fit.column.records[fit.covered], hierarchy.groups[0])]
    for parents, groups in zip(hierarchy.parents, hierarchy.groups[1:], strict=True):
        found.append(_summed(parents, found[-1], groups))
    return found


def _summed(codes: Codes, records: Counts, groups: int) -> Counts:
    # Sums of records are far below 2⁵³, so as floating-point numbers they are exact.
    return np.bincount(codes, weights=records, minlength=groups + 1).astype(np.int64)


def _level(fit: Fitted, number: int, records: Counts) -> Level:
    met = records[records > 0]
    alone = int((met == 1).sum())
    smallest = int(met.min()) if len(met) else 0
    return Level(number, fit.hierarchy.names[number], len(met), smallest, alone, _share(alone, fit.column))


def _share(records: int, column: Column) -> float:
    return records / column.rows if column.rows else 0.0


# What gives values out


def seen_examples(table: CodedTable, column: int, spec: Spec, most: int = EXAMPLES) -> list[list[dict[str, Any]]]:
    """The commonest values, each as a ladder: for every level its label there and how many records share it.

    This gives values out: it is called behind an audited click only.
    """
    fit = fitted(column_at(table, column), spec)
    by_level = records_by_level(fit)
    leaves = np.argsort(-by_level[0][1:], kind="stable")[:most] + 1
    return [_ladder(fit, by_level, int(leaf)) for leaf in leaves if by_level[0][leaf]]


def _ladder(fit: Fitted, by_level: Sequence[Counts], leaf: int) -> list[dict[str, Any]]:
    codes = fit.hierarchy.ancestors[:, leaf].tolist()
    labels = fit.hierarchy.labels
    return [
        {"label": labels[level][code].as_py(), "records": int(by_level[level][code])}
        for level, code in enumerate(codes)
    ]


def seen_uncovered(
    table: CodedTable, column: int, spec: Spec, most: int = UNCOVERED, level: int | str = 0, offers: bool = True
) -> list[Mapping[str, Any]]:
    """The commonest values that the hierarchy has no place for, each with its records and the groups it may belong to.

    A home is a group of the next level, as `tree.add_values` takes it. Dates, intervals and masks have none to offer:
    there the values are to be mended. This gives values out: it is called behind an audited click only.

    Parameters
    ----------
    level : the level whose labels the column holds
    offers : whether homes are looked for
    """
    fit = fitted(column_at(table, column), spec, level)
    outside = np.flatnonzero(~fit.covered)
    chosen = outside[np.argsort(-fit.column.records[outside], kind="stable")[:most]]
    values = [fit.column.values[int(place)].as_py() for place in chosen]
    offered = homes(fit.hierarchy, values, spec, level) if offers else [[] for _ in values]
    return [
        {"value": value, "records": int(fit.column.records[place]), "homes": found}
        for value, place, found in zip(values, chosen, offered, strict=True)
    ]
