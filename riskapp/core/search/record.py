"""What a search may ask about one record: its risk, utility and largest chance at any node of its lattice.

Nothing here knows how nodes are searched, and no search knows how risk or utility come about.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from riskapp.core.bad_setting import BadSetting, check_choice
from riskapp.core.extended import INFINITE, Numbers, inverse, plus, times
from riskapp.core.frontier import Flags
from riskapp.core.loss import Counts, Loss
from riskapp.core.search.crowd import Crowd, Levels
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.sensitivity import FAMILIES

OVER = ("worst", "bayes")
MOST_NODES = 20_000_000
"""Above it no table of all nodes is made: it would take gigabytes."""


class Pair(NamedTuple):
    """Two attributes, by their places, that hurt by so much more while both are below the top."""

    one: int
    other: int
    weight: float


class Figures(NamedTuple):
    """What is known of some nodes, an array for each; `people` has one for each dictionary.

    `inverse` is 1/r as the aggregate question reads it: ∞ where r = 0, but 0 where that is only because nobody is
    consistent with the record, and so there is no crowd to hide in.
    """

    phi: Numbers
    people: tuple[Counts, ...]
    risk: Numbers
    utility: Numbers
    chance: Numbers
    inverse: Numbers


@dataclass(frozen=True, eq=False)
class Record:
    """One record with its lattice.

    Parameters
    ----------
    heights : of every attribute; 0 for one that is kept as it is
    weights : for each attribute what it weighs at each level, never rising and 0 at the top; ∞ is allowed. The only
        level of a kept attribute may have a weight, for it is disclosed.
    utilities : for each attribute what it says at each level, never rising
    crowds : who the record may be, for each dictionary
    pairs : attributes that hurt more together, without those whose cell is missing
    family : `linear` or `multiplicative`
    loss : the model, with Ψ and what nobody counts as
    over_dictionaries : `worst` or `bayes`
    priors : of the dictionaries; equal where they are not given
    largest_chance : the limit on the chance of being identified, whatever the weights

    Raises
    ------
    BadSetting
        If a choice is unknown.
    ValueError
        If the arrays do not fit the lattice, or a weight or utility rises.

    Examples
    --------
    >>> from riskapp.core.search.crowd import Meets
    >>> crowd = Meets.of([[0, 0], [1, 0], [1, 0], [0, 1]])
    >>> record = Record((1, 1), [[2.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], (crowd,))
    >>> record.table().risk
    array([3.        , 1.        , 0.33333333, 0.        ])
    >>> record.at(np.array([[1, 0]])).utility
    array([1.])
    """

    heights: Node
    weights: Sequence[Numbers]
    utilities: Sequence[Numbers]
    crowds: tuple[Crowd, ...]
    pairs: tuple[Pair, ...] = ()
    family: str = "linear"
    loss: Loss = field(default_factory=Loss)
    over_dictionaries: str = "worst"
    priors: Sequence[float] = ()
    largest_chance: float | None = None

    def __post_init__(self) -> None:
        check_choice("sensitivity.family", self.family, FAMILIES)
        check_choice("risk.over_dictionaries", self.over_dictionaries, OVER)
        for name in ("weights", "utilities"):
            levels = tuple(np.asarray(each, dtype=np.float64) for each in getattr(self, name))
            object.__setattr__(self, name, levels)
            if [len(each) for each in levels] != [height + 1 for height in self.heights]:
                raise ValueError(f"There are {name} for every level of every attribute.")
            if any((each[1:] > each[:-1]).any() or np.isnan(each).any() for each in levels):
                raise ValueError(f"The {name} of a coarser value are never higher.")
        self._check_weights()
        if not self.crowds or not all(crowd.fits(self.heights) for crowd in self.crowds):
            raise ValueError("There is at least one crowd, and each is about this lattice.")
        if len(self.priors) not in (0, len(self.crowds)) or (len(self.priors) and not sum(self.priors) > 0):
            raise ValueError("There is a prior for every crowd, and not all of them are 0.")

    def _check_weights(self) -> None:
        for height, weights in zip(self.heights, self.weights, strict=True):
            if weights[-1] < 0 or (height and weights[-1] > 0):
                raise ValueError("A weight is not below 0, and it is 0 at the top.")
        places = range(len(self.heights))
        if any(pair.one == pair.other or {pair.one, pair.other} - {*places} for pair in self.pairs):
            raise ValueError("A pair is of two different attributes.")

    @cached_property
    def lattice(self) -> Lattice:
        """All nodes."""
        return Lattice(self.heights)

    @cached_property
    def _shares(self) -> Numbers:
        priors = np.asarray(self.priors if len(self.priors) else np.ones(len(self.crowds)), dtype=np.float64)
        shares: Numbers = priors / priors.sum()
        return shares

    @property
    def _worst(self) -> bool:
        return self.over_dictionaries == "worst"

    @cached_property
    def least(self) -> float:
        """What is taken from a utility before it is raised to a power: that of ⊥ where it is below 0, as losses are."""
        return min(0.0, sum(float(each[-1]) for each in self.utilities))

    def at(self, nodes: Levels) -> Figures:
        """The figures of some nodes, the rows of an array of levels."""
        columns = np.asarray(nodes, dtype=np.int64).T
        weights = [each[column] for each, column in zip(self.weights, columns, strict=True)]
        says = [each[column] for each, column in zip(self.utilities, columns, strict=True)]
        both = [self._pair(pair, columns[pair.one], columns[pair.other]) for pair in self.pairs]
        return self._figures(plus(*weights, *both), reduce(np.add, says), tuple(c.at(nodes) for c in self.crowds))

    def table(self) -> Figures:
        """The figures of all nodes in the order of their numbers.

        Raises
        ------
        BadSetting
            If there are too many to be listed.
        """
        size = self.lattice.size
        if size > MOST_NODES:
            told = f"There are {size} nodes, too many to look at each."
            raise BadSetting("search.methods", f"{told} Choose milp or branch-and-bound.")
        # One axis per attribute, so that sums over the lattice need no list of its nodes.
        levels = np.ogrid[tuple(slice(0, height + 1) for height in self.heights)]
        shape = tuple(height + 1 for height in self.heights)
        parts = [each[level] for each, level in zip(self.weights, levels, strict=True)]
        parts += [self._pair(pair, levels[pair.one], levels[pair.other]) for pair in self.pairs]
        says = [each[level] for each, level in zip(self.utilities, levels, strict=True)]
        sums = plus(np.zeros(shape), *parts).reshape(size)
        utility = reduce(np.add, says, np.zeros(shape)).reshape(size)
        return self._figures(sums, utility, tuple(crowd.table(self.heights) for crowd in self.crowds))

    def _pair(self, pair: Pair, one: Levels, other: Levels) -> Numbers:
        return np.where(self._disclosed(pair.one, one) & self._disclosed(pair.other, other), pair.weight, 0.0)

    def _disclosed(self, place: int, levels: Levels) -> Flags:
        shown: Flags = (levels < self.heights[place]) | (self.heights[place] == 0)
        return shown

    def _figures(self, sums: Numbers, utility: Numbers, people: tuple[Counts, ...]) -> Figures:
        phi = sums
        if self.family == "multiplicative":
            with np.errstate(over="ignore"):
                phi = np.exp(sums)
        losses = [self.loss.of(phi, some, c.everybody) for some, c in zip(people, self.crowds, strict=True)]
        chance = reduce(np.maximum, [self.loss.chances(some) for some in people])
        risk = self.combined(losses)
        return Figures(phi, people, risk, utility, chance, self._inverse(phi, people, risk))

    def combined(self, losses: Sequence[Numbers]) -> Numbers:
        """The losses against each dictionary as one risk."""
        if len(losses) == 1:
            return losses[0]
        if self._worst:
            worst: Numbers = reduce(np.maximum, losses)
            return worst
        return plus(*[times(share, each) for share, each in zip(self._shares, losses, strict=True)])

    def _inverse(self, phi: Numbers, people: tuple[Counts, ...], risk: Numbers) -> Numbers:
        shown = (phi > 0) | (self.loss.model == "anonymity")
        counted = [some for some, share in zip(people, self._shares, strict=True) if share or self._worst]
        alone = (reduce(np.maximum, counted) == 0) & shown & (risk == 0)
        return np.where(alone, 0.0, np.where(risk == 0, INFINITE, inverse(risk)))
