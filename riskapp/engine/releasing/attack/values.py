"""Which values of a sensitive column the groups of several releases have in common."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riskapp.core.table.in_common import in_common
from riskapp.engine.releasing.attack.footprint import Codes, Hashes, numbered

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Places = npt.NDArray[np.int64]


class Values(NamedTuple):
    """The different values of every group of every release, those of one group after those of another.

    Attributes
    ----------
    starts : where the values of each group begin
    values : as numbers
    first : which of the groups is the first of each release
    """

    starts: Places
    values: Codes
    first: tuple[int, ...]

    @classmethod
    def of(cls, hashes: Sequence[Hashes], groups: Sequence[Places]) -> "Values":
        """From the value and the group of every row of each release; rows in no group have a number below 0.

        >>> from riskapp.engine.releasing.attack.footprint import hashed
        >>> hashes = [hashed(["a", "b", "a"], b"k"), hashed(["b"], b"k")]
        >>> values = Values.of(hashes, [np.array([0, 0, 1]), np.array([0])])
        >>> both = [np.array([0, 1]), np.array([0, 0])]
        >>> values.common(both), values.several(both)
        (array([1, 0]), array([False, False]))
        """
        codes, many = numbered(hashes), [int(own.max(initial=-1)) + 1 for own in groups]
        width = 1 + max((int(some.max(initial=-1)) for some in codes), default=0)
        first = np.concatenate([[0], np.cumsum(many)])
        pairs = [
            np.unique((own[own >= 0] + start) * width + some[own >= 0])
            for own, some, start in zip(groups, codes, first[:-1], strict=True)
        ]
        group, value = np.divmod(np.concatenate(pairs), width)
        starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=int(first[-1])))])
        return cls(starts, value.astype(np.int32), tuple(first[:-1].tolist()))

    def common(self, groups: Sequence[Places]) -> Counts:
        """For groups taken together, one of each release, how many values all of them have."""
        chosen = np.stack([own + start for own, start in zip(groups, self.first, strict=True)], axis=1)
        found: Counts = in_common(self.starts, self.values, chosen)
        return found

    def several(self, groups: Sequence[Places]) -> Flags:
        """For the same, whether each of them has more than one value by itself."""
        many = np.diff(self.starts) > 1
        found: Flags = np.all([many[own + start] for own, start in zip(groups, self.first, strict=True)], axis=0)
        return found
