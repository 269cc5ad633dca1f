"""Reports: how much is done, of how much, and in words what is being done."""

from collections.abc import Callable

Report = Callable[[int, int, str], None]


def silent(done: int, total: int, words: str) -> None:
    """Nobody is told."""
