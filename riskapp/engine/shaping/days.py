"""Dates: written year first they have a hierarchy of their own; other forms are written out as rows day by day."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.shaping.fitting import Column, commonest, fitted
from riskapp.engine.shaping.opened import MOST_LEAVES

STEPS: list[list[str]] = [["month", "year"], ["year"], ["month"]]
HEADER = ["day", "month", "year"]
SOME = 5_000
"""Of too many values so many are looked at."""
_TIME = r"(?:[T ,].*)?"
YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.]?)(\d\d)\2(\d\d){_TIME}")
YEAR_LAST = re.compile(rf"(\d\d?)([-/.])(\d\d?)\2(\d{{4}}){_TIME}")
MONTH_ONLY = re.compile(r"(\d{4})[-/.](\d\d)")

Read = Callable[[str], date | None]


def specs(column: Column) -> list[dict[str, Any]]:
    """Day, month and year, or with a step left out.

    Dates with time, with the day or the month first, or without day become rows whose groups are written 1975-05 and
    1975. Where both 3 April and 4 March can be meant throughout, day first and month first are both offered.

    Raises
    ------
    BadSetting
        If fewer than half of the values are dates that can be read, or if there are too many to write out.
    """
    plain = fitted(column, {"dates": STEPS[0]}).covered.sum()
    many = len(column.values) > MOST_LEAVES
    if plain == len(column.values) > 0 or (many and 2 * plain >= len(column.values)):
        return [{"dates": steps} for steps in STEPS]
    looked_at = commonest(column, SOME) if many else column
    ways = sorted((_rows(looked_at, read) for read in (_day_first, _month_first)), key=len, reverse=True)
    if not many and plain >= len(ways[0]) > 0:
        return [{"dates": steps} for steps in STEPS]
    if 2 * len(ways[0]) < len(looked_at.values) or not ways[0]:
        raise BadSetting(column.key, "Fewer than half of the values are dates. Choose another kind of hierarchy.")
    if many:
        told = f"The column has {len(column.values)} different values. Up to {MOST_LEAVES} can be grouped one by one."
        raise BadSetting(column.key, f"{told} Hide signs from the right, or upload the days without their times.")
    different = [rows for place, rows in enumerate(ways) if len(rows) == len(ways[0]) and rows not in ways[:place]]
    return [{"rows": rows, "header": list(HEADER)} for rows in different]


def _rows(column: Column, read: Read) -> list[list[str]]:
    """A row for each value that is a date; a value without a day is its own group."""
    found = []
    for value in column.values.to_pylist():
        month = MONTH_ONLY.fullmatch(value.strip())
        day = None if month else read(value.strip())
        if day is not None:
            found.append([value, f"{day:%Y-%m}", f"{day:%Y}", "*"])
        elif month and 1 <= int(month[2]) <= 12:
            found.append([value, f"{month[1]}-{month[2]}", month[1], "*"])
    return found


def _day_first(value: str) -> date | None:
    last = YEAR_LAST.fullmatch(value)
    return _date(last[4], last[3], last[1]) if last else _year_first(value)


def _month_first(value: str) -> date | None:
    last = YEAR_LAST.fullmatch(value)
    return _date(last[4], last[1], last[3]) if last else _year_first(value)


def _year_first(value: str) -> date | None:
    first = YEAR_FIRST.fullmatch(value)
    return _date(first[1], first[3], first[4]) if first else None


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
