"""Φ: what it hurts when a released record is traced to its person.

Φ(y) is the sum of the weights of what y discloses, each fallen to the level at which it is shown, and of the pairs
whose attributes are both disclosed (*linear*), or e to the power of that sum (*multiplicative*). What is missing or
suppressed is not disclosed. `person_total` makes the weights of a record's non-missing cells and pairs sum to c
(*scale*), or to no more than c (*cap*), before they fall; a sum of 0 or ∞ is left alone. Both falls are proportional to
the weights, so that is one factor on the whole sum.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import BadSetting, check_amount, check_choice
from riskapp.core.extended import INFINITE, Numbers, plus
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.fall import Flags
from riskapp.core.table.lattice import Lattice
from riskapp.core.table.weights import Weights

Levels = npt.NDArray[np.integer]

FAMILIES = ("linear", "multiplicative")
TOTALS = ("scale", "cap")


@dataclass(frozen=True, eq=False)
class Weighed:
    """One attribute of every record with what it weighs.

    Parameters
    ----------
    column : the leaf codes of the records
    weights : those of the attribute
    personal : for each record its person's own weight, NaN where it is missing and the attribute's own applies
    kept : whether the column is released as it is, so that there is no level to choose

    Raises
    ------
    BadSetting
        If personal weights are below 0.
    ValueError
        If the column is not coded at its leaves, or the arrays are not of one length.
    """

    column: CodedColumn
    weights: Weights
    personal: Numbers | None = None
    kept: bool = False

    def __post_init__(self) -> None:
        if self.column.level or self.column.hierarchy is not self.weights.hierarchy:
            raise ValueError("Weights belong to leaves of the same hierarchy.")
        if self.personal is None:
            return
        if self.personal.shape != self.column.codes.shape:
            raise ValueError("There is a personal weight, or NaN, for every record.")
        wrong = np.flatnonzero(self.personal < 0)
        if len(wrong):
            told = f"{len(wrong)} personal weights are below 0, the first in record {wrong[0] + 1}."
            raise BadSetting(f"attributes.{self.name}.personal_weight", f"{told} Give weights that are not.")

    @property
    def name(self) -> str:
        """The attribute's."""
        return self.weights.hierarchy.attribute

    @property
    def height(self) -> int:
        """How many steps there are to choose: none for a kept column."""
        return 0 if self.kept else self.weights.hierarchy.height

    def at(self, level: int, rows: Flags | slice = slice(None)) -> Numbers:
        """What the cells of some records weigh at a level of the hierarchy, the top where they are suppressed."""
        codes = self.column.codes[rows]
        weights = self.weights.at(level, codes)
        if self.personal is None:
            return weights
        own = self.personal[rows]
        return np.where(np.isnan(own), weights, self.weights.personal(level, codes, own))

    def at_each(self, levels: Levels) -> Numbers:
        """What each record's cell weighs at the record's own level."""
        weights = np.zeros(len(levels))
        for level in np.unique(levels):
            rows = levels == level
            weights[rows] = self.at(int(level), rows)
        return weights

    def disclosed(self, level: int | Levels) -> Flags:
        """Which cells say something: those neither missing nor at the top."""
        shown: Flags = (self.column.codes != 0) & (np.asarray(level) < self.weights.hierarchy.height)
        return shown


@dataclass(frozen=True)
class Pair:
    """Two attributes that hurt by so much more when both are disclosed."""

    one: str
    other: str
    weight: float


@dataclass(frozen=True)
class PersonTotal:
    """What the weights of each person sum to (`scale`), or sum to at most (`cap`)."""

    how: str
    most: float

    def __post_init__(self) -> None:
        check_choice("sensitivity.person_total", self.how, TOTALS)
        check_amount(f"sensitivity.person_total.{self.how}", self.most, finite=self.how == "scale")


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Φ of records, for any node or for a node of their own.

    Parameters
    ----------
    columns : the attributes, all of them: those with a level to choose and those kept
    pairs : attributes that hurt more together
    family : `linear` or `multiplicative`
    person_total : to what the weights of a person are brought

    Raises
    ------
    BadSetting
        If a choice is unknown, or a pair is not of two different attributes with a weight of 0 or more.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([1, 2, 0], dtype=np.int32))
    >>> phi = Sensitivity((Weighed(column, Weights.of(race, 3.0, fall="harmonic")),))
    >>> phi.at((0,)), phi.at((1,)), phi.at((2,))
    (array([3., 3., 0.]), array([3. , 1.5, 0. ]), array([0., 0., 0.]))
    >>> phi.at_each(np.array([[0], [1], [1]]))
    array([3. , 1.5, 0. ])
    """

    columns: tuple[Weighed, ...]
    pairs: tuple[Pair, ...] = ()
    family: str = "linear"
    person_total: PersonTotal | None = None

    def __post_init__(self) -> None:
        if not self.columns or len({len(weighed.column) for weighed in self.columns}) != 1:
            raise ValueError("Records have at least one column, and all columns have one length.")
        check_choice("sensitivity.family", self.family, FAMILIES)
        names = {weighed.name for weighed in self.columns}
        for place, pair in enumerate(self.pairs):
            check_amount(f"sensitivity.pairs.{place}.weight", pair.weight)
            if pair.one == pair.other or not {pair.one, pair.other} <= names:
                raise BadSetting(f"sensitivity.pairs.{place}.attributes", "Name two different attributes.")

    @cached_property
    def lattice(self) -> Lattice:
        """The nodes: a level for every column, 0 for those that are kept."""
        return Lattice(tuple(weighed.height for weighed in self.columns))

    def at(self, node: Sequence[int]) -> Numbers:
        """Φ of every record at a node."""
        return self.of_sums(self.sums(node))

    def at_each(self, nodes: Levels) -> Numbers:
        """Φ of every record at its own node, a row of levels. In a suppressed record kept columns are at their top."""
        return self.of_sums(self.sums_of_each(nodes))

    def of_sums(self, sums: Numbers) -> Numbers:
        """Φ from the sums of weights: themselves, or e to their power, which may be beyond all numbers."""
        if self.family == "linear":
            return sums
        with np.errstate(over="ignore"):
            return np.exp(sums)

    def of_columns(self, columns: Numbers, node: Sequence[int]) -> Numbers:
        """Φ at a node from the sum of what all columns weigh there: `Weighed.at` added up in their order."""
        return self.of_sums(self._shared(plus(columns, *self._pairs_at(node))))

    def sums(self, node: Sequence[int]) -> Numbers:
        """The sum of what every record discloses at a node."""
        self.check(node)
        return self._shared(self._plain(node))

    def check(self, node: Sequence[int]) -> None:
        """Raise `ValueError` unless the node is in the lattice."""
        if tuple(node) not in self.lattice:
            raise ValueError(f"The node is not in the lattice with heights {self.lattice.heights}.")

    def sums_of_each(self, nodes: Levels) -> Numbers:
        """The sum of what every record discloses at its own node."""
        if nodes.shape != (len(self.columns[0].column), len(self.columns)):
            raise ValueError("There is a row of levels for every record.")
        tops = [weighed.weights.hierarchy.height for weighed in self.columns]
        if ((nodes < 0) | (nodes > tops)).any():
            raise ValueError("A level is not in the hierarchy.")
        parts = [weighed.at_each(levels) for weighed, levels in zip(self.columns, nodes.T, strict=True)]
        return self._shared(plus(*parts, *self._pairs_at(list(nodes.T))))

    def _plain(self, node: Sequence[int]) -> Numbers:
        """The sum before it is brought to the person's total."""
        parts = [weighed.at(level) for weighed, level in zip(self.columns, node, strict=True)]
        return plus(*parts, *self._pairs_at(node))

    def _pairs_at(self, levels: Sequence[int | Levels]) -> Iterator[Numbers]:
        """For each pair its weight in the records that disclose both."""
        places = {weighed.name: place for place, weighed in enumerate(self.columns)}
        for pair in self.pairs:
            one, other = places[pair.one], places[pair.other]
            both = self.columns[one].disclosed(levels[one]) & self.columns[other].disclosed(levels[other])
            yield np.where(both, pair.weight, 0.0)

    def _shared(self, sums: Numbers) -> Numbers:
        if self.totals is None:
            return sums
        leaves, most = self.totals
        return sums / leaves * most

    @cached_property
    def totals(self) -> tuple[Numbers, Numbers] | None:
        """For every record the sum of its leaf weights and what it becomes; 1 and 1 where it is left alone."""
        if self.person_total is None:
            return None
        leaves = self._plain(self.lattice.bottom)
        alone = (leaves == 0) | (leaves == INFINITE)
        if self.person_total.how == "cap":
            alone |= leaves <= self.person_total.most
        return np.where(alone, 1.0, leaves), np.where(alone, 1.0, self.person_total.most)
