"""How long a search may go on, in time or in nodes; whoever watches is told and asked."""

import time

from riskapp.core.errors import Stopped
from riskapp.core.search.anytime_rows import Rows
from riskapp.core.watching import PARTS, Progress, Stop

WORK_PER_SECOND = 5_000_000


class Clock:
    """Whether time or nodes are over.

    Parameters
    ----------
    seconds, most : for the question; the nodes may be without end
    progress, stop : told how much is spent, and asked whether to stop
    more : by which share of it the work may go on after the question
    """

    def __init__(self, seconds: float, most: int | None, progress: Progress, stop: Stop, more: float = 0.0) -> None:
        self.began, self.seconds, self.most, self.progress, self.stop = time.monotonic(), seconds, most, progress, stop
        self.allowed, self.whole = 1.0, 1.0 + more
        self.before = self.told = 0

    def work(self, rows: Rows | None) -> float:
        """How much of it may go into bounds for groups of attributes, in rows."""
        work = self.seconds * WORK_PER_SECOND
        return work if self.most is None or rows is None else min(work, self.most * len(rows) / 2)

    def extend(self, more: float) -> None:
        """By which share of the question's time and nodes the work that follows may go on."""
        self.allowed += more

    def over(self, spent: int | None = None) -> bool:
        """Whether to end, after so many nodes, or where only time counts; the person is told and asked."""
        if self.stop():
            raise Stopped
        share = (time.monotonic() - self.began) / self.seconds
        if self.most is not None and spent is not None:
            share = max(share, (self.before + spent) / self.most)
        self.told = max(self.told, min(PARTS, int(share / self.whole * PARTS)))
        self.progress(self.told, PARTS)
        return share >= self.allowed
