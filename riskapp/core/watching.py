"""Who watches over slow work: is told how far it is, and may stop it."""

from collections.abc import Callable
from dataclasses import dataclass

from riskapp.core.errors import Stopped

Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""
Stop = Callable[[], bool]
"""Asked often whether to stop."""


def silent(done: int, total: int) -> None:
    """Nobody is told."""


def never() -> bool:
    """Nobody asks to stop."""
    return False


def unheard(risk: float, utility: float) -> None:
    """Nobody is told."""


PARTS = 1000
"""Progress is told in so many parts where what is to be done is no number of things."""


@dataclass(eq=False)
class Share:
    """Work of several parts, as one that is told in thousandths; what was told is never taken back.

    >>> share = Share(lambda done, total: print(done, total))
    >>> share.part(0, 2)(3, 4)
    375 1000
    >>> share.part(1, 2)(0, 7), share.part(0, 2)(4, 4)
    500 1000
    (None, None)
    """

    progress: Progress
    told: int = -1

    def part(self, number: int, many: int) -> Progress:
        """For one of so many parts, counted from 0: told how much of it is done."""

        def tell(done: int, total: int) -> None:
            now = PARTS * (number * total + done) // (many * total)
            if now > self.told:
                self.told = now
                self.progress(now, PARTS)

        return tell


@dataclass(frozen=True, eq=False)
class Watch:
    """Who is told how far the work is and of every new best, and who may stop it."""

    progress: Progress = silent
    stop: Stop = never
    better: Callable[[float, float], None] = unheard

    def tell(self, done: int, total: int) -> None:
        """Say how far it is; raise `Stopped` when asked to."""
        self.progress(done, total)
        if self.stop():
            raise Stopped
