"""The slow, obvious twins of the hierarchies: one value at a time, leaves of the domain listed one by one."""

import datetime
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

Chain = tuple[str, ...]
"""A value and what it becomes, level by level, up to `*`."""


def padded_chains(rows: Sequence[Sequence[str]]) -> list[Chain]:
    """Short rows repeat their last value below `*`, which is added unless every row ends in it."""
    if not all(row[-1] == "*" for row in rows):
        rows = [[*row, "*"] for row in rows]
    longest = max(len(row) for row in rows)
    chains = []
    for row in rows:
        chain = list(row)
        while len(chain) < longest:
            chain.insert(len(chain) - 1, chain[-2])
        chains.append(tuple(chain))
    return chains


def mask_chain(value: str, signs: int, end: str) -> Chain:
    chain = []
    for hidden in range(signs):
        stars = "*" * min(hidden, len(value))
        kept = len(value) - len(stars)
        chain.append(value[:kept] + stars if end == "right" else stars + value[len(value) - kept :])
    return (*chain, "*")


def date_chain(value: str, steps: Sequence[str]) -> Chain:
    day = datetime.date.fromisoformat(value)
    forms = {"month": f"{day.year:04}-{day.month:02}", "year": f"{day.year:04}"}
    return (value, *(forms[step] for step in steps), "*")


def days_under(label: str, years: Iterable[int]) -> int:
    """How many days of these years are written with this label at their beginning."""
    days = (datetime.date(year, 1, 1) + datetime.timedelta(number) for year in years for number in range(366))
    listed = {day.isoformat() for day in days}
    return sum(day.startswith(label) or label == "*" for day in listed if int(day[:4]) in set(years))


def plain(number: Fraction) -> str:
    """The shortest decimal spelling."""
    text = format(Decimal(number.numerator) / Decimal(number.denominator), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("", "-0", "-") else text


def interval_chain(value: str, widths: Sequence[str], start: str) -> Chain:
    chain = [value]
    for width in map(Fraction, widths):
        low = Fraction(start)
        while low + width <= Fraction(value):
            low += width
        chain.append(f"[{plain(low)},{plain(low + width)})")
    return (*chain, "*")


def units_in_all(values: Iterable[str], widest: str, start: str, unit: str) -> int:
    end = Fraction(start) + Fraction(widest)
    while any(Fraction(value) >= end for value in values):
        end += Fraction(widest)
    return math.floor((end - Fraction(start)) / Fraction(unit))
