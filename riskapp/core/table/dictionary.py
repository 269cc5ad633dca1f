"""Dictionaries: what an attacker holds about named people.

A dictionary θ is a table with some of the dataset's attributes, each at a level of its hierarchy, some cells missing.
It counts people, not rows: entries that share an identity are one person, or an entry stands for many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import check_amount
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.hierarchy import Codes, Counts, Hierarchy

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Alike:
    """For every distinct value of a column matched by likeness, the labels it may stand for.

    Parameters
    ----------
    starts : where the labels of each value begin in `codes`, and at last where they end; value 0 is missing, with none
    codes : codes of the level the column is matched at; no label twice for one value
    """

    starts: Places
    codes: Codes

    def __post_init__(self) -> None:
        if len(self.starts) < 2 or self.starts[0] or self.starts[1] or self.starts[-1] != len(self.codes):
            raise ValueError("Every value has a range of labels, and missing has none.")

    @property
    def values(self) -> int:
        """The number of distinct values, missing not counted; their numbers are 1 to this."""
        return len(self.starts) - 2


@dataclass(frozen=True, eq=False)
class Known:
    """One attribute as a dictionary knows it.

    Parameters
    ----------
    place : which of the dataset's attributes it is
    hierarchy : the attribute's
    level : the level whose labels the column holds
    codes : for every entry its code at that level, 0 for missing; with `alike` the number of its value there
    alike : where the column is matched by likeness, what each of its values may stand for
    """

    place: int
    hierarchy: Hierarchy
    level: int
    codes: Codes
    alike: Alike | None = None

    def __post_init__(self) -> None:
        most = self.hierarchy.groups[self.level] if self.alike is None else self.alike.values
        if self.codes.dtype != np.int32 or self.codes.ndim != 1:
            raise ValueError("Codes are 32-bit whole numbers, one for each entry.")
        if len(self.codes) and not 0 <= self.codes.min() <= self.codes.max() <= most:
            raise ValueError(f'These are not codes of level {self.level} of "{self.hierarchy.attribute}".')

    @classmethod
    def of(cls, place: int, column: CodedColumn) -> "Known":
        """A column that is matched exactly."""
        return cls(place, column.hierarchy, column.level, column.codes)


@dataclass(frozen=True, eq=False)
class Dictionary:
    """A table about people.

    Parameters
    ----------
    name : how settings and results name it
    known : the attributes it knows, in the order of the dataset's
    times : how many people each entry stands for; one where it is not given
    identities : a number from 0 for the person of every entry; None when every entry is somebody else
    prior : how likely it is, compared with the others, that the attacker holds this one

    Raises
    ------
    ValueError
        If it knows nothing, knows an attribute twice, its columns are not of one length, or both `times` and
        `identities` are given.
    BadSetting
        If the prior is below 0 or infinite.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([1, 2, 2], dtype=np.int32), level=1)
    >>> Dictionary("register", (Known.of(0, column),)).everybody
    3
    >>> Dictionary("visits", (Known.of(0, column),), identities=np.array([0, 1, 1], dtype=np.int32)).everybody
    2
    """

    name: str
    known: tuple[Known, ...]
    times: Counts | None = None
    identities: Codes | None = None
    prior: float = 1.0

    def __post_init__(self) -> None:
        check_amount(f"dictionaries.{self.name}.prior", self.prior, finite=True)
        places = [known.place for known in self.known]
        if not places or sorted(set(places)) != places:
            raise ValueError("A dictionary knows at least one attribute, each once, in the order of the dataset's.")
        if self.times is not None and self.identities is not None:
            raise ValueError("Entries stand for several people, or say who they are, not both.")
        given = [*(known.codes for known in self.known), self.times, self.identities]
        if len({len(some) for some in given if some is not None}) != 1:
            raise ValueError("All columns of a dictionary have one length.")
        if self.times is not None and (self.times < 0).any():
            raise ValueError("An entry stands for no fewer than no people.")
        if self.identities is not None and len(np.unique(self.identities)) == len(self):
            object.__setattr__(self, "identities", None)

    @classmethod
    def itself(
        cls,
        name: str,
        columns: Sequence[CodedColumn],
        knows: Sequence[int],
        *,
        people: Codes | None = None,
        prior: float = 1.0,
    ) -> "Dictionary":
        """The dataset as its own dictionary: an attacker who knows these columns about everybody in it."""
        known = tuple(Known.of(place, columns[place]) for place in sorted(knows))
        return cls(name, known, identities=people, prior=prior)

    def __len__(self) -> int:
        return len(self.known[0].codes)

    @cached_property
    def everybody(self) -> int:
        """|θ|: the number of people in it."""
        if self.times is not None:
            return int(self.times.sum())
        return len(self) if self.identities is None else len(np.unique(self.identities))

    @property
    def places(self) -> list[int]:
        """The attributes it knows."""
        return [known.place for known in self.known]
