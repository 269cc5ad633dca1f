"""Dates in the ways in which people write them."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from riskapp.engine.profile.dates import MONTHS
from riskapp.engine.shaping import hierarchies
from riskapp.engine.shaping.fitting import Column

WRITTEN = {
    "{0.day:02}.{0.month:02}.{1:02}": ("{1:02}-{0.month:02}", "{1:02}"),
    "{0.month}/{0.day}/{1:02}": ("{1:02}-{0.month:02}", "{1:02}"),
    "{0.day:02}-{2}-{0.year}": ("{0.year}-{0.month:02}", "{0.year}"),
    "{0.day}. {2} {0.year}": ("{0.year}-{0.month:02}", "{0.year}"),
    "{2} {0.day}, {0.year}": ("{0.year}-{0.month:02}", "{0.year}"),
    "{0.day} de {2} de {0.year}": ("{0.year}-{0.month:02}", "{0.year}"),
}


def column(values: list[str]) -> Column:
    return Column("born", pa.array(values, pa.large_string()), np.ones(len(values), np.int64), len(values))


@pytest.mark.parametrize("form", WRITTEN)
def test_every_day_of_a_year_is_found_in_its_month(form: str) -> None:
    names = [line.split() for line in MONTHS.strip().split("\n")]
    days = [date.fromordinal(number) for number in range(date(1996, 1, 1).toordinal(), date(1997, 1, 1).toordinal())]
    told = [(day, day.year % 100, names[day.month - 1][day.day % len(names[day.month - 1])]) for day in days]
    month, year = WRITTEN[form]
    rows = [[form.format(*each), month.format(*each), year.format(*each), "*"] for each in told]
    found = hierarchies.of_column(column([row[0] for row in rows]), "dates")
    assert found[0] == {"rows": rows, "header": ["day", "month", "year"]}


def test_a_month_alone_may_be_written_first() -> None:
    found = hierarchies.of_column(column(["05/1975", "5/1975", "12.1976"]), "dates")[0]
    assert found is not None
    assert found["rows"][:2] == [["05/1975", "1975-05", "1975", "*"], ["5/1975", "1975-05", "1975", "*"]]


def test_days_that_no_calendar_has_are_none() -> None:
    values = ["31.04.75", "29.02.1900", "30. Februar 2000", "28.02.75", "29.02.96", "1. März 2000"]
    found = hierarchies.of_column(column(values), "dates")[0]
    assert found is not None
    assert [row[0] for row in found["rows"]] == values[3:]


def test_of_a_time_the_day_is_a_group_too() -> None:
    found = hierarchies.of_column(column(["1975-05-10T08:15", "10.05.1975, 9:30", "1975-06"]), "dates")[0]
    assert found == {
        "rows": [
            ["1975-05-10T08:15", "1975-05-10", "1975-05", "1975", "*"],
            ["10.05.1975, 9:30", "1975-05-10", "1975-05", "1975", "*"],
            ["1975-06", "1975-06", "1975-06", "1975", "*"],
        ],
        "header": ["time", "day", "month", "year"],
    }
