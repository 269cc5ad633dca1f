"""A ruling: one rule with its table, and what each attacker gets out of it, record by record.

Only the family that the rule comes from is searched; a full-domain rule is measured at its node and nothing else is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import Stopped
from riskapp.core.extended import Numbers
from riskapp.core.measure import Measuring, sensitivities
from riskapp.core.search.candidate import Candidate
from riskapp.core.table.dictionary import Dictionary
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.linkage import Count, linked_losses
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.replay import NotDone, Replay
from riskapp.core.watching import Stop, Watch, never
from riskapp.engine import families
from riskapp.engine.answers import at_node
from riskapp.engine.assess import Prepared
from riskapp.engine.reporting import Report, silent
from riskapp.engine.rule_ids import FULL_DOMAIN, no_such_rule, node_of
from riskapp.engine.rule_ids import check as check_rule


class Attack(NamedTuple):
    """|ρ| and the loss of every record, for each dictionary."""

    people: Mapping[str, Counts]
    losses: Mapping[str, Numbers]


@dataclass(frozen=True, eq=False)
class Ruling:
    """One rule of a prepared assessment, with its table.

    Parameters
    ----------
    prepared : the assessment
    found : the rule
    measuring : measures tables of the same problem
    """

    prepared: Prepared
    found: Candidate
    measuring: Measuring = field(repr=False)

    @classmethod
    def of(cls, prepared: Prepared, rule_id: str, progress: Report = silent, stop: Stop = never) -> "Ruling":
        """The rule of this name.

        Raises
        ------
        BadSetting
            If there is no such rule.
        Stopped
            If `stop` said so.
        """
        check_rule(rule_id, prepared.problem, prepared.assessment.search)
        measuring = Measuring(prepared.problem)
        if rule_id.partition(":")[0] == FULL_DOMAIN:
            return cls(prepared, _at_its_node(measuring, rule_id, stop), measuring)
        watch = Watch(lambda done, total: progress(done, total, "Finding the rule"), stop)
        return cls(prepared, _searched(prepared, rule_id, watch), measuring)

    @property
    def problem(self) -> Problem:
        """What rules are measured by."""
        return self.prepared.problem

    @property
    def released(self) -> Released:
        """The table that the rule releases."""
        return self.found.released

    def number(self, place: int) -> int:
        """The number of a record: that of its row in the file, from 1, a header not counted."""
        return int(self.prepared.built.rows[place]) + 1

    def place(self, number: int) -> int:
        """The place of the record with a number.

        Raises
        ------
        BadSetting
            If no record has it.
        """
        rows = self.prepared.built.rows
        place = int(np.searchsorted(rows, number - 1))
        if place == len(rows) or rows[place] != number - 1:
            raise BadSetting("record", "There is no such record. Give the number of a row that is not left out.")
        return place

    def dictionary(self, name: str) -> Dictionary:
        """The dictionary of this name.

        Raises
        ------
        BadSetting
            If there is none.
        """
        known = {dictionary.name: dictionary for dictionary in self.problem.dictionaries}
        if name not in known:
            raise BadSetting("dictionary", f"There is no such dictionary. Known are {', '.join(known)}.")
        return known[name]

    @cached_property
    def defined(self) -> Attack:
        """By the definition: everybody consistent with the row counts."""
        counted = self.measuring.identifications
        people = {name: found.of(self.released) for name, found in counted.items()}
        return self._attack(people, {name: _seen(found) for name, found in counted.items()})

    @cached_property
    def replayed(self) -> Attack | None:
        """Against attackers who know the rule; None where that was not done."""
        if self.found.rule is None:
            return self.defined
        replay, dictionaries = Replay(self.problem, self.released, self.found.rule), self.problem.dictionaries
        try:
            people = {dictionary.name: replay.counts(dictionary) for dictionary in dictionaries}
        except NotDone:
            return None
        return self._attack(people, {dictionary.name: replay.count(dictionary) for dictionary in dictionaries})

    @property
    def attacks(self) -> dict[str, Attack | None]:
        """Both, by their names in results."""
        return {"definition": self.defined, "replay": self.replayed}

    def usual_loss(self, chance: float) -> float:
        """What somebody of average harm loses to the worst dictionary when found with this chance."""
        finite = self._phi[np.isfinite(self._phi)]
        mean = np.array([finite.mean() if len(finite) else 0.0])
        people = np.array([max(1, int(1 / chance))])
        return max(float(self.problem.loss.of(mean, people, one.everybody)[0]) for one in self.problem.dictionaries)

    def _attack(self, people: Mapping[str, Counts], count: Mapping[str, Count]) -> Attack:
        losses = {
            one.name: self.problem.loss.of(self._phi, people[one.name], one.everybody)
            for one in self.problem.dictionaries
        }
        if self.problem.linkage is not None:
            losses = linked_losses(self.problem, self.released, losses, count)
        return Attack(people, losses)

    @cached_property
    def _phi(self) -> Numbers:
        return sensitivities(self.problem, self.released)


def _seen(identification: Identification) -> Count:
    return lambda rows, cells: identification.of_cells(cells.levels, cells.codes)


def _at_its_node(measuring: Measuring, rule_id: str, stop: Stop) -> Candidate:
    if stop():
        raise Stopped
    problem = measuring.problem
    node = node_of(rule_id, problem)
    return at_node(problem, node, measuring.of(Released.at(problem.records, node)))


def _searched(prepared: Prepared, rule_id: str, watch: Watch) -> Candidate:
    for block in families.blocks(prepared.problem, prepared.assessment.search):
        if block.holds(rule_id):
            found = block.search(watch, rule_id)[1]
            if found is not None:
                return found
    raise no_such_rule()


Named = str | Ruling
"""A rule by its name, or one that is at hand."""


def ruling(prepared: Prepared, rule: Named, progress: Report | None = None, stop: Stop | None = None) -> Ruling:
    """The rule, found when only its name is given."""
    return rule if isinstance(rule, Ruling) else Ruling.of(prepared, rule, progress or silent, stop or never)


def checked(stop: Stop | None) -> Callable[[], None]:
    """What raises `Stopped` once somebody asks to stop."""

    def check() -> None:
        if stop is not None and stop():
            raise Stopped

    return check
