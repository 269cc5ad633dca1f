"""Φ of an example record, in arithmetic that a page can do while sliders move. This is the reference.

For every attribute with a cell that is not missing, the weight is, the first that there is of:

1. the cell's `personal` weight, which a person has for the attribute;
2. `weights[value]`, where the cell shows a value itself and that value weighs something of its own;
3. the attribute's `weight`.

A pair adds its weight when neither of its cells is missing. With s the sum of all these, attributes before pairs:

- `person_total` ("scale", c) brings the sum to c, and ("cap", c) does where s > c; a sum of 0 or ∞ is left alone. Then
  each part counts as w / s · c;
- linear: Φ is the sum; multiplicative: Φ = exp(sum).

Numbers may be the word `inf`. A rare value that is not shown weighs what the attribute does. The record is taken as it
is in the dataset, so no weight has fallen.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from riskapp.engine.plain_json import in_words

Number = float | str
"""A number, or the word inf."""


@dataclass(frozen=True)
class Weighing:
    """An attribute's weight, and those of its values that differ from it."""

    weight: Number = 1.0
    weights: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True)
class Harm:
    """The settings that make Φ of a record; pairs are (one, other, weight), the total is ("scale" or "cap", c)."""

    attributes: Mapping[str, Weighing]
    pairs: Sequence[tuple[str, str, Number]] = ()
    family: str = "linear"
    person_total: tuple[str, Number] | None = None

    def facts(self) -> dict[str, Any]:
        """The same for JSON, which the page's arithmetic begins with."""
        found: dict[str, Any] = in_words(asdict(self))
        return found


@dataclass(frozen=True)
class Cell:
    """A cell of an example record.

    Parameters
    ----------
    shown : what the page shows; None for a missing cell
    value : the value that it is, None where something coarser is shown
    personal : the weight that the person has for the attribute, if there is one
    """

    shown: str | None
    value: str | None = None
    personal: Number | None = None


Example = Mapping[str, Cell]


@dataclass(frozen=True)
class Phi:
    """Φ of one example record.

    Parameters
    ----------
    attributes, pairs : what each adds to the sum, after it was brought to the person's total
    reasons : for each attribute where its weight is from: personal, value, attribute or missing
    sum : of them all
    plain_sum : what it was before
    phi : Φ
    """

    attributes: Mapping[str, float]
    reasons: Mapping[str, str]
    pairs: Sequence[float]
    sum: float
    plain_sum: float
    phi: float

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        found: dict[str, Any] = in_words(asdict(self))
        return found


def phi(harm: Harm, example: Example) -> Phi:
    """Φ of an example record and what each attribute and pair contributes to it.

    Examples
    --------
    >>> harm = Harm({"city": Weighing(1), "illness": Weighing(2, {"HIV": 10})}, [("city", "illness", 0.5)])
    >>> found = phi(harm, {"city": Cell("Monon", "Monon"), "illness": Cell("HIV", "HIV")})
    >>> found.attributes, found.pairs, found.phi
    ({'city': 1.0, 'illness': 10.0}, [0.5], 11.5)
    """
    weighed = {name: _weight(given, example[name]) for name, given in harm.attributes.items()}
    plain = {name: weight for name, (weight, _) in weighed.items()}
    pairs = [
        float(weight) if example[one].shown is not None and example[other].shown is not None else 0.0
        for one, other, weight in harm.pairs
    ]
    plain_sum = 0.0
    for weight in [*plain.values(), *pairs]:
        plain_sum += weight
    total = _brought(plain_sum, harm.person_total)
    return Phi(
        attributes={name: _part(weight, plain_sum, total) for name, weight in plain.items()},
        reasons={name: reason for name, (_, reason) in weighed.items()},
        pairs=[_part(weight, plain_sum, total) for weight in pairs],
        sum=total,
        plain_sum=plain_sum,
        phi=total if harm.family == "linear" else _exp(total),
    )


def _weight(given: Weighing, cell: Cell) -> tuple[float, str]:
    if cell.shown is None:
        return 0.0, "missing"
    if cell.personal is not None:
        return float(cell.personal), "personal"
    if cell.value is not None and cell.value in given.weights:
        return float(given.weights[cell.value]), "value"
    return float(given.weight), "attribute"


def _brought(plain_sum: float, person_total: tuple[str, Number] | None) -> float:
    """The sum, brought to the person's total."""
    if person_total is None or plain_sum in (0.0, math.inf):
        return plain_sum
    most = float(person_total[1])
    return plain_sum if person_total[0] == "cap" and plain_sum <= most else most


def _part(weight: float, plain_sum: float, total: float) -> float:
    return weight if total == plain_sum else weight / plain_sum * total


def _exp(number: float) -> float:
    """The core's own exp: that of the standard library may differ from it in the last digit."""
    with np.errstate(over="ignore"):
        return float(np.exp(number))
