"""Parts of a rule's page, slowly and obviously: quantiles, bins, and the records that lose the most."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

Each = Mapping[str, Sequence[float]]


def quantile(losses: Sequence[float], share: str) -> float:
    """The smallest loss that at least so large a share of the records does not exceed."""
    enough = Fraction(share) * len(losses)
    return min(loss for loss in losses if sum(other <= loss for other in losses) >= enough)


def inside(losses: Sequence[float], low: float, high: float) -> int:
    """How many losses are at least the one number and below the other; edges are rounded in their last digits."""
    return sum(low * (1 - 1e-12) <= loss < high * (1 - 1e-12) for loss in losses if math.isfinite(loss))


def worst(losses: Sequence[Each], chances: Sequence[Each], most: int) -> list[tuple[int, float, float]]:
    """The place, loss and chance of those who lose the most, whoever attacks and however.

    Parameters
    ----------
    losses, chances : by definition and by replay, each by dictionary, of every record
    most : how many
    """
    records = range(len(next(iter(losses[0].values()))))
    told = [
        (place, *(max(each[place] for way in ways for each in way.values()) for ways in (losses, chances)))
        for place in records
    ]
    return sorted(told, key=lambda one: (-one[1], -one[2], one[0]))[:most]
