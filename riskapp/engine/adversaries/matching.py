"""Which attribute, at which level, each column of a dictionary holds: suggested by name and by content.

By content: the share of the column's distinct values that are labels of a level of the attribute's hierarchy, grown
over what the dataset holds. Where the others are misspelt labels, they count too, and a likeness is suggested. Every
attribute is suggested once, for the column that it fits best. Reasons hold no value.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from riskapp.engine.adversaries.described import Described
from riskapp.engine.adversaries.names import WORDS, Likeness
from riskapp.engine.adversaries.sides import Held, Labels
from riskapp.engine.adversaries.spelling import Slips, slips
from riskapp.engine.adversaries.who import Proposal, count_column, identity_column
from riskapp.engine.coded import CodedTable
from riskapp.engine.profile.suggest.facts import CERTAIN, CONFIDENCES, LIKELY, POSSIBLE
from riskapp.engine.profile.words import number, percent

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
    likeness : how alike spellings must be, where the others are misspelt labels; "" where they are not
    share : of the values, that are labels or misspelt ones
    strange : whether none of them is a label, nor could come to be in a group with one
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
    likeness: str = ""
    share: float = 0.0
    strange: bool = False

    @property
    def order(self) -> tuple[int, int, float]:
        """The surest come first."""
        return CONFIDENCES.index(self.confidence), -self.name, -self.share


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

    @property
    def fuzzy(self) -> dict[str, str]:
        """The key `fuzzy`: how alike the spellings in a column must be."""
        found = {column.name: column.suggested for column in self.columns if column.suggested}
        return {name: guess.likeness for name, guess in found.items() if guess.likeness}

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
    known = [Labels.of(described, dataset) for described in attributes]
    count = count_column(dictionary)
    columns = [Held(dictionary, name) for name in dictionary.names if count is None or name != count.column]
    guesses = [guess for column in columns for guess in _guesses(column, known)]
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


def _guesses(column: Held, known: Sequence[Labels]) -> Iterator[Guess]:
    for labels in known:
        guess = _guess(column, labels)
        if guess is not None:
            yield guess


def _guess(column: Held, labels: Labels) -> Guess | None:
    values = column.values
    level, occurring = labels.best(values)
    name = labels.named(column.name, level)
    telling = column.telling and occurring >= TELLING
    found = _slips(column, labels, level, name) if name or telling else None
    share = (occurring + (found.share if found else 0) * (len(values) - occurring)) / max(len(values), 1)
    sure = _confidence(name, share, telling)
    if sure is None:
        return None
    outside = labels.outside(level, values)
    told = _reason(WORDS[name], occurring, len(values), labels.words(level))
    return Guess(
        column.name,
        labels.described.name,
        level,
        labels.match(level),
        sure,
        f"{told}{_others(found, outside)}",
        int(name),
        len(values),
        occurring,
        outside,
        found.likeness if found else "",
        share,
        not occurring and not found and labels.strange(outside, len(values)),
    )


def _slips(column: Held, labels: Labels, level: int, name: Likeness) -> Slips | None:
    """Whether the other values are misspelt labels, where most entries have a label, or the name says so."""
    there = labels.hierarchy.found_at(level, column.values) > 0
    sure = name >= Likeness.MEANS_THE_SAME or column.share(there) >= MOST
    if there.all() or not labels.spelt or not sure:
        return None
    return slips(column.values.filter(pa.array(~there)), labels.hierarchy.named(level))


def _confidence(name: Likeness, share: float, telling: bool) -> str | None:
    if name >= Likeness.MEANS_THE_SAME and share >= NEARLY_ALL:
        return CERTAIN
    if (name and share >= MOST) or (telling and share >= NEARLY_ALL):
        return LIKELY
    return POSSIBLE if share >= MOST or name >= Likeness.MEANS_THE_SAME else None


def _reason(name: str, occurring: int, looked: int, words: str) -> str:
    share = percent(occurring, looked) if occurring else "none"
    return f"{name[0].upper()}{name[1:]}; {share} of its values are {words}."


def _others(found: Slips | None, outside: int) -> str:
    """What the values are that are no labels."""
    if found:
        return f" {percent(round(100 * found.share), 100)} of the others are spelt nearly like one of them."
    if not outside:
        return ""
    fit = "value does" if outside == 1 else "values do"
    return f" {number(outside)} {fit} not fit there: mend them, or match by likeness."
