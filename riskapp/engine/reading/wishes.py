"""What a person fixed by hand about reading a file, and what was used in the end."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from riskapp.engine.coded import MISSING
from riskapp.engine.reading.encodings import ENCODINGS

FORMATS = ("csv", "tsv", "xlsx", "xls", "parquet")
COMPRESSIONS = ("none", "gz", "zip")
HEADERS = ("names", "none", "repair")
RAGGED = ("refuse", "leave-out")
LINE_ENDINGS = ("LF", "CRLF", "CR")
NO_QUOTE = "none"


def _one_of(what: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise ValueError(f"{what} must be one of {', '.join(allowed)}.")


def _mark(what: str, value: str | None) -> None:
    if value is not None and not (len(value) == 1 and value.isascii() and value not in "\r\n\0"):
        raise ValueError(f"The {what} must be a single ASCII character that ends no line.")


def _texts(what: str, value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(cell, str) for cell in value):
        raise ValueError(f"{what} must be a list of texts.")


@dataclass(frozen=True)
class Wishes:
    """What the person fixed by hand; a field that is None is detected, or has its usual value."""

    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    header: str | None = None
    sheet: str | None = None
    ragged: str | None = None
    missing: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.missing, list):
            object.__setattr__(self, "missing", tuple(self.missing))
        _check_marks(self.encoding, self.delimiter, self.quote)
        _one_of("header", self.header, HEADERS)
        _one_of("ragged", self.ragged, RAGGED)
        if self.missing is not None:
            _texts("missing", self.missing)

    def as_json(self) -> dict[str, Any]:
        """The wishes as JSON; `from_json` gives them back."""
        return _jsonable(asdict(self))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Wishes stored as JSON; an unknown key or an impossible value is an error."""
        return cls(**_known(cls, stored))


@dataclass(frozen=True)
class Reading:
    """How a file was read: every choice, and for the detected ones the reason."""

    format: str
    compression: str = "none"
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    line_ending: str | None = None
    header: str = "names"
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    ragged: str = "refuse"
    missing: tuple[str, ...] = MISSING
    reasons: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("sheets", "missing"):
            if isinstance(getattr(self, name), list):
                object.__setattr__(self, name, tuple(getattr(self, name)))
            _texts(name, getattr(self, name))
        _one_of("format", self.format, FORMATS)
        _one_of("compression", self.compression, COMPRESSIONS)
        _one_of("header", self.header, HEADERS)
        _one_of("ragged", self.ragged, RAGGED)
        _one_of("line_ending", self.line_ending, LINE_ENDINGS)
        _check_marks(self.encoding, self.delimiter, self.quote)
        if not set(self.reasons) <= {entry.name for entry in fields(self)}:
            raise ValueError("A reason is given for something that is no part of a reading.")

    def as_json(self) -> dict[str, Any]:
        """The reading as JSON; `from_json` gives it back."""
        return _jsonable(asdict(self))

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """A reading stored as JSON; an unknown key or an impossible value is an error."""
        return cls(**_known(cls, stored))


def _check_marks(encoding: str | None, delimiter: str | None, quote: str | None) -> None:
    _one_of("encoding", encoding, ENCODINGS)
    _mark("delimiter", delimiter)
    if quote != NO_QUOTE:
        _mark("quote character", quote)
    if delimiter is not None and delimiter == quote:
        raise ValueError("The delimiter and the quote character must differ.")


def _jsonable(record: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in record.items()}


def _known(cls: type[Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {entry.name: str(entry.type) for entry in fields(cls)}
    if unknown := sorted(set(stored) - set(kinds)):
        raise ValueError(f"Unknown: {', '.join(unknown)}.")
    for name, value in stored.items():
        _fits(name, kinds[name], value)
    return dict(stored)


def _fits(name: str, kind: str, value: Any) -> None:
    expected = list if "tuple" in kind else dict if "Mapping" in kind else str
    if not isinstance(value, expected) and not (value is None and "None" in kind):
        raise ValueError(f"{name} is not of the right kind.")
