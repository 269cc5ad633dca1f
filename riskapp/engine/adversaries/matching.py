"""Which attribute, at which level, each column of a dictionary holds: suggested by name and by content.

By content: the share of the column's distinct values that are labels of a level of the attribute's hierarchy, grown
over what the dataset holds. Every attribute is suggested once, for the column that it fits best. Reasons hold no value.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow.compute as pc

from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import Texts
from riskapp.engine.adversaries.described import Described, distinct, spread
from riskapp.engine.adversaries.names import WORDS, Likeness, likeness
from riskapp.engine.adversaries.who import Proposal, count_column, identity_column
from riskapp.engine.coded import CodedTable
from riskapp.engine.profile.suggest.facts import CERTAIN, CONFIDENCES, LIKELY, POSSIBLE
from riskapp.engine.profile.words import number, percent

MOST_LOOKED = 20_000
"""So many of a column's distinct values are looked at, evenly spread."""
NEARLY_ALL, MOST = 0.9, 0.5
TELLING = 5
"""So few values, or values with no more than two signs, occur in another column by chance."""
MOST_OTHERS = 3


@dataclass(frozen=True)
class Guess:
    """A column of a dictionary and the attribute that it may hold.

    Parameters
    ----------
    match : how the assessment names it: `attribute`, or `attribute@level`
    confidence : certain, likely or possible
    name : how alike the names are, from 0 to 3
    looked, occurring, outside : how many distinct values were looked at, are labels there, and cannot be held at all
    """

    column: str
    attribute: str
    level: int
    match: str
    confidence: str
    reason: str
    name: int
    looked: int
    occurring: int
    outside: int

    @property
    def order(self) -> tuple[int, int, float]:
        """The surest come first."""
        return CONFIDENCES.index(self.confidence), -self.name, -self.occurring / max(self.looked, 1)


@dataclass(frozen=True)
class Column:
    """A column of a dictionary: what is suggested for it, None for nothing, and what else it could be."""

    name: str
    suggested: Guess | None
    others: tuple[Guess, ...] = ()


@dataclass(frozen=True)
class Suggested:
    """What is suggested for a dictionary; an entry stands for many people or says who it is, never both."""

    columns: tuple[Column, ...]
    identity: Proposal | None
    count: Proposal | None

    @property
    def match(self) -> dict[str, str]:
        """The key `match` of the dictionary, as it is suggested."""
        return {column.name: column.suggested.match for column in self.columns if column.suggested}

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


def suggest(dataset: CodedTable, attributes: Sequence[Described], dictionary: CodedTable) -> Suggested:
    """The attribute and level of each column of a dictionary, and the columns that say who or how many.

    Parameters
    ----------
    dataset : whose values count as occurring
    attributes : the columns of the dataset that are released, with their hierarchies
    dictionary : the table an attacker holds

    Raises
    ------
    BadSetting
        If an attribute is no column of the dataset.
    """
    known = [_Labels.of(described, dataset) for described in attributes]
    count = count_column(dictionary)
    columns = [name for name in dictionary.names if count is None or name != count.column]
    guesses = [guess for name in columns for guess in _guesses(name, dictionary, known)]
    chosen = _chosen(guesses)
    sure = [column for column, guess in chosen.items() if guess.confidence != POSSIBLE]
    identity = identity_column(dictionary, sure) if count is None else None
    if identity is not None and identity.column in chosen:
        chosen = _chosen([guess for guess in guesses if guess.column != identity.column])
    return Suggested(tuple(_column(name, chosen, guesses) for name in dictionary.names), identity, count)


def _chosen(guesses: Sequence[Guess]) -> dict[str, Guess]:
    """The surest first; each column and each attribute once."""
    found: dict[str, Guess] = {}
    for guess in sorted(guesses, key=lambda guess: guess.order):
        if guess.column not in found and guess.attribute not in {other.attribute for other in found.values()}:
            found[guess.column] = guess
    return found


def _column(name: str, chosen: Mapping[str, Guess], guesses: Sequence[Guess]) -> Column:
    mine = chosen.get(name)
    others = sorted((guess for guess in guesses if guess.column == name and guess is not mine), key=lambda g: g.order)
    return Column(name, mine, tuple(others[:MOST_OTHERS]))


@dataclass(frozen=True, eq=False)
class _Labels:
    """An attribute with its hierarchy over what the dataset holds."""

    described: Described
    hierarchy: Hierarchy

    @classmethod
    def of(cls, described: Described, dataset: CodedTable) -> "_Labels":
        """A hierarchy that is still impossible counts as none: it can be mended later, the match stays right."""
        values = distinct(dataset, described.name, f"attributes.{described.name}")
        try:
            return cls(described, described.over(values))
        except BadHierarchy:
            plain = replace(described, hierarchy=None)
            return cls(plain, plain.over(values))

    def best(self, values: Texts) -> tuple[int, int]:
        """The level at which the most values are labels, and how many; where none is, the level that can hold most."""
        levels = range(self.hierarchy.height)
        found = [int((self.hierarchy.found_at(level, values) > 0).sum()) for level in levels]
        fit = [0 if any(found) else -self.outside(level, values) for level in levels]
        level = max(levels, key=lambda level: (found[level], fit[level], -level))
        return level, found[level]

    def named(self, column: str, level: int) -> Likeness:
        """How alike the names are; being named like the level is worth less than being named like the attribute."""
        as_level = min(likeness(column, self.hierarchy.names[level]), Likeness.ALIKE)
        return max(likeness(column, self.described.name), as_level)

    def outside(self, level: int, values: Texts) -> int:
        return int((~self.described.fitting(level, values)).sum())

    def match(self, level: int) -> str:
        name = self.hierarchy.names[level]
        told = str(level) if name.isdigit() else name
        return self.described.name if level == 0 else f"{self.described.name}@{told}"

    def words(self, level: int) -> str:
        """What the values are, as the end of a sentence."""
        names, attribute = self.hierarchy.names, self.described.name
        kinds = (
            {"day": "days", "month": "months", "year": "years"} if "dates" in (self.described.hierarchy or ()) else {}
        )
        kind = kinds.get(names[level]) or ("values" if level == 0 else f"groups of level {names[level]}")
        return (
            f"{kind} in the hierarchy of {attribute}"
            if self.described.lists_its_leaves
            else (f"{kind} that occur in {attribute}")
        )


def _guesses(column: str, dictionary: CodedTable, known: Sequence[_Labels]) -> Iterator[Guess]:
    values = spread(distinct(dictionary, column, "dictionaries"), MOST_LOOKED)
    telling = bool(len(values)) and pc.max(pc.utf8_length(values)).as_py() > 2
    for labels in known:
        level, occurring = labels.best(values)
        name = labels.named(column, level)
        sure = _confidence(name, occurring / max(len(values), 1), telling and occurring >= TELLING)
        if sure is None:
            continue
        outside = labels.outside(level, values)
        reason = _reason(WORDS[name], occurring, len(values), outside, labels.words(level))
        yield Guess(
            column,
            labels.described.name,
            level,
            labels.match(level),
            sure,
            reason,
            int(name),
            len(values),
            occurring,
            outside,
        )


def _confidence(name: Likeness, share: float, telling: bool) -> str | None:
    if name >= Likeness.MEANS_THE_SAME and share >= NEARLY_ALL:
        return CERTAIN
    if (name and share >= MOST) or (telling and share >= NEARLY_ALL):
        return LIKELY
    return POSSIBLE if share >= MOST or name >= Likeness.MEANS_THE_SAME else None


def _reason(name: str, occurring: int, looked: int, outside: int, words: str) -> str:
    share = percent(occurring, looked) if occurring else "none"
    told = f"{name[0].upper()}{name[1:]}; {share} of its values are {words}."
    if not outside:
        return told
    fit = "value does" if outside == 1 else "values do"
    return f"{told} {number(outside)} {fit} not fit there: mend them, or match by likeness."
