"""Calendar days, months and years."""

from datetime import date, timedelta

from tests.oracle.hierarchies.base import TOP_LABEL, Cell, Hierarchy
from tests.oracle.reading import Refused

LENGTHS = {"day": 10, "month": 7, "year": 4}


class Dates(Hierarchy):
    """Days written 1975-05-10, then the levels asked for (months 1975-05, years 1975), then `*`.

    The leaves are all days of all years that occur, in a day, a month or a year, anywhere.
    """

    textual = False

    def __init__(self, steps: list[str]) -> None:
        super().__init__()
        if steps not in (["month"], ["year"], ["month", "year"]):
            raise Refused("dates are generalised to month, to year, or to month and year")
        self._kinds = ["day", *steps]
        self.height = len(self._kinds)
        self.level_names = {kind: level for level, kind in enumerate(self._kinds)}

    def labels_from(self, level: int, label: str) -> list[str]:
        if level == self.height and label == TOP_LABEL:
            return [TOP_LABEL]
        if level >= self.height or not is_calendar(label, self._kinds[level]):
            raise Refused("a value is not a date of this level")
        return [label[: LENGTHS[kind]] for kind in self._kinds[level:]] + [TOP_LABEL]

    def leaves(self, occurring: list[Cell]) -> list[str]:
        years = sorted({label[:4] for level, label in occurring if level < self.height})
        return [day for year in years for day in days_of_year(int(year))]

    def level_of(self, label: str) -> int:
        if label == TOP_LABEL:
            return self.height
        return next((level for level in range(self.height) if self.covers((level, label))), self.height + 1)

    def some_leaf(self, level: int, label: str) -> str:
        return label + "-01-01"[len(label) - 4 :]


def is_calendar(label: str, kind: str) -> bool:
    """Whether the label is written as a day, month or year of the calendar."""
    if len(label) != LENGTHS[kind]:
        return False
    day = label + "-01-01"[len(label) - 4 :]
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


def days_of_year(year: int) -> list[str]:
    """Every day of a year, 365 or 366 of them."""
    first = date(year, 1, 1)
    every = (first + timedelta(days=step) for step in range(366))
    return [day.isoformat() for day in every if day.year == year]
