"""The entries of a dictionary, made ready to be counted.

Equal entries are found once. The only entry of a person simply adds to the count; the entries of a person who has
several are kept apart, because such a person counts once whichever of them is consistent. Entries with the same columns
missing are compared in the same columns, so they are counted together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from riskapp.core.table.dictionary import Alike, Dictionary, Known, Places
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.keys import Keys, folded, once
from riskapp.core.table.released import Mask
from riskapp.core.table.tally import different


@dataclass(frozen=True, eq=False)
class Patterns:
    """Which columns rows have missing: the different answers, a row of flags each, and which one is every row's."""

    missing: npt.NDArray[np.bool_]
    which: Places

    @classmethod
    def of(cls, columns: Sequence[Codes], rows: int) -> "Patterns":
        """The patterns of rows of codes, where 0 is missing."""
        with_holes = [place for place, codes in enumerate(columns) if not codes.all()]
        missing = np.zeros((1, len(columns)), dtype=np.bool_)
        if not with_holes or not rows:
            return cls(missing, np.zeros(rows, dtype=np.intp))
        keys = folded([[(columns[place] == 0).astype(np.int32) for place in with_holes]], [2] * len(with_holes))
        found = once(keys.numbers, keys.size)
        missing = np.repeat(missing, len(found.first), axis=0)
        for place in with_holes:
            missing[:, place] = columns[place][found.first] == 0
        return cls(missing, found.kind)

    def at(self, number: int) -> Places:
        """The rows of one pattern."""
        return np.arange(len(self.which)) if len(self.missing) == 1 else np.flatnonzero(self.which == number)

    def within(self, places: Sequence[int]) -> "Patterns":
        """The patterns in some of the columns only."""
        if len(self.missing) == 1 or not places:
            return Patterns(self.missing[:1, list(places)], np.zeros(len(self.which), dtype=np.intp))
        missing, merged = np.unique(self.missing[:, list(places)], axis=0, return_inverse=True)
        return Patterns(missing, merged.reshape(-1)[self.which])


@dataclass(frozen=True, eq=False)
class Entries:
    """Different entries.

    Parameters
    ----------
    columns : the attributes they know
    times : how many people each stands for
    persons : whose each is, in rising order, where entries share people; None where they do not
    """

    columns: tuple[Known, ...]
    times: Counts
    persons: Codes | None = None
    patterns: Patterns = field(init=False)
    _raised: dict[tuple[int, int], Alike] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        patterns = Patterns.of([column.codes for column in self.columns], len(self.times))
        object.__setattr__(self, "patterns", patterns)

    def __len__(self) -> int:
        return len(self.times)

    def codes_at(self, place: int, level: int, chosen: Places) -> Codes:
        """Codes of a column that is matched exactly, at a level not below the one it is known at."""
        column = self.columns[place]
        codes = column.codes[chosen]
        return codes if level == column.level else column.hierarchy.up(column.level, level)[codes]

    def alike_at(self, place: int, level: int) -> Alike:
        """What the values of a column matched by likeness may stand for at a level not below the one it is known at."""
        column = self.columns[place]
        if column.alike is None:
            raise ValueError("This column is matched exactly.")
        if (place, level) not in self._raised:
            self._raised[place, level] = raised(column.alike, column.hierarchy.up(column.level, level))
        return self._raised[place, level]


def raised(alike: Alike, parents: Codes) -> Alike:
    """The same values with labels of a coarser level, each once for a value.

    >>> low = Alike(np.array([0, 0, 2, 3]), np.array([1, 2, 3], dtype=np.int32))
    >>> high = raised(low, np.array([0, 1, 1, 2], dtype=np.int32))
    >>> high.starts, high.codes
    (array([0, 0, 1, 2]), array([1, 2], dtype=int32))
    """
    many = len(alike.starts) - 1
    owner = np.repeat(np.arange(many), np.diff(alike.starts))
    codes = parents[alike.codes]
    first = different(Keys((owner.astype(np.int64),), many), codes, int(parents.max()) + 1)
    ends = np.cumsum(np.bincount(owner[first], minlength=many))
    return Alike(np.append(0, ends), codes[first])


def entries(dictionary: Dictionary) -> list[Entries]:
    """The entries that can be consistent with anything: those that only add, and those of people who have several.

    An entry whose value is like no label at all is consistent with nothing and left out.
    """
    chosen = np.flatnonzero(_possible(dictionary))
    if dictionary.identities is None:
        times = np.ones(len(chosen), dtype=np.int64) if dictionary.times is None else dictionary.times[chosen]
        return _added(dictionary.known, chosen, times)
    people = np.unique(dictionary.identities, return_inverse=True)[1].astype(np.int32)
    chosen = chosen[once(*_keys(dictionary.known, chosen, people[chosen])).first]
    alone = np.bincount(people[chosen])[people[chosen]] == 1
    shared = chosen[~alone]
    single = _added(dictionary.known, chosen[alone], np.ones(int(alone.sum()), dtype=np.int64))
    if not len(shared):
        return single
    return [*single, Entries(_taken(dictionary.known, shared), np.ones(len(shared), dtype=np.int64), people[shared])]


def _possible(dictionary: Dictionary) -> Mask:
    possible = np.ones(len(dictionary), dtype=np.bool_)
    for column in dictionary.known:
        if column.alike is not None:
            like_none = np.diff(column.alike.starts) == 0
            possible &= (column.codes == 0) | ~like_none[column.codes]
    if dictionary.times is not None:
        possible &= dictionary.times > 0
    return possible


def _added(known: Sequence[Known], chosen: Places, times: Counts) -> list[Entries]:
    """Entries that share nobody: equal ones together."""
    if not len(chosen):
        return []
    found = once(*_keys(known, chosen))
    together = np.zeros(len(found.first), dtype=np.int64)
    np.add.at(together, found.kind, times)
    return [Entries(_taken(known, chosen[found.first]), together)]


def _keys(known: Sequence[Known], chosen: Places, people: Codes | None = None) -> tuple[Counts, int]:
    """A key for each entry, that of the person first so that keys sort by it."""
    columns = [column.codes[chosen] for column in known]
    sizes = [column.hierarchy.groups[column.level] + 1 for column in known]
    sizes = [size if one.alike is None else one.alike.values + 1 for one, size in zip(known, sizes, strict=True)]
    if people is not None:
        columns, sizes = [people, *columns], [int(people.max(initial=0)) + 1, *sizes]
    keys = folded([columns], sizes)
    return keys.numbers, keys.size


def _taken(known: Sequence[Known], chosen: Places) -> tuple[Known, ...]:
    return tuple(replace(column, codes=column.codes[chosen]) for column in known)
