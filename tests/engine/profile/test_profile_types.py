"""Types of values, and the dates among them."""

import datetime
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskapp.engine.profile.dates import DATES
from riskapp.engine.profile.figures import Type
from tests.engine.profile import slow_profile as slow


def type_of(cells: list[str]) -> Type:
    return slow.column_of("c", cells).type


@pytest.mark.parametrize(
    ("cells", "kind", "format"),
    [
        (["1", "-22", "+333"], "whole number", None),
        (["007", "012", "123"], "whole number", "with leading zeros"),
        (["1,234", "12", "1,234,567"], "whole number", "thousands apart by a comma"),
        (["1 234", "12", "1 234 567"], "whole number", "thousands apart by a blank or apostrophe"),
        (["1.5", "2", ".25", "1e-3"], "decimal number", "decimal point"),
        (["1,5", "2", "1.234,25"], "decimal number", "decimal comma"),
        (["1.234", "5.678"], "decimal number", "decimal point"),
        (["0,123", "1,234"], "decimal number", "decimal comma"),
        (["2020-01-31", "1999-12-01"], "date", "YYYY-MM-DD"),
        (["20200131", "19991201"], "date", "YYYYMMDD"),
        (["20200131", "19991301"], "whole number", None),
        (["31.1.2020", "01.12.1999"], "date", "DD.MM.YYYY"),
        (["31/01/2020", "01/12/1999"], "date", "DD/MM/YYYY"),
        (["01/31/2020", "12/01/1999"], "date", "MM/DD/YYYY"),
        (["01/02/2020", "12/11/1999"], "date", "DD/MM/YYYY or MM/DD/YYYY"),
        (["01.02.20", "12.11.99"], "date", "DD.MM.YY or MM.DD.YY"),
        (["3 Jan 2020", "14. März 1999", "2 de mayo de 2001"], "date", "day, name of the month, year"),
        (["January 3, 2020", "May 14, 1999"], "date", "name of the month, day, year"),
        (["2020-01", "1999-12"], "date", "YYYY-MM"),
        (["2020-01-31 12:30", "1999-12-01T23:59:59.123Z"], "date and time", "YYYY-MM-DD, time"),
        (["1/31/2020 1:30 PM", "12/1/1999 11:59 AM"], "date and time", "MM/DD/YYYY, time"),
        (["Yes", "no", "YES"], "yes/no", None),
        (["0", "1"], "yes/no", None),
        (["1", "2"], "whole number", None),
        (["1"], "whole number", None),
        (["ja", "nein"], "yes/no", None),
        (["yes", "no", "perhaps"], "text", None),
        (["12:30", "23:59"], "text", None),
        (["1.2.3.4", "10.0.0.1"], "text", None),
        (["2020-02-30", "2021-02-31"], "text", None),
        (["some words", "more words"], "text", None),
    ],
)
def test_a_type_and_its_format_are_found(cells: list[str], kind: str, format: str | None) -> None:
    told = type_of(cells)
    assert (told.kind, told.format, told.mixed) == (kind, format, False)


def test_a_mixed_column_is_told_with_its_exceptions_by_value_and_by_cell() -> None:
    assert type_of(["1", "2", "3", "unknown", "unknown", "4"]) == Type("whole number", None, True, 1, 2)


def test_a_type_must_fit_most_values_and_most_cells() -> None:
    assert type_of(["1", "2", "3", *["unknown"] * 4]).kind == "text"
    assert type_of(["1"] * 9 + ["a", "b"]).kind == "text"


def test_an_empty_column_has_no_type() -> None:
    assert type_of(["", "NA"]).kind == "empty"


def test_blanks_around_a_value_do_not_change_its_type() -> None:
    assert type_of([" 1", "2 ", "33"]).kind == "whole number"


DAYS = st.dates(datetime.date(1500, 1, 1), datetime.date(2199, 12, 31))


@given(DAYS)
def test_every_day_of_the_calendar_fits_its_forms(day: datetime.date) -> None:
    for words, written in {
        "YYYY-MM-DD": f"{day:%Y-%m-%d}",
        "DD.MM.YYYY": f"{day.day}.{day.month}.{day:%Y}",
        "MM/DD/YYYY": f"{day:%m/%d/%Y}",
        "DD-MM-YY": f"{day:%d-%m-%y}",
    }.items():
        assert re.fullmatch(DATES[words], written)


@given(st.integers(1, 99), st.integers(1, 99), st.integers(1600, 2199))
def test_only_days_of_the_calendar_fit(day: int, month: int, year: int) -> None:
    written = f"{year}-{month:02}-{day:02}"
    try:
        datetime.date(2000 if (day, month) == (29, 2) else year, month, day)
    except ValueError:
        assert not re.fullmatch(DATES["YYYY-MM-DD"], written)
    else:
        assert re.fullmatch(DATES["YYYY-MM-DD"], written)
