"""Where a search may be used: what it relies on, and an error that names the setting when that does not hold."""

import numpy as np

from riskapp.core.bad_setting import BadSetting
from riskapp.core.search.crowd import Meets
from riskapp.core.search.record import Record


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
    if record.loss.uncovered == "zero" and any(people[0] == 0 for people in figures.people):
        return "with risk.uncovered: zero a record that is nobody before it is generalised can become somebody"
    if record.loss.model == "sensitivity" and record.loss.unidentified > figures.phi[1]:
        return "with sensitivity.unidentified above the least sensitivity the loss can rise"
    return None


def check_monotone(record: Record, method: str) -> None:
    """Raise `BadSetting` unless risk never rises under generalisation."""
    why = not_monotone(record)
    if why:
        said = f"{method} needs a risk that never rises under generalisation, but {why}."
        raise BadSetting("search.methods", f"{said} Choose exhaustive or branch-and-bound.")


def counted(record: Record, method: str) -> Meets:
    """The record's crowd, for methods that need Φ and |ρ| to be sums.

    Raises
    ------
    BadSetting
        Naming the setting that takes the record out of the scope: linear Φ without pairs, model I without Ψ or
        model II, one dictionary in which every entry is somebody else.
    """
    if record.family != "linear":
        raise _outside("sensitivity.family", method, "a linear sensitivity")
    if record.loss.model == "entropic":
        raise _outside("risk.model", method, "the model sensitivity or anonymity")
    if record.loss.model == "sensitivity":
        if any(pair.weight for pair in record.pairs):
            raise _outside("sensitivity.pairs", method, "a sensitivity without pairs")
        if record.loss.unidentified:
            raise _outside("sensitivity.unidentified", method, "no harm when identification fails")
    if len(record.crowds) > 1:
        raise _outside("risk.over_dictionaries", method, "one dictionary")
    crowd = record.crowds[0]
    if not isinstance(crowd, Meets):
        raise _outside("dictionaries", method, "a dictionary in which every entry is somebody else")
    return crowd


def _outside(key: str, method: str, needed: str) -> BadSetting:
    return BadSetting(key, f"The search {method} needs {needed}. Choose exhaustive or branch-and-bound for others.")
