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
