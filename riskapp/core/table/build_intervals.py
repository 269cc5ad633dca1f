"""Intervals: 52 → [50,55) → [40,60) → [0,80) → `*`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table import decimals
from riskapp.core.table.decimals import Whole
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.grow import grown
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy
from riskapp.core.table.spelling import Spelling
from riskapp.core.table.value_list import Flags, Texts, ValueList, flags, side_by_side

Number = int | float | str | Decimal

LARGEST = 10**decimals.DIGITS
INTERVAL = r"^\[(?P<low>[^,]+),[^,]+\)$"


def from_intervals(
    attribute: str, lists: Sequence[ValueList], widths: Sequence[Number], *, start: Number = 0, unit: Number = 1
) -> Hierarchy:
    """The hierarchy of intervals that begin at `start` and get wider from level to level.

    n(v) counts units, and m those from `start` to the first end of a widest interval that is above every value. Leaves
    are numbers: 52 and 52.0 are one leaf, shown as it was written first.

    Parameters
    ----------
    attribute : the name of the attribute
    lists : the value lists of dataset and dictionaries: numbers, and at the other levels labels such as [50,55)
    widths : the width of the intervals in each level, each a multiple of the one before
    start : where the first interval begins
    unit : what counts as one leaf; the widths are multiples of it

    Raises
    ------
    BadHierarchy
        If there is no width, or one that is not above 0 or not a multiple of the one before (the first: of the unit).
    OutsideHierarchy
        If a value is no number, is below `start`, or is not an interval of the level at which its column is matched.

    Examples
    --------
    >>> income = from_intervals("income", [ValueList.of(["52", "7"])], [5, 20, 80])
    >>> [labels.to_pylist()[1:] for labels in income.labels]
    [['52', '7'], ['[50,55)', '[5,10)'], ['[40,60)', '[0,20)'], ['[0,80)'], ['*']]
    >>> [counts.tolist()[1:] for counts in income.leaf_counts]
    [[1, 1], [5, 5], [20, 20], [80], [80]]
    """
    begin = _exact(attribute, start, "intervals.from")
    steps = [_exact(attribute, width, "intervals.widths", level) for level, width in enumerate(widths, start=1)]
    one = _exact(attribute, unit, "intervals.unit")
    _check_widths(attribute, steps, one)
    places = max(0, *(-int(number.as_tuple().exponent) for number in (begin, *steps)))
    if places >= decimals.DIGITS or any(abs(number) * 10**places >= LARGEST for number in (begin, *steps)):
        raise BadHierarchy(attribute, "The numbers have too many digits.", key="intervals")
    first, *scaled = (int(number * 10**places) for number in (begin, *steps))
    units = [int(Fraction(width) / Fraction(one)) for width in steps]
    return grown(Intervals(attribute, places, first, scaled, units), lists)


def _exact(attribute: str, number: Number, key: str, level: int | None = None) -> Decimal:
    """The number exactly as it is written, without zeros at its end."""
    try:
        exact = Decimal(str(number))
    except InvalidOperation:
        exact = Decimal("NaN")
    # Decimal keeps 28 digits in its sums; what has more is not a width that anybody means.
    if not exact.is_finite() or isinstance(number, bool) or exact.normalize() != exact or abs(exact.adjusted()) > 28:
        raise BadHierarchy(attribute, "This is not a number that intervals can have.", key=key, level=level)
    return exact.normalize()


def _check_widths(attribute: str, widths: Sequence[Decimal], unit: Decimal) -> None:
    if unit <= 0:
        raise BadHierarchy(attribute, "The unit is above 0.", key="intervals.unit")
    if not widths:
        raise BadHierarchy(attribute, "Give at least one width.", key="intervals.widths")
    for level, (before, width) in enumerate(zip((unit, *widths), widths, strict=False), start=1):
        if width <= 0:
            raise BadHierarchy(attribute, "A width is above 0.", key="intervals.widths", level=level)
        if Fraction(width) % Fraction(before):
            told = "the one before" if level > 1 else "the unit"
            raise BadHierarchy(
                attribute, f"The width is not a multiple of {told}.", key="intervals.widths", level=level
            )


@dataclass(frozen=True)
class Intervals:
    """The ladder of intervals. Ends and widths are whole numbers: so many 10^−places."""

    attribute: str
    places: int
    start: int
    widths: Sequence[int]
    units: Sequence[int]
    """How many units go into each width."""
    spelling: Spelling = field(default=decimals.spelled)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, range(len(self.widths) + 2)))

    def refuse(self, listed: ValueList, level: int) -> None:
        if level:
            listed.refuse(self.attribute, level, self._not_intervals(level, listed.values))
            return
        spelled, missing = decimals.spelled(listed.values), flags(listed.values.is_null())
        outside = ~flags(decimals.fitting(spelled, self.places)) & ~missing
        listed.refuse(self.attribute, 0, outside, "no numbers that the intervals can hold.")
        below = ~missing
        below[below] = decimals.floors(spelled.drop_null(), self.places) < self.start
        listed.refuse(self.attribute, 0, below, f'below the beginning (`from`) of the intervals of "{self.attribute}".')

    def _not_intervals(self, level: int, labels: Texts) -> Flags:
        """Which labels are not, sign for sign, what this level shows."""
        low = decimals.spelled(_low(labels))
        wrong = ~flags(decimals.fitting(low, self.places))
        begin = decimals.floors(low.filter(pa.array(~wrong)), self.places)
        right = self._shown(level, (begin - self.start) // self.widths[level - 1])
        wrong[~wrong] = flags(pc.not_equal(right, labels.filter(pa.array(~wrong)))) | (begin < self.start)
        return wrong & ~flags(labels.is_null())

    def coarser(self, level: int, labels: Texts) -> Texts:
        low = decimals.floors(decimals.spelled(labels if level == 1 else _low(labels)), self.places)
        return self._shown(level, (low - self.start) // self.widths[level - 1])

    def finer(self, level: int, labels: Texts) -> Texts:
        low = decimals.floors(decimals.spelled(_low(labels)), self.places)
        if level == 1:
            return decimals.written(low, self.places)
        return self._shown(level - 1, (low - self.start) // self.widths[level - 2])

    def _shown(self, level: int, order: Whole) -> Texts:
        """The labels of the intervals, given by their order from 0."""
        width = self.widths[level - 1]
        different, place = np.unique(order, return_inverse=True)
        low = self.start + different * width
        begin, end = decimals.written(low, self.places), decimals.written(low + width, self.places)
        return side_by_side("[", begin, ",", end, ")").take(place)

    def leaf_counts(self, labels: Sequence[Texts], parents: Sequence[Codes], leaves: Counts) -> list[Counts]:
        everything = self._all(labels[-1])
        levels = zip(labels, [1, *self.units], strict=True)
        return [*(np.full(len(some), units, dtype=np.int64) for some, units in levels), np.array([everything])]

    def _all(self, widest: Texts) -> int:
        """m: the units of the widest intervals from the first to the last that is used."""
        low = decimals.floors(decimals.spelled(_low(widest)), self.places)
        used = (int(low.max(initial=self.start)) - self.start) // self.widths[-1] + 1
        if used * self.units[-1] >= LARGEST:
            raise BadHierarchy(self.attribute, "There are too many units.", key="intervals.unit")
        return used * self.units[-1]


def _low(labels: Texts) -> Texts:
    """Where each interval begins; null for what is not written as an interval."""
    return pc.struct_field(pc.extract_regex(labels, INTERVAL), ["low"])
