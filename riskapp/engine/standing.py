"""Whether a rule keeps the limits of its assessment."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

Listed = Mapping[str, Any]
"""A rule as RESULT.json lists it."""

OF_CHANCES = ("largest_chance", "share_above")
"""The limits that somebody who replays a rule may break."""


class Standing(StrEnum):
    """What is told of a rule and the limits."""

    KEPT = "kept"
    BROKEN = "broken"
    FREE = "none set"


def standing(rule: Listed, limits: Mapping[str, Any]) -> Standing:
    """How a rule stands to the limits: limits of chances are broken where its replay could not be counted.

    Parameters
    ----------
    limits : of the assessment, as its file names them

    >>> people = {"neighbour": {"by_replay": None}}
    >>> str(standing({"within_limits": True, "people": people}, {"largest_chance": 0.2}))
    'broken'
    >>> str(standing({"within_limits": True, "people": people}, {"smallest_group": 5}))
    'kept'
    >>> str(standing({"within_limits": True, "people": people}, {"smallest_group": None}))
    'none set'
    """
    limited = {name for name, limit in limits.items() if limit is not None}
    if not rule["within_limits"] or (limited.intersection(OF_CHANCES) and not replayed(rule)):
        return Standing.BROKEN
    return Standing.KEPT if limited else Standing.FREE


def keeps(rule: Listed, limits: Mapping[str, Any]) -> bool:
    """Whether it breaks none of them."""
    return standing(rule, limits) is not Standing.BROKEN


def replayed(rule: Listed) -> bool:
    """Whether what somebody finds who replays the rule was counted for every attacker."""
    return all(one["by_replay"] is not None for one in rule["people"].values())
