"""What a rule does to a column, in words, for every level of its hierarchy."""

from collections.abc import Mapping, Sequence
from typing import Any

AS_IT_IS, WITHHELD = "as it is", "withheld"


def level_words(hierarchy: Mapping[str, Any] | None, names: Sequence[str], groups: Sequence[int]) -> list[str]:
    """A phrase for each level, to follow the column's name.

    Parameters
    ----------
    hierarchy : as the assessment file has it; None for value → *
    names : of the levels, the leaves' first; those that are only numbers say nothing
    groups : how many each level has

    >>> level_words({"dates": ["month", "year"]}, ["day", "month", "year", "3"], [730, 24, 2, 1])
    ['as it is', 'by month', 'by year', 'withheld']
    >>> level_words({"intervals": {"from": 0, "widths": [5, 20]}}, ["0", "1", "2", "3"], [80, 16, 4, 1])
    ['as it is', 'in steps of 5', 'in steps of 20', 'withheld']
    >>> level_words({"mask": 3}, ["0", "1", "2", "3"], [90, 9, 3, 1])
    ['as it is', 'by its first 2 signs', 'by its first sign', 'withheld']
    >>> level_words({"file": "city.csv", "header": True}, ["town", "region", "2"], [9, 3, 1])
    ['as it is', 'by region', 'withheld']
    >>> level_words({"file": "job.csv"}, ["0", "1", "2", "3", "4"], [9, 5, 3, 3, 1])
    ['as it is', 'in 5 groups', 'in 3 groups (level 2)', 'in 3 groups (level 3)', 'withheld']
    >>> level_words(None, ["0", "1"], [2, 1])
    ['as it is', 'withheld']
    """
    top = len(names) - 1
    between = [_between(hierarchy or {}, level, names[level], groups) for level in range(1, top)]
    return [AS_IT_IS, *between, WITHHELD][: len(names)] if top else [AS_IT_IS]


def _between(hierarchy: Mapping[str, Any], level: int, name: str, groups: Sequence[int]) -> str:
    if "intervals" in hierarchy:
        widths = hierarchy["intervals"]["widths"]
        if level <= len(widths):
            return f"in steps of {widths[level - 1]}"
    if "mask" in hierarchy:
        left = hierarchy["mask"] - level
        end = "last" if hierarchy.get("from") == "left" else "first"
        return f"by its {end} sign" if left == 1 else f"by its {end} {left} signs"
    return f"by {name}" if not name.isdecimal() else _in_groups(level, groups)


def _in_groups(level: int, groups: Sequence[int]) -> str:
    """Levels that have as many groups as another are told apart by their number."""
    many = f"{groups[level]:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    words = f"in {many} group{'' if groups[level] == 1 else 's'}"
    return words if list(groups).count(groups[level]) == 1 else f"{words} (level {level})"
