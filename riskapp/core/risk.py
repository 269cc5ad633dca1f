"""Risk: the losses of all records as one number, over records first, then over dictionaries."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from riskapp.core.bad_setting import BadSetting, check_amount, check_choice
from riskapp.core.extended import Numbers, times, total

OVER_RECORDS = ("mean", "max", "min")


def over_records(losses: Numbers, how: str = "mean", weights: Numbers | None = None) -> float:
    """The mean, the largest or the smallest loss.

    Parameters
    ----------
    losses : of every record
    how : `mean`, `max` or `min`
    weights : what each record counts in the mean, such as its multiplicity or a column of the dataset; equal where
        they are not given. The largest and the smallest loss are those of any record, whatever it weighs.

    Raises
    ------
    BadSetting
        If the choice is unknown, if there is no record, or if weights are below 0, infinite, or 0 for all.

    Examples
    --------
    >>> losses = np.array([1.0, 2.0, 6.0])
    >>> over_records(losses), over_records(losses, "max"), over_records(losses, weights=np.array([1.0, 1.0, 2.0]))
    (3.0, 6.0, 3.75)
    """
    check_choice("risk.over_records", how, OVER_RECORDS)
    if not len(losses):
        raise BadSetting("dataset.file", "There is no record to measure.")
    if how != "mean":
        return float(losses.max() if how == "max" else losses.min())
    return _mean(losses) if weights is None else _weighted(losses, weights)


def _mean(losses: Numbers) -> float:
    mean = total(losses) / len(losses)
    return mean if mean < float("inf") else total(losses / len(losses))


def _weighted(losses: Numbers, weights: Numbers) -> float:
    if len(weights) != len(losses):
        raise ValueError("There is a weight for every record.")
    wrong = np.flatnonzero(~(weights >= 0) | np.isinf(weights))
    if len(wrong):
        told = f"{len(wrong)} records have no finite weight of 0 or more, the first is record {wrong[0] + 1}."
        raise BadSetting("dataset.risk_weight", f"{told} Give every record one.")
    everything = total(weights / weights.max()) if weights.any() else 0.0
    if not everything:
        raise BadSetting("dataset.risk_weight", "All weights are 0. Give at least one record a weight.")
    return total(times(weights / weights.max() / everything, losses))


def over_dictionaries(
    risks: Mapping[str, float], how: str = "worst", priors: Mapping[str, float] | None = None
) -> float:
    """The largest risk, the mean by the priors, or the risk against one dictionary.

    Parameters
    ----------
    risks : the risk against each dictionary, by its name
    how : `worst`, `bayes`, or the name of one
    priors : q(θ) for each dictionary, normalised to sum to 1; 1 where it is not given

    Raises
    ------
    BadSetting
        If there is no such dictionary, or if priors are below 0, infinite, or 0 for all.

    Examples
    --------
    >>> risks = {"self": 1.0, "register": 0.25}
    >>> over_dictionaries(risks), over_dictionaries(risks, "bayes", {"register": 2.0})
    (1.0, 0.5)
    >>> over_dictionaries(risks, "register")
    0.25
    """
    if not risks:
        raise BadSetting("dictionaries", "Name at least one dictionary.")
    if how == "worst":
        return max(risks.values())
    if how == "bayes":
        return _bayes(risks, priors or {})
    if how not in risks:
        known = ", ".join(["worst", "bayes", *risks])
        raise BadSetting("risk.over_dictionaries", f"There is no such dictionary. Known are {known}.")
    return risks[how]


def _bayes(risks: Mapping[str, float], priors: Mapping[str, float]) -> float:
    for name in priors:
        if name not in risks:
            raise BadSetting(f"dictionaries.{name}.prior", "There is no such dictionary.")
        check_amount(f"dictionaries.{name}.prior", priors[name], finite=True)
    chances = np.array([priors.get(name, 1.0) for name in risks])
    if not chances.any():
        raise BadSetting("dictionaries", "All priors are 0. Give at least one dictionary a prior.")
    shares = chances / chances.max()
    return total(times(shares / shares.sum(), list(risks.values())))


@dataclass(frozen=True)
class Risk:
    """How losses become the risk of a rule.

    Parameters
    ----------
    over_records : `mean`, `max` or `min`
    over_dictionaries : `worst`, `bayes`, or the name of one
    weights : of the records in the mean
    priors : of the dictionaries, by their names

    Examples
    --------
    >>> losses = {"self": np.array([0.0, 2.0]), "register": np.array([3.0, 0.0])}
    >>> Risk().by_dictionary(losses), Risk().of(losses)
    ({'self': 1.0, 'register': 1.5}, 1.5)
    """

    over_records: str = "mean"
    over_dictionaries: str = "worst"
    weights: Numbers | None = None
    priors: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choice("risk.over_records", self.over_records, OVER_RECORDS)

    def by_dictionary(self, losses: Mapping[str, Numbers]) -> dict[str, float]:
        """The risk against each dictionary."""
        return {name: over_records(some, self.over_records, self.weights) for name, some in losses.items()}

    def of(self, losses: Mapping[str, Numbers]) -> float:
        """The risk of a rule whose records have these losses against each dictionary."""
        return over_dictionaries(self.by_dictionary(losses), self.over_dictionaries, self.priors)
