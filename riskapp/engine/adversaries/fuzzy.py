"""Matching by likeness, before it is chosen: how many values it would match at which threshold, and examples.

Only distinct values are compared, as `riskapp.core.table.alike` does it: a value of the dictionary stands for the
labels whose Jaro similarity with it is at least the threshold. The labels are those of the attribute's hierarchy over
what the dataset holds. `counts` holds no value; what `seen_examples` gives are values of people, to be shown only to
those who may see them, and recorded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from rapidfuzz import process
from rapidfuzz.distance import Jaro

from riskapp.core.extended import Numbers
from riskapp.core.table import jaro
from riskapp.core.table.alike import CLOSE, alike
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import TEXT, Flags, Texts, joined
from riskapp.engine.adversaries.described import Described, distinct, spread
from riskapp.engine.coded import CodedTable

THRESHOLDS = ("0.7", "0.75", "0.8", "0.85", "0.9", "0.95", "1.0")
AT_ONCE = 1 << 22
MOST_PAIRS = 200_000_000
"""With more pairs than this, only some of the dictionary's values are looked at, evenly spread."""
REACH = 0.1
"""So far below the threshold a pair counts as just below it."""


@dataclass(frozen=True)
class Counted:
    """At one threshold, how many values are matched by likeness alone, and how many not at all."""

    threshold: str
    by_likeness: int
    not_at_all: int


@dataclass(frozen=True)
class Counts:
    """How a column would be matched.

    Parameters
    ----------
    values : how many distinct values the column has
    looked : how many of them were compared
    exactly : how many of these are labels as they are
    by_threshold : the others, for each threshold
    """

    values: int
    looked: int
    exactly: int
    by_threshold: tuple[Counted, ...]

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Pair:
    """A value of the dictionary, a label of the dataset that is spelt otherwise, and how alike they are."""

    value: str
    label: str
    similarity: float


@dataclass(frozen=True)
class Seen:
    """Pairs that would just be matched, the least alike first; and pairs that just would not, the most alike first."""

    matched: tuple[Pair, ...]
    below: tuple[Pair, ...]


def counts(
    dataset: CodedTable,
    attribute: Described,
    dictionary: CodedTable,
    column: str,
    *,
    level: int | str = 0,
    thresholds: Sequence[str] = THRESHOLDS,
) -> Counts:
    """How many of a column's distinct values match a label exactly, by likeness, or not at all.

    Raises
    ------
    BadSetting, BadHierarchy
        If a column or a level is not there.
    """
    compared = _Compared.of(dataset, attribute, dictionary, column, level)
    others = compared.unlike()
    best = best_of_others(others.to_pylist(), compared.labels, min(float(threshold) for threshold in thresholds))
    found = [int(compared.reached(others, best, threshold).sum()) for threshold in thresholds]
    return Counts(
        values=compared.everything,
        looked=len(compared.values),
        exactly=len(compared.values) - len(others),
        by_threshold=tuple(
            Counted(threshold, many, len(others) - many) for threshold, many in zip(thresholds, found, strict=True)
        ),
    )


def seen_examples(
    dataset: CodedTable,
    attribute: Described,
    dictionary: CodedTable,
    column: str,
    threshold: float | str,
    *,
    level: int | str = 0,
    most: int = 10,
    pairs: int | None = None,
) -> Seen:
    """Examples of what a threshold would match and what it just would not: values of people.

    Parameters
    ----------
    most : so many of each
    pairs : about so many are looked at, with values evenly spread over the column

    Raises
    ------
    BadSetting, BadHierarchy
        If a column or a level is not there.
    ValueError
        If the threshold is not from 0 to 1.
    """
    least = Fraction(Decimal(str(threshold).strip()))
    if not 0 <= least <= 1:
        raise ValueError("A similarity is from 0 to 1.")
    compared = _Compared.of(dataset, attribute, dictionary, column, level, pairs)
    near = _Near(least, most)
    for values, scores in _blocks(compared.values.to_pylist(), compared.labels, float(least) - REACH):
        near.look(values, compared.labels, scores)
    return Seen(tuple(near.matched), tuple(near.below))


@dataclass(frozen=True, eq=False)
class _Compared:
    """The values that are looked at, and the labels they are compared with."""

    hierarchy: Hierarchy
    level: int
    values: Texts
    everything: int

    @classmethod
    def of(
        cls,
        dataset: CodedTable,
        attribute: Described,
        dictionary: CodedTable,
        column: str,
        level: int | str,
        pairs: int | None = None,
    ) -> "_Compared":
        hierarchy = attribute.over(distinct(dataset, attribute.name, f"attributes.{attribute.name}"))
        number = hierarchy.level(level)
        values = distinct(dictionary, column, "dictionaries")
        most = max((pairs or MOST_PAIRS) // max(hierarchy.groups[number], 1), 1)
        return cls(hierarchy, number, spread(values, most), len(values))

    @property
    def labels(self) -> list[str]:
        found: list[str] = self.hierarchy.named(self.level).to_pylist()
        return found

    def unlike(self) -> Texts:
        """The values that are no labels."""
        return self.values.filter(pa.array(self.hierarchy.found_at(self.level, self.values) <= 0))

    def reached(self, values: Texts, best: Numbers, threshold: str) -> Flags:
        """Which values some label is alike enough to; those too close to tell are worked out exactly."""
        found: Flags = best >= float(threshold) + CLOSE
        close = np.flatnonzero(~found & (best >= float(threshold) - CLOSE))
        if len(close):
            asked = joined([pa.nulls(1, TEXT), values.take(pa.array(close))])
            found[close] = np.diff(alike(self.hierarchy, self.level, asked, threshold).starts)[1:] > 0
        return found


def _blocks(values: list[str], labels: list[str], cutoff: float) -> Iterator[tuple[list[str], Numbers]]:
    """Some of the values at a time with their similarities to all labels, 0 below the cutoff."""
    step = max(AT_ONCE // max(len(labels), 1), 1)
    for start in range(0, len(values) if labels else 0, step):
        some = values[start : start + step]
        yield (
            some,
            process.cdist(
                some,
                labels,
                scorer=Jaro.similarity,
                score_cutoff=max(cutoff - CLOSE, 0.0),
                workers=-1,
                dtype=np.float64,
            ),
        )


def best_of_others(values: list[str], labels: list[str], cutoff: float) -> Numbers:
    """For each value the similarity of the label most alike that is not the value itself, 0 below the cutoff."""
    parts = [scores.max(axis=1, where=scores < 1, initial=0) for _, scores in _blocks(values, labels, cutoff)]
    return np.concatenate(parts) if parts else np.zeros(len(values))


class _Near:
    """The pairs nearest to a threshold on both sides of it, gathered block by block."""

    def __init__(self, least: Fraction, most: int) -> None:
        self._least, self._most = least, most
        self.matched: list[Pair] = []
        self.below: list[Pair] = []

    def look(self, values: list[str], labels: list[str], scores: Numbers) -> None:
        """Take up a block of similarities."""
        least = float(self._least)
        above = self._first(scores, np.nonzero(scores >= least - CLOSE), values, labels, rising=True)
        under = np.nonzero((scores < least - CLOSE) & (scores > 0) & (scores >= least - REACH - CLOSE))
        self.matched = self._kept([*self.matched, *above], rising=True)
        self.below = self._kept([*self.below, *self._first(scores, under, values, labels, rising=False)], rising=False)

    def _first(
        self,
        scores: Numbers,
        places: tuple[np.ndarray[Any, Any], ...],
        values: list[str],
        labels: list[str],
        *,
        rising: bool,
    ) -> list[Pair]:
        order = np.argsort(scores[places] if rising else -scores[places], kind="stable")
        found: list[Pair] = []
        for place in order:
            if len(found) == self._most:
                break
            value, label = values[places[0][place]], labels[places[1][place]]
            if value == label:
                continue
            exact = jaro.similarity(value, label)
            if (exact >= self._least) == rising:
                found.append(Pair(value, label, float(exact)))
        return found

    def _kept(self, pairs: list[Pair], *, rising: bool) -> list[Pair]:
        return sorted(pairs, key=lambda pair: pair.similarity if rising else -pair.similarity)[: self._most]
