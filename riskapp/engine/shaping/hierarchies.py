"""Proposed hierarchies: for a column and a kind of hierarchy, specs that suit its values, the likeliest first."""

from collections.abc import Callable, Sequence

import pyarrow as pa

from riskapp.core.bad_setting import BadSetting, check_choice
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping import countries, days, masks, numbers, ordered, prefixes, tree, widths
from riskapp.engine.shaping.fitting import Column, Spec, column_at, fitted

MOST_WRITTEN = 2_000
"""Rules for columns with more values than this are not written out: set-ups must stay small."""

KINDS: dict[str, Callable[[Column], Sequence[Spec]]] = {
    "none": lambda column: [None],
    "dates": days.specs,
    "intervals": widths.specs,
    "mask": masks.specs,
    "ordered": ordered.specs,
    "countries": countries.specs,
    "prefixes": prefixes.specs,
}


def proposed(table: CodedTable, column: int, kind: str) -> Spec:
    """The likeliest spec of a kind for the column at a position; None is value → `*`.

    Raises
    ------
    BadSetting
        If there is no such kind, or if the column's values are nothing for it.
    """
    return alternatives(table, column, kind)[0]


def alternatives(table: CodedTable, column: int, kind: str) -> list[Spec]:
    """All specs of a kind that are worth offering, the likeliest first.

    Raises
    ------
    BadSetting
        As `proposed` does.
    """
    values = column_at(table, column)
    return [numbers.ready(values, spec) for spec in of_column(values, kind)]


def of_column(column: Column, kind: str) -> list[Spec]:
    """The same for a column that is counted already; intervals as a rule, which `numbers.ready` makes fit it."""
    check_choice(column.key, kind, tuple(KINDS))
    return list(KINDS[kind](column))


def with_all(table: CodedTable, column: int, kind: str) -> tuple[Spec, int, bool]:
    """The likeliest spec of a kind, with a place for every value where it can be written out.

    Returns
    -------
    the spec, how many values are nothing for the kind, and whether these stand by themselves in it

    Raises
    ------
    BadSetting
        As `proposed` does, and if the values shall be put in order and have none but the alphabet's.
    """
    values = column_at(table, column)
    if kind == "ordered" and not ordered.has_order(values.values.to_pylist()):
        raise BadSetting(values.key, "The order of the values is not known. Put them in order, or into groups.")
    spec = numbers.ready(values, of_column(values, kind)[0])
    fit = fitted(values, spec)
    outside = values.values.filter(pa.array(~fit.covered)).to_pylist()
    if not outside or len(values.values) > MOST_WRITTEN:
        return spec, len(outside), not outside
    try:
        return tree.add_values(tree.from_spec(table, column, spec), dict.fromkeys(outside)), len(outside), True
    except BadSetting:  # a value is called like a group
        return spec, len(outside), False


def opening(table: CodedTable, column: int, kind: str) -> Spec:
    """What a set-up begins with: the likeliest spec, or value → `*` where the values are nothing for the kind."""
    try:
        return proposed(table, column, kind)
    except BadSetting:
        return None
