"""The losses of all records at a glance, and the records that lose the most."""

import math
from typing import Any

import numpy as np

from riskapp.core.extended import Numbers
from riskapp.engine.ruling.ruling import Attack, Ruling

QUANTILES = (0.5, 0.9, 0.95, 0.99, 1.0)
MOST_BINS = 60
STEPS = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Widths of bins in powers of ten; the first that needs no more than the most bins is taken."""
WORST = 20


def distribution(losses: Numbers) -> dict[str, Any]:
    """How many records lose how much: bins that grow by a constant factor, and quantiles.

    A bin holds the losses from its low end on and below its high end. Losses of 0 and ∞ are in none and counted apart.
    A quantile is the smallest loss that so large a share of the records does not exceed.

    >>> found = distribution(np.array([0.0, 1.0, 1.5, 20.0, float("inf")]))
    >>> found["zero"], found["infinite"], [count for _, _, count in found["bins"]]
    (1, 1, [2, 0, 0, 0, 0, 1])
    >>> found["quantiles"]
    {'0.5': 1.5, '0.9': inf, '0.95': inf, '0.99': inf, '1.0': inf}
    """
    inside = losses[(losses > 0) & np.isfinite(losses)]
    return {
        "records": len(losses),
        "zero": int((losses == 0).sum()),
        "infinite": int(np.isinf(losses).sum()),
        "bins": _bins(inside),
        "quantiles": {str(share): _quantile(losses, share) for share in QUANTILES},
    }


def _bins(losses: Numbers) -> list[tuple[float, float, int]]:
    if not len(losses):
        return []
    powers = np.log10(losses)
    least, most = float(powers.min()), float(powers.max())
    step = next((step for step in STEPS if (most - least) / step < MOST_BINS - 1), STEPS[-1])
    first = math.floor(least / step)
    number = np.floor(powers / step).astype(np.int64) - first
    counts = np.bincount(number)
    return [(_edge(first + place, step), _edge(first + place + 1, step), int(n)) for place, n in enumerate(counts)]


def _edge(number: int, step: float) -> float:
    return float(10.0 ** min(number * step, 308.0))


def _quantile(losses: Numbers, share: float) -> float:
    place = max(0, math.ceil(share * len(losses)) - 1)
    return float(np.partition(losses, place)[place])


def worst_records(ruling: Ruling, most: int = WORST) -> list[dict[str, Any]]:
    """The records that lose the most against any dictionary, by definition or by replay, each by its number.

    Of equal losses the larger chance goes first, and then the earlier record.
    """
    attacks = [attack for attack in ruling.attacks.values() if attack is not None]
    loss = np.max([some for attack in attacks for some in attack.losses.values()], axis=0)
    chances = ruling.problem.loss.chances
    chance = np.max([chances(some) for attack in attacks for some in attack.people.values()], axis=0)
    wanted = min(most, len(loss))
    near = np.flatnonzero(loss >= np.partition(loss, len(loss) - wanted)[len(loss) - wanted])
    order = near[np.lexsort((near, -chance[near], -loss[near]))][:wanted]
    return [
        {
            "record": ruling.number(place),
            "loss": float(loss[place]),
            "chance": float(chance[place]),
            "dictionaries": {one.name: _against(ruling, one.name, place) for one in ruling.problem.dictionaries},
        }
        for place in order.tolist()
    ]


def _against(ruling: Ruling, name: str, place: int) -> dict[str, Any]:
    return {how: _one(ruling, attack, name, place) for how, attack in ruling.attacks.items()}


def _one(ruling: Ruling, attack: Attack | None, name: str, place: int) -> dict[str, Any] | None:
    if attack is None:
        return None
    people = attack.people[name][place : place + 1]
    return {
        "loss": float(attack.losses[name][place]),
        "chance": float(ruling.problem.loss.chances(people)[0]),
        "people": int(people[0]),
    }
