"""Building: the file of an approved rule, written completely or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from riskapp.core.search.candidate import Candidate
from riskapp.engine.assess import Prepared
from riskapp.engine.atomic import replaced
from riskapp.engine.hashes import sha256
from riskapp.engine.outgoing.releasing import checked_ending
from riskapp.engine.outgoing.shown import Order, shuffled
from riskapp.engine.releasing.choices import Choices
from riskapp.engine.releasing.columns import Sheet
from riskapp.engine.releasing.writing import WRITERS


@dataclass(frozen=True)
class BuiltFile:
    """What is known of a file that was built.

    Attributes
    ----------
    sha256 : of its bytes
    rows : without the header
    columns : name, attribute, part and type of each
    defused : for each column how many cells were made harmless, where there were any
    choices : how it was written
    """

    sha256: str
    rows: int
    columns: Sequence[Mapping[str, Any]]
    defused: Mapping[str, int]
    choices: Choices

    def told(self) -> dict[str, Any]:
        """As manifests tell it."""
        return {
            "rows": self.rows,
            "columns": [dict(column) for column in self.columns],
            "defused": dict(self.defused),
            "choices": self.choices.told(),
        }


def sheet(prepared: Prepared, found: Candidate, choices: Choices) -> Sheet:
    """What the file of a rule shows."""
    attributes = list(prepared.assessment.attributes.values())
    return Sheet(attributes, found.released, order_of(len(prepared.problem), choices), choices)


def order_of(rows: int, choices: Choices) -> Order:
    """Which record stands in each row of the file.

    >>> order_of(3, Choices(keep_order=True)).tolist(), sorted(order_of(3, Choices(seed=5)).tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    return np.arange(rows) if choices.keep_order else shuffled(rows, choices.seed)


def build(prepared: Prepared, found: Candidate, to: Path, choices: Choices) -> BuiltFile:
    """Write the released table of a rule.

    Identifiers, weights and whatever the assessment does not name among its attributes are not in it.

    Parameters
    ----------
    prepared, found : the assessment, and the rule with its table
    to : the file, ending in .csv or .parquet
    choices : how it is written

    Raises
    ------
    BadSetting
        If the file's ending is neither, or the table cannot be told in it.
    """
    ending, shown = checked_ending(to), sheet(prepared, found, choices)
    with replaced(to) as fresh:
        WRITERS[ending](shown, fresh)
        hashed = sha256(fresh)
    columns = [
        {"name": one.name, "attribute": one.attribute, "part": one.part, "type": one.kind} for one in shown.columns
    ]
    harmless = {one.name: one.defused for one in shown.columns if one.defused}
    return BuiltFile(hashed, len(shown), columns, harmless, choices)
