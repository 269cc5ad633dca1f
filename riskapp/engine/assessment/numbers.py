"""Columns of numbers: every distinct value is read once, and a row that holds no such number is told by its place."""

import re
from collections.abc import Callable

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import Numbers
from riskapp.core.table.hierarchy import Counts
from riskapp.engine.assessment.given import number_in
from riskapp.engine.assessment.tables import Column
from riskapp.engine.reading.faults import counted

WHOLE = re.compile(r"\d{1,15}", re.ASCII)
MOST_PEOPLE = 2**53


def amount_in(cell: str) -> float:
    """The number ≥ 0 in a cell; NaN for anything else.

    >>> amount_in("0.5"), amount_in(" inf"), amount_in("-1"), amount_in("much")
    (0.5, inf, nan, nan)
    """
    number = number_in(cell.strip())
    return float("nan") if number is None or number < 0 else number


def amounts(column: Column, key: str, *, finite: bool = False, needed: bool = False) -> Numbers:
    """The numbers ≥ 0 of a column, NaN where a cell is missing.

    Parameters
    ----------
    column : what is read
    key : the key that names it, for the message
    finite : whether ∞ is refused
    needed : whether a missing cell is refused
    """
    told = f"a {'finite ' if finite else ''}number that is not below 0"
    found = _read(column, key, amount_in, told, needed=needed)
    if finite:
        _refuse(column, key, np.isinf(found), told)
    return found[column.codes]


def people(column: Column, key: str) -> Counts:
    """For how many people every row stands: whole numbers, none missing."""
    found = _read(column, key, _whole, "a whole number", needed=True)
    numbers = np.nan_to_num(found)[column.codes]
    if numbers.sum() > MOST_PEOPLE:
        raise BadSetting(key, "These are more people than can be counted. Give smaller numbers.")
    return numbers.astype(np.int64)


def _whole(cell: str) -> float:
    return float(cell) if WHOLE.fullmatch(cell) else float("nan")


def _read(column: Column, key: str, read: Callable[[str], float], told: str, *, needed: bool) -> Numbers:
    """The number of every distinct value; missing, the first, is NaN."""
    found = np.array([float("nan"), *(read(cell) for cell in column.values.drop_null().to_pylist())])
    wrong = np.isnan(found)
    wrong[0] = needed
    _refuse(column, key, wrong, told)
    return found


def _refuse(column: Column, key: str, wrong: np.ndarray[tuple[int], np.dtype[np.bool_]], told: str) -> None:
    rows = np.flatnonzero(wrong[column.codes])
    if len(rows):
        where = f"in {counted(len(rows), 'row')}, first in row {column.row(int(rows[0]))}"
        raise BadSetting(key, f'Column "{column.name}" does not hold {told} {where}. Mend these cells.')
