"""Lower convex hulls: of a record's nodes, as points of utility and risk, those that some price of utility makes best.

A hull begins at the least risk, with the most utility of those that have it, and ends at the most utility. From point
to point risk rises, and so does what a step of utility costs. Nodes come one after the other, for all records at once;
a point that does not lie below the hull is forgotten, so only hulls are in memory.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riskapp.core.compiled import compiled
from riskapp.core.extended import Numbers
from riskapp.core.frontier import Flags
from riskapp.core.search.best_so_far import within_limit
from riskapp.core.search.looking import Look

NEAR = 1e-11
"""Points nearer to each other, or to the hull, than this share of the numbers' size are the same: it is rounding."""
FIRST_ROOM = 8

Whole = npt.NDArray[np.int64]


class Growing:
    """The hulls of some records, while nodes are looked at.

    Parameters
    ----------
    records : how many there are
    room : for how many points of each there is room at first
    """

    def __init__(self, records: int, room: int = FIRST_ROOM) -> None:
        self.many = np.zeros(records, dtype=np.int32)
        self.utilities = np.zeros((records, room))
        self.risks = np.zeros((records, room))
        self.numbers = np.zeros((records, room), dtype=np.int64)

    def look(self, look: Look, limit: float | None) -> None:
        """Take one more node into account, for all records."""
        usable = np.isfinite(look.risk)
        if limit is not None:
            usable &= within_limit(look.chance, limit)
        self.add(look.utility, look.risk, look.number, usable)

    def add(self, utility: Numbers, risk: Numbers, number: int, usable: Flags) -> None:
        """A point for each of the records that may have it."""
        while _inserted(utility, risk, number, usable, self.many, self.utilities, self.risks, self.numbers):
            self._grow()

    def _grow(self) -> None:
        """Twice the room. What was inserted before is found again and stays as it is."""
        for name in ("utilities", "risks", "numbers"):
            had = getattr(self, name)
            setattr(self, name, np.concatenate([had, np.zeros_like(had)], axis=1))

    def packed(self) -> "Hulls":
        """Without the room that is left."""
        used = np.arange(self.utilities.shape[1]) < self.many[:, None]
        starts = np.append(0, np.cumsum(self.many, dtype=np.int64))
        return Hulls(starts, self.utilities[used], self.risks[used], self.numbers[used])


@dataclass(frozen=True, eq=False)
class Hulls:
    """The hull of every record: its points from the least risk to the most utility.

    Attributes
    ----------
    starts : where the points of each record begin, and at last where they end
    utilities, risks : of the points
    numbers : of their nodes, in the order of ids as text

    Examples
    --------
    >>> growing = Growing(1)
    >>> for number, (utility, risk) in enumerate([(0, 0), (1, 2), (2, 2), (3, 9), (1, 1.5)]):
    ...     growing.add(np.array([utility * 1.0]), np.array([risk * 1.0]), number, np.array([True]))
    >>> found = growing.packed()
    >>> found.utilities, found.risks, found.numbers
    (array([0., 2., 3.]), array([0., 2., 9.]), array([0, 2, 3]))
    """

    starts: Whole
    utilities: Numbers
    risks: Numbers
    numbers: npt.NDArray[np.signedinteger]

    @classmethod
    def joined(cls, parts: "list[Hulls]") -> "Hulls":
        """Those of several parts of the records, one after the other."""
        if len(parts) == 1:
            return parts[0]
        many = np.concatenate([np.diff(part.starts) for part in parts])
        names = ("utilities", "risks", "numbers")
        return cls(
            np.append(0, np.cumsum(many)), *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
        )

    def replaced(self, records: Whole, there: Whole, utilities: Numbers, numbers: Whole) -> "Hulls":
        """With a single point of no risk for those of some records that are there, and none for the others of them."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.starts))
        kept = ~np.isin(owner, records)
        owners = np.append(owner[kept], there)
        order = np.argsort(owners, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(owners, minlength=len(self))))
        risks = np.append(self.risks[kept], np.zeros(len(there)))
        utilities, numbers = np.append(self.utilities[kept], utilities), np.append(self.numbers[kept], numbers)
        return Hulls(starts, utilities[order], risks[order], numbers[order])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def empty(self) -> Flags:
        """Which records have no point at all."""
        none: Flags = np.diff(self.starts) == 0
        return none

    @cached_property
    def steps(self) -> tuple[Whole, Whole]:
        """The edges: whose each is, and the place of the point where it ends."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.starts))
        ends = np.ones(len(owner), dtype=np.bool_)
        ends[self.starts[:-1][~self.empty]] = False
        return owner[ends], np.flatnonzero(ends)


@compiled
def _inserted(utility, risk, number, usable, many, utilities, risks, numbers):  # type: ignore[no-untyped-def]
    """Put the points into the hulls; True when one of them needs more room, and then some were not put."""
    for row in range(len(many)):
        if usable[row] and _insert(
            utility[row], risk[row], number, row, many, utilities[row], risks[row], numbers[row]
        ):
            return True
    return False


@compiled
def _insert(u, r, number, row, many, us, rs, ns):  # type: ignore[no-untyped-def]
    size = many[row]
    place = 0
    # The first point with no less utility: it says more, so it must cost more.
    while place < size and us[place] < u and not near(us[place], u):
        place += 1
    if place < size and (rs[place] <= r or near(rs[place], r)):
        if near(us[place], u) and near(rs[place], r) and number < ns[place]:
            ns[place] = number
        return False
    if 0 < place < size and not below(us[place - 1], rs[place - 1], u, r, us[place], rs[place]):
        return False
    # Who says no more and costs no less is beaten; and then who is no longer below its neighbours.
    right = place
    if right < size and near(us[right], u):
        right += 1
    left = place - 1
    while left >= 0 and (rs[left] >= r or near(rs[left], r)):
        left -= 1
    while left >= 1 and not below(us[left - 1], rs[left - 1], us[left], rs[left], u, r):
        left -= 1
    while right + 1 < size and not below(u, r, us[right], rs[right], us[right + 1], rs[right + 1]):
        right += 1
    after = left + 2 + size - right
    if after > len(us):
        return True
    if left + 2 > right:
        for k in range(size - 1, right - 1, -1):
            us[k + left + 2 - right], rs[k + left + 2 - right], ns[k + left + 2 - right] = us[k], rs[k], ns[k]
    else:
        for k in range(right, size):
            us[k + left + 2 - right], rs[k + left + 2 - right], ns[k + left + 2 - right] = us[k], rs[k], ns[k]
    us[left + 1], rs[left + 1], ns[left + 1] = u, r, number
    many[row] = after
    return False


@compiled
def near(one, other):  # type: ignore[no-untyped-def]
    """Whether two numbers differ by rounding only."""
    return abs(one - other) <= NEAR * max(abs(one), abs(other))


@compiled
def below(u0, r0, u, r, u1, r1):  # type: ignore[no-untyped-def]
    """Whether the middle point lies below the line through the others, by more than rounding."""
    one, other = (r - r0) * (u1 - u0), (r1 - r0) * (u - u0)
    return one < other - NEAR * (abs(one) + abs(other))
