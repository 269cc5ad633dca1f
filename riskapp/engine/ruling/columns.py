"""The listed rules of a result side by side: an array for each figure, a place for each rule.

A figure that an attacker decides is the worst over all dictionaries, by definition and by replay.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.table.breaking import above
from riskapp.core.table.limits import Limits, ShareAbove
from riskapp.engine.rule_ids import FULL_DOMAIN
from riskapp.engine.standing import Listed, keeps, replayed

Flags = npt.NDArray[np.bool_]

FIGURES = (
    "risks",
    "utilities",
    "utility_shares",
    "largest_chances",
    "smallest_groups",
    "inference",
    "shares_above",
    "replayed",
)
NEAR = 1e-9
"""Numbers that are so near to a limit are compared digit by digit."""


@dataclass(frozen=True, eq=False)
class RuleColumns:
    """The figures that rules are chosen by.

    Parameters
    ----------
    ids, families : of every rule
    nodes : the levels by attribute, None for rules that have no node
    risks : the larger of that by definition and that by replay
    utilities, utility_shares : of every rule
    largest_chances, smallest_groups : ∞ people where no row is released
    inference : the worst of any sensitive column, 0 where there is none
    within_limits : those of the assessment; not where they are about chances and the rule could not be replayed
    replayed : whether what somebody finds who replays the rule is known for every attacker
    shares_above : the share of people above the chance of the assessment's own limit; None without one
    chance : that chance
    """

    ids: Sequence[str]
    families: Sequence[str]
    nodes: Sequence[Mapping[str, int] | None]
    risks: Numbers
    utilities: Numbers
    utility_shares: Numbers
    largest_chances: Numbers
    smallest_groups: Numbers
    inference: Numbers
    within_limits: Flags
    replayed: Flags
    shares_above: Numbers | None = None
    chance: float | None = None

    @classmethod
    def of(cls, rules: Iterable[Listed], limits: Limits | None = None) -> "RuleColumns":
        """The rules of a RESULT.json, each looked at once.

        Parameters
        ----------
        rules : as they are listed
        limits : of the assessment, which say above which chance people were counted
        """
        words, numbers, named = [], [], vars(limits) if limits else {}
        for rule in rules:
            words.append((rule["id"], rule["family"], rule["node"], keeps(rule, named)))
            numbers.append(_figures(rule))
        if not words:
            raise ValueError("There is at least one rule.")
        ids, families, nodes, within = zip(*words, strict=True)
        figures = dict(zip(FIGURES, np.array(numbers, dtype=np.float64).T, strict=True))
        counted = None if limits is None or limits.share_above is None else limits.share_above.chance
        shares, again = figures.pop("shares_above"), figures.pop("replayed") > 0
        return cls(
            ids=ids,
            families=families,
            nodes=nodes,
            within_limits=np.array(within, dtype=np.bool_),
            replayed=again,
            shares_above=None if counted is None else shares,
            chance=counted,
            **figures,
        )

    def __len__(self) -> int:
        return len(self.ids)

    def place(self, rule: str) -> int:
        """Where a rule stands.

        Raises
        ------
        BadSetting
            If it is not listed.
        """
        if rule not in self.ids:
            raise BadSetting("rule", "There is no such rule. Take one that the result lists.")
        return self.ids.index(rule)

    @property
    def full_domain(self) -> Flags:
        """Which rules take everybody to one node."""
        return np.array([family == FULL_DOMAIN for family in self.families], dtype=np.bool_)

    def breaking(self, limits: Limits) -> dict[str, Flags]:
        """For each limit that is set, which rules break it.

        What the result does not tell counts as broken: chances of a rule whose replay could not be counted, the share
        of people above another chance than was counted, unless nobody has that chance, and requirements of l and t.
        """
        return dict(_breaking(self, limits))

    def unmeasured(self, limits: Limits, place: int) -> list[str]:
        """The limits that the result does not tell about one rule."""
        found = [name for name, asked in (("l", limits.l or limits.recursive), ("t", limits.t)) if asked]
        share = limits.share_above
        if share is not None and share.chance != self.chance and above(self.largest_chances[place], share.chance):
            found.append("share_above")
        return sorted(found)

    def unreplayed(self, limits: Limits, place: int) -> list[str]:
        """The limits that one rule keeps by definition, while its replay could not be counted."""
        if self.replayed[place]:
            return []
        return [name for name, broken in self._chances(limits).items() if not broken[place]]

    def _chances(self, limits: Limits) -> dict[str, Flags]:
        """For each limit of chances that is set, which rules break it as far as they were counted."""
        found = {}
        if limits.largest_chance is not None:
            found["largest_chance"] = over(self.largest_chances, limits.largest_chance)
        if limits.share_above is not None:
            found["share_above"] = _too_many(self, limits.share_above)
        return found


def _breaking(listing: RuleColumns, limits: Limits) -> Iterator[tuple[str, Flags]]:
    if limits.inference is not None:
        yield "inference", over(listing.inference, limits.inference)
    for name, broken in listing._chances(limits).items():
        yield name, broken | ~listing.replayed
    if limits.smallest_group is not None:
        yield "smallest_group", listing.smallest_groups < limits.smallest_group
    unknown = np.ones(len(listing), dtype=np.bool_)
    if limits.l or limits.recursive:
        yield "l", unknown
    if limits.t is not None:
        yield "t", unknown


def _too_many(listing: RuleColumns, limit: ShareAbove) -> Flags:
    somebody = over(listing.largest_chances, limit.chance)
    if listing.shares_above is None or listing.chance != limit.chance:
        return somebody
    return somebody & over(listing.shares_above, limit.share)


def over(numbers: Numbers, limit: float) -> Flags:
    """Which numbers are above a limit, as `above` has it.

    >>> over(np.array([0.1 + 0.2, 0.31, 0.2]), 0.3)
    array([False,  True, False])
    """
    found: Flags = numbers > limit
    near = np.flatnonzero(np.abs(numbers - limit) < NEAR * max(1.0, abs(limit)))
    found[near] = [above(float(number), limit) for number in numbers[near]]
    return found


def risk_that_counts(rule: Listed) -> float:
    """The larger of the two risks."""
    again = rule["risk_replay"]
    return max(float(rule["risk"]), -INFINITE if again is None else float(again))


def of_people(rule: Listed, figure: str) -> float:
    """The worst of a figure about people."""
    found = list(rule["people"].values())
    again = [one["by_replay"] for one in found if one["by_replay"] is not None]
    return max(float(one.get(figure, 0.0)) for one in [*found, *again])


def _figures(rule: Listed) -> tuple[float, ...]:
    """Those in `FIGURES`, in their order."""
    smallest = rule["smallest_group"]
    return (
        risk_that_counts(rule),
        float(rule["utility"]),
        float(rule["utility_share"]),
        of_people(rule, "largest_chance"),
        INFINITE if smallest is None else smallest,
        max((float(one["worst"]) for one in rule["inference"].values()), default=0.0),
        of_people(rule, "share_above"),
        replayed(rule),
    )
