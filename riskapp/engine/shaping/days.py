"""Dates: written year first they have a hierarchy of their own; other forms are written out as rows day by day."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from riskapp.core.bad_setting import BadSetting
from riskapp.engine.profile.dates import MONTH_WORD, MONTHS
from riskapp.engine.shaping.fitting import Column, commonest, fitted
from riskapp.engine.shaping.opened import MOST_LEAVES

STEPS: list[list[str]] = [["month", "year"], ["year"], ["month"]]
HEADER = ["day", "month", "year"]
SOME = 5_000
"""Of too many values so many are looked at."""
_TIME = r"(?P<time>[T ,].*)?"
_YEAR = r"(?P<year>\d{4}|\d\d)"
YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})([-/.]?)(?P<month>\d\d)\2(?P<day>\d\d){_TIME}")
DAY_FIRST = re.compile(rf"(?P<day>\d\d?)([-/.])(?P<month>\d\d?)\2{_YEAR}{_TIME}")
MONTH_FIRST = re.compile(rf"(?P<month>\d\d?)([-/.])(?P<day>\d\d?)\2{_YEAR}{_TIME}")
WORD_SECOND = re.compile(
    rf"(?P<day>\d\d?)(?:\.|st|nd|rd|th)?[ -]?(?:de )?(?P<word>{MONTH_WORD})[ -]?(?:de )?{_YEAR}{_TIME}"
)
WORD_FIRST = re.compile(rf"(?P<word>{MONTH_WORD}) (?P<day>\d\d?)(?:st|nd|rd|th)?,? (?P<year>\d{{4}}){_TIME}")
MONTH_ONLY = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d\d)|(?P<first>\d\d?)[/.](?P<last>\d{4})")
NUMBER_OF = {word: number for number, line in enumerate(MONTHS.split("\n")) for word in line.split()}
"""The months by their names in several languages."""
LEAP = "2000"


class Day(NamedTuple):
    """A day as it was written: a year of two digits stays one, for nobody knows its century."""

    year: str
    month: int
    day: int
    timed: bool

    @property
    def groups(self) -> list[str]:
        month = f"{self.year}-{self.month:02d}"
        return [f"{month}-{self.day:02d}", month, self.year]


Read = Callable[[str], Day | None]


def specs(column: Column) -> list[dict[str, Any]]:
    """Day, month and year, or with a step left out.

    Dates with time, with the day or the month first, with the name of the month, or without day become rows whose
    groups are written 1975-05 and 1975; of a time the day is a group too. Where both 3 April and 4 March can be meant
    throughout, day first and month first are both offered.

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
    return [{"rows": rows, "header": _header(rows)} for rows in different]


def _header(rows: list[list[str]]) -> list[str]:
    return HEADER if len(rows[0]) == len(HEADER) + 1 else ["time", *HEADER]


def _rows(column: Column, read: Read) -> list[list[str]]:
    """A row for each value that is a date; a value without a day is its own group."""
    found = {value: day for value in column.values.to_pylist() if (day := _month(value) or read(value.strip()))}
    begin = 0 if any(day.timed for day in found.values()) else 1
    return [[value, *_groups(value, day)[begin:], "*"] for value, day in found.items()]


def _groups(value: str, day: Day) -> list[str]:
    return day.groups if day.day else [value, *day.groups[1:]]


def _month(value: str) -> Day | None:
    """A month without a day: its day is 0."""
    met = MONTH_ONLY.fullmatch(value.strip())
    year, month = (met["year"] or met["last"], int(met["month"] or met["first"])) if met else ("", 0)
    return Day(year, month, 0, timed=False) if 1 <= month <= 12 else None


def _day_first(value: str) -> Day | None:
    return _day(DAY_FIRST.fullmatch(value) or _by_itself(value))


def _month_first(value: str) -> Day | None:
    return _day(MONTH_FIRST.fullmatch(value) or _by_itself(value))


def _by_itself(value: str) -> re.Match[str] | None:
    """A date that says which of its parts is the month."""
    return YEAR_FIRST.fullmatch(value) or WORD_SECOND.fullmatch(value) or WORD_FIRST.fullmatch(value)


def _day(met: re.Match[str] | None) -> Day | None:
    if met is None:
        return None
    said = met.groupdict()
    month = int(said["month"]) if "month" in said else NUMBER_OF[said["word"].casefold().rstrip(".")]
    found = Day(said["year"], month, int(said["day"]), timed=said["time"] is not None)
    return found if _in_calendar(found) else None


def _in_calendar(day: Day) -> bool:
    try:
        date(int(day.year if len(day.year) == 4 else LEAP), day.month, day.day)
    except ValueError:
        return False
    return True
