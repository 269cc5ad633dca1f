"""The same table given to anjana, in an environment of its own."""

import csv
import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.peers.environment import interpreter
from riskapp.core.table.lattice import Node
from riskapp.core.table.problem import Problem

SCRIPT = Path(__file__).parent / "by_anjana.py"


class Theirs(NamedTuple):
    """What anjana found: its seconds, its node, how many records it left out, and k as pycanon counts it afterwards."""

    seconds: float
    node: Node
    suppressed: int
    k: int


def k_anonymous(table: Problem, k: int, limits: list[float]) -> list[Theirs] | None:
    """Its answer under each suppression limit; None where its environment cannot be made."""
    python = interpreter()
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        _write(table, Path(folder))
        return [_asked(python, table, Path(folder), k, limit) for limit in limits]


def _write(table: Problem, folder: Path) -> None:
    """The table and the hierarchy of each column, in words."""
    columns = [np.array(column.hierarchy.labels[0].to_pylist())[column.codes] for column in table.records.columns]
    _csv(folder / "table.csv", [table.names, *np.transpose(columns).tolist()])
    for name, hierarchy in zip(table.names, table.hierarchies, strict=True):
        every = zip(hierarchy.labels, hierarchy.ancestors[:, 1:], strict=True)
        levels = [np.array(labels.to_pylist())[codes] for labels, codes in every]
        _csv(folder / f"{name}.levels.csv", np.transpose(levels).tolist())


def _csv(path: Path, rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def _asked(python: Path, table: Problem, folder: Path, k: int, limit: float) -> Theirs:
    command = [python, SCRIPT, folder, str(k), str(limit * 100)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = json.loads(told.splitlines()[-1])
    node = tuple(found["levels"][name] for name in table.names)
    return Theirs(found["seconds"], node, found["suppressed"], found["k"])
