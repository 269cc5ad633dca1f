"""What a run measures as risk, in words: not every run means expected harm on average."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LOSSES = {
    "sensitivity": ("Expected harm", "expected harm", "harm × chance"),
    "anonymity": ("Chance", "chance to be found", "chance to be found"),
    "entropic": ("Harm and doubt", "harm, less by an attacker’s doubt,", "harm, less by an attacker’s doubt"),
}
OVER = {"mean": "per person", "max": "of the worst-off record", "min": "of the least exposed record"}


@dataclass(frozen=True)
class RiskWords:
    """The risk of a run.

    Attributes
    ----------
    label : for a switch
    axis : what is drawn
    loss : of one record
    """

    label: str
    axis: str
    loss: str

    @classmethod
    def of(cls, risk: Mapping[str, Any]) -> "RiskWords":
        """From the assessment's key `risk`.

        >>> RiskWords.of({}).axis
        'Risk: expected harm per person'
        >>> RiskWords.of({"model": "anonymity", "over_records": "max"}).axis
        'Risk: chance to be found of the worst-off record'
        """
        label, what, loss = LOSSES[risk.get("model", "sensitivity")]
        return cls(label, f"Risk: {what} {OVER[risk.get('over_records', 'mean')]}", loss)
