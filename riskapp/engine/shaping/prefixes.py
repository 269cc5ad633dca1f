"""Codes whose beginnings are groups: E11.9 → E11 → E → `*`, by the signs that keep parts apart or by length."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.hierarchy import TOP
from riskapp.engine.shaping.fitting import Column
from riskapp.engine.shaping.opened import MOST_LEAVES

SEPARATORS = ".-/:_ "
LETTERS = re.compile(r"[^\W\d_]+(?=\d)")
LONGEST = 20
MOST_LEVELS = 8

Step = Callable[[str], str]


def specs(column: Column) -> list[dict[str, Any]]:
    """Rows by parts, where a sign keeps parts of most values apart; and rows by length.

    Raises
    ------
    BadSetting
        If no beginning is shared by two values, or if there are too many values to write out.
    """
    if len(column.values) > MOST_LEAVES:
        told = f"The column has {len(column.values)} different values. Up to {MOST_LEAVES} can be grouped one by one."
        raise BadSetting(column.key, f"{told} Hide signs from the right instead: that makes the same groups by a rule.")
    values = column.values.to_pylist()
    ways = [*(_parts(values, sign) for sign in _separators(values)), _lengths(values)]
    found = [{"rows": rows, "header": None} for steps in ways if (rows := _rows(values, steps))]
    if not found:
        raise BadSetting(column.key, "No two values begin in the same way. Choose another kind of hierarchy.")
    return [spec for place, spec in enumerate(found) if spec not in found[:place]]


def _separators(values: Sequence[str]) -> list[str]:
    """The signs that stand inside at least half of the values, the commonest first."""
    times = {sign: sum(sign in value[1:-1] for value in values) for sign in SEPARATORS}
    return sorted((sign for sign in SEPARATORS if 2 * times[sign] >= len(values) > 0), key=lambda sign: -times[sign])


def _parts(values: Sequence[str], sign: str) -> list[Step]:
    """Fewer and fewer parts, and at last the letters with which the first begins."""
    most = min(MOST_LEVELS, max(value.count(sign) for value in values))
    return [*(partial(_begun, sign, count) for count in range(most, 0, -1)), _letters]


def _begun(sign: str, count: int, label: str) -> str:
    return sign.join(label.split(sign)[:count])


def _letters(label: str) -> str:
    begin = LETTERS.match(label)
    return begin[0] if begin else label


def _lengths(values: Sequence[str]) -> list[Step]:
    longest = min(LONGEST, max(map(len, values), default=0))
    return [itemgetter(slice(length)) for length in range(longest - 1, 0, -1)]


def _rows(values: Sequence[str], steps: Sequence[Step]) -> list[list[str]]:
    """Rows with one column for each step that makes fewer groups; none where no step does."""
    columns = [list(values)]
    last = list(values)
    for step in steps:
        last = [step(label) for label in last]
        if 1 < len(set(last)) < len(set(columns[-1])):
            columns.append(last)
    # The finest steps change least: of too many levels the coarsest tell most.
    chosen = [columns[0], *columns[1:][-MOST_LEVELS:]]
    return [[*row, TOP] for row in zip(*chosen, strict=True)] if len(columns) > 1 else []
