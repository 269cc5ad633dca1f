"""Analyses named beforehand, done on the data and on the release, so that both answers can be compared.

* *counts* by columns: a row whose labels stand for several values is spread evenly over them;
* *mean* of a column, in all and within the groups that the release shows in another;
* *regression* of a column on others, by least squares.

In the release an interval is read as its midpoint, a month or a year as its middle day. What says no number is left
out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import BadSetting, check_choice
from riskapp.core.table.keys import folded, once
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released, shown_codes
from riskapp.engine.assess import Prepared
from riskapp.engine.plain_json import in_words
from riskapp.engine.releasing.numbers import Floats, in_days, midpoints

KINDS = ("counts", "mean", "regression")
MOST = 5
MOST_CELLS = 1_000_000
MOST_GROUPS = 100
"""Groups beyond so many are counted and not listed."""
MIDPOINTS = "Generalised numbers are read as the midpoints of their labels."
DAYS = "Dates are counted in days since 1970-01-01."


@dataclass(frozen=True)
class Analysis:
    """One analysis.

    Attributes
    ----------
    name : how it is called
    kind : counts, mean or regression
    columns : to count by, to group by (none or one), or to explain by
    of : the column whose mean is taken or that is explained

    Raises
    ------
    BadSetting
        If there is no such kind, or the columns do not go with it.
    """

    name: str
    kind: str
    columns: tuple[str, ...] = ()
    of: str | None = None

    def __post_init__(self) -> None:
        check_choice(f"analyses.{self.name}", self.kind, KINDS)
        if (self.kind == "counts") == (self.of is not None) or (self.kind != "mean" and not self.columns):
            told = "Counts need columns; a mean needs a column; a regression needs both."
            raise BadSetting(f"analyses.{self.name}", told)

    @classmethod
    def of_told(cls, told: Mapping[str, Any]) -> "Analysis":
        """The analysis as a proposal tells it.

        >>> Analysis.of_told({"name": "ages", "kind": "mean", "of": "age"})
        Analysis(name='ages', kind='mean', columns=(), of='age')
        """
        return cls(str(told["name"]), str(told["kind"]), tuple(told.get("columns", ())), told.get("of") or None)


def compared(prepared: Prepared, released: Released, wanted: Sequence[Analysis]) -> list[dict[str, Any]]:
    """Every analysis before and after. The answers hold labels of the data: they are for who may see the release.

    Raises
    ------
    BadSetting
        If there are more than five, or a column is not released or has no numbers.
    """
    if len(wanted) > MOST:
        raise BadSetting("analyses", f"Name at most {MOST} analyses.")
    found = [_one(_Tables(prepared, released), analysis) for analysis in wanted]
    told: list[dict[str, Any]] = in_words(found)
    return told


@dataclass(frozen=True, eq=False)
class _Tables:
    """The records as they are and as they are released."""

    prepared: Prepared
    released: Released

    @property
    def problem(self) -> Problem:
        return self.prepared.problem

    def place(self, analysis: Analysis, name: str) -> int:
        if name not in self.problem.names:
            raise BadSetting(f"analyses.{analysis.name}", f"Column {name} is not released. Name one that is.")
        return self.problem.names.index(name)

    def numbers(self, analysis: Analysis, name: str) -> tuple[Floats, Floats]:
        """A column as numbers, before and after."""
        place = self.place(analysis, name)
        hierarchy = self.problem.hierarchies[place]
        every = midpoints(self.prepared.assessment.attributes[name], hierarchy)
        starts = np.cumsum([0, *(len(labels) for labels in hierarchy.labels[:-1])])
        codes = self.problem.column(place).codes
        levels = np.broadcast_to(np.asarray(self.released.levels[place]), len(codes))
        after = every[starts[levels] + hierarchy.ancestors[levels, codes]]
        return every[codes], np.where(self.released.suppressed, np.nan, after)

    def dated(self, analysis: Analysis, names: Sequence[str]) -> bool:
        attributes, trees = self.prepared.assessment.attributes, self.problem.hierarchies
        return any(in_days(attributes[name], trees[self.place(analysis, name)]) for name in names)

    def touched(self, analysis: Analysis, names: Sequence[str]) -> npt.NDArray[np.bool_]:
        """The rows in which the release hides or coarsens one of the columns."""
        levels = [np.asarray(self.released.levels[self.place(analysis, name)]) for name in names]
        coarser = [np.broadcast_to(level > 0, len(self.problem)) for level in levels]
        found: npt.NDArray[np.bool_] = np.any([self.released.suppressed, *coarser], axis=0)
        return found

    def generalised(self, analysis: Analysis, names: Sequence[str]) -> bool:
        """Whether a row shows a label of some column that stands for several values; hidden ones show none."""
        return any(self._shows_labels(self.place(analysis, name)) for name in names)

    def _shows_labels(self, place: int) -> bool:
        levels = np.broadcast_to(np.asarray(self.released.levels[place]), len(self.problem))
        labelled = (levels > 0) & (levels < self.problem.hierarchies[place].height)
        return bool(np.any(labelled & ~self.released.suppressed))


def _one(tables: _Tables, analysis: Analysis) -> dict[str, Any]:
    found = {"counts": _counts, "mean": _mean, "regression": _regression}[analysis.kind](tables, analysis)
    of = [analysis.of] if analysis.of else []
    numeric = [*of, *(analysis.columns if analysis.kind == "regression" else ())]
    read = [MIDPOINTS] if tables.generalised(analysis, numeric) else []
    read += [DAYS] if tables.dated(analysis, numeric) else []
    return {
        "name": analysis.name,
        "kind": analysis.kind,
        "columns": list(analysis.columns),
        "of": analysis.of,
        **found,
        "read": " ".join(read) or None,
    }


def _counts(tables: _Tables, analysis: Analysis) -> dict[str, Any]:
    """How many rows have each combination of values, and what share of the rows the release puts elsewhere."""
    places = [tables.place(analysis, name) for name in analysis.columns]
    trees = [tables.problem.hierarchies[place] for place in places]
    sizes = [tree.groups[0] + 1 for tree in trees]
    if np.prod([float(size) for size in sizes]) > MOST_CELLS:
        return {"not_done": "The columns have too many combinations of values. Name fewer, or coarser ones."}
    codes = [tables.problem.column(place).codes for place in places]
    before = np.bincount(folded([codes], sizes).numbers, minlength=int(np.prod(sizes))).astype(np.float64)
    after = _spread(tables, places, sizes)
    order = np.argsort(-before, kind="stable")
    order = order[(before[order] > 0) | (after[order] > 0)]
    rows = [
        {
            "values": [tree.labels[0][int(code)].as_py() for tree, code in zip(trees, at, strict=True)],
            "before": int(before[cell]),
            "after": float(after[cell]),
        }
        for cell in order[:MOST_GROUPS].tolist()
        for at in [np.unravel_index(cell, sizes)]
    ]
    return {
        **_counted(tables.touched(analysis, analysis.columns)),
        "rows": rows,
        "more": max(0, len(order) - MOST_GROUPS),
        "elsewhere": float(np.abs(before - after).sum() / 2 / max(1.0, before.sum())),
    }


def _counted(touched: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_] | None = None) -> dict[str, int]:
    """How many rows are hidden or coarsened, as the release shows, and how many of them have part in the answer."""
    both = touched if known is None else touched & known
    return {"touched": int(touched.sum()), "taking_part": int(both.sum())}


def _spread(tables: _Tables, places: Sequence[int], sizes: Sequence[int]) -> Floats:
    """Every row spread evenly over the combinations of values that its labels may stand for."""
    released, cells = tables.released.only(places), np.zeros(tuple(sizes))
    kinds = once(*_numbers_and_size(released))
    for first, times in zip(kinds.first.tolist(), kinds.times.tolist(), strict=True):
        shares = []
        for place, tree in enumerate(released.hierarchies):
            code = int(released.records.columns[place].codes[first])
            level = int(np.broadcast_to(np.asarray(released.levels[place]), len(released.records))[first])
            level = tree.height if released.suppressed[first] else level
            shares.append(_share(tree.ancestors[level], tree.ancestors[level, code], level == tree.height))
        cells[np.ix_(*(share.nonzero()[0] for share in shares))] += times * _outer(shares)
    return cells.ravel()


def _numbers_and_size(released: Released) -> tuple[npt.NDArray[np.int64], int]:
    """A number for every row that is the same where the same is released, missing apart."""
    columns, sizes = [], []
    for place, tree in enumerate(released.hierarchies):
        levels = np.broadcast_to(np.asarray(released.levels[place]), len(released.records))
        levels = np.where(released.suppressed, tree.height, levels)
        codes = tree.ancestors[levels, released.records.columns[place].codes]
        columns += [levels.astype(np.int32), np.where(levels == tree.height, 1, codes).astype(np.int32)]
        sizes += [tree.height + 1, max(tree.groups) + 1]
    keys = folded([columns], sizes)
    return keys.numbers, keys.size


def _share(ancestors: npt.NDArray[np.int32], code: int, at_top: bool) -> Floats:
    """For every leaf code the part of a cell that falls on it; `*` may be any value, missing is missing."""
    missing = np.arange(len(ancestors)) == 0
    fits = ~missing if at_top else (ancestors == code) & (missing == (code == 0))
    fits = fits if fits.any() else missing
    shares: Floats = fits / fits.sum()
    return shares


def _outer(shares: Sequence[Floats]) -> Floats:
    found = np.ones(())
    for share in shares:
        found = np.multiply.outer(found, share[share > 0])
    return found


def _mean(tables: _Tables, analysis: Analysis) -> dict[str, Any]:
    before, after = tables.numbers(analysis, str(analysis.of))
    touched = tables.touched(analysis, [str(analysis.of)])
    found: dict[str, Any] = {
        **_counted(touched, ~np.isnan(before)),
        "before": _average(before),
        "after": _average(after),
        "spread": float(np.nanstd(before)) if not np.isnan(before).all() else None,
        "left_out": {"before": int(np.isnan(before).sum()), "after": int(np.isnan(after).sum())},
    }
    for name in analysis.columns[:1]:
        found["groups"] = _groups(tables, tables.place(analysis, name), (before, after), touched)
    return found


def _groups(
    tables: _Tables, place: int, numbers: tuple[Floats, Floats], touched: npt.NDArray[np.bool_]
) -> list[dict[str, Any]]:
    """The means in every group that the release shows in a column."""
    before, after = numbers
    both = ~np.isnan(before) & ~np.isnan(after)
    released, tree = tables.released, tables.problem.hierarchies[place]
    levels = np.broadcast_to(np.asarray(released.levels[place]), len(both))
    levels = np.where(released.suppressed, tree.height, levels)
    codes = tables.problem.column(place).codes
    shown = shown_codes(tree)[levels, codes]
    rows = list[dict[str, Any]]()
    for group in np.unique(shown).tolist():
        mine = (shown == group) & both
        if not mine.any():
            continue
        first = int(np.flatnonzero(mine)[0])
        level = int(levels[first])
        label = tree.labels[level][int(tree.ancestors[level, codes[first]])].as_py()
        means = {"before": _average(before[mine]), "after": _average(after[mine])}
        rows.append({"label": label, "rows": int(mine.sum()), **_counted(mine & touched), **means})
    return sorted(rows, key=lambda row: -row["rows"])[:MOST_GROUPS]


def _average(numbers: Floats) -> float | None:
    there = numbers[~np.isnan(numbers)]
    return float(there.mean()) if len(there) else None


def _regression(tables: _Tables, analysis: Analysis) -> dict[str, Any]:
    """The coefficients by least squares, each with the rows that say everything."""
    names = [str(analysis.of), *analysis.columns]
    columns = [tables.numbers(analysis, name) for name in names]
    known = ~np.any([np.isnan(before) for before, _ in columns], axis=0)
    ways = {"before": 0, "after": 1}
    return {
        **_counted(tables.touched(analysis, names), known),
        **{how: _least_squares(names[1:], [pair[at] for pair in columns]) for how, at in ways.items()},
    }


def _least_squares(names: Sequence[str], columns: Sequence[Floats]) -> dict[str, Any] | None:
    table = np.stack(columns, axis=1)
    table = table[~np.isnan(table).any(axis=1)]
    if len(table) <= len(names):
        return None
    explained, given = table[:, 0], np.column_stack([np.ones(len(table)), table[:, 1:]])
    found, _, rank, _ = np.linalg.lstsq(given, explained, rcond=None)
    if rank < given.shape[1]:
        return None
    rest = explained - given @ found
    spread = ((explained - explained.mean()) ** 2).sum()
    return {
        "rows": len(table),
        "coefficients": dict(zip(["(constant)", *names], found.tolist(), strict=True)),
        "explained": float(1 - (rest**2).sum() / spread) if spread else None,
    }
