"""Measuring: every figure of a released table of any origin, from that table alone.

Whatever a rule does, it ends as a released table; its risk, its utility and what it means for people are worked out
here in the same way for all of them. An attacker who knows the rule is measured by replaying it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from riskapp.core.evaluation import Evaluation, People
from riskapp.core.extended import Numbers
from riskapp.core.risk import over_dictionaries
from riskapp.core.table.anonymity import Groups, table_counts, value_counts
from riskapp.core.table.breaking import broken
from riskapp.core.table.cells import matrix
from riskapp.core.table.hierarchy import Counts
from riskapp.core.table.identification import Identification
from riskapp.core.table.inference import Inference, inference
from riskapp.core.table.linkage import Count, linked_losses
from riskapp.core.table.people import people
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Released
from riskapp.core.table.replay import NotDone, Replay, Rule, TableRule
from riskapp.core.table.requirements import Reached, reached


class Attack(NamedTuple):
    """What attackers get: the loss of every record and the people figures, for each dictionary."""

    losses: Mapping[str, Numbers]
    people: Mapping[str, People]


class Counted(NamedTuple):
    """What is counted of a released table already.

    Attributes
    ----------
    people : |ρ| of every record, for each dictionary
    groups : who looks alike; None where that is still to be found
    """

    people: Mapping[str, Counts]
    groups: Groups | None = None


@dataclass(frozen=True, eq=False)
class Measuring:
    """Measures released tables of one problem; what they share is worked out once.

    Parameters
    ----------
    problem : whose records are released

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> from riskapp.core.table.codes import CodedColumn, CodedRecords
    >>> from riskapp.core.table.dictionary import Dictionary
    >>> from riskapp.core.table.sensitivity import Sensitivity, Weighed
    >>> from riskapp.core.table.utility import Utility
    >>> from riskapp.core.table.weights import Weights
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> column = CodedColumn(race, np.array([1, 1, 2, 3], dtype=np.int32))
    >>> phi = Sensitivity((Weighed(column, Weights.of(race)),))
    >>> problem = Problem(phi, (Dictionary.itself("self", [column], [0]),), Utility(CodedRecords.of([column])))
    >>> found = Measuring(problem).of(Released.at(problem.records, (1,)))
    >>> found.risk, found.utility, found.smallest_group
    (0.5, 1.0, 2)
    """

    problem: Problem

    @cached_property
    def identifications(self) -> Mapping[str, Identification]:
        """For each dictionary how its people are counted."""
        columns = self.problem.records.columns
        return {dictionary.name: Identification(dictionary, columns) for dictionary in self.problem.dictionaries}

    def of(
        self, released: Released, rule: Rule | TableRule | None = None, counted: Counted | None = None
    ) -> Evaluation:
        """Every figure of a released table.

        Parameters
        ----------
        released : the problem's records, each cell at a level
        rule : what the attacker replays; None when the rule is closed, as full-domain ones are, so that replaying it
            tells nothing
        counted : what need not be counted again
        """
        defined = self._by_definition(released, counted)
        replayed = defined if rule is None else self._by_replay(released, rule)
        groups = counted and counted.groups
        return self._evaluation(released, defined, replayed, groups or grouped(self.problem, released))

    def _by_definition(self, released: Released, counted: Counted | None) -> Attack:
        if counted is None:
            counted = Counted({name: found.of(released) for name, found in self.identifications.items()})
        return self._attack(
            released, counted.people, {name: _seen(found) for name, found in self.identifications.items()}
        )

    def _by_replay(self, released: Released, rule: Rule | TableRule) -> Attack | None:
        try:
            replay = Replay(self.problem, released, rule)
            counts = {dictionary.name: replay.counts(dictionary) for dictionary in self.problem.dictionaries}
        except NotDone:
            return None
        again = {dictionary.name: replay.count(dictionary) for dictionary in self.problem.dictionaries}
        return self._attack(released, counts, again)

    def _attack(self, released: Released, counts: Mapping[str, Counts], count: Mapping[str, Count]) -> Attack:
        limit = self.problem.limits.share_above
        chance = None if limit is None else limit.chance
        losses = self._losses(released, counts)
        if self.problem.linkage is not None:
            losses = linked_losses(self.problem, released, losses, count)
        return Attack(losses, {name: self._people(name, found, chance) for name, found in counts.items()})

    def _losses(self, released: Released, counts: Mapping[str, Counts]) -> dict[str, Numbers]:
        """Of every record as it is released, for each dictionary."""
        phi = sensitivities(self.problem, released)
        return {name: self.problem.loss.of(phi, found, self._everybody[name]) for name, found in counts.items()}

    def _people(self, name: str, counts: Counts, chance: float | None) -> People:
        return people(counts, self.problem.people, self.problem.loss, self._everybody[name], chance)

    @cached_property
    def _everybody(self) -> Mapping[str, int]:
        return {dictionary.name: dictionary.everybody for dictionary in self.problem.dictionaries}

    def _evaluation(self, released: Released, defined: Attack, replayed: Attack | None, groups: Groups) -> Evaluation:
        attacks = [defined] if replayed is None or replayed is defined else [defined, replayed]
        risks = self.problem.risk.by_dictionary(defined.losses)
        inferred = inferences(self.problem, groups)
        each = self.problem.utility.each(released.only(self.problem.generalised))
        utility = self.problem.utility.over(each)
        figures = [figure for attack in attacks for figure in attack.people.values()]
        return Evaluation(
            risk=self._over_dictionaries(risks),
            risk_by_dictionary=risks,
            utility=utility,
            utility_share=self.problem.utility.share(utility),
            people=defined.people,
            smallest_group=groups.smallest,
            suppressed=int(released.suppressed.sum()),
            inference=inferred,
            risk_replay=None if replayed is None else self.problem.risk.of(replayed.losses),
            people_replay=None if replayed is None else replayed.people,
            worst_risk=max(map(self._worst, attacks)),
            worst_utility=float(each.min()),
            broken=broken(
                self.problem.limits, figures, groups.smallest, inferred.values(), requirements(self.problem, groups)
            ),
        )

    def _worst(self, attack: Attack) -> float:
        """The largest loss of a record, then over dictionaries."""
        return self._over_dictionaries({name: float(losses.max()) for name, losses in attack.losses.items()})

    def _over_dictionaries(self, risks: Mapping[str, float]) -> float:
        return over_dictionaries(risks, self.problem.risk.over_dictionaries, self.problem.risk.priors)


def _seen(identification: Identification) -> Count:
    return lambda rows, cells: identification.of_cells(cells.levels, cells.codes)


def measure(problem: Problem, released: Released, rule: Rule | TableRule | None = None) -> Evaluation:
    """Every figure of one released table; for many tables of one problem keep a `Measuring`."""
    return Measuring(problem).of(released, rule)


def sensitivities(problem: Problem, released: Released) -> Numbers:
    """Φ of every record as it is released."""
    if not released.suppressed.any() and all(np.ndim(level) == 0 for level in released.levels):
        return problem.sensitivity.at([int(level) for level in released.levels])
    return problem.sensitivity.at_each(matrix(released))


def grouped(problem: Problem, released: Released) -> Groups:
    """The groups of people who look alike in the columns that have a hierarchy or that some dictionary knows."""
    keys = released.only(problem.grouped).shown_keys()
    return Groups.of(keys, suppressed=released.suppressed, identities=problem.people)


def inferences(problem: Problem, groups: Groups) -> dict[str, Inference]:
    """What the groups betray about every sensitive column."""
    return {column.name: inference(groups, column.codes) for column in problem.sensitive}


def requirements(problem: Problem, groups: Groups) -> list[Reached]:
    """What the groups reach in every sensitive column; nothing when there is no group."""
    if not len(groups):
        return []
    return [
        reached(problem.limits, value_counts(groups, column.codes), table_counts(groups, column.codes), column.ordered)
        for column in problem.sensitive
    ]
