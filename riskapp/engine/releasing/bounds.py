"""From and to: between which values the value behind a label lies, for labels that are intervals, dates or masks.

* an interval [50,55) runs from 50 to 55, which it does not hold;
* a month or a year runs from its first day to its last;
* a mask over digits runs from the code with 0 to the code with 9 in every hidden place;
* what is not generalised runs from itself to itself.

Categories, `*` and missing cells have neither.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table.build_dates import LENGTHS
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import TEXT, Texts, joined, side_by_side
from riskapp.engine.assessment.settings import AttributeKey

INTERVAL = r"^\[(?P<low>[^,]+),(?P<high>[^,]+)\)$"


class Ends(NamedTuple):
    """Where labels begin and where they end; null for those that have no ends."""

    low: Texts
    high: Texts


def shape_of(attribute: AttributeKey) -> str:
    """What kind of labels an attribute has.

    >>> shape_of(AttributeKey("zip", {"mask": 5})), shape_of(AttributeKey("sex"))
    ('mask', 'category')
    """
    wanted = attribute.hierarchy or {}
    if wanted.get("from") == "left":
        return "category"
    return next((kind for kind in ("intervals", "dates", "mask") if kind in wanted), "category")


def has_ends(attribute: AttributeKey, hierarchy: Hierarchy) -> bool:
    """Whether the labels of an attribute have ends: a mask only where it hides digits."""
    shape = shape_of(attribute)
    return shape in ("intervals", "dates") or (shape == "mask" and _of_digits(hierarchy))


def ends(attribute: AttributeKey, hierarchy: Hierarchy) -> Ends:
    """The ends of all labels of all levels, one level after the other.

    >>> from riskapp.core.table.build_dates import from_dates
    >>> from riskapp.core.table.value_list import ValueList
    >>> born = from_dates("born", [ValueList.of(["1976-02-10"])])
    >>> found = ends(AttributeKey("born", {"dates": ["month", "year"]}), born)
    >>> [end.drop_null().to_pylist() for end in found]
    [['1976-02-10', '1976-02-01', '1976-01-01'], ['1976-02-10', '1976-02-29', '1976-12-31']]
    """
    if not has_ends(attribute, hierarchy):
        nothing = pa.nulls(sum(len(labels) for labels in hierarchy.labels), TEXT)
        return Ends(nothing, nothing)
    of_level = _OF_LEVEL[shape_of(attribute)]
    levels = [Ends(hierarchy.labels[0], hierarchy.labels[0])]
    levels += [of_level(hierarchy.labels[level]) for level in range(1, hierarchy.height)]
    top = pa.nulls(len(hierarchy.labels[-1]), TEXT)
    levels.append(Ends(top, top))
    return Ends(joined(level.low for level in levels), joined(level.high for level in levels))


def _of_digits(hierarchy: Hierarchy) -> bool:
    return bool(pc.all(pc.match_substring_regex(hierarchy.labels[0].drop_null(), r"^\d+$")).as_py() is not False)


def _of_intervals(labels: Texts) -> Ends:
    both = pc.extract_regex(labels, INTERVAL)
    return Ends(pc.struct_field(both, ["low"]), pc.struct_field(both, ["high"]))


def _of_dates(labels: Texts) -> Ends:
    length = pc.utf8_length(labels)
    month = pc.equal(length, LENGTHS["month"])
    first = pc.if_else(month, labels, side_by_side(labels, "-01"))
    last = pc.if_else(month, labels, side_by_side(labels, "-12"))
    return Ends(side_by_side(first, "-01"), _last_days(last))


def _last_days(months: Texts) -> Texts:
    known = months.is_valid()
    stamps = np.array(months.filter(known).to_pylist(), dtype="datetime64[M]")
    days = (stamps + np.timedelta64(1, "M")).astype("datetime64[D]") - np.timedelta64(1, "D")
    return pc.replace_with_mask(months, known, pa.array(days.astype(str).tolist(), TEXT))


def _of_masks(labels: Texts) -> Ends:
    return Ends(_filled(labels, "0"), _filled(labels, "9"))


def _filled(labels: Texts, digit: str) -> Texts:
    return pc.replace_substring(labels, "*", digit)


_OF_LEVEL: dict[str, Callable[[Any], Ends]] = {"intervals": _of_intervals, "dates": _of_dates, "mask": _of_masks}
