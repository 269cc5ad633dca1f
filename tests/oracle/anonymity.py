"""l-diversity and t-closeness of one group's values, given how many people have each."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from tests.oracle.arithmetic import total

Value = TypeVar("Value", bound=Hashable)
Counts = Mapping[Value, int]


def distinct_l(counts: Counts[Value]) -> int:
    """How many values the group has."""
    return sum(count > 0 for count in counts.values())


def probabilistic_l(counts: Counts[Value]) -> float:
    """The largest l with the commonest value's share at most 1/l."""
    return sum(counts.values()) / max(counts.values())


def entropy(counts: Counts[Value]) -> float:
    """−Σ p ln p."""
    whole = sum(counts.values())
    return -total(count / whole * math.log(count / whole) for count in counts.values() if count)


def entropy_l(counts: Counts[Value]) -> float:
    """e to the power of the entropy."""
    return math.exp(entropy(counts))


def recursive_bound(counts: Counts[Value], least: int) -> float:
    """r₁ / (r_l + … + r_m), commonest first, which c must exceed in recursive (c, l); ∞ when the sum is 0."""
    ordered = sorted(counts.values(), reverse=True)
    rest = sum(ordered[least - 1 :])
    return ordered[0] / rest if rest else math.inf


def recursive(counts: Counts[Value], factor: float, least: int) -> bool:
    """Recursive (c, l): r₁ < c·(r_l + … + r_m)."""
    ordered = sorted(counts.values(), reverse=True)
    return ordered[0] < factor * sum(ordered[least - 1 :])


def categorical_distance(group: Counts[Value], table: Counts[Value]) -> float:
    """Earth mover's distance when all values are equally far apart: ½ Σ |p − q|."""
    one, other = sum(group.values()), sum(table.values())
    return total(abs(group.get(value, 0) / one - table[value] / other) for value in table) / 2


def ordered_distance(group: Counts[Value], table: Counts[Value], order: Sequence[Value]) -> float:
    """Earth mover's distance along an order of m values: Σ |cumulative difference| / (m − 1), 0 for one value."""
    one, other = sum(group.values()), sum(table.values())
    differences = [group.get(value, 0) / one - table.get(value, 0) / other for value in order]
    cumulative = [total(differences[: place + 1]) for place in range(len(order))]
    return total(abs(value) for value in cumulative) / max(len(order) - 1, 1)
