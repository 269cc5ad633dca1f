"""Proposed hierarchies: for a column and a kind of hierarchy, specs that suit its values, the likeliest first."""

from collections.abc import Callable, Sequence

from riskapp.core.bad_setting import BadSetting, check_choice
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping import countries, days, masks, ordered, prefixes, widths
from riskapp.engine.shaping.fitting import Column, Spec, column_at

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
    return of_column(column_at(table, column), kind)


def of_column(column: Column, kind: str) -> list[Spec]:
    """The same for a column that is counted already."""
    check_choice(column.key, kind, tuple(KINDS))
    return list(KINDS[kind](column))


def opening(table: CodedTable, column: int, kind: str) -> Spec:
    """What a set-up begins with: the likeliest spec, or value → `*` where the values are nothing for the kind."""
    try:
        return proposed(table, column, kind)
    except BadSetting:
        return None
