"""What is known of one rule: its risk, its utility, and what it means for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from riskapp.core.table.inference import Inference


class People(NamedTuple):
    """How many people an attacker with one dictionary finds.

    Attributes
    ----------
    expected_found : Σ over covered people of their largest 1/|ρ|
    singled_out : people with |ρ| = 1 for some record
    uncovered : people whom nobody in the dictionary fits, in none of their records
    largest_chance : with the setting for the uncovered applied
    gain : expected_found minus what the attacker has without the release, every person at 1/|θ|
    share_above : the share of people with a chance above the limit; None when there is no such limit
    """

    expected_found: float
    singled_out: int
    uncovered: int
    largest_chance: float
    gain: float
    share_above: float | None = None


@dataclass(frozen=True)
class Evaluation:
    """The figures of one rule.

    Attributes
    ----------
    risk : by definition, over records and then over dictionaries
    risk_by_dictionary : over records
    utility, utility_share : and its share of the unchanged table's
    people : for each dictionary
    smallest_group : the people in the smallest group; None when every row is suppressed
    suppressed : the number of suppressed rows
    inference : for each sensitive column
    risk_replay, people_replay : against an attacker who knows the rule; None when that was not done
    worst_risk, worst_utility : the largest risk and the smallest utility of a single record; None when not asked for
    broken : the limits that it breaks, in the order of their names, requirements last
    """

    risk: float
    risk_by_dictionary: Mapping[str, float]
    utility: float
    utility_share: float
    people: Mapping[str, People]
    smallest_group: int | None
    suppressed: int = 0
    inference: Mapping[str, Inference] = field(default_factory=dict)
    risk_replay: float | None = None
    people_replay: Mapping[str, People] | None = None
    worst_risk: float | None = None
    worst_utility: float | None = None
    broken: tuple[str, ...] = ()

    @property
    def risk_that_counts(self) -> float:
        """The larger of the two risks."""
        return self.risk if self.risk_replay is None else max(self.risk, self.risk_replay)
