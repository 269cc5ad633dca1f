"""Releases built in a folder, for tests."""

import csv
from pathlib import Path

import pyarrow.parquet as pq

from riskapp.engine.assess import Prepared, prepare
from riskapp.engine.releasing.building import BuiltFile, build
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.ruling import Ruling


def built(path: Path, rule: str, to: Path, choices: Choices) -> tuple[Prepared, Ruling, BuiltFile]:
    """The assessment in a file, one of its rules, and the file that was built."""
    prepared = prepare(path)
    found = Ruling.of(prepared, rule)
    return prepared, found, build(prepared, found.found, to, choices)


def rows_in(path: Path) -> list[dict[str, object]]:
    """The rows of a file, each by the names of its columns."""
    if path.suffix == ".parquet":
        rows: list[dict[str, object]] = pq.read_table(path).to_pylist()
        return rows
    with path.open(encoding="utf-8", newline="") as lines:
        return [dict(row) for row in csv.DictReader(lines)]
