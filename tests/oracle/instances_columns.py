"""The columns that random assessments are made of, with every kind of hierarchy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.oracle.instances import Drawing


@dataclass
class Column:
    """A column: its hierarchy, the leaves of the dataset, others that only dictionaries have, and misspelt ones."""

    name: str
    leaves: list[str]
    hierarchy: dict[str, Any] | None = None
    elsewhere: list[str] = field(default_factory=list)
    misspelt: list[str] = field(default_factory=list)
    kept: bool = False


CITY_ROWS = {
    "even": [
        ["Lisbon", "Coast", "South"],
        ["Lisboa", "Coast", "South"],
        ["London", "River", "North"],
        ["Londen", "Dike", "North"],
    ],
    "ragged": [["Lisbon", "Coast", "South"], ["Lisboa", "Coast", "South"], ["London", "North"], ["Londen"]],
    "flat": [["Lisbon", "South"], ["Lisboa", "South"], ["London", "North"], ["Londen", "North"]],
}


def city(drawing: Drawing) -> Column:
    """From a file: each separator, with and without header and top, even and ragged."""
    rows = CITY_ROWS[drawing.pick(sorted(CITY_ROWS))]
    if drawing.often(0.5):
        rows = [[*row, "*"] for row in rows]
    header = drawing.often(0.5)
    names = [["town", "area", "part", "all"][: max(len(row) for row in rows)]] if header else []
    file = drawing.write("city.csv", names + rows, drawing.pick([";", ",", "\t"]))
    given = {"file": file, "header": True} if header else {"file": file}
    misspelt = ["Lisbonn", "Lissabon", "Lond", "Xyz"]
    return Column("city", ["Lisbon", "Lisboa", "London", "Londen"], given, misspelt=misspelt)


def race(drawing: Drawing) -> Column:
    """Groups: flat, nested, and with one branch shallower than the other."""
    flat = {"Asian": ["Chinese", "Japanese"], "European": ["White"]}
    nested = {"East": {"Asian": ["Chinese", "Japanese"]}, "West": {"European": ["White"]}}
    shallow = {"Asian": {"Far": ["Chinese"], "Island": ["Japanese"]}, "European": ["White"]}
    groups = drawing.pick([flat, nested, shallow])
    return Column("race", ["Chinese", "Japanese", "White"], {"groups": groups}, misspelt=["Chines", "Wite", "Q"])


def birth(drawing: Drawing) -> Column:
    """Dates, over a leap year and the next."""
    steps = drawing.pick([["month"], ["year"], ["month", "year"]])
    days = ["1976-02-29", "1976-02-01", "1976-11-05", "1977-02-01"]
    return Column("birth", days, {"dates": steps}, elsewhere=["1979-06-30"])


def income(drawing: Drawing) -> Column:
    """Intervals, from 0 or below it, in units of one or of a half."""
    given: dict[str, Any] = {"widths": drawing.pick([[5], [2, 4], [5, 10]])}
    if drawing.often(0.6):
        given["from"] = drawing.pick([0, -10])
    if drawing.often(0.5):
        given["unit"] = drawing.pick([1, 0.5])
    return Column("income", ["0", "1", "4", "5", "9"], {"intervals": given}, elsewhere=["10", "17"])


def postcode(drawing: Drawing) -> Column:
    """Masks from either end."""
    given: dict[str, Any] = {"mask": 3}
    if drawing.often(0.6):
        given["from"] = drawing.pick(["left", "right"])
    return Column("postcode", ["101", "102", "112", "201"], given, elsewhere=["999"], misspelt=["1021", "011"])


def sex(drawing: Drawing) -> Column:
    """No hierarchy, and a value that means missing in other assessments."""
    return Column("sex", ["f", "m", "nan" if "NA" in drawing.missing else "NA"], elsewhere=["n"])


def surname(drawing: Drawing) -> Column:
    """No hierarchy, and alike enough for fuzzy matching."""
    return Column("surname", ["Martha", "Marhta", "Dixon"], misspelt=["Dickson", "Marta"])


def hierarchical() -> list[Callable[[Drawing], Column]]:
    """Every column that has a level to choose."""
    return [city, race, birth, income, postcode, sex, surname]


def note() -> Column:
    """Kept as it is, and text enough to be matched by likeness."""
    return Column("note", ["walks", "walked", "sails"], misspelt=["walk"], elsewhere=["rows"], kept=True)


def diagnosis() -> Column:
    """Kept as it is, and ordered."""
    return Column("diagnosis", ["none", "mild", "severe"], kept=True)


KEPT: list[Callable[[], Column]] = [note, diagnosis]
