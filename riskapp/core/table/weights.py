"""The weights of one attribute: how much it hurts when a value of it is disclosed, at every level."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from riskapp.core.bad_setting import BadSetting, check_amount, check_choice
from riskapp.core.extended import Numbers
from riskapp.core.table.fall import FALLS, Flags, Levels, harmonic, step
from riskapp.core.table.hierarchy import Codes, Hierarchy

ROUNDING = 1e-9
"""So much more, of itself, a sum of inverses may come out without anybody meaning it."""


@dataclass(frozen=True, eq=False)
class Weights:
    """What every leaf of an attribute weighs when it is shown at a level: w ≥ 0, never more higher up, w(⊥) = 0.

    Parameters
    ----------
    hierarchy : the attribute's
    levels : for each level the weight of every leaf code; missing, code 0, weighs nothing
    fall : how a personal weight falls, `step` or `harmonic`
    own : the attribute's own weight, which a value has that says nothing of its leaf

    Raises
    ------
    BadSetting
        If a weight is negative, if a more general value weighs more, or if the top or missing weighs anything.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> [weights.tolist() for weights in Weights.of(race, 2.0, fall="harmonic").levels]
    [[0.0, 2.0, 2.0, 2.0], [0.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]
    >>> Weights.of(race, 2.0, {"Chinese": 5.0}).levels[1]
    array([0., 2., 5., 2.])
    """

    hierarchy: Hierarchy
    levels: Levels
    fall: str = "step"
    own: float = 1.0

    def __post_init__(self) -> None:
        key = f"attributes.{self.hierarchy.attribute}"
        check_choice(f"{key}.fall", self.fall, FALLS)
        _check(f"{key}.weights", self.hierarchy, self.levels)
        falling = [self.levels[0]]
        for weights in self.levels[1:]:
            falling.append(falling[-1] if weights is falling[-1] else np.minimum(weights, falling[-1]))
        object.__setattr__(self, "levels", tuple(falling))

    @classmethod
    def of(
        cls,
        hierarchy: Hierarchy,
        weight: float = 1.0,
        values: Mapping[str, float] | None = None,
        *,
        fall: str = "step",
        in_domain: Flags | None = None,
        elsewhere: bool = False,
    ) -> "Weights":
        """The weights that the keys `weight`, `weights` and `fall` of an attribute give.

        Parameters
        ----------
        hierarchy : the attribute's
        weight : the weight of every leaf that has none of its own
        values : the leaves that have one; ∞ means "never"
        fall : `step` or `harmonic`
        in_domain : which leaf codes are leaves of the domain, where not all are: see `whole_units`
        elsewhere : whether values that are no leaves are passed over instead of refused

        Raises
        ------
        BadSetting
            If a weight is below 0, a value is given twice, or a more general value would weigh more.
        OutsideHierarchy
            If a value is no leaf and `elsewhere` is false.
        """
        key = f"attributes.{hierarchy.attribute}"
        check_amount(f"{key}.weight", weight)
        check_choice(f"{key}.fall", fall, FALLS)
        leaves, special = _leaves(f"{key}.weights", hierarchy, weight, values or {}, elsewhere)
        if fall == "step":
            return cls(hierarchy, step(hierarchy, leaves), fall, weight)
        counted = special if in_domain is None else special & in_domain
        return cls(hierarchy, harmonic(hierarchy, leaves, weight, counted), fall, weight)

    def at(self, level: int, codes: Codes) -> Numbers:
        """What the leaves with these codes weigh when they are shown at a level."""
        return self.levels[level][codes]

    def personal(self, level: int, codes: Codes, weights: Numbers) -> Numbers:
        """What they weigh at a level for people who have a weight of their own for the attribute.

        A personal weight is that person's weight of *every* leaf of the attribute: by the step it stays until the
        top, harmonically it is w / n(v), whatever the weights of the values are for others.
        """
        if level == self.hierarchy.height:
            return np.zeros(len(codes))
        if self.fall == "harmonic":
            weights = weights / self.hierarchy.leaf_counts[level][self.hierarchy.ancestors[level]][codes]
        return np.where(codes == 0, 0.0, weights)


def whole_units(hierarchy: Hierarchy, start: object, unit: object) -> Flags:
    """Which leaf codes of intervals are whole units from the start: only those are leaves of the domain.

    >>> from riskapp.core.table.build_intervals import from_intervals
    >>> from riskapp.core.table.value_list import ValueList
    >>> income = from_intervals("income", [ValueList.of(["52", "52.5"])], [5])
    >>> whole_units(income, 0, 1)
    array([False,  True, False])
    """
    first, one = Fraction(str(start)), Fraction(str(unit))
    leaves = hierarchy.labels[0].to_pylist()
    return np.array([leaf is not None and (Fraction(leaf.strip()) - first) % one == 0 for leaf in leaves])


def _leaves(
    key: str, hierarchy: Hierarchy, weight: float, values: Mapping[str, float], elsewhere: bool
) -> tuple[Numbers, Flags]:
    """The weight of every leaf code, and which of them are given one by one."""
    for amount in values.values():
        check_amount(key, amount)
    codes = hierarchy.found_at(0, values) if elsewhere else hierarchy.coded(values, column=key)
    given = np.fromiter(values.values(), dtype=np.float64, count=len(values))[codes > 0]
    codes = codes[codes > 0]
    if len(np.unique(codes)) < len(codes):
        raise BadSetting(key, "A value has two weights, spelt in two ways. Leave one of them out.")
    leaves, special = np.full(hierarchy.groups[0] + 1, float(weight)), np.zeros(hierarchy.groups[0] + 1, dtype=np.bool_)
    leaves[codes], special[codes] = given, True
    leaves[0] = 0.0
    return leaves, special


def _check(key: str, hierarchy: Hierarchy, levels: Levels) -> None:
    if {len(weights) for weights in levels} != {hierarchy.groups[0] + 1} or len(levels) != hierarchy.height + 1:
        raise ValueError("There is a weight for every leaf at every level.")
    if not all((weights >= 0).all() for weights in levels):
        raise BadSetting(key, "Give weights that are not below 0.")
    if levels[-1].any() or any(weights[0] for weights in levels):
        raise BadSetting(key, "What is suppressed or missing weighs 0.")
    for level, (fine, coarse) in enumerate(pairwise(levels), start=1):
        rising = int((coarse * (1 - ROUNDING) > fine).sum())
        if rising:
            told = f"{rising} values would weigh more at level {level} than below it"
            raise BadSetting(
                key, f"{told}. A more general value never weighs more: choose fall step, or other weights."
            )
