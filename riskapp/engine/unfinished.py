"""Keeping what a search has found of single records or nodes, so that one that was cut short goes on in its middle.

Answers are kept in the order in which they are found, in parts: each says how many came before it, so that what is read
again is the beginning of the same row of answers, as far as it is whole. They hold levels and figures, no values.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, TypeVar

from riskapp.core.evaluation import Evaluation
from riskapp.core.search.answer import Answer, Found, Unmet
from riskapp.core.search.suppressions import Figures
from riskapp.engine.keeping import Keeping, evaluation_of, figures_of

Item = TypeVar("Item")

EVERY = 2.0
"""So many seconds of work may be lost."""


@dataclass(frozen=True)
class Form(Generic[Item]):
    """How what a search finds is written as JSON, and read again."""

    written: Callable[[Item], Any]
    read: Callable[[Any], Item]


class Unfinished(Generic[Item]):
    """The answers of a block that is at work.

    Parameters
    ----------
    keeping : where they lie
    block : the block's name
    form : how they are written

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> found = Found((1, 0), 0.25, 3.0, 4, True, 0.25, None)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keeping = Keeping(Path(folder), {"dataset": "f00d"})
    ...     before = Unfinished(keeping, "per-record:btda", ANSWERS)
    ...     before.keep([found])
    ...     before.flush()
    ...     again = Unfinished(keeping, "per-record:btda", ANSWERS)
    ...     again.taken(5) == [found], again.taken(5)
    (True, [])
    """

    def __init__(self, keeping: Keeping, block: str, form: Form[Item]) -> None:
        self._keeping, self._block, self._form = keeping, block, form
        self._known: list[Item] = []
        self._parts = self._read()
        self._used, self._new, self._written = 0, list[Item](), time.monotonic()

    def _read(self) -> int:
        """How many parts there are."""
        for number in count():
            part = self._keeping.part(self._block, number)
            if part is None or part.get("before") != len(self._known):
                return number
            self._known += map(self._form.read, part["found"])
        raise AssertionError

    def taken(self, most: int) -> list[Item]:
        """The next ones that are known, at most so many."""
        found = self._known[self._used : self._used + most]
        self._used += len(found)
        return found

    def keep(self, found: Sequence[Item]) -> None:
        """Some more; they are written when a while has passed."""
        self._new += found
        if time.monotonic() - self._written >= EVERY:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet."""
        if self._new:
            part = {"before": len(self._known), "found": list(map(self._form.written, self._new))}
            self._keeping.keep_part(self._block, self._parts, part)
            self._known += self._new
            self._used, self._parts, self._new = len(self._known), self._parts + 1, []
        self._written = time.monotonic()


def _as_json(one: Answer) -> dict[str, Any]:
    told = dict(vars(one))
    for name in ("node", "nearest"):
        if name in told:
            told[name] = [int(level) for level in told[name]]
    return told


def _answer(kept: dict[str, Any]) -> Answer:
    if "node" in kept:
        return Found(**{**kept, "node": tuple(kept["node"])})
    return Unmet(**{**kept, "nearest": tuple(kept["nearest"]), "missed": tuple(kept["missed"])})


ANSWERS: Form[Answer] = Form(_as_json, _answer)
EVALUATIONS: Form[Evaluation] = Form(figures_of, evaluation_of)
FIGURES: Form[Figures] = Form(list, list)
