"""Sequences one after the other, without a copy."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import TypeVar, overload

One = TypeVar("One", covariant=True)


class Joined(Sequence[One]):
    """Several sequences as one.

    >>> both = Joined([range(3), [], "ab"])
    >>> len(both), both[3], both[-1], list(both), both[1:4]
    (5, 'a', 'b', [0, 1, 2, 'a', 'b'], [1, 2, 'a'])
    """

    def __init__(self, parts: Sequence[Sequence[One]]) -> None:
        self._parts = parts
        self._starts = [0, *accumulate(map(len, parts))]

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[One]:
        return chain.from_iterable(self._parts)

    @overload
    def __getitem__(self, place: int) -> One: ...
    @overload
    def __getitem__(self, place: slice) -> list[One]: ...
    def __getitem__(self, place: int | slice) -> One | list[One]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        number = range(len(self))[place]
        part = bisect_right(self._starts, number) - 1
        return self._parts[part][number - self._starts[part]]
