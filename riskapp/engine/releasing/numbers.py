"""Labels as numbers: a number is itself, an interval its midpoint, a date its day, a month or year their middle day."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.decimals import NUMBER
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import Texts, joined
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.releasing.bounds import ends, shape_of

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
    leaves = hierarchy.labels[0].drop_null()
    if not len(leaves) or pc.all(pc.match_substring_regex(leaves, NUMBER)).as_py() is False:
        raise BadSetting(f"analyses.{attribute.name}", "Its values are neither numbers nor dates. Name another column.")
    found = _numbers(joined(hierarchy.labels))
    found[len(hierarchy.labels[0]) :] = np.nan
    return found


def _numbers(texts: Texts) -> Floats:
    fits = pc.match_substring_regex(texts, NUMBER)
    plain: Floats = pc.if_else(fits, texts, None).cast(pa.float64()).to_numpy(zero_copy_only=False)
    return plain.astype(np.float64)


def _days(texts: Texts) -> Floats:
    """Days since 1970-01-01."""
    days: Floats = texts.cast(pa.date32()).cast(pa.int32()).to_numpy(zero_copy_only=False).astype(np.float64)
    return days
