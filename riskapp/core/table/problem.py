"""A problem: a dataset with its attributes, the dictionaries, and what is asked of a rule.

Everything is coded; nothing is read or written here. Attributes are numbered by their *place* in the release. A node
has a level for every attribute; for those that are kept as they are it is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.core.loss import Loss
from riskapp.core.risk import Risk
from riskapp.core.table.codes import CodedColumn, CodedRecords
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Codes, Hierarchy
from riskapp.core.table.lattice import Lattice, Node
from riskapp.core.table.limits import Limits
from riskapp.core.table.linkage_table import LinkageTable
from riskapp.core.table.sensitivity import Sensitivity, Weighed
from riskapp.core.table.utility import Utility


@dataclass(frozen=True, eq=False)
class Sensitive:
    """A column in which learning the value is a harm of its own.

    Parameters
    ----------
    name : of the attribute
    codes : the value of every record, 0 for missing; where there is an order, the place in it, from 1
    ordered : the number of values in the order, None for categories
    """

    name: str
    codes: Codes
    ordered: int | None = None


@dataclass(frozen=True, eq=False)
class Problem:
    """What rules are measured by.

    Parameters
    ----------
    sensitivity : the attributes in the order of the release, with what they weigh
    dictionaries : what attackers may hold, at least one
    utility : over the columns that have a level to choose, in the same order
    loss, risk : how Φ and |ρ| become a loss, and losses a risk
    people : a number from 0 for the person of every record; None when every record is somebody else's
    sensitive : the columns for which inference, l and t are measured
    linkage : rows without names that an attacker may link first
    limits : what a rule must keep

    Raises
    ------
    ValueError
        If the parts do not fit together.
    """

    sensitivity: Sensitivity
    dictionaries: tuple[Dictionary, ...]
    utility: Utility
    loss: Loss = field(default_factory=Loss)
    risk: Risk = field(default_factory=Risk)
    people: Codes | None = None
    sensitive: tuple[Sensitive, ...] = ()
    linkage: LinkageTable | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        names = [dictionary.name for dictionary in self.dictionaries]
        if not names or len(set(names)) < len(names):
            raise ValueError("There is at least one dictionary, and every one has a name of its own.")
        if len(self.utility.records.columns) != len(self.generalised):
            raise ValueError("Utility is measured in the columns that have a level to choose.")
        if self.people is not None and len(self.people) != len(self):
            raise ValueError("There is a person for every record.")

    def __len__(self) -> int:
        return len(self.records)

    @property
    def columns(self) -> tuple[Weighed, ...]:
        """The attributes in the order of the release."""
        return self.sensitivity.columns

    @property
    def names(self) -> list[str]:
        """The attributes' names."""
        return [weighed.name for weighed in self.columns]

    @property
    def hierarchies(self) -> list[Hierarchy]:
        """The attributes' hierarchies; a kept column has every value directly under the top."""
        return [weighed.column.hierarchy for weighed in self.columns]

    @cached_property
    def records(self) -> CodedRecords:
        """All attributes of all records."""
        return CodedRecords.of([weighed.column for weighed in self.columns])

    @property
    def lattice(self) -> Lattice:
        """The nodes: a level for every attribute, 0 for those that are kept."""
        return self.sensitivity.lattice

    @cached_property
    def generalised(self) -> list[int]:
        """The attributes that have a level to choose."""
        return [place for place, weighed in enumerate(self.columns) if not weighed.kept]

    @cached_property
    def grouped(self) -> list[int]:
        """The attributes in which the people of a group are equal: these and the kept ones some dictionary knows."""
        known = {place for dictionary in self.dictionaries for place in dictionary.places}
        return sorted(known | set(self.generalised))

    @cached_property
    def persons(self) -> int:
        """The number of people in the dataset."""
        return len(self) if self.people is None else len(np.unique(self.people))

    @property
    def record_weights(self) -> Numbers | None:
        """What each record counts in the mean risk; None when all count alike."""
        return self.risk.weights

    def chosen(self, node: Sequence[int]) -> Node:
        """The levels of a node that are chosen: those of the attributes that have a hierarchy."""
        return tuple(node[place] for place in self.generalised)

    def column(self, place: int) -> CodedColumn:
        """One attribute of every record."""
        return self.columns[place].column
