"""Arithmetic with ∞: weights, sensitivities and risks may be infinite, and 0·∞ = 0."""

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
INFINITE = float("inf")


def times(one: npt.ArrayLike, other: npt.ArrayLike) -> Numbers:
    """The products, in which 0·∞ = 0: what cannot happen does no harm, however great it would be.

    >>> times([0.0, 0.5, 0.5], [INFINITE, INFINITE, 3.0])
    array([0. , inf, 1.5])
    """
    left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        product = np.asarray(left * right)
    return np.where((left == 0) | (right == 0), 0.0, product)


def plus(first: Numbers, *others: Numbers) -> Numbers:
    """The sums, place by place; beyond the largest number they are ∞.

    >>> plus(np.array([1.0, 1e308]), np.array([2.0, 1e308]))
    array([ 3., inf])
    """
    sums = first.copy()
    with np.errstate(over="ignore"):
        for other in others:
            sums += other
    return sums


def inverse(numbers: npt.ArrayLike) -> Numbers:
    """1/x, with 1/0 = ∞ and 1/∞ = 0.

    >>> inverse([0.0, 4.0, INFINITE])
    array([ inf, 0.25, 0.  ])
    """
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(1.0 / np.asarray(numbers, dtype=np.float64))


def total(numbers: Numbers) -> float:
    """The sum; beyond the largest number it is ∞.

    >>> total(np.array([1e308, 1e308]))
    inf
    """
    with np.errstate(over="ignore"):
        return float(numbers.sum())
