"""Ordered values: neighbours merged by twos, or by so many, level by level."""

import re
from collections.abc import Sequence
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.hierarchy import TOP
from riskapp.engine.shaping.fitting import Column

SCALES = [
    "none minimal mild moderate severe critical fatal",
    "never rarely seldom sometimes often usually always",
    "very_low low medium high very_high",
    "xxs xs s m l xl xxl xxxl",
    "tiny small medium large huge",
    "poor fair good very_good excellent",
    "strongly_disagree disagree neutral agree strongly_agree",
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "primary secondary tertiary bachelor master doctorate",
    "first second third fourth fifth sixth seventh eighth ninth tenth",
]
BELOW = re.compile(r"\s*(?:<|≤|under|below|less|up to|unter|bis|moins|menos|meno|onder)", re.IGNORECASE)
ABOVE = re.compile(r"\s*(?:>|≥|over|above|more|über|plus|más|più|boven)|.*\+\s*$", re.IGNORECASE)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST = 2_000
BY = (2, 3, 5)


def specs(column: Column) -> list[dict[str, Any]]:
    """Rows in the column's order, merged by 2, by 3 and by 5.

    Raises
    ------
    BadSetting
        If there are no values, or too many to be merged by hand.
    """
    found = [neighbours(column, by) for by in BY]
    return [spec for place, spec in enumerate(found) if spec not in found[:place]]


def neighbours(column: Column, by: int) -> dict[str, Any]:
    """Rows in the column's order, so many neighbours merged at every level.

    Raises
    ------
    BadSetting
        If there are no values, or too many to be merged by hand, or if fewer than two shall be merged.
    """
    many = max(len(column.values), len(column.order))
    if not 1 <= many <= MOST:
        told = f"The column has {many} different values. From 1 to {MOST} can be put in order."
        raise BadSetting(column.key, f"{told} Choose another kind of hierarchy.")
    if by < 2:
        raise BadSetting(column.key, "Merge at least 2 neighbours at a time.")
    return {"rows": merged(in_order(column.values.to_pylist(), column.order), by), "header": None}


def in_order(values: Sequence[str], order: Sequence[str]) -> list[str]:
    """The values as somebody has ordered them; those that have no place there come last, in their natural order.

    >>> in_order(["low", "high", "none"], ["high", "middle", "low"])
    ['high', 'middle', 'low', 'none']
    """
    placed = set(order)
    return [*order, *natural_order([value for value in values if value not in placed])]


def natural_order(values: Sequence[str]) -> list[str]:
    """The values in the order that people mean: along a known scale, by the first number in each, or by the alphabet.

    >>> natural_order(["65+", "18-24", "under 18", "100", "25-64"])
    ['under 18', '18-24', '25-64', '65+', '100']
    >>> natural_order(["severe", "none", "Mild"])
    ['none', 'Mild', 'severe']
    """
    scale = _scale(values)
    if scale:
        return sorted(values, key=lambda value: (scale.index(_word(value)), value))
    if _all_numbered(values):
        return sorted(values, key=_by_number)
    return sorted(values, key=lambda value: (_pieces(value), value))


def has_order(values: Sequence[str]) -> bool:
    """Whether the order is more than the alphabet's.

    >>> has_order(["low", "high"]), has_order(["9th grade", "10th grade"]), has_order(["9th grade", "Bachelors"])
    (True, True, False)
    """
    return _scale(values) is not None or _all_numbered(values)


def _scale(values: Sequence[str]) -> list[str] | None:
    words = {_word(value) for value in values}
    return next((scale.split() for scale in SCALES if words <= set(scale.split())), None)


def _word(value: str) -> str:
    return "_".join(value.casefold().split())


def _all_numbered(values: Sequence[str]) -> bool:
    return all(NUMBER.search(value) for value in values)


def _by_number(value: str) -> tuple[float, int, list[tuple[int, float, str]], str]:
    found = NUMBER.search(value)
    assert found
    side = -1 if BELOW.match(value) else 1 if ABOVE.match(value) else 0
    negative = value[: found.start()].strip() == "-"
    return (-1 if negative else 1) * float(found[0]), side, _pieces(value), value


def _pieces(value: str) -> list[tuple[int, float, str]]:
    """Text and numbers by turns, so that 9 comes before 10."""
    parts = re.split(r"(\d+)", value.casefold())
    return [(1, float(part), "") if place % 2 else (0, 0.0, part) for place, part in enumerate(parts)]


def merged(order: Sequence[str], by: int) -> list[list[str]]:
    """Rows in which `by` neighbours make a group, and `by` neighbouring groups the next, until one is left.

    >>> merged(["a", "b", "c"], 2)
    [['a', 'a – b', '*'], ['b', 'a – b', '*'], ['c', 'c', '*']]
    """
    rows = [[value] for value in order]
    size = by
    while size < len(order):
        taken: set[str] = set()
        for start in range(0, len(order), size):
            group = order[start : start + size]
            name = _name(group, taken)
            for row in rows[start : start + size]:
                row.append(name)
        size *= by
    return [[*row, TOP] for row in rows]


def _name(group: Sequence[str], taken: set[str]) -> str:
    """The first and the last of a group; a number is added where another group is called the same."""
    name = plain = group[0] if len(group) == 1 else f"{group[0]} – {group[-1]}"
    again = 1
    while name in taken:
        again += 1
        name = f"{plain} ({again})"
    taken.add(name)
    return name
