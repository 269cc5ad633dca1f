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
    of_chances = any(limits.get(name) is not None for name in OF_CHANCES)
    if not rule["within_limits"] or (of_chances and not replayed(rule)):
        return Standing.BROKEN
    return Standing.FREE if nothing_limited(limits) else Standing.KEPT


def nothing_limited(limits: Mapping[str, Any]) -> bool:
    """Whether no limit is set, so that none can be kept or broken.

    >>> nothing_limited({}), nothing_limited({"inference": None}), nothing_limited({"inference": 0.5})
    (True, True, False)
    """
    return all(limit is None for limit in limits.values())


def keeps(rule: Listed, limits: Mapping[str, Any]) -> bool:
    """Whether it breaks none of them."""
    return standing(rule, limits) is not Standing.BROKEN


def replayed(rule: Listed) -> bool:
    """Whether what somebody finds who replays the rule was counted for every attacker."""
    return all(one["by_replay"] is not None for one in rule["people"].values())
