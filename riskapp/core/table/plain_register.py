"""What an attacker holds, from plain lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.dictionary import Dictionary, Known
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.plain import Cells, PlainColumn
from riskapp.core.table.value_list import ValueList

PlainTable: TypeAlias = Mapping[str, Cells]
"""Columns of values by their names: a mapping of lists, or a data frame."""


@dataclass(frozen=True, eq=False)
class Register:
    """A table about named people.

    Parameters
    ----------
    columns : the values of every entry, by the attribute, or by `attribute@level` where only a coarser level is known
    identity : who every entry is about; entries that share it are one person
    count : instead of that, how many people every entry stands for
    prior : how likely it is, compared with the other dictionaries, that the attacker holds this one
    """

    columns: PlainTable
    identity: Cells | None = None
    count: Sequence[int] | None = None
    prior: float = 1.0


@dataclass(frozen=True, eq=False)
class Held:
    """A register whose columns are read: for each attribute its column and the level it is known at.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> held = Held.of("census", Register({"race@1": ["Asian", "European"]}, count=[40, 60]), ["race"], [""])
    >>> dictionary = held.dictionary({"race": race})
    >>> dictionary.everybody, dictionary.known[0].level
    (100, 1)
    """

    name: str
    register: Register
    columns: Mapping[str, tuple[PlainColumn, int | str]]
    identities: Codes | None = None

    @classmethod
    def of(cls, name: str, register: Register, attributes: Sequence[str], missing: Sequence[str]) -> "Held":
        """A register about some of these attributes.

        Raises
        ------
        BadSetting
            If a column is none of them, or cannot be read.
        """
        found: dict[str, tuple[PlainColumn, int | str]] = {}
        for column in register.columns:
            attribute, level = matched(column, attributes)
            check_names(f"dictionaries.{name}", [attribute], attributes)
            if attribute in found:
                raise BadSetting(f"dictionaries.{name}", f'Two columns match "{attribute}". Leave one of them out.')
            found[attribute] = PlainColumn.of(column, register.columns[column], missing), level
        return cls(name, register, found, people(register.identity, missing))

    def lists(self, attribute: str) -> list[ValueList]:
        """The distinct values of an attribute; none where it is not known."""
        return [column.listed(level) for name, (column, level) in self.columns.items() if name == attribute]

    def dictionary(self, hierarchies: Mapping[str, Hierarchy]) -> Dictionary:
        """The register coded by the hierarchies, which are in the order of the dataset's attributes."""
        known = []
        for place, (attribute, hierarchy) in enumerate(hierarchies.items()):
            if attribute in self.columns:
                column, level = self.columns[attribute]
                known.append(Known.of(place, column.coded(hierarchy, level)))
        count = self.register.count
        times = None if count is None else np.asarray(count, dtype=np.int64)
        return Dictionary(self.name, tuple(known), times, self.identities, self.register.prior)


def matched(column: str, attributes: Sequence[str]) -> tuple[str, int | str]:
    """The attribute and the level that a column of a register matches.

    >>> matched("birthdate@year", ["city", "birthdate"]), matched("city", ["city", "birthdate"])
    (('birthdate', 'year'), ('city', 0))
    """
    if column in attributes or "@" not in column:
        return column, 0
    attribute, _, level = column.rpartition("@")
    return attribute, level


def people(cells: Cells | None, missing: Sequence[str]) -> Codes | None:
    """The person of every row; None where nobody says."""
    return None if cells is None else PlainColumn.of("people", cells, missing).people()


def check_names(key: str, names: Sequence[str], known: Sequence[str]) -> None:
    """Raise `BadSetting` unless all these columns are known.

    >>> check_names("weights", ["sex"], ["sex", "age"])
    """
    for name in names:
        if name not in known:
            raise BadSetting(key, f'There is no column "{name}". Known are {", ".join(known)}.')
