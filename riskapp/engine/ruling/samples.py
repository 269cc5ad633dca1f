"""Records before and after a rule: values of people, for somebody who may see them."""

from typing import Any

import numpy as np
import pyarrow as pa

from riskapp.core.table.keys import Places
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.outgoing.shown import Shown
from riskapp.engine.reporting import Report
from riskapp.engine.ruling.ruling import Named, Ruling, ruling

ROWS = 10


def seen_sample(
    prepared: Prepared,
    rule: Named,
    rows: int = ROWS,
    seed: int = 0,
    *,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> list[dict[str, Any]]:
    """Some records, drawn by the seed alone, as they are and as the rule releases them; in the order of the file."""
    found = ruling(prepared, rule, progress, stop)
    drawn = np.random.Generator(np.random.PCG64(seed))
    places = np.sort(drawn.choice(len(found.problem), min(rows, len(found.problem)), replace=False))
    return _before_and_after(found, places)


def seen_record(
    prepared: Prepared, rule: Named, record: int, *, progress: Report | None = None, stop: Stop | None = None
) -> dict[str, Any]:
    """One record, by its number, as it is and as the rule releases it.

    Raises
    ------
    BadSetting
        If there is no such rule or record.
    """
    found = ruling(prepared, rule, progress, stop)
    return _before_and_after(found, np.array([found.place(record)]))[0]


def _before_and_after(found: Ruling, places: Places) -> list[dict[str, Any]]:
    before, after = _original(found, places), _released(found, places)
    return [
        {
            "record": found.number(place),
            "before": {name: column[row] for name, column in before.items()},
            "after": {name: column[row] for name, column in after.items()},
            "suppressed": bool(found.released.suppressed[place]),
        }
        for row, place in enumerate(places.tolist())
    ]


def _original(found: Ruling, places: Places) -> dict[str, list[str | None]]:
    return {
        weighed.name: weighed.column.hierarchy.shown(0, weighed.column.codes[places]).to_pylist()
        for weighed in found.problem.columns
    }


def _released(found: Ruling, places: Places) -> dict[str, list[str | None]]:
    shown = Shown(found.released, found.problem.names, places)
    numbers = [pa.array(shown.numbers(place, slice(None))) for place in range(len(shown.names))]
    pairs = zip(shown.names, shown.labels, numbers, strict=True)
    return {name: labels.take(own).to_pylist() for name, labels, own in pairs}
