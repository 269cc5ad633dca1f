"""How a release is to be written: the choices that change the file but not what it says about anybody."""

import hashlib
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
    seed : that shuffles; who knows it can put the rows back in the order of the dataset, so it stays in the house
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
        """As manifests tell them, which leave the house: without the seed."""
        return {name: value for name, value in asdict(self).items() if name != "seed"}

    @property
    def seed_sha256(self) -> str:
        """What manifests tell of the seed. One of many random bits cannot be guessed from it, but can be held to it.

        >>> Choices(seed=5).seed_sha256 == hashlib.sha256(b"5").hexdigest()
        True
        """
        return hashlib.sha256(str(self.seed).encode()).hexdigest()
