"""Small text files: the assessment itself, tables with a header, and plain rows."""

import csv
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import yaml

Row = dict[str, str | None]


class Refused(ValueError):
    """The assessment asks for something impossible, or for something that this oracle does not do."""


def assessment(path: Path) -> dict[str, Any]:
    """The mapping in a YAML or JSON file."""
    text = path.read_text(encoding="utf-8")
    loaded = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    if not isinstance(loaded, dict):
        raise Refused("an assessment is a mapping")
    return loaded


def only(mapping: Mapping[str, Any], allowed: Collection[str], where: str) -> None:
    """Refuse a key that is not among the allowed ones."""
    for key in mapping:
        if key not in allowed:
            raise Refused(f"{where}.{key}: unknown key")


def as_text(value: object) -> str:
    """A value that YAML may have read as a number or a date, as the text of a cell."""
    if isinstance(value, bool) or value is None:
        raise Refused("write this value in quotes")
    return str(value)


def separator(path: Path) -> str:
    """A tab or a semicolon if the first line has one, else a comma."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return next((sign for sign in ("\t", ";") if sign in first), ",")


def rows(path: Path) -> list[list[str]]:
    """Every line of the file as a list of cells; empty lines do not count."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [line for line in csv.reader(lines, delimiter=separator(path)) if line]


def table(path: Path, missing: Collection[str]) -> list[Row]:
    """The rows under the header, each a mapping from column to cell; a cell that means missing is None."""
    header, *body = rows(path)
    for line in body:
        if len(line) != len(header):
            raise Refused(f"{path.name}: a row has another number of cells than the header")
    return [{name: None if cell in missing else cell for name, cell in zip(header, line, strict=True)} for line in body]


def columns(path: Path) -> list[str]:
    """The names in the header."""
    return rows(path)[0]
