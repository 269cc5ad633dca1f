"""The slow, obvious twin of the sensitivity: one record, one cell, one leaf of the domain at a time."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Chain = tuple[str, ...]
"""A leaf and what it becomes, level by level, up to `*`."""


def inverse(number: float) -> float:
    return math.inf if number == 0 else 1 / number


@dataclass
class SlowAttribute:
    """An attribute given by the chains of all leaves of its domain, and by how to find the chain of any value."""

    domain: Sequence[Chain]
    chain: Callable[[str], Chain]
    weight: float = 1.0
    weights: Mapping[str, float] = field(default_factory=dict)
    fall: str = "step"

    def leaf_weight(self, leaf: str, personal: float | None) -> float:
        return self.weights.get(leaf, self.weight) if personal is None else personal

    def shown(self, value: str, level: int, personal: float | None) -> float:
        """What a value weighs at a level."""
        chain = self.chain(value)
        if level == len(chain) - 1:
            return 0.0
        if self.fall == "step" or level == 0:
            return self.leaf_weight(value, personal)
        return self._group(chain[level:], level, personal)

    def _group(self, ending: Chain, level: int, personal: float | None) -> float:
        """1 / Σ 1/w over the children, each worked out in the same way down to the leaves."""
        if level == 0:
            return self.leaf_weight(ending[0], personal)
        children = {chain[level - 1 :] for chain in self.domain if chain[level:] == ending}
        return inverse(math.fsum(inverse(self._group(child, level - 1, personal)) for child in children))


@dataclass
class SlowRecord:
    values: Sequence[str | None]
    personal: Sequence[float | None]


def slow_phi(
    attributes: Sequence[SlowAttribute],
    record: SlowRecord,
    node: Sequence[int],
    pairs: Sequence[tuple[int, int, float]] = (),
    family: str = "linear",
    person_total: tuple[str, float] | None = None,
) -> float:
    """Φ of one record at a node."""
    whole = _sum(attributes, record, [0] * len(node), pairs)
    here = _sum(attributes, record, node, pairs)
    if person_total and whole not in (0, math.inf) and (person_total[0] == "scale" or whole > person_total[1]):
        here = here * (person_total[1] / whole)
    if family == "linear":
        return here
    try:
        return math.exp(here)
    except OverflowError:
        return math.inf


def _sum(
    attributes: Sequence[SlowAttribute],
    record: SlowRecord,
    node: Sequence[int],
    pairs: Sequence[tuple[int, int, float]],
) -> float:
    parts, disclosed = [], set()
    for place, (attribute, value, level) in enumerate(zip(attributes, record.values, node, strict=True)):
        if value is not None and attribute.chain(value)[level] != "*":
            disclosed.add(place)
            parts.append(attribute.shown(value, level, record.personal[place]))
    parts += [weight for one, other, weight in pairs if one in disclosed and other in disclosed]
    return math.inf if math.inf in parts else math.fsum(parts)
