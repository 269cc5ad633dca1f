"""How a weight falls as its value is generalised: by a step, or harmonically.

Both give, for each level, the weight of every *leaf code* when the leaf is shown at that level; missing (code 0) and
the top weigh nothing.
"""

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers, inverse, times
from riskapp.core.table.hierarchy import Hierarchy

Flags = npt.NDArray[np.bool_]
Levels = tuple[Numbers, ...]

FALLS = ("step", "harmonic")


def step(hierarchy: Hierarchy, leaves: Numbers) -> Levels:
    """The leaf's weight until the top, then 0.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> skin = from_groups("illness", {"skin": ["acne", "rash"]})
    >>> [weights.tolist() for weights in step(skin, np.array([0.0, 0.01, 3.0]))]
    [[0.0, 0.01, 3.0], [0.0, 0.01, 3.0], [0.0, 0.0, 0.0]]
    """
    return (*(leaves for _ in range(hierarchy.height)), np.zeros_like(leaves))


def harmonic(hierarchy: Hierarchy, leaves: Numbers, own: float, special: Flags) -> Levels:
    """w(parent) = 1 / Σ 1/w(child) over the children in the domain, with 1/0 = ∞ and 1/∞ = 0; w(⊥) = 0.

    Level by level this is 1 / Σ 1/w over the n(v) leaves of the domain under v: a leaf of weight 0 makes all groups
    above it weigh nothing, and one of weight ∞ does not count. With equal leaves it is w / n(v).

    Parameters
    ----------
    hierarchy : the attribute's
    leaves : the weight of every leaf code
    own : the attribute's weight, which is that of all leaves of the domain that are not special
    special : which leaves of the domain have a weight of their own

    Raises
    ------
    ValueError
        If more leaves under a group are special than the domain has there.

    Examples
    --------
    >>> from riskapp.core.table.build_groups import from_groups
    >>> ill = from_groups("illness", {"any": ["HIV", "acne"]})
    >>> levels = harmonic(ill, np.array([0, 10, 0.01]), 1.0, np.array([False, True, True]))
    >>> levels[1].round(5)
    array([0.     , 0.00999, 0.00999])
    """
    below = [_spread(hierarchy, level, leaves, own, special) for level in range(1, hierarchy.height)]
    levels = (leaves, *below, np.zeros_like(leaves))
    return levels if not hierarchy.stand_ins[0] else tuple(_falling(np.array(levels), hierarchy.stand_ins[0]))


def _falling(levels: Numbers, stand_ins: int) -> Numbers:
    """No group weighs more than a stand-in in it, though the domain has leaves there that do and not the stand-in."""
    levels[::-1, -stand_ins:] = np.maximum.accumulate(levels[::-1, -stand_ins:], axis=0)
    return levels


def _spread(hierarchy: Hierarchy, level: int, leaves: Numbers, own: float, special: Flags) -> Numbers:
    """The harmonic weight at one level between the leaves and the top."""
    above, counts = hierarchy.ancestors[level], hierarchy.leaf_counts[level]
    number = np.bincount(above, weights=special, minlength=len(counts))
    sums = np.bincount(above, weights=np.where(special, inverse(leaves), 0.0), minlength=len(counts))
    if (number > counts).any():
        raise ValueError(f'More leaves of "{hierarchy.attribute}" have weights than its domain holds.')
    mixed = inverse(sums + times(counts - number, inverse(own)))
    # Where all leaves weigh the same, one division is more exact than two.
    weights = np.where(number == 0, own / counts, mixed)
    weights[0] = 0.0
    shown: Numbers = weights[above]
    return shown
