"""Progress: telling the caller how far the work is, often enough that a cancel takes effect at once."""

import time

from riskapp.engine.reporting import Report

TOTAL = 1000
# Reports cost the caller a write; more than a few in a second tell nobody anything.
SECONDS_BETWEEN = 0.1


class Progress:
    """Where the work stands, in thousandths; `tick` inside a long step lets the caller stop it."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._done, self._words = 0, "Starting"
        self._last = 0.0

    def at(self, start: int, end: int, step: int, steps: int, words: str) -> None:
        """Step number `step` of `steps` begins, in the phase from `start` to `end` thousandths."""
        self._done, self._words = start + (end - start) * step // max(steps, 1), words
        self.tick()

    def tick(self) -> None:
        """Report again if the last report is some time ago. The caller may raise `Stopped`."""
        if time.monotonic() - self._last >= SECONDS_BETWEEN:
            self._report(self._done, TOTAL, self._words)
            self._last = time.monotonic()

    def finish(self) -> None:
        self._report(TOTAL, TOTAL, "Profile ready")
