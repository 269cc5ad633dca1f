"""The things an assessment is about, as plain values."""

from dataclasses import dataclass, field
from typing import Any

from tests.oracle.hierarchies import Cell, Hierarchy

Values = dict[str, str | None]


@dataclass
class Attribute:
    """A released column: its hierarchy, and what it hurts to learn it.

    `weights` holds the leaves whose weight differs from `weight`. A kept column has no level to choose.
    `fallen_before` remembers harmonic falls, which are slow over the days of a year.
    """

    name: str
    hierarchy: Hierarchy
    kept: bool = False
    weight: float = 1.0
    weights: dict[str, float] = field(default_factory=dict)
    fall: str = "step"
    sensitive: bool = False
    order: list[str] | None = None
    fallen_before: dict[tuple[Cell, float | None], float] = field(default_factory=dict)


@dataclass
class Record:
    """A row of the dataset: its original values, whose it is, its weight in the mean risk, and personal weights."""

    values: Values
    person: str
    risk_weight: float = 1.0
    personal: dict[str, float] = field(default_factory=dict)


@dataclass
class Entry:
    """A row of a dictionary.

    `known` holds the cells it knows exactly; `fuzzy` holds, for the columns matched by likeness, the cells its value
    stands for. It stands for `count` people, or for the one `person`.
    """

    known: dict[str, Cell]
    fuzzy: dict[str, list[Cell]]
    person: str
    count: int = 1


@dataclass
class Dictionary:
    """A table about named people: which attributes it knows, its entries, and how likely the attacker holds it."""

    name: str
    attributes: list[str]
    entries: list[Entry]
    prior: float = 1.0

    def people(self) -> int:
        """|θ|: distinct persons, each counted as often as its entry says."""
        return counted(self.entries)


def counted(entries: list[Entry]) -> int:
    """The number of people that some entries stand for: entries of one person count once."""
    return sum({entry.person: entry.count for entry in entries}.values())


@dataclass
class Linkage:
    """A table without names: the cells each row knows, and the weights of the added columns that it fills."""

    rows: list[dict[str, Cell]]
    added: list[list[float]]


@dataclass
class Pair:
    """Two attributes that hurt more together."""

    one: str
    other: str
    weight: float


@dataclass
class Settings:
    """How losses and utilities are computed and put together; the defaults are the format's."""

    family: str = "linear"
    pairs: list[Pair] = field(default_factory=list)
    person_total: tuple[str, float] | None = None
    unidentified: float = 0.0
    model: str = "sensitivity"
    risk_over_records: str = "mean"
    over_dictionaries: str = "worst"
    uncovered: str = "one"
    measure: str = "depth"
    utility_over_records: str = "mean"
    utility_weights: dict[str, float] = field(default_factory=dict)


@dataclass
class Problem:
    """A dataset with its attributes, the dictionaries, linkage data if any, and the settings."""

    attributes: dict[str, Attribute]
    records: list[Record]
    dictionaries: list[Dictionary]
    linkage: Linkage | None = None
    settings: Settings = field(default_factory=Settings)
    search: dict[str, Any] = field(default_factory=dict)

    def generalised(self) -> list[Attribute]:
        """The attributes that have a hierarchy: all but the kept ones, in the order of the release."""
        return [attribute for attribute in self.attributes.values() if not attribute.kept]

    def people(self) -> list[str]:
        """Whose records these are, each person once."""
        return sorted({record.person for record in self.records})
