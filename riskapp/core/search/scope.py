"""Where a search may be used: what it relies on, and an error that names the setting when that does not hold."""

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.extended import Numbers
from riskapp.core.loss import Loss
from riskapp.core.search.crowd import Meets
from riskapp.core.search.looking import counted_for
from riskapp.core.search.question import Aggregate, Asked
from riskapp.core.search.record import Record
from riskapp.core.table.identification import Identification
from riskapp.core.table.problem import Problem
from riskapp.core.table.released import Mask

WITHOUT_PAIRS = "a sensitivity without pairs"
MOST_WEIGHT = 1e100
"""Squares of weights up to it, and quotients of them, are numbers that can be counted with."""
WEIGHTS = f"weights from {1 / MOST_WEIGHT:g} to {MOST_WEIGHT:g}"


def not_monotone(record: Record) -> str | None:
    """Why risk may rise under generalisation; None when it never does.

    Where nobody counts as no risk, a coarser node can be the first at which somebody is consistent; and where Φ < Ψ,
    a larger crowd brings the loss up to Ψ.

    >>> from riskapp.core.loss import Loss
    >>> stranger = Meets.of([[1]])
    >>> not_monotone(Record((1,), [[1.0, 0.0]], [[1.0, 0.0]], (stranger,))) is None
    True
    >>> not_monotone(Record((1,), [[1.0, 0.0]], [[1.0, 0.0]], (stranger,), loss=Loss(uncovered="zero")))
    'with risk.uncovered: zero a record that is nobody before it is generalised can become somebody'
    """
    ends = np.array([record.lattice.bottom, record.lattice.top])
    figures = record.at(ends)
    return _rising(record.loss, any(people[0] == 0 for people in figures.people), figures.phi[1])


def not_monotone_for_all(problem: Problem) -> str | None:
    """Why the risk of some record of a table may rise under generalisation; None when that of none does."""
    return _rising(problem.loss, bool(_nobody(problem).any()), float(_least(problem).min()))


def rising(problem: Problem) -> Mask:
    """Of which records of a table the risk may rise under generalisation."""
    loss = problem.loss
    more: Mask = _least(problem) < (loss.unidentified if loss.model == "sensitivity" else 0.0)
    return more | _nobody(problem)


def _nobody(problem: Problem) -> Mask:
    """Which records fit nobody at the finest node, where that is no risk: in any dictionary, if chances are limited."""
    found: Mask = np.zeros(len(problem), dtype=np.bool_)
    for dictionary in counted_for(problem) if problem.loss.uncovered == "zero" else ():
        found |= Identification(dictionary, problem.records.columns).at(problem.lattice.bottom) == 0
    return found


def _least(problem: Problem) -> Numbers:
    """Φ of every record at the coarsest node."""
    return problem.sensitivity.at(problem.lattice.top)


def _rising(loss: Loss, nobody: bool, least: float) -> str | None:
    """Given whether somebody is nobody at the finest node, and the least Φ at the coarsest."""
    if loss.uncovered == "zero" and nobody:
        return "with risk.uncovered: zero a record that is nobody before it is generalised can become somebody"
    if loss.model == "sensitivity" and loss.unidentified > least:
        return "with sensitivity.unidentified above the least sensitivity the loss can rise"
    return None


def check_monotone(record: Record, method: str) -> None:
    """Raise `BadSetting` unless risk never rises under generalisation."""
    refuse_rising(not_monotone(record), method)


def refuse_rising(why: str | None, method: str) -> None:
    """Raise `BadSetting` where there is a reason for which risk may rise."""
    if why:
        said = f"{method} needs a risk that never rises under generalisation, but {why}."
        raise BadSetting("search.methods", f"{said} Choose exhaustive or branch-and-bound.")


def counted(record: Record, method: str) -> Meets:
    """The record's crowd, for methods that need Φ and |ρ| to be sums.

    Raises
    ------
    BadSetting
        Naming the setting that takes the record out of the scope: linear Φ without pairs, model I without Ψ or
        model II, one dictionary in which every entry is somebody else, weights that can be counted with.
    """
    if record.family != "linear":
        raise _outside("sensitivity.family", method, "a linear sensitivity")
    if record.loss.model == "entropic":
        raise _outside("risk.model", method, "the model sensitivity or anonymity")
    if record.loss.model == "sensitivity":
        if any(pair.weight for pair in record.pairs):
            raise _outside("sensitivity.pairs", method, WITHOUT_PAIRS)
        if record.loss.unidentified:
            raise _outside("sensitivity.unidentified", method, "no harm when identification fails")
        if any(map(_beyond_counting, record.weights)):
            raise _outside("attributes", method, WEIGHTS)
    if len(record.crowds) > 1:
        raise _outside("risk.over_dictionaries", method, "one dictionary")
    crowd = record.crowds[0]
    if not isinstance(crowd, Meets):
        raise _outside("dictionaries", method, "a dictionary in which every entry is somebody else")
    return crowd


def check_pairs(problem: Problem, method: str) -> None:
    """Raise `BadSetting` where some record of a table discloses a pair, for methods that need Φ to be a sum."""
    said = {name: weighed.column.codes > 0 for name, weighed in zip(problem.names, problem.columns, strict=True)}
    for pair in problem.sensitivity.pairs if problem.loss.model == "sensitivity" else ():
        if pair.weight and (said[pair.one] & said[pair.other]).any():
            raise _outside("sensitivity.pairs", method, WITHOUT_PAIRS)


def check_weights(problem: Problem, method: str) -> None:
    """Raise `BadSetting` where a weight is so far from 1 that sums and quotients of such weights are no numbers."""
    if problem.loss.model != "sensitivity":
        return
    for weighed in problem.columns:
        given = [*weighed.weights.levels, np.zeros(0) if weighed.personal is None else weighed.personal]
        if any(map(_beyond_counting, given)):
            raise _outside(f"attributes.{weighed.name}", method, WEIGHTS)
    if problem.sensitivity.totals is None:
        return
    leaves, most = problem.sensitivity.totals
    levels = (weighed.at(level) for weighed in problem.columns for level in range(weighed.height + 1))
    if any(_beyond_counting(some / leaves * most) for some in levels):
        raise _outside("sensitivity.person_total", method, WEIGHTS)


def _beyond_counting(weights: Numbers) -> bool:
    some = weights[np.isfinite(weights) & (weights > 0)]
    return bool((some < 1 / MOST_WEIGHT).any() or (some > MOST_WEIGHT).any())


def check_power(problem: Problem, question: Asked) -> None:
    """Raise `BadSetting` where the utility of a record to the power κ may be more than any number.

    >>> from riskapp.core.table.plain_problem import problem
    >>> check_power(problem({"zip": ["47906", "47901"]}, hierarchies={"zip": {"mask": 5}}), Aggregate(1, 1e4))
    Traceback (most recent call last):
    riskapp.core.bad_setting.BadSetting: search.aggregate.kappa: Utility to this power is too large a number. Give a...
    """
    if not isinstance(question, Aggregate):
        return
    utility = problem.utility
    try:
        (sum(float(table.max()) for table in utility.tables) - min(0.0, utility.of_nothing)) ** float(question.power)
    except OverflowError:
        told = "Utility to this power is too large a number. Give a smaller one."
        raise BadSetting("search.aggregate.kappa", told) from None


def _outside(key: str, method: str, needed: str) -> BadSetting:
    return BadSetting(key, f"The search {method} needs {needed}. Choose exhaustive or branch-and-bound for others.")
