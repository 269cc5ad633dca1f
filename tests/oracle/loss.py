"""The loss of one record, from its sensitivity and the number of people it may be."""

import math

from tests.oracle.arithmetic import times
from tests.oracle.problem import Settings


def chance(people: int, uncovered: str) -> float:
    """p = 1/|ρ|. With nobody consistent it is 1 when |ρ| counts as at least one, else 0."""
    if uncovered == "one":
        people = max(people, 1)
    return 1 / people if people else 0.0


def expected_harm(phi: float, probability: float, unidentified: float) -> float:
    """Model I: p·Φ + (1−p)·Ψ, with 0·∞ = 0."""
    return times(probability, phi) + times(1 - probability, unidentified)


def entropic(phi: float, people: int, everybody: int) -> float:
    """Model III: Φ·(1 − ln|ρ| / ln|θ|); Φ when |θ| is 1, and when only nobody counting as one is consistent."""
    if everybody <= 1 or people == 1:
        return phi
    return times(phi, 1 - math.log(people) / math.log(everybody))


def loss(settings: Settings, phi: float, people: int, everybody: int) -> float:
    """The loss by the model chosen; with nobody consistent and `zero`, Ψ in model I and 0 in II and III."""
    probability = chance(people, settings.uncovered)
    if settings.model == "sensitivity":
        return expected_harm(phi, probability, settings.unidentified)
    if settings.model == "anonymity" or probability == 0:
        return probability
    return entropic(phi, max(people, 1), everybody)
