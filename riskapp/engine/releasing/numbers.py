"""Labels as numbers: a number is itself, an interval its midpoint, a date its day, a month or year their middle day."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.decimals import NUMBER
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import Texts
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.releasing.bounds import ends, shape_of
from riskapp.engine.releasing.types import DATE, type_of_values

Floats = npt.NDArray[np.float64]


def midpoints(attribute: AttributeKey, hierarchy: Hierarchy) -> Floats:
    """The number of every label of all levels, one level after the other; NaN for what says no number.

    Raises
    ------
    BadSetting
        If the values of the attribute are neither numbers nor dates.

    Examples
    --------
    >>> from riskapp.core.table.build_intervals import from_intervals
    >>> from riskapp.core.table.value_list import ValueList
    >>> age = from_intervals("age", [ValueList.of(["52"])], [5, 20])
    >>> midpoints(AttributeKey("age", {"intervals": {"widths": ["5", "20"]}}), age)
    array([ nan, 52. ,  nan, 52.5,  nan, 50. ,  nan,  nan])
    """
    shape = shape_of(attribute)
    if shape == "intervals":
        low, high = (_numbers(end) for end in ends(attribute, hierarchy))
        return (low + high) / 2
    if shape == "dates":
        low, high = (_days(end) for end in ends(attribute, hierarchy))
        return (low + high) / 2
    leaves = hierarchy.labels[0]
    if not say_numbers(leaves.drop_null()):
        raise BadSetting(f"analyses.{attribute.name}", "Its values are neither numbers nor dates. Name another column.")
    found = np.full(sum(map(len, hierarchy.labels)), np.nan)
    found[: len(leaves)] = _days(leaves) if _are_dates(leaves.drop_null()) else _numbers(leaves)
    return found


def say_numbers(values: Texts) -> bool:
    """Whether different values, none of them missing, are all numbers or all dates.

    >>> from riskapp.core.table.value_list import texts
    >>> [say_numbers(texts(some)) for some in (["1.5", "07"], ["2026-02-28"], ["2026-02-30"], ["5", "x"], [])]
    [True, True, False, False, False]
    """
    if not len(values):
        return False
    return bool(pc.all(pc.match_substring_regex(values, NUMBER)).as_py()) or _are_dates(values)


def in_days(attribute: AttributeKey, hierarchy: Hierarchy) -> bool:
    """Whether `midpoints` are days since 1970-01-01."""
    shape = shape_of(attribute)
    return shape == "dates" or (shape != "intervals" and _are_dates(hierarchy.labels[0].drop_null()))


def _are_dates(values: Texts) -> bool:
    return type_of_values(values) == DATE


def _numbers(texts: Texts) -> Floats:
    fits = pc.match_substring_regex(texts, NUMBER)
    plain: Floats = pc.if_else(fits, texts, None).cast(pa.float64()).to_numpy(zero_copy_only=False)
    return plain.astype(np.float64)


def _days(texts: Texts) -> Floats:
    """Days since 1970-01-01."""
    days: Floats = texts.cast(pa.date32()).cast(pa.int32()).to_numpy(zero_copy_only=False).astype(np.float64)
    return days
