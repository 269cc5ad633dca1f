"""Dates: 1975-05-10 → 1975-05 → 1975 → `*`, or with the month or the year left out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.grow import grown
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.spelling import Spelling, as_written
from riskapp.core.table.value_list import Flags, Texts, ValueList, flags, side_by_side

Months = npt.NDArray[np.datetime64]

LENGTHS = {"day": 10, "month": 7, "year": 4}
FORMS = {"day": "YYYY-MM-DD", "month": "YYYY-MM", "year": "YYYY"}
FIRST = "YYYY-01-01"
PATTERNS = {
    "day": r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$",
    "month": r"^\d{4}-(0[1-9]|1[0-2])$",
    "year": r"^\d{4}$",
}


def from_dates(attribute: str, lists: Sequence[ValueList], steps: Sequence[str] = ("month", "year")) -> Hierarchy:
    """The hierarchy of days, the steps named, and the top.

    n(v) counts calendar days, and m all days of the years that occur at any level of any list.

    Parameters
    ----------
    attribute : the name of the attribute
    lists : the value lists of dataset and dictionaries: days as 1975-05-10, months as 1975-05, years as 1975
    steps : which of month and year there are, in this order

    Raises
    ------
    BadHierarchy
        If the steps are anything else.
    OutsideHierarchy
        If a value is not a date of the calendar, written in this way.

    Examples
    --------
    >>> birth = from_dates("birthdate", [ValueList.of(["1975-05-10"]), ValueList.of(["1976"], level="year")])
    >>> birth.names, [labels.to_pylist()[1:] for labels in birth.labels]
    (('day', 'month', 'year', '3'), [['1975-05-10', '1976-01-01'], ['1975-05', '1976-01'], ['1975', '1976'], ['*']])
    >>> birth.stand_ins, [counts.tolist()[1:] for counts in birth.leaf_counts]
    ((1, 1, 0, 0), [[1, 1], [31, 31], [365, 366], [731]])
    """
    allowed = [[], ["month"], ["year"], ["month", "year"]]
    if isinstance(steps, str) or list(steps) not in allowed:
        raise BadHierarchy(attribute, "Name month, year, or month and year, in this order.", key="dates")
    return grown(Dates(attribute, ("day", *steps)), lists)


@dataclass(frozen=True)
class Dates:
    """The ladder of the calendar: a coarser label is the beginning of a finer one."""

    attribute: str
    steps: tuple[str, ...]
    spelling: Spelling = as_written

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.steps, str(len(self.steps)))

    def refuse(self, listed: ValueList, level: int) -> None:
        step = self.steps[level]
        right = _in_calendar(listed.values, step) | listed.values.is_null().to_numpy(zero_copy_only=False)
        listed.refuse(
            self.attribute, level, ~right, f'not {FORMS[step]}, as the hierarchy of "{self.attribute}" needs.'
        )

    def coarser(self, level: int, labels: Texts) -> Texts:
        return pc.utf8_slice_codeunits(labels, 0, LENGTHS[self.steps[level]])

    def finer(self, level: int, labels: Texts) -> Texts:
        first = FIRST[LENGTHS[self.steps[level]] : LENGTHS[self.steps[level - 1]]]
        return side_by_side(labels, first)

    def leaf_counts(self, labels: Sequence[Texts], parents: Sequence[Codes], leaves: Counts) -> list[Counts]:
        years = pc.unique(pc.utf8_slice_codeunits(labels[-1], 0, LENGTHS["year"]))
        everything = max(1, int(_days(years, "year").sum()))
        return [*(_days(some, step) for some, step in zip(labels, self.steps, strict=True)), np.array([everything])]


def _days(labels: Texts, step: str) -> Counts:
    """The number of calendar days in each day, month or year."""
    if step == "day":
        return np.ones(len(labels), dtype=np.int64)
    first = _months(labels, step)
    length = np.timedelta64(12 if step == "year" else 1, "M")
    days: Counts = ((first + length).astype("datetime64[D]") - first.astype("datetime64[D]")).astype(np.int64)
    return days


def _months(labels: Texts, step: str) -> Months:
    """The month that a label names, for a year its January."""
    months = _number(labels, 5, 7) - 1 if step != "year" else 0
    since: Months = ((_number(labels, 0, 4) - 1970) * 12 + months).astype("datetime64[M]")
    return since


def _in_calendar(values: Texts, step: str) -> Flags:
    """Which values are written as the step is and are in the calendar, which has no year 0."""
    right = pc.match_substring_regex(values, PATTERNS[step])
    formed = flags(pc.and_(right, pc.invert(pc.starts_with(values, "0000"))))
    if step == "day":
        well = values.filter(pa.array(formed))
        formed[formed] = _number(well, 8, 10) <= _days(pc.utf8_slice_codeunits(well, 0, 7), "month")
    return formed


def _number(labels: Texts, start: int, stop: int) -> Counts:
    """The whole number that stands at the same place of every label."""
    numbers: Counts = pc.utf8_slice_codeunits(labels, start, stop).cast(pa.int64()).to_numpy()
    return numbers
