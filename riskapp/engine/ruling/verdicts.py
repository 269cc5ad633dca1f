"""The verdict on a rule: to whom its table may go, what forbids it elsewhere, and the cheapest repair."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from riskapp.core.digits import told_apart
from riskapp.core.table.limits import Limits
from riskapp.engine.plain_json import in_words
from riskapp.engine.ruling.columns import Flags, RuleColumns

Exposed = Mapping[float, int]
"""For a chance how many people have a larger one under the rule."""


def verdict(
    listing: RuleColumns, classes: Mapping[str, Limits], rule: str, *, exposed: Exposed | None = None
) -> dict[str, Any]:
    """For each release class whether a rule keeps its limits, and what to do where it does not.

    Parameters
    ----------
    listing : all rules
    classes : the limits of each release class, by its name
    rule : the chosen one
    exposed : how many people are above the chances that the classes limit, from `ruling.exposed`, where it is known

    Returns
    -------
    dict
        For each class `holds`; `broken`, each limit with the rule's value, the limit's and how many people it is about
        (None where that is not known); `unmeasured`, the limits that the result does not tell, and `unreplayed`, those
        that are kept by definition while the replay could not be counted, all of which count as broken; `endless`,
        whether the risk is infinite, so that no class will do; and `repair`: of the rules that keep all limits at a
        finite risk the one with the most utility, the least risk where that is equal. Its
        `utility_lost_share` is in shares of the unchanged table's utility, below 0 where it says more.
        `changes` are the levels that differ, None where one of the rules has no node. None where no rule will do,
        or nothing needs repair.

    Raises
    ------
    BadSetting
        If the rule is not listed.
    """
    place = listing.place(rule)
    told: dict[str, Any] = in_words(
        {name: _class(listing, limits, place, exposed or {}) for name, limits in classes.items()}
    )
    return told


def _class(listing: RuleColumns, limits: Limits, place: int, exposed: Exposed) -> dict[str, Any]:
    breaking = listing.breaking(limits)
    unmeasured, unreplayed = listing.unmeasured(limits, place), listing.unreplayed(limits, place)
    broken = [name for name, rules in breaking.items() if rules[place]]
    kept = np.isfinite(listing.risks) & ~np.any([*breaking.values(), np.zeros(len(listing), dtype=np.bool_)], axis=0)
    endless = not np.isfinite(listing.risks[place])
    measured = [name for name in broken if name not in {*unmeasured, *unreplayed}]
    return {
        "holds": not broken and not endless,
        "endless": endless,
        "broken": [_broken(listing, limits, place, name, exposed) for name in measured],
        "unmeasured": unmeasured,
        "unreplayed": unreplayed,
        "repair": _repair(listing, kept, place) if (broken or endless) and kept.any() else None,
    }


def _broken(listing: RuleColumns, limits: Limits, place: int, name: str, exposed: Exposed) -> dict[str, Any]:
    value, limit, chance = _values(listing, limits, place)[name]
    people = None if chance is None else exposed.get(chance)
    return {"limit": name, "value": value, "limit_value": limit, "people": people}


def _values(listing: RuleColumns, limits: Limits, place: int) -> dict[str, tuple[float, Any, float | None]]:
    """For each limit the rule's value, the limit's, and the chance above which people are too exposed."""
    share = limits.share_above
    above = None if listing.shares_above is None else float(listing.shares_above[place])
    return {
        "inference": (float(listing.inference[place]), limits.inference, None),
        "largest_chance": (float(listing.largest_chances[place]), limits.largest_chance, limits.largest_chance),
        "share_above": (above or 0.0, share.share if share else None, share.chance if share else None),
        "smallest_group": (_whole(listing.smallest_groups[place]), limits.smallest_group, None),
    }


def _whole(number: float) -> float:
    return int(number) if np.isfinite(number) else float(number)


def _repair(listing: RuleColumns, kept: Flags, place: int) -> dict[str, Any]:
    best = cheapest(listing, kept)
    return {
        "rule": listing.ids[best],
        "utility_lost_share": float(listing.utility_shares[place] - listing.utility_shares[best]),
        "changes": _changes(listing.nodes[place], listing.nodes[best]),
    }


def cheapest(listing: RuleColumns, kept: Flags) -> int:
    """The place of the rule with the most utility among some: equal to twelve digits, less risk, the smaller name."""
    places = np.flatnonzero(kept)
    for key in (-listing.utilities, listing.risks):
        # Only what is near the best needs its digits looked at.
        own = key[places]
        least = own.min()
        places = places[own <= least + 1e-9 * max(1.0, abs(least))] if np.isfinite(least) else places[own == least]
        digits = told_apart(key[places])
        places = places[digits == digits.min()]
    return min(places.tolist(), key=lambda one: listing.ids[one])


def _changes(one: Mapping[str, int] | None, other: Mapping[str, int] | None) -> dict[str, list[int]] | None:
    if one is None or other is None:
        return None
    return {name: [level, other[name]] for name, level in one.items() if level != other[name]}
