"""Intervals of round widths: 1, 2 or 5 with zeros, each a multiple of the one before, beginning at a round number."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table import decimals
from riskapp.engine.shaping import numbers
from riskapp.engine.shaping.fitting import Column

MOST_INTERVALS = (20, 40, 10)
"""How many intervals the finest level may have, for each alternative; the first is proposed."""
NEXT = {1: 5, 2: 5, 5: 2}
"""From the first digit of a width, how many of it make the next round one: 1 → 5 → 10, 2 → 10, 5 → 10."""
UNITS = Decimal(10**9)
"""So many units at most between the smallest and the largest number."""


@dataclass(frozen=True)
class Span:
    """The smallest and the largest number, and the smallest step between numbers as they are written."""

    low: Decimal
    high: Decimal
    step: Decimal

    @property
    def length(self) -> Decimal:
        return max(self.high - self.low, self.step)


def specs(column: Column) -> list[dict[str, Any]]:
    """Specs of intervals, each with another width to begin with; `numbers.ready` makes them fit the column.

    Raises
    ------
    BadSetting
        If no value is a number, or none that has few enough digits to be counted.
    """
    span = _span(column)
    ladders = [round_widths(span.length, span.step, most) for most in MOST_INTERVALS]
    return [_spec(span, ladder) for place, ladder in enumerate(ladders) if ladder not in ladders[:place]]


def round_widths(length: Decimal, step: Decimal, most: int) -> list[Decimal]:
    """Round widths for numbers spread over a length: at most so many intervals first, until one holds about all.

    >>> [str(width) for width in round_widths(Decimal(73), Decimal(1), 20)]
    ['5', '10', '50']
    """
    width = _first(max(length / most, 2 * step))
    found = [width]
    while width < length / 2:
        width *= NEXT[_digit(width)]
        found.append(width)
    return found


def _first(least: Decimal) -> Decimal:
    """The smallest round width that is not below a number."""
    power = Decimal(1).scaleb(least.adjusted())
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)


def _digit(width: Decimal) -> int:
    return width.normalize().as_tuple().digits[0]


def _span(column: Column) -> Span:
    known = numbers.read(column.values).drop_null()
    if not len(known):
        raise BadSetting(column.key, "No value of the column is a number. Choose another kind of hierarchy.")
    spelled = known.filter(decimals.fitting(known, 0)).to_pylist()
    if not spelled:
        told = f"The numbers have more than {decimals.DIGITS} digits, too many for intervals."
        raise BadSetting(column.key, f"{told} Hide signs from one end instead.")
    exact = [Decimal(text) for text in spelled]
    low, high = min(exact), max(exact)
    # Numbers with a tail of digits, such as thirds, would have more units than anybody can count.
    places = max(len(text.partition(".")[2]) for text in spelled)
    coarsest = _first(max(high - low, Decimal(1)) / UNITS)
    return Span(low, high, max(Decimal(1).scaleb(-places), Decimal(1).scaleb(coarsest.adjusted())))


def _spec(span: Span, ladder: Sequence[Decimal]) -> dict[str, Any]:
    assert all(not wide % narrow for narrow, wide in pairwise(ladder))
    widest = ladder[-1]
    start = (span.low // widest - (span.low < 0 and span.low % widest != 0)) * widest
    unit = min(span.step, Decimal(1))
    return {"intervals": {"from": _plain(start), "widths": [*map(_plain, ladder)], "unit": _plain(unit)}}


def _plain(number: Decimal) -> int | float:
    """The number as JSON writes it."""
    return int(number) if number == number.to_integral_value() else float(number)
