"""When two risks or utilities count as equal: when they agree to twelve digits.

The same sum taken in another order differs in its last digits; that must not decide which rule is best.
"""

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context

import numpy as np

from riskapp.core.extended import Numbers

DIGITS = 12
LARGEST = 1e300
"""Beyond it, as at infinity, numbers are left as they are: rounded up they might be too large."""


def told_apart(numbers: Iterable[float]) -> Numbers:
    """The numbers in twelve digits: compared by these, equal ones stay equal.

    >>> told_apart([0.1 + 0.2, -0.0, float("inf")])
    array([0.3, 0. , inf])

    Raises
    ------
    ValueError
        If one is not a number.
    """
    return np.array([rounded(float(number), float(number)) for number in numbers], dtype=np.float64)


def rounded(number: float, size: float) -> float:
    """The number in as many digits as leave twelve to one of this size: less is rounding, where sizes cancel out.

    >>> rounded(1000.1 - 1000.0, 1000.1)
    0.1
    """
    if math.isnan(number):
        raise ValueError("This is not a number.")
    if number == 0 or size == 0 or abs(size) > LARGEST:
        return number + 0.0
    return round(number, DIGITS - 1 - math.floor(math.log10(abs(size)))) + 0.0


def in_six(number: float, *, up: bool) -> str:
    """The number in six digits for people to read, rounded to the side on which what is said of it still holds.

    >>> in_six(1.0000001, up=True), in_six(1.9999999, up=False), in_six(0.1 + 0.2, up=True), in_six(math.inf, up=True)
    ('1.00001', '1.99999', '0.3', 'inf')
    """
    exactly = Context(DIGITS).create_decimal_from_float(number)
    return f"{float(Context(6, ROUND_CEILING if up else ROUND_FLOOR).plus(exactly)):g}"
