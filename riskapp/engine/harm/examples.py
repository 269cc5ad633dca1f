"""Five example records, on which a page shows what the weights do.

*Synthetic*: every cell is drawn by itself from the values of its column, so no row is a person. What fewer than eleven
people share is never shown: its nearest group that eleven share stands for it, or "(rare)". *Real*: records of people,
to be shown only to those who may see values, and recorded.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.problem import Problem
from riskapp.core.table.sensitivity import Weighed
from riskapp.engine.harm.formula import Cell, Example
from riskapp.engine.plain_json import in_words

ENOUGH = 11
"""So many people must share what is shown."""
ROWS = 5
RARE = "(rare)"
NOTE = (
    "These records are made up: each cell is drawn by itself from its column, so no row is a person. Values that fewer "
    f"than {ENOUGH} people share are not shown."
)


@dataclass(frozen=True)
class Examples:
    """Example records, whether they are of real people, and what to say about them."""

    records: tuple[Example, ...]
    real: bool
    note: str

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        found: dict[str, Any] = in_words(asdict(self))
        return found


def synthetic(problem: Problem, rows: int = ROWS, *, seed: int = 0) -> Examples:
    """Made-up records.

    Parameters
    ----------
    problem : whose attributes they have
    rows : how many
    seed : the same gives the same
    """
    draw = np.random.default_rng(seed)
    columns = {weighed.name: _drawn(weighed, problem.people, rows, draw) for weighed in problem.columns}
    return Examples(_records(columns, rows), False, NOTE)


def seen_real(problem: Problem, rows: int = ROWS, *, seed: int = 0) -> Examples:
    """Some of the records of the dataset: values of people."""
    chosen = np.random.default_rng(seed).permutation(len(problem))[:rows]
    columns = {weighed.name: [_real(weighed, int(place)) for place in chosen] for weighed in problem.columns}
    return Examples(
        _records(columns, len(chosen)), True, "These are records of real people. That you saw them is recorded."
    )


def _records(columns: dict[str, list[Cell]], rows: int) -> tuple[Example, ...]:
    return tuple({name: cells[row] for name, cells in columns.items()} for row in range(rows))


def _real(weighed: Weighed, place: int) -> Cell:
    value = weighed.column.hierarchy.labels[0][int(weighed.column.codes[place])].as_py()
    personal = np.nan if weighed.personal is None else float(weighed.personal[place])
    return Cell(value, value, None if np.isnan(personal) else personal)


def _drawn(weighed: Weighed, people: Codes | None, rows: int, draw: np.random.Generator) -> list[Cell]:
    codes = draw.choice(weighed.column.codes, rows)
    shown = _Shown(weighed, people)
    personal = _personal(weighed.personal, people, rows, draw)
    return [shown.cell(int(code), own) for code, own in zip(codes, personal, strict=True)]


class _Shown:
    """What may be shown of a column: whatever enough people share."""

    def __init__(self, weighed: Weighed, people: Codes | None) -> None:
        self._hierarchy = weighed.column.hierarchy
        self._enough = [
            sharing(self._hierarchy.up(0, level)[weighed.column.codes], people, many + 1) >= ENOUGH
            for level, many in enumerate(self._hierarchy.groups[:-1])
        ]

    def cell(self, leaf: int, personal: float | None) -> Cell:
        """The finest thing that may be shown of a leaf."""
        if not leaf:
            return Cell(None) if self._enough[0][0] else Cell(RARE, None, personal)
        for level, enough in enumerate(self._enough):
            code = int(self._hierarchy.ancestors[level, leaf])
            if enough[code]:
                label = self._hierarchy.labels[level][code].as_py()
                return Cell(label, None if level else label, personal)
        return Cell(RARE, None, personal)


def sharing(codes: Codes, people: Codes | None, below: int) -> Counts:
    """For each code how many people have it in one of their records.

    >>> sharing(np.array([1, 1, 2], dtype=np.int32), np.array([0, 0, 1], dtype=np.int32), 3)
    array([0, 1, 1])
    """
    if people is None:
        return np.bincount(codes, minlength=below)
    once = np.unique(people.astype(np.int64) * below + codes)
    return np.bincount(once % below, minlength=below)


def _personal(
    weights: Numbers | None, people: Codes | None, rows: int, draw: np.random.Generator
) -> Sequence[float | None]:
    """Personal weights drawn by themselves; those that too few people share are left out."""
    if weights is None:
        return [None] * rows
    different, codes = np.unique(weights, return_inverse=True)
    enough = sharing(codes.astype(np.int32), people, len(different)) >= ENOUGH
    drawn = draw.choice(codes, rows)
    return [float(different[code]) if enough[code] and not np.isnan(different[code]) else None for code in drawn]
