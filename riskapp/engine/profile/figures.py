"""The figures of a profile: plain frozen values that go to JSON and come back unchanged.

None of them has room for a cell of the table: they hold names of columns, counts, shares, and sentences made of those.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Self

FORMAT = 1

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A count, and its share of the whole it belongs to (0 where the whole is empty).

    >>> Part.of(1, 4)
    Part(count=1, share=0.25)
    """

    count: int
    share: float

    @classmethod
    def of(cls, count: int, whole: int) -> Self:
        return cls(int(count), count / whole if whole else 0.0)


@dataclass(frozen=True)
class Type:
    """What the values of a column are, found over the distinct values; a mixed column has exceptions."""

    kind: str
    format: str | None
    mixed: bool
    exceptions_values: int
    exceptions_cells: int


@dataclass(frozen=True)
class Looked:
    """How many distinct values the type and the suggestions were found from; figures never rest on a sample."""

    values: int
    all: bool


@dataclass(frozen=True)
class Suggestion:
    """What a column may be, how sure that is, why, and how many of the filled cells looked at speak for it."""

    kind: str
    title: str
    confidence: str
    reason: str
    cells: int
    share: float


@dataclass(frozen=True)
class ColumnProfile:
    """One column: `alone` are the rows whose value no other row has; missing counts as one value."""

    position: int
    name: str
    missing: Part
    distinct: int
    alone: Part
    type: Type
    looked_at: Looked
    suggestions: tuple[Suggestion, ...]

    @classmethod
    def from_json(cls, told: Json) -> Self:
        return cls(
            position=told["position"],
            name=told["name"],
            missing=Part(**told["missing"]),
            distinct=told["distinct"],
            alone=Part(**told["alone"]),
            type=Type(**told["type"]),
            looked_at=Looked(**told["looked_at"]),
            suggestions=tuple(Suggestion(**suggestion) for suggestion in told["suggestions"]),
        )


@dataclass(frozen=True)
class PairFigure:
    """The rows alone with their combination of two columns; `counted` is false where the answer needed no counting."""

    first: int
    second: int
    alone: int
    share: float
    counted: bool


@dataclass(frozen=True)
class Pairs:
    """The pairs of columns: all there are = counted + known without counting + not measured; some of them listed."""

    all: int
    counted: int
    known: int
    not_measured: int
    listed: tuple[PairFigure, ...]

    @classmethod
    def from_json(cls, told: Json) -> Self:
        return cls(**{**told, "listed": tuple(PairFigure(**pair) for pair in told["listed"])})


@dataclass(frozen=True)
class Together:
    """The rows alone with their combination of all these columns, which others may know about a person."""

    columns: tuple[int, ...]
    left_out: int
    alone: Part

    @classmethod
    def from_json(cls, told: Json) -> Self:
        return cls(tuple(told["columns"]), told["left_out"], Part(**told["alone"]))


@dataclass(frozen=True)
class People:
    """How many people the rows may be about, going by one column."""

    column: int
    rows: int
    people: int
    missing: int
    confidence: str
    reason: str


@dataclass(frozen=True)
class Profile:
    """All figures of one table."""

    rows: int
    columns: tuple[ColumnProfile, ...]
    pairs: Pairs
    together: Together | None
    people: tuple[People, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The profile as JSON can hold it; no value of the table is in it."""
        return {"format": FORMAT, **_plain(self)}

    @classmethod
    def from_json(cls, told: Json) -> Self:
        """The profile that `as_json` told."""
        if told["format"] != FORMAT:
            raise ValueError(f"The profile has format {told['format']}, this version reads {FORMAT}.")
        together = told["together"]
        return cls(
            rows=told["rows"],
            columns=tuple(ColumnProfile.from_json(column) for column in told["columns"]),
            pairs=Pairs.from_json(told["pairs"]),
            together=together and Together.from_json(together),
            people=tuple(People(**people) for people in told["people"]),
            notes=tuple(told["notes"]),
        )


def _plain(thing: Any) -> Any:
    if is_dataclass(thing):
        return {field.name: _plain(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, tuple):
        return [_plain(part) for part in thing]
    return thing
