"""Loss: what one record contributes to the risk, from its sensitivity Φ and the number |ρ| of people it may be.

The identification probability is p = 1/|ρ|. Where nobody is consistent with the record (|ρ| = 0) it counts as one
person (*one*, cautious and monotone) or as no chance at all (*zero*, the thesis).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riskapp.core.bad_setting import check_amount, check_choice
from riskapp.core.extended import Numbers, inverse, plus, times

Counts = npt.NDArray[np.int64]

MODELS = ("sensitivity", "anonymity", "entropic")
UNCOVERED = ("one", "zero")


@dataclass(frozen=True)
class Loss:
    """The loss of records by one of three models.

    - I `sensitivity`: p·Φ + (1 − p)·Ψ, and Ψ where there is no chance;
    - II `anonymity`: p;
    - III `entropic`: Φ·(1 − ln|ρ| / ln|θ|), Φ when |θ| = 1, and 0 where there is no chance.

    In all of them 0·∞ = 0.

    Parameters
    ----------
    model : one of the three
    uncovered : `one` or `zero`, what |ρ| = 0 counts as
    unidentified : Ψ, the harm when identification fails

    Raises
    ------
    BadSetting
        If a choice is unknown or Ψ is below 0.

    Examples
    --------
    >>> Loss().of(np.array([6.0, 6.0, 6.0]), np.array([3, 1, 0]), everybody=10)
    array([2., 6., 6.])
    >>> Loss(uncovered="zero", unidentified=0.5).of(np.array([6.0, 6.0]), np.array([2, 0]), everybody=10)
    array([3.25, 0.5 ])
    >>> Loss("entropic").of(np.array([6.0, 6.0, 6.0]), np.array([1, 10, 100]), everybody=100)
    array([6., 3., 0.])
    """

    model: str = "sensitivity"
    uncovered: str = "one"
    unidentified: float = 0.0

    def __post_init__(self) -> None:
        check_choice("risk.model", self.model, MODELS)
        check_choice("risk.uncovered", self.uncovered, UNCOVERED)
        check_amount("sensitivity.unidentified", self.unidentified)

    def of(self, phi: Numbers, people: Counts, everybody: int) -> Numbers:
        """The loss of every record.

        Parameters
        ----------
        phi : Φ of every record
        people : |ρ| of every record
        everybody : |θ|, the number of people in the dictionary

        Raises
        ------
        ValueError
            If a record is consistent with fewer than nobody or more than everybody.
        """
        if len(people) and not 0 <= people.min() <= people.max() <= everybody:
            raise ValueError("A record is consistent with nobody, somebody or everybody.")
        if self.model == "entropic":
            return self._entropic(phi, people, everybody)
        return self.chances(people) if self.model == "anonymity" else self._expected(phi, people)

    def chances(self, people: Counts) -> Numbers:
        """p = 1/|ρ| of every record, with nobody counted as `uncovered` says.

        >>> Loss(uncovered="zero").chances(np.array([4, 0])), Loss().chances(np.array([4, 0]))
        (array([0.25, 0.  ]), array([0.25, 1.  ]))
        """
        chances = inverse(np.maximum(people, 1))
        return chances if self.uncovered == "one" else np.where(people == 0, 0.0, chances)

    def _expected(self, phi: Numbers, people: Counts) -> Numbers:
        harm = phi / np.maximum(people, 1)
        if self.uncovered == "zero":
            harm = np.where(people == 0, 0.0, harm)
        return plus(harm, times(1 - self.chances(people), self.unidentified)) if self.unidentified else harm

    def _entropic(self, phi: Numbers, people: Counts, everybody: int) -> Numbers:
        # All and one are set apart, for there rounding must not turn ∞·0 into ∞.
        share = 1 - np.log(np.maximum(people, 1)) / np.log(max(everybody, 2))
        share[people == everybody] = 0.0
        share[people <= 1] = 1.0
        if self.uncovered == "zero":
            share[people == 0] = 0.0
        return times(phi, share)
