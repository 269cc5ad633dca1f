"""The slow, obvious twins of the kernels: classes as dictionaries, one class and one person at a time."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from riskapp.core.rolled.classes import Classes


@dataclass
class SlowClass:
    """One class: how many records and people, its sums, its φ."""

    records: int = 0
    people: int = 0
    sums: list[float] = field(default_factory=list)
    phi: float | None = None


Table = dict[int, SlowClass]


def slow_table(table: Classes) -> Table:
    """The same classes by their keys."""
    return {
        int(table.keys[row]): SlowClass(
            int(table.records[row]),
            int(table.records[row] if table.people is None else table.people[row]),
            [] if table.sums is None else table.sums[row].tolist(),
            None if table.phi is None else float(table.phi[row]),
        )
        for row in range(table.rows)
    }


def slow_merge(table: Table, parents: Sequence[int], shift: int, mask: int) -> Table:
    """Every key with one attribute replaced by its parent, equal ones added up."""
    merged: Table = {}
    for key, own in table.items():
        number = key >> shift & mask
        new = key - (number << shift) + (int(parents[number]) << shift)
        before = merged.get(new, SlowClass(0, 0, [0.0] * len(own.sums), own.phi))
        assert before.phi == own.phi, "what is merged had the same φ"
        sums = [one + other for one, other in zip(before.sums, own.sums, strict=True)]
        merged[new] = SlowClass(before.records + own.records, before.people + own.people, sums, own.phi)
    return dict(sorted(merged.items()))


def slow_runs(keys: Iterable[int], values: Iterable[Any]) -> dict[int, Any]:
    """The sum of the values of equal keys, in the order of the keys."""
    found: dict[int, Any] = defaultdict(int)
    for key, value in zip(keys, values, strict=True):
        found[key] = found[key] + value
    return dict(sorted(found.items()))


def slow_consistent(table: Table, bits: Sequence[int]) -> list[int]:
    """For each class with records the people of all classes that agree wherever both know."""
    return [
        sum(other.people for there, other in table.items() if agree(key, there, bits)) if own.records else 0
        for key, own in table.items()
    ]


def agree(one: int, other: int, bits: Sequence[int]) -> bool:
    return all(not one & some or not other & some or one & some == other & some for some in bits)


@dataclass
class SlowSettings:
    """How classes become figures."""

    mask: int = 0
    last: Sequence[float] | None = None
    weighted: bool = False
    scale: float = 1.0
    entropic: bool = False
    everybody: int = 1
    zero: bool = False
    above: float = 1.0
    exponential: bool = False


def slow_gain(rho: int, how: SlowSettings) -> float:
    """What a loss is per Φ."""
    if rho == 0:
        return 0.0 if how.zero else 1.0
    if not how.entropic:
        return 1 / rho
    return 1.0 if rho == 1 else 0.0 if rho == how.everybody else 1 - math.log(rho) / math.log(how.everybody)


def slow_figures(table: Table, how: SlowSettings) -> dict[str, Any]:
    """What a node's classes say, by name."""
    there = [(key, own) for key, own in table.items() if own.records]
    covered = [own for _, own in there if own.people]
    chances = [(own.records, 1 / own.people if own.people else 0.0 if how.zero else 1.0) for _, own in there]
    found: dict[str, Any] = {
        "FOUND": math.fsum(own.records / own.people for own in covered),
        "SINGLED": sum(own.records for own in covered if own.people == 1),
        "UNCOVERED": sum(own.records for _, own in there if not own.people),
        "FEWEST": min((own.people for own in covered), default=math.inf),
        "ABOVE": sum(records for records, chance in chances if chance and round(1 / chance) < how.above),
        "SMALLEST": min((own.records for _, own in there), default=math.inf),
        "CLASSES": len(there),
    }
    felt = [slow_felt(key, own, how) for key, own in there]
    gains = [slow_gain(own.people, how) for _, own in there]
    weights = [(own.sums[0] if how.weighted else own.records) * how.scale for _, own in there]
    harms = [math.exp(harm) if how.exponential else harm for harm in felt]
    found["LEAST"], found["MOST"] = min(felt, default=math.inf), max(felt, default=-math.inf)
    found["CHANCE"] = math.fsum(weight * gain for weight, gain in zip(weights, gains, strict=True))
    found["REST"] = math.fsum(weight * (1 - gain) for weight, gain in zip(weights, gains, strict=True))
    found["HARM"] = sum(product(*three) for three in zip(weights, gains, harms, strict=True))
    found["sums"] = [
        sum(
            product(own.sums[place], gain, harm if how.exponential else 1.0)
            for (_, own), gain, harm in zip(there, gains, harms, strict=True)
        )
        for place in range(len(there[0][1].sums) if there else 0)
    ]
    return found


def slow_felt(key: int, own: SlowClass, how: SlowSettings) -> float:
    return (own.phi or 0.0) + (0.0 if how.last is None else float(how.last[key & how.mask]))


def product(*factors: float) -> float:
    """0·∞ = 0."""
    return 0.0 if 0.0 in factors else math.prod(factors)


def array(values: Iterable[Any], kind: Any) -> np.ndarray[Any, np.dtype[Any]]:
    return np.array(list(values), dtype=kind)
