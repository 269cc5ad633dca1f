"""The records of an assessment, from its `dataset` key and the personal weights."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracle import reading
from tests.oracle.arithmetic import at_least_zero
from tests.oracle.problem import Attribute, Record
from tests.oracle.reading import Refused, Row, only

KEYS = {"file", "identifier", "risk_weight", "leave_out", "missing"}
Personal = Callable[[Row], float | None]


def missing_cells(given: dict[str, Any]) -> list[str]:
    """The cells that mean missing, in every file of the assessment: the empty one and NA unless said otherwise."""
    return list(given.get("missing", ["", "NA"]))


def records(
    given: dict[str, Any], attributes: dict[str, Attribute], spec: dict[str, Any], folder: Path
) -> list[Record]:
    """The rows of the dataset, without those of the people left out."""
    only(given, KEYS, "dataset")
    check_columns(given, attributes, folder)
    left_out = left_out_people(given, folder)
    rows = [
        row for row in reading.table(folder / given["file"], missing_cells(given)) if not is_in(row, given, left_out)
    ]
    personal = {
        name: personal_weights(inner["personal_weight"], given, folder)
        for name, inner in spec.items()
        if inner and "personal_weight" in inner
    }
    found = [record(place, row, given, attributes, personal) for place, row in enumerate(rows)]
    if not found or sum(one.risk_weight for one in found) == 0:
        raise Refused("dataset: at least one record with a weight above 0 is needed")
    return found


def check_columns(given: dict[str, Any], attributes: dict[str, Attribute], folder: Path) -> None:
    """Every column named is there, and the identifier is not released."""
    columns = reading.columns(folder / given["file"])
    named = [*attributes, *(given[key] for key in ("identifier", "risk_weight") if key in given)]
    for name in named:
        if name not in columns:
            raise Refused(f"the dataset has no column {name}")
    if given.get("identifier") in attributes:
        raise Refused("dataset.identifier: the identifier is never released")


def left_out_people(given: dict[str, Any], folder: Path) -> set[str]:
    """The identifiers listed in `leave_out`: the column named like the identifier if there is one, else the first."""
    if "leave_out" not in given:
        return set()
    if "identifier" not in given:
        raise Refused("dataset.leave_out: this needs an identifier")
    rows = reading.rows(folder / given["leave_out"])
    place = rows[0].index(given["identifier"]) if rows and given["identifier"] in rows[0] else 0
    return {row[place] for row in rows}


def is_in(row: Row, given: dict[str, Any], people: set[str]) -> bool:
    """Whether the row is about one of these people."""
    return "identifier" in given and row[given["identifier"]] in people


def record(
    place: int, row: Row, given: dict[str, Any], attributes: dict[str, Attribute], personal: dict[str, Personal]
) -> Record:
    """One record; a row without an identifier is a person of its own."""
    identifier = row[given["identifier"]] if "identifier" in given else None
    weights = {name: weigh(row) for name, weigh in personal.items()}
    return Record(
        values={name: row[name] for name in attributes},
        person=f"row {place}" if identifier is None else f"person {identifier}",
        risk_weight=risk_weight(row[given["risk_weight"]]) if "risk_weight" in given else 1.0,
        personal={name: weight for name, weight in weights.items() if weight is not None},
    )


def risk_weight(cell: str | None) -> float:
    """A record's weight in the mean: finite and never missing."""
    weight = at_least_zero(math.inf if cell is None else cell)
    if math.isinf(weight):
        raise Refused("dataset.risk_weight: a finite weight is needed in every row")
    return weight


def personal_weights(given: Any, dataset: dict[str, Any], folder: Path) -> Personal:
    """How to find a row's personal weight: in a column of the dataset, or in a table keyed by the identifier."""
    if isinstance(given, str):
        if given not in reading.columns(folder / dataset["file"]):
            raise Refused(f"the dataset has no column {given}")
        return lambda row: weight_or_none(row[given])
    only(given, {"file", "key", "column"}, "personal_weight")
    if "identifier" not in dataset:
        raise Refused("personal_weight: a table needs an identifier in the dataset")
    rows = reading.table(folder / given["file"], missing_cells(dataset))
    weights = {row[given["key"]]: weight_or_none(row[given["column"]]) for row in rows}
    if len(weights) < len(rows):
        raise Refused("personal_weight: a person stands twice in the table")
    return lambda row: None if row[dataset["identifier"]] is None else weights.get(row[dataset["identifier"]])


def weight_or_none(cell: str | None) -> float | None:
    """A weight, or None where it is missing."""
    return None if cell is None else at_least_zero(cell)
