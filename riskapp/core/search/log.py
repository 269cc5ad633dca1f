"""What is known of a long search from an earlier start, and who keeps what is found: it goes on in its middle."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

Item = TypeVar("Item")


class Log(Protocol[Item]):
    """What an earlier start found, in the order in which it is looked for, and a place for more."""

    def taken(self, most: int) -> list[Item]:
        """The next ones that are known, at most so many."""

    def keep(self, found: Sequence[Item]) -> None:
        """Some more, which follow all that were taken or kept."""


class NoLog(Generic[Item]):
    """Nothing is known, nothing is kept."""

    def taken(self, most: int) -> list[Item]:
        return []

    def keep(self, found: Sequence[Item]) -> None:
        """Forgotten."""
