"""What attackers hold, coded: the dictionaries and the linkage data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from riskapp.core.table.alike import alike
from riskapp.core.table.codes import CodedColumn
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Counts
from riskapp.core.table.linkage_table import LinkageTable
from riskapp.engine.assessment.domains import Domain
from riskapp.engine.assessment.given import step
from riskapp.engine.assessment.numbers import people
from riskapp.engine.assessment.records import numbered
from riskapp.engine.assessment.settings import Assessment, FileKey, LinkageKey, Match, SelfKey
from riskapp.engine.assessment.tables import Table, Tables
from riskapp.engine.assessment.uses import Use

Domains = Mapping[str, Domain]


@dataclass(frozen=True, eq=False)
class Held:
    """A table that an attacker holds, its matched columns fetched.

    Parameters
    ----------
    table : the file
    uses : the columns that hold attributes, in the order of the dataset's attributes
    """

    table: Table
    uses: tuple[Use, ...]

    @classmethod
    def of(cls, given: FileKey | LinkageKey, key: str, names: Sequence[str], tables: Tables) -> "Held":
        """The table that a key describes; the attributes' names give the order.

        Raises
        ------
        BadSetting
            If the file cannot be read, or a column is not in it.
        """
        table = tables.open(f"{key}.file", given.file, may_be_empty=True)
        fuzzy = given.fuzzy if isinstance(given, FileKey) else {}
        uses = {match.attribute: _use(match, key, table, fuzzy.get(match.column)) for match in given.match}
        return cls(table, tuple(uses[name] for name in names if name in uses))

    def known(self, domains: Domains) -> tuple[Known, ...]:
        """The attributes as the table knows them."""
        places = {name: place for place, name in enumerate(domains)}
        return tuple(_known(places[use.attribute], domains[use.attribute], use) for use in self.uses)


def _use(match: Match, key: str, table: Table, fuzzy: str | None) -> Use:
    path = step(f"{key}.match", match.column)
    return Use(path, match.attribute, table.column(match.column, path), match.level, fuzzy)


def _known(place: int, domain: Domain, use: Use) -> Known:
    if use.fuzzy is None:
        return Known.of(place, domain.coded(use))
    level, column = use.level_in(domain.hierarchy), use.column
    found = alike(domain.hierarchy, level, column.values, use.fuzzy)
    return Known(place, domain.hierarchy, level, column.codes, found)


@dataclass(frozen=True, eq=False)
class Attackers:
    """The tables of all dictionaries that are files, by the place in the list, and the linkage data."""

    files: Mapping[int, Held] = field(default_factory=dict)
    linkage: Held | None = None

    @classmethod
    def of(cls, assessment: Assessment, tables: Tables) -> "Attackers":
        """The tables that an assessment names."""
        names = assessment.names
        files = {
            place: Held.of(given, given.key, names, tables)
            for place, given in enumerate(assessment.dictionaries)
            if isinstance(given, FileKey)
        }
        linkage = assessment.linkage
        return cls(files, None if linkage is None else Held.of(linkage, "linkage", names, tables))

    def uses(self, attribute: str) -> list[Use]:
        """The columns that hold an attribute."""
        held = [*self.files.values(), *([self.linkage] if self.linkage else [])]
        return [use for one in held for use in one.uses if use.attribute == attribute]


def dictionaries(
    assessment: Assessment,
    attackers: Attackers,
    domains: Domains,
    columns: Sequence[CodedColumn],
    persons: Codes | None,
) -> tuple[Dictionary, ...]:
    """The dictionaries of an assessment, in its order.

    Parameters
    ----------
    columns, persons : the dataset's attributes and the person of every record, for the dictionary that it is itself
    """
    places = {name: place for place, name in enumerate(domains)}
    found = []
    for place, given in enumerate(assessment.dictionaries):
        if isinstance(given, SelfKey):
            knows = [places[name] for name in given.knows]
            found.append(Dictionary.itself(given.name, columns, knows, people=persons, prior=given.prior))
        else:
            found.append(_from_file(given, attackers.files[place], domains))
    return tuple(found)


def _from_file(given: FileKey, held: Held, domains: Domains) -> Dictionary:
    times: Counts | None = None
    identities: Codes | None = None
    if given.count is not None:
        key = f"{given.key}.count"
        times = people(held.table.column(given.count, key), key)
    if given.identity is not None:
        identities = numbered(held.table.column(given.identity, f"{given.key}.identity"))
    return Dictionary(given.name, held.known(domains), times, identities, given.prior)


def linkage(given: LinkageKey, held: Held, domains: Domains) -> LinkageTable:
    """The linkage data: what each row knows, and the weight of what it adds."""
    added = np.zeros(held.table.rows)
    for column, weight in given.adds.items():
        filled = held.table.column(column, step("linkage.adds", column)).codes > 0
        added += np.where(filled, weight, 0.0)
    return LinkageTable(held.known(domains), added)
