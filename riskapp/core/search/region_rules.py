"""Rules over regions as numbers: the node of every region, and what is compared of them under a question."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from riskapp.core.extended import INFINITE, Numbers
from riskapp.core.optimum import Question, Rules
from riskapp.core.search.region_sums import Levels
from riskapp.core.table.keys import Places
from riskapp.core.table.released import Mask


@dataclass(frozen=True, eq=False)
class Assigned:
    """Rules, each with a node number for every region.

    Attributes
    ----------
    nodes : by rules and regions
    risks, utilities : of the rules
    kept : whether they keep the limits that regions keep each by itself
    above : by rules and dictionaries the records above a chance that only a share of the people may be above
    """

    nodes: Levels
    risks: Numbers
    utilities: Numbers
    kept: Mask
    above: Numbers

    def taken(self, places: Places) -> "Assigned":
        """Some of them."""
        return Assigned(*(getattr(self, one.name)[places] for one in fields(self)))

    @classmethod
    def joined(cls, several: Sequence["Assigned"]) -> "Assigned":
        """All of them."""
        return cls(*(np.concatenate([getattr(some, one.name) for some in several]) for one in fields(cls)))

    def within(self, most: int) -> "Assigned":
        """The same, of which only those keep the limits that put no more people above that chance."""
        return replace(self, kept=self.kept & (self.above <= most).all(axis=1))


def unbounded(question: Question) -> Question:
    """The same aim without its bound, which all points keep already."""
    return Question(question.kind, {"least_utility": -1e300, "most_risk": INFINITE}.get(question.kind, question.bound))


def compared(some: Assigned) -> Rules:
    ids = [".".join(f"{number:09}" for number in row) for row in some.nodes.tolist()]
    return Rules(ids, some.risks, some.utilities, broken=[() if kept else ("limits",) for kept in some.kept.tolist()])


def objectives(some: Assigned, question: Question) -> Numbers:
    """What is to be as small as it can be: R, −U or R − λU."""
    return objective(some.risks, some.utilities, question)


def objective(risks: Numbers, utilities: Numbers, question: Question) -> Numbers:
    """The same from risks and utilities."""
    if question.kind == "least_utility":
        return risks
    return -utilities if question.kind == "most_risk" else risks - question.bound * utilities
