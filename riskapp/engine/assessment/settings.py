"""An assessment as it is written: every key of the file, checked, with its default where it was not given.

Nothing here has looked into a table yet: columns, levels and labels are names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from riskapp.core.optimum import Question
from riskapp.core.table.limits import Limits
from riskapp.core.table.sensitivity import Pair, PersonTotal
from riskapp.engine.assessment.given import step

MISSING = ("", "NA")


@dataclass(frozen=True)
class DatasetKey:
    """`dataset`: the file, the special columns in it, who is left out, and the cells that mean missing."""

    file: str
    identifier: str | None = None
    risk_weight: str | None = None
    leave_out: str | None = None
    missing: tuple[str, ...] = MISSING


@dataclass(frozen=True)
class PersonalFile:
    """A table of personal weights: the column with identifiers, and the column with weights."""

    file: str
    key: str
    column: str


@dataclass(frozen=True)
class AttributeKey:
    """One of `attributes`.

    Parameters
    ----------
    name : of the column
    hierarchy : as `riskapp.core.table.build.build` wants it; None for value → *
    weight : of the leaves that have none of their own
    weights : a map from leaf to weight, or the name of a file
    fall : step or harmonic, the general one where none is given
    personal_weight : a column of the dataset, or a table
    kept : released unchanged
    sensitive, order : whether inference, l and t are measured, and the order of the values
    """

    name: str
    hierarchy: Mapping[str, Any] | None = None
    weight: float = 1.0
    weights: Mapping[str, float] | str = field(default_factory=dict)
    fall: str = "step"
    personal_weight: str | PersonalFile | None = None
    kept: bool = False
    sensitive: bool = False
    order: tuple[str, ...] | None = None

    @property
    def key(self) -> str:
        """The key's path."""
        return step("attributes", self.name)


@dataclass(frozen=True)
class Match:
    """A column of another table that holds an attribute, at a level by number or name.

    >>> Match("born", "birthdate", "year").level
    'year'
    """

    column: str
    attribute: str
    level: str = "0"


@dataclass(frozen=True)
class SelfKey:
    """A dictionary that is the dataset itself: its name, what it knows, and its prior."""

    key: str
    name: str
    knows: tuple[str, ...]
    prior: float = 1.0


@dataclass(frozen=True)
class FileKey:
    """A dictionary from a file.

    Parameters
    ----------
    key : the path of its key
    identity, count : the column that says who an entry is, or for how many it stands
    fuzzy : for each column that is matched by likeness its threshold, as it is written
    """

    key: str
    name: str
    file: str
    match: tuple[Match, ...]
    identity: str | None = None
    count: str | None = None
    prior: float = 1.0
    fuzzy: Mapping[str, str] = field(default_factory=dict)


DictionaryKey = SelfKey | FileKey


@dataclass(frozen=True)
class LinkageKey:
    """`linkage`: a table without names, and the weights of the columns that it adds."""

    file: str
    match: tuple[Match, ...]
    adds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class SensitivityKey:
    """`sensitivity`."""

    family: str = "linear"
    fall: str = "step"
    pairs: tuple[Pair, ...] = ()
    person_total: PersonTotal | None = None
    unidentified: float = 0.0


@dataclass(frozen=True)
class RiskKey:
    """`risk`."""

    model: str = "sensitivity"
    over_records: str = "mean"
    over_dictionaries: str = "worst"
    uncovered: str = "one"


@dataclass(frozen=True)
class UtilityKey:
    """`utility`; attributes that are not named weigh 1."""

    measure: str = "depth"
    over_records: str = "mean"
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Aggregate:
    """The question `aggregate`: its λ and κ."""

    lambda_: float = 1.0
    kappa: float = 1.0


@dataclass(frozen=True)
class Approximate:
    """What the approximate method may spend."""

    epsilon: float = 0.1
    sigma1: float = 0.5
    sigma2: float = 2.0


@dataclass(frozen=True)
class Split:
    """Where regions part: the values of an attribute at a level, by number or name."""

    attribute: str
    level: str


@dataclass(frozen=True)
class Regions:
    """The splits that are given, or up to how many patterns are chosen."""

    splits: tuple[Split, ...] = ()
    auto: int | None = None


@dataclass(frozen=True)
class SearchKey:
    """`search`: which rules, by which methods, under which question and limits; `require` is among the limits."""

    rules: tuple[str, ...] = ("full-domain",)
    methods: tuple[str, ...] = ("exhaustive",)
    question: Question | None = None
    aggregate: Aggregate | None = None
    per_record: bool = False
    limits: Limits = field(default_factory=Limits)
    regions: Regions | None = None
    k: tuple[int, ...] = (5,)
    suppression_limit: float = 0.0
    approximate: Approximate = field(default_factory=Approximate)
    seconds: float | None = None
    seed: int = 0


@dataclass(frozen=True)
class Assessment:
    """A whole assessment file; paths in it are relative to its folder."""

    folder: Path
    dataset: DatasetKey
    attributes: Mapping[str, AttributeKey]
    dictionaries: tuple[DictionaryKey, ...]
    linkage: LinkageKey | None = None
    sensitivity: SensitivityKey = field(default_factory=SensitivityKey)
    risk: RiskKey = field(default_factory=RiskKey)
    utility: UtilityKey = field(default_factory=UtilityKey)
    search: SearchKey = field(default_factory=SearchKey)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes, in the order of the release."""
        return tuple(self.attributes)
