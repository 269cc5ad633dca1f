"""Keeping what a search has found of single records, so that one that was cut short goes on in its middle.

Answers are kept in the order in which they are found, in parts: each says how many came before it, so that what is read
again is the beginning of the same row of answers, as far as it is whole. They hold levels and figures, no values.
"""

import time
from collections.abc import Sequence
from itertools import count
from typing import Any

from riskapp.core.search.answer import Answer, Found, Unmet
from riskapp.engine.keeping import Keeping

EVERY = 2.0
"""So many seconds of work may be lost."""


class Unfinished:
    """The answers of a block that is at work.

    Parameters
    ----------
    keeping : where they lie
    block : the block's name

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> found = Found((1, 0), 0.25, 3.0, 4, True, 0.25, None)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     keeping = Keeping(Path(folder), {"dataset": "f00d"})
    ...     before = Unfinished(keeping, "per-record:btda")
    ...     before.keep([found])
    ...     before.flush()
    ...     again = Unfinished(keeping, "per-record:btda")
    ...     again.taken(5) == [found], again.taken(5)
    (True, [])
    """

    def __init__(self, keeping: Keeping, block: str) -> None:
        self._keeping, self._block = keeping, block
        self._known: list[Answer] = []
        self._parts = self._read()
        self._used, self._new, self._written = 0, list[Answer](), time.monotonic()

    def _read(self) -> int:
        """How many parts there are."""
        for number in count():
            part = self._keeping.part(self._block, number)
            if part is None or part.get("before") != len(self._known):
                return number
            self._known += [_answer(one) for one in part["answers"]]
        raise AssertionError

    def taken(self, most: int) -> list[Answer]:
        """The next ones that are known, at most so many."""
        found = self._known[self._used : self._used + most]
        self._used += len(found)
        return found

    def keep(self, found: Sequence[Answer]) -> None:
        """Some more; they are written when a while has passed."""
        self._new += found
        if time.monotonic() - self._written >= EVERY:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet."""
        if self._new:
            part = {"before": len(self._known), "answers": [_as_json(one) for one in self._new]}
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
