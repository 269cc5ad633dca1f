"""Progress: how far a reading has come, in bytes of the stored file, never going back."""

import time

from riskapp.engine.reporting import Report


class Progress:
    """Turns the fractions of each phase into one rising count and passes it on, at most every so many seconds.

    A phase owns a stretch of the whole; a second run through an earlier phase (another encoding is tried) cannot
    lower the count.
    """

    def __init__(self, total: int, report: Report, every: float) -> None:
        self.total = total
        self._report = report
        self._every = every
        self._start, self._end, self._words = 0.0, 0.0, ""
        self._done = 0
        self._last = float("-inf")

    def phase(self, end: float, words: str) -> None:
        """Begin the stretch from where the last one ended to `end` (a share of the whole), and say what it is."""
        self._start, self._end, self._words = self._end, max(end, self._end), words
        self._tell(0.0)

    def at(self, fraction: float) -> None:
        """Say how far the phase is, if it was not said a moment ago."""
        if time.monotonic() - self._last >= self._every:
            self._tell(fraction)

    def finish(self) -> None:
        """Say that everything is done."""
        self._end = 1.0
        self._tell(1.0)

    def _tell(self, fraction: float) -> None:
        reached = self._start + (self._end - self._start) * min(max(fraction, 0.0), 1.0)
        self._done = max(self._done, int(self.total * reached))
        self._last = time.monotonic()
        self._report(self._done, self.total, self._words)
