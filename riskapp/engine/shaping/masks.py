"""Masks: as many signs as the values have, hidden first at the end that says more."""

from typing import Any

import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.build_masks import ENDS, MOST_SIGNS
from riskapp.engine.shaping.fitting import Column


def specs(column: Column) -> list[dict[str, Any]]:
    """A mask from either end, the finer end first.

    Raises
    ------
    BadSetting
        If there is no value, or if values are too long to be hidden sign by sign.
    """
    if not len(column.values):
        raise BadSetting(column.key, "The column has no value. Choose another kind of hierarchy.")
    longest = pc.max(pc.utf8_length(column.values)).as_py()
    if longest > MOST_SIGNS:
        raise BadSetting(column.key, f"Some values have more than {MOST_SIGNS} signs. Choose another kind.")
    ends = ENDS if finer_right(column) else ENDS[::-1]
    return [{"mask": longest, "from": end} for end in ends]


def finer_right(column: Column) -> bool:
    """Whether the right half of the values has at least as many different forms as the left."""
    half = max(1, pc.max(pc.utf8_length(column.values)).as_py() // 2)
    left = pc.utf8_slice_codeunits(column.values, 0, half)
    right = pc.utf8_reverse(pc.utf8_slice_codeunits(pc.utf8_reverse(column.values), 0, half))
    return bool(pc.count_distinct(right).as_py() >= pc.count_distinct(left).as_py())
