"""Numbers that are not written plainly: with a decimal comma, or with thousands apart.

Intervals are a rule for plain numbers. For others what the rule makes is written out, value by value.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table import decimals
from riskapp.core.table.value_list import Texts
from riskapp.engine.shaping.fitting import Column, Spec, fitted
from riskapp.engine.shaping.opened import MOST_LEAVES, written

APART = "[ '\u2019\u00a0\u202f]"
WAYS = (
    (r"^[+-]?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d*)?$", ",", "."),
    (r"^[+-]?((\d+|[1-9]\d{0,2}([. ]\d{3})+)(,\d*)?|,\d+)$", "[. ]", ","),
    (rf"^[+-]?(\d+|[1-9]\d{{0,2}}({APART}\d{{3}})+)([.,]\d*)?$", APART, ","),
)
"""Ways to write numbers: their form, what keeps thousands apart, and what stands for the point."""


def read(values: Texts) -> Texts:
    """The numbers that values mean, plainly spelled; null for what is none.

    Of the ways to read them it is the one that reads the most; of equals the plain one, then the comma that keeps
    thousands apart.

    >>> read(pa.array(["1.234,5", "-0,50", "1.234", "many"], pa.large_string())).to_pylist()
    ['1234.5', '-0.5', '1234', None]
    >>> read(pa.array(["1,234", "950"], pa.large_string())).to_pylist()
    ['1234', '950']
    """
    plain = decimals.spelled(values)
    if not plain.null_count:
        return plain
    return min([plain, *(_spelled(values, *way) for way in WAYS)], key=lambda way: way.null_count)


def _spelled(values: Texts, form: str, apart: str, point: str) -> Texts:
    fitting = pc.if_else(pc.match_substring_regex(values, form), values, None)
    return decimals.spelled(pc.replace_substring(pc.replace_substring_regex(fitting, apart, ""), point, "."))


def ready(column: Column, rule: Spec) -> Spec:
    """A rule as the column can use it: intervals of numbers that are not written plainly become rows.

    Raises
    ------
    BadSetting
        If there are too many values to be written out, or if the intervals are none.
    """
    if not rule or "intervals" not in rule:
        return rule
    numbers = read(column.values)
    if numbers.null_count == decimals.spelled(column.values).null_count:
        return rule
    if len(column.values) > MOST_LEAVES:
        told = f"The column has {len(column.values)} different values. Up to {MOST_LEAVES} can be grouped one by one."
        raise BadSetting(column.key, f"{told} Write the file with a decimal point and without thousands apart.")
    return _rows(column, numbers, rule)


def _rows(column: Column, numbers: Texts, rule: Mapping[str, Any]) -> Spec:
    """What the rule makes of the numbers, a row for each value; those that have no place in it have no row."""
    different = pc.unique(numbers.drop_null())
    plain = replace(column, values=different, records=np.ones(len(different), dtype=np.int64))
    fit = fitted(plain, rule)
    places = pc.fill_null(pc.index_in(numbers, value_set=different), -1).to_numpy()
    codes = np.where(places < 0, -1, fit.codes[places])
    placed = codes > 0
    if not placed.any():
        return rule
    return written(fit.hierarchy, column.values.filter(pa.array(placed)).to_pylist(), codes[placed])
