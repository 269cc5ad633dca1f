"""Numbers that never fall: sorting them fast, and the places at which they reach or pass a bound."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from riskapp.core.digits import rounded
from riskapp.core.extended import Numbers
from riskapp.core.search.looking import Whole

SAMPLED = 10_000
"""So many numbers tell where others are to be parted."""


def stable_order(numbers: Numbers, parts: int = 8, threads: int = 2) -> Whole:
    """The order that sorts numbers, equal ones as they stand: of parts between quantiles, sorted side by side.

    >>> stable_order(np.array([2.0, 1.0, 2.0, 1.0]))
    array([1, 3, 0, 2])
    """
    some = np.sort(numbers[:: max(1, len(numbers) // SAMPLED)])
    bounds = np.unique(some[np.arange(1, parts) * len(some) // parts]) if len(some) else some
    part = np.zeros(len(numbers), np.int8)
    for bound in bounds:
        part += numbers >= bound

    def ordered(number: int) -> Whole:
        places = np.flatnonzero(part == number)
        return places[np.argsort(numbers[places], kind="stable")]

    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(ordered, range(len(bounds) + 1))))


def first_from(rising: Numbers, bound: float) -> int:
    """The first place with at least the bound, in twelve digits."""
    place = int(np.searchsorted(rising, bound - abs(bound) * 1e-10))
    while place < len(rising) and rounded(float(rising[place]), float(rising[place])) < rounded(bound, bound):
        place += 1
    return place


def first_above(rising: Numbers, bound: float) -> int:
    """The first place above the bound, in twelve digits."""
    place = int(np.searchsorted(rising, bound))
    while place < len(rising) and rounded(float(rising[place]), float(rising[place])) <= rounded(bound, bound):
        place += 1
    return place
