"""Several hierarchy files at once: which column each is named after, and what it would do there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from riskapp.bridge import shaping, trees
from riskapp.bridge.shaping import Rows, Shown
from riskapp.engine.shaping.file_names import Match, Why, matches
from riskapp.models import Attribute, Setup

__all__ = ["Fit", "Match", "Why", "fit", "named_after"]


@dataclass(frozen=True)
class Fit:
    """A file read for a column: its rows, and how they fit the values of the column."""

    rows: Rows
    shown: Shown
    values: int

    @property
    def steps(self) -> int:
        """The levels above the values."""
        return len(self.shown.preview.levels) - 1

    @property
    def covered(self) -> int:
        return self.values - self.shown.preview.uncovered.values


def fit(attribute: Attribute, text: str) -> Fit:
    """What a file would do to a column: counts only, so it is no look.

    Raises
    ------
    BadSetting
        If it is no hierarchy: with the line, and nothing that stands in it.
    """
    column, rows = shaping.column_of(attribute), trees.from_csv(attribute, text, None)
    return Fit(rows, shaping.shown(column, rows), len(column.values))


def named_after(setup: Setup, files: Sequence[str]) -> list[Match]:
    """For each file the released column that it is named after, or why there is none."""
    columns, dataset = list(setup.attributes.all()), PurePath(setup.dataset.name).stem if setup.dataset else ""
    released = matches(files, [one.column for one in columns if one.released], dataset)
    withheld = matches(files, [one.column for one in columns if not one.released], dataset)
    return [_told(*both) for both in zip(released, withheld, strict=True)]


def _told(released: Match, withheld: Match) -> Match:
    if released.why == Why.NOTHING and withheld.column is not None:
        return Match(None, Why.WITHHELD, (withheld.column,))
    return released
