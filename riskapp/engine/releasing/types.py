"""The type of a released column: a number or a date stays one where every cell is released as it was."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from riskapp.core.table import decimals
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.keys import Places
from riskapp.core.table.released import Released
from riskapp.core.table.value_list import Texts, flags

CATEGORY, INTEGER, NUMBER, DATE = "category", "integer", "number", "date"
WHOLE = r"^(0|-?[1-9]\d{0,17})$"
DAY = r"^\d{4}-\d\d-\d\d$"
ENOUGH = 1 << 12
DIGITS = 15
"""So many digits of a decimal number survive a binary fraction of 64 bits."""


def type_of(released: Released, place: int) -> str:
    """The type of a column: that of its values where no cell is generalised, else that of labels, a category.

    >>> from riskapp.core.table.build_masks import flat
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> from riskapp.core.table.value_list import ValueList
    >>> age = flat("age", [ValueList.of(["52", "7"])])
    >>> records = CodedRecords.of([CodedColumn(age, np.array([2, 1, 0], dtype=np.int32))])
    >>> type_of(Released.at(records, (0,)), 0), type_of(Released.at(records, (1,)), 0)
    ('integer', 'category')
    """
    levels = np.broadcast_to(np.asarray(released.levels[place]), len(released.records))
    if levels[~released.suppressed].any():
        return CATEGORY
    codes = released.records.columns[place].codes[~released.suppressed]
    used = np.flatnonzero(np.bincount(codes, minlength=1)[1:]) + 1
    hierarchy = released.hierarchies[place]
    # What some of the values are no numbers or dates of, all are not.
    if type_of_values(_leaves(hierarchy, used[:ENOUGH])) == CATEGORY:
        return CATEGORY
    return type_of_values(_leaves(hierarchy, used))


def _leaves(hierarchy: Hierarchy, codes: Places) -> Texts:
    return hierarchy.labels[0].take(pa.array(codes))


def type_of_values(values: Texts) -> str:
    """The type that different texts, none of them missing, have in common.

    A number with a zero before it is a code and no number, and so are two spellings of one number.

    >>> from riskapp.core.table.value_list import texts
    >>> [type_of_values(texts(some)) for some in (["1", "-2"], ["1.50", "2"], ["01", "2"], ["1975-05-10"])]
    ['integer', 'number', 'category', 'date']
    """
    if not len(values):
        return CATEGORY
    if flags(pc.match_substring_regex(values, WHOLE)).all():
        return INTEGER
    if flags(pc.match_substring_regex(values, DAY)).all() and _in_calendar(values):
        return DATE
    return NUMBER if _are_numbers(values) else CATEGORY


def _in_calendar(values: Texts) -> bool:
    try:
        np.array(values.to_pylist(), dtype="datetime64[D]")
    except ValueError:
        return False
    return True


def _are_numbers(values: Texts) -> bool:
    plain = r"^-?(0|[1-9]\d*)(\.\d+)?$"
    if not flags(pc.match_substring_regex(values, plain)).all():
        return False
    spelled = decimals.spelled(values).to_pylist()
    few = all(len(re.sub(r"[-.]", "", number).lstrip("0")) <= DIGITS for number in spelled)
    return few and len(set(spelled)) == len(spelled)


def typed(values: Texts, kind: str) -> pa.Array:
    """Texts as values of a type; what is no such value, as `*`, becomes null.

    >>> from riskapp.core.table.value_list import texts
    >>> typed(texts(["5", "*", None]), INTEGER).to_pylist()
    [5, None, None]
    """
    patterns = {INTEGER: WHOLE, NUMBER: decimals.NUMBER, DATE: DAY}
    if kind == CATEGORY:
        return values.cast(pa.string())
    fits = pc.match_substring_regex(values, patterns[kind])
    return pc.if_else(fits, values, None).cast({INTEGER: pa.int64(), NUMBER: pa.float64(), DATE: pa.date32()}[kind])
