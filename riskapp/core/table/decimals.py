"""Numbers written as text, read exactly: no binary fraction comes between 0.3 and the interval that it belongs to."""

from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.value_list import TEXT, Texts, flags, side_by_side, texts

Whole = npt.NDArray[np.int64]

DIGITS = 18
"""So many digits fit a whole number of 64 bits, and so does the sum of two such numbers."""

SHORTEST = r"^(0|-?(0\.\d*[1-9]|[1-9]\d*(\.\d*[1-9])?))$"
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$"


def spelled(values: Texts) -> Texts:
    """The shortest plain spelling of every number; null for what is none.

    >>> spelled(texts(["052.0", "+52", "-0", ".5", "5.2e1", "-1.50", "fifty", "NaN", None])).to_pylist()
    ['52', '52', '0', '0.5', '52', '-1.5', None, None, None]
    """
    longer = pc.fill_null(pc.invert(pc.match_substring_regex(values, SHORTEST)), False)
    if not pc.any(longer).as_py():
        return values
    return pc.replace_with_mask(values, longer, _shortened(values.filter(longer)))


def _shortened(values: Texts) -> Texts:
    values = _without_exponents(pc.if_else(pc.match_substring_regex(values, NUMBER), values, None))
    whole, part = _parts(pc.utf8_ltrim(values, "+-"))
    whole, part = pc.utf8_ltrim(whole, "0"), pc.utf8_rtrim(part, "0")
    zero = pc.and_(pc.equal(whole, ""), pc.equal(part, ""))
    minus = pc.and_(pc.starts_with(values, "-"), pc.invert(zero))
    return side_by_side(_either(minus, "-", ""), _either(pc.equal(whole, ""), "0", whole), _after_point(part))


def _without_exponents(values: Texts) -> Texts:
    """Numbers such as 5.2e1 written out. They are rare, so one by one."""
    rare = pc.fill_null(pc.match_substring(values, "e", ignore_case=True), False)
    plain = [format(Decimal(value), "f") for value in values.filter(rare).to_pylist()]
    return pc.replace_with_mask(values, rare, texts(plain))


def floors(numbers: Texts, places: int) -> Whole:
    """⌊x · 10^places⌋ for numbers as `spelled` spells them; they fit if `fitting` says so.

    >>> floors(texts(["52", "0.35", "-0.35", "-0.3"]), 1)
    array([520,   3,  -4,  -3])
    """
    if not pc.any(pc.match_substring(numbers, ".")).as_py():
        all_whole: Whole = numbers.cast(pa.int64()).to_numpy() * 10**places
        return all_whole
    whole, part = _parts(pc.utf8_ltrim(numbers, "-"))
    shown = pc.utf8_rpad(pc.utf8_slice_codeunits(part, 0, places), places, "0")
    size: Whole = side_by_side(whole, shown).cast(pa.int64()).to_numpy()
    cut = flags(pc.greater(pc.utf8_length(part), places))
    return np.where(flags(pc.starts_with(numbers, "-")), -size - cut, size)


def fitting(numbers: Texts, places: int) -> pa.BooleanArray:
    """Which numbers, as `spelled` spells them, have few enough digits to be multiplied by 10^places."""
    whole, _ = _parts(pc.utf8_ltrim(numbers, "-"))
    return pc.less_equal(pc.utf8_length(whole), DIGITS - places)


def written(scaled: Whole, places: int) -> Texts:
    """The shortest plain spelling of x / 10^places.

    >>> written(np.array([50, 55, -5, 0]), 1).to_pylist()
    ['5', '5.5', '-0.5', '0']
    """
    if not places:
        return pa.array(scaled).cast(TEXT)
    whole, part = (pa.array(some).cast(TEXT) for some in np.divmod(np.abs(scaled), 10**places))
    after = pc.utf8_rtrim(pc.utf8_lpad(part, places, "0"), "0")
    return side_by_side(_either(pa.array(scaled < 0), "-", ""), whole, _after_point(after))


def _parts(numbers: Texts) -> tuple[Texts, Texts]:
    """What stands before the point and after it; with no point nothing stands after it."""
    # With a point at the end of each, every number has two parts.
    split = pc.split_pattern(side_by_side(numbers, "."), ".", max_splits=1)
    return pc.list_element(split, 0), pc.utf8_rtrim(pc.list_element(split, 1), ".")


def _after_point(part: Texts) -> Texts:
    return _either(pc.equal(part, ""), "", side_by_side(".", part))


def _either(answers: pa.BooleanArray, yes: Texts | str, no: Texts | str) -> Texts:
    """For each answer what belongs to it."""
    ways = [pa.scalar(way, TEXT) if isinstance(way, str) else way for way in (yes, no)]
    return pc.if_else(answers, *ways)
