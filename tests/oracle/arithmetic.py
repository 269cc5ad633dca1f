"""Numbers that may be infinite, and when two of them count as equal."""

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from tests.oracle.reading import Refused


def number(value: object) -> float:
    """A finite or infinite number from YAML, JSON or a cell; the word "inf" is ∞."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Refused("a number is needed")
    try:
        result = float(value)
    except ValueError:
        raise Refused("a number is needed") from None
    if math.isnan(result):
        raise Refused("a number is needed")
    return result


def at_least_zero(value: object) -> float:
    """A number that is not negative."""
    result = number(value)
    if result < 0:
        raise Refused("a number that is not negative is needed")
    return result


def exact(value: object) -> Fraction:
    """A finite number exactly as it is written."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Refused("a number is needed")
    try:
        return Fraction(Decimal(str(value).strip()))
    except (ArithmeticError, ValueError):
        raise Refused("a finite number is needed") from None


def written(value: Fraction) -> str:
    """A number in as few digits as it needs: 5, 0.5, -10."""
    if value.denominator == 1:
        return str(value.numerator)
    text = format(Decimal(value.numerator) / Decimal(value.denominator), "f")
    return text.rstrip("0").rstrip(".")


def times(one: float, other: float) -> float:
    """The product, in which 0·∞ = 0."""
    return 0.0 if one == 0 or other == 0 else one * other


def inverse(value: float) -> float:
    """1/x, with 1/0 = ∞ and 1/∞ = 0."""
    return math.inf if value == 0 else 1 / value


def total(values: Iterable[float]) -> float:
    """The sum, rounded once, so that it does not hang on the order."""
    listed = list(values)
    return math.inf if math.inf in listed else math.fsum(listed)


def exponential(value: float) -> float:
    """e to the power of x; beyond the largest float it is ∞."""
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def comparable(value: float, size: float | None = None) -> float:
    """The number that stands for x when two are compared: twelve digits, so that rounding does not break a tie.

    They are the digits of x itself, or of a number of another size: what is left where two large numbers nearly cancel
    has no more digits than these had.
    """
    largest = value if size is None else size
    if math.isinf(value) or math.isinf(largest) or largest == 0:
        return value + 0.0
    unit = Decimal(1).scaleb(Decimal(largest).adjusted() - 11)
    with localcontext() as context:
        context.prec = 700
        return float(Decimal(value).quantize(unit, rounding=ROUND_HALF_EVEN)) + 0.0


def in_words(value: object) -> object:
    """The value as RESULT.json writes it: infinite numbers as the words inf and -inf, all the way down."""
    if isinstance(value, dict):
        return {key: in_words(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_words(inner) for inner in value]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
