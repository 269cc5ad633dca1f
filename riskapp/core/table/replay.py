"""Replay: the attacker who knows the rule runs it on the dictionary, and keeps whom it releases as the published row.

ρ_replay(y) holds the people of the entries consistent with y for which the rule gives the very row that y shows, for
some completion of what the dictionary does not know. A rule that treats everybody alike is *closed*: every entry
consistent with a released row would itself have received that row, so there is nothing to gain. A rule that chooses by
rarity is not.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from riskapp.core.table.cells import Cells, Levels, kinds, matrix, row_kinds
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.completions import NotDone, completed, known, possible, unknown
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.entry_kinds import EntryKinds, entry_kinds
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.keys import Once, Places
from riskapp.core.table.matching import Flags, consistent, pairs, parts, ranges
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask, Released
from riskapp.core.table.shown_texts import ShownTexts

__all__ = ["NotDone", "Reading", "Replay", "Rule", "TableRule", "closed"]


class Rule(Protocol):
    """How records are released: the same for equal records, whether they are in the dataset or not.

    Given leaf codes, a row for each record and a column for each attribute, 0 for missing, it says the level of every
    cell, and which records are suppressed.
    """

    def __call__(self, leaves: Codes, /) -> tuple[npt.NDArray[np.integer], Mask]: ...


@dataclass(frozen=True)
class Reading:
    """A rule that looks at some attributes only, so that kept columns it does not look at need not be completed.

    Parameters
    ----------
    rule : which releases records alike that are equal in these attributes
    places : those attributes
    """

    rule: Rule
    places: frozenset[int]

    def __call__(self, leaves: Codes, /) -> tuple[npt.NDArray[np.integer], Mask]:
        return self.rule(leaves)


class TableRule:
    """A rule known only from its released table: a record that is not in the table gets no row.

    Where equal records were released differently, such a record may get each of their rows.
    """

    def __init__(self, released: Released) -> None:
        self.released = released


class _Shown(NamedTuple):
    """Kinds of entries, and the released texts that they may be released as."""

    entry: Places
    text: Places


class Replay:
    """|ρ_replay| for one released table and the rule that made it.

    Parameters
    ----------
    problem : whose records are released
    released : the released table
    rule : how, as far as the attacker knows

    Raises
    ------
    NotDone
        From `counts` and `count`, if there are too many completions.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedRecords
    >>> from riskapp.core.table.sensitivity import Sensitivity, Weighed
    >>> from riskapp.core.table.utility import Utility
    >>> from riskapp.core.table.weights import Weights
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([1, 1, 2, 3, 3], dtype=np.int32))
    >>> phi = Sensitivity((Weighed(column, Weights.of(race)),))
    >>> itself = Dictionary.itself("self", [column], [0])
    >>> problem = Problem(phi, (itself,), Utility(CodedRecords.of([column])))

    A rule that shows only what is common hides the one Chinese among the three Asians, until it is replayed.

    >>> levels = np.array([0, 0, 1, 0])
    >>> rule = lambda leaves: (levels[leaves], np.zeros(len(leaves), dtype=np.bool_))
    >>> released = Released.each(problem.records, levels[column.codes][:, None])
    >>> Identification(itself, [column]).of(released), Replay(problem, released, rule).counts(itself)
    (array([2, 2, 3, 2, 2]), array([2, 2, 1, 2, 2]))
    """

    def __init__(self, problem: Problem, released: Released, rule: Rule | TableRule) -> None:
        self._problem, self._released, self._rule = problem, released, rule
        self._relations: dict[str, _Relation] = {}

    def counts(self, dictionary: Dictionary) -> Counts:
        """|ρ_replay| of every record."""
        return self._relation(dictionary).counts(self._rows.first, self._cells.taken(self._rows.first))[self._rows.kind]

    def count(self, dictionary: Dictionary) -> Callable[[Places, Cells], Counts]:
        """|ρ_replay| of some records, seen through other cells: those of the record joined with linkage data."""
        return self._relation(dictionary).counts

    def entries(self, dictionary: Dictionary, record: int) -> Places:
        """The entries of ρ_replay of one record, by their places in the dictionary."""
        relation, kind = self._relation(dictionary), entry_kinds(dictionary).kind
        return np.flatnonzero(np.isin(kind, relation.owners_of(record, self._cells.taken(np.array([record])))))

    def holds(self, dictionary: Dictionary, records: Places, entries: Places) -> Flags:
        """For pairs of a record and an entry, whether the entry is in ρ_replay of the record."""
        relation, kind = self._relation(dictionary), entry_kinds(dictionary).kind
        return relation.holds(records, self._cells, kind[entries])

    @cached_property
    def _cells(self) -> Cells:
        return Cells.of(self._released)

    @cached_property
    def _rows(self) -> Once:
        """Rows that are released alike."""
        return row_kinds(self._released)

    def _relation(self, dictionary: Dictionary) -> "_Relation":
        if dictionary.name not in self._relations:
            entries, texts = EntryKinds.of(dictionary), self._texts_for(dictionary)
            if isinstance(self._rule, TableRule):
                found = self._by_table(self._rule.released, entries, texts)
            else:
                found = self._by_rule(self._rule, entries, texts)
            self._relations[dictionary.name] = _Relation.of(entries, found, texts.of_row[self._rows.kind])
        return self._relations[dictionary.name]

    def _texts_for(self, dictionary: Dictionary) -> ShownTexts:
        """In a kept column that neither the rule nor the dictionary looks at, an entry may have what any row shows."""
        looked_at = set(range(len(self._problem.columns)))
        if isinstance(self._rule, Reading):
            looked_at = {*self._rule.places, *dictionary.places, *self._problem.generalised}
        first = self._rows.first
        leaves = [column.codes[first] for column in self._released.records.columns]
        return ShownTexts.of(self._cells.hierarchies, leaves, matrix(self._released)[first], looked_at)

    def _by_table(self, table: Released, entries: EntryKinds, texts: ShownTexts) -> Iterator[_Shown]:
        """Records of the table are the only completions: an entry may be those that it is consistent with."""
        leaves = [column.codes for column in table.records.columns]
        text = texts.found(leaves, matrix(table))
        there = np.flatnonzero(text >= 0)
        columns = [text[there].astype(np.int32), *(codes[there] for codes in leaves)]
        first = there[kinds(columns, [int(codes.max(initial=0)) + 1 for codes in columns]).first]
        cells = Cells.of(Released.at(table.records, (0,) * len(leaves))).taken(first)
        for rows, found in pairs(entries.known, cells):
            yield _Shown(found, text[first[rows]])

    def _by_rule(self, rule: Rule, entries: EntryKinds, texts: ShownTexts) -> Iterator[_Shown]:
        mine = {column.place: column for column in entries.known}
        values, choices = [], []
        for place, column in enumerate(self._problem.records.columns):
            values.append(mine[place].codes if place in mine else np.zeros(len(entries), dtype=np.int32))
            seen = column if place in texts.looked_at else CodedColumn(column.hierarchy, column.codes[:1])
            choices.append(known(mine[place], column) if place in mine else unknown(seen))
        sizes = [hierarchy.groups[0] + 1 for hierarchy in self._cells.hierarchies]
        for owner, leaves in completed(values, choices):
            different = kinds(leaves, sizes)
            distinct = [codes[different.first] for codes in leaves]
            text = texts.found(distinct, self._levels(rule, distinct))[different.kind]
            yield _Shown(owner[text >= 0], text[text >= 0])

    def _levels(self, rule: Rule, leaves: Sequence[Codes]) -> Levels:
        levels, suppressed = rule(np.stack(leaves, axis=1))
        tops = [hierarchy.height for hierarchy in self._cells.hierarchies]
        return np.where(suppressed[:, None], tops, levels).astype(np.intp)


@dataclass(frozen=True, eq=False)
class _Relation:
    """Which kinds of entries a rule may release as which text: the entries of each text, from its start on."""

    entries: EntryKinds
    starts: Places
    owners: Places
    texts: Places

    @classmethod
    def of(cls, entries: EntryKinds, found: Iterator[_Shown], texts: Places) -> "_Relation":
        size = max(1, len(entries))
        keys = [np.unique(some.text * size + some.entry) for some in found]
        text, owners = np.divmod(np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *keys])), size)
        starts = np.searchsorted(text, np.arange(int(texts.max(initial=0)) + 2))
        return cls(entries, starts, owners, texts)

    def counts(self, rows: Places, cells: Cells) -> Counts:
        """How many people may be each of these cells, and would be released as these records were."""
        text = self.texts[rows]
        many = np.diff(self.starts)[text]
        counts = np.zeros(len(rows), dtype=np.int64)
        for part in parts(many):
            places = np.repeat(np.arange(part.start, part.stop), many[part])
            owners = self.owners[ranges(self.starts[text[part]], many[part])]
            fits = consistent(self.entries.known, cells, places, owners)
            counts[part] = self.entries.counted(places[fits] - part.start, owners[fits], part.stop - part.start)
        return counts

    def owners_of(self, row: int, cells: Cells) -> Places:
        """The kinds of entries that may be this record, seen through these cells, and would be released as it was."""
        owners = self.owners[slice(*self.starts[self.texts[row] : self.texts[row] + 2])]
        return owners[consistent(self.entries.known, cells, np.zeros_like(owners), owners)]

    def holds(self, rows: Places, cells: Cells, owners: Places) -> Flags:
        """For pairs of a record and a kind of entry, whether that may be the record and be released as it was."""
        size = max(1, len(self.entries))
        texts = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        related = np.isin(self.texts[rows] * size + owners, texts * size + self.owners)
        return related & consistent(self.entries.known, cells, rows, owners)


def closed(problem: Problem, released: Released, rule: Rule | TableRule) -> bool:
    """Whether every entry consistent with a released row would itself have received that row.

    Entries that a rule cannot be run on are left out. With too many completions to tell, it is not known to be.
    """
    replay = Replay(problem, released, rule)
    for dictionary in problem.dictionaries:
        asked = dictionary.known if isinstance(rule, TableRule) else possible(dictionary.known, problem.records.columns)
        each = Dictionary(dictionary.name, asked)
        consistent_with = Identification(each, problem.records.columns).of(released)
        try:
            if (replay.counts(each) < consistent_with).any():
                return False
        except NotDone:
            return False
    return True
