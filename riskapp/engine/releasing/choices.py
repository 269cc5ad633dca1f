"""How a release is to be written: the choices that change the file but not what it says about anybody."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from riskapp.core.bad_setting import BadSetting


@dataclass(frozen=True)
class Choices:
    """What somebody chose about the file.

    Attributes
    ----------
    keep_order : the rows stay in the order of the dataset; else the seed shuffles them
    seed : that shuffles
    defuse : cells that a spreadsheet would take for a formula are made harmless
    analysts : numbers and dates that are unchanged keep their types, and a column says which rows are suppressed
    details : beside each label that was generalised stand from, to and level
    """

    keep_order: bool = False
    seed: int = 0
    defuse: bool = False
    analysts: bool = False
    details: bool = False

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Choices":
        """The choices as `told` tells them.

        >>> Choices.of({"defuse": True}) == Choices(defuse=True)
        True
        """
        unknown = set(told) - set(cls.__dataclass_fields__)
        if unknown:
            raise BadSetting(f"choices.{min(unknown)}", "There is no such choice.")
        return cls(**told)

    def told(self) -> dict[str, Any]:
        """As manifests tell them."""
        return asdict(self)
