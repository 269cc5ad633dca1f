"""Limits: what a rule must keep, whatever its risk and utility are."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from riskapp.core.bad_setting import BadSetting, check_amount

L_KINDS = ("distinct", "probabilistic", "entropy")


@dataclass(frozen=True)
class ShareAbove:
    """At most this share of the people may have a larger chance of being found."""

    chance: float
    share: float


@dataclass(frozen=True)
class Limits:
    """What a rule must keep; None where there is no limit.

    Parameters
    ----------
    largest_chance : nobody has a larger chance of being found, with any dictionary, by definition or by replay
    smallest_group : no group has fewer people
    share_above : how many people may have how large a chance
    inference : the worst inference of every sensitive column
    l : for the kinds `distinct`, `probabilistic` and `entropy` the least l of every group
    recursive : c and l of recursive (c, l)-diversity
    t : the largest distance of a group from the table

    Raises
    ------
    BadSetting
        If a limit is impossible.
    """

    largest_chance: float | None = None
    smallest_group: int | None = None
    share_above: ShareAbove | None = None
    inference: float | None = None
    l: Mapping[str, float] = field(default_factory=dict)  # noqa: E741
    recursive: tuple[float, int] | None = None
    t: float | None = None

    def __post_init__(self) -> None:
        above = self.share_above
        shares = {
            "search.limits.largest_chance": self.largest_chance,
            "search.limits.inference": self.inference,
            "search.limits.share_above.chance": above.chance if above else None,
            "search.limits.share_above.share": above.share if above else None,
            "search.require.t": self.t,
        }
        for key, share in shares.items():
            if share is not None and not 0 <= share <= 1:
                raise BadSetting(key, "Give a number from 0 to 1.")
        if self.smallest_group is not None and self.smallest_group < 1:
            raise BadSetting("search.limits.smallest_group", "Give a whole number, at least 1.")
        for kind, least in self.l.items():
            if kind not in L_KINDS:
                raise BadSetting(f"search.require.l.{kind}", f"Known are {', '.join([*L_KINDS, 'recursive'])}.")
            check_amount(f"search.require.l.{kind}", least, finite=True)
        if self.recursive is not None and (self.recursive[1] < 1 or not 0 < self.recursive[0] < float("inf")):
            raise BadSetting("search.require.l.recursive", "Give c above 0 and a whole number l, at least 1.")

    @property
    def none(self) -> bool:
        """Whether there is no limit at all."""
        return self == Limits()
