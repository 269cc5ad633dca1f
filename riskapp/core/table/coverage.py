"""Coverage: how many records a dictionary meets nobody, one person, a few or many for.

A record that meets nobody is not covered: generalising it can only raise the chance of a false identification, so the
officer should know how many there are before trusting a risk.
"""

import numpy as np

from riskapp.core.table.hierarchy import Counts

BANDS = {"0": 0, "1": 1, "2-5": 2, "6-20": 6, ">20": 21}
"""Each with the smallest number of people in it."""


def coverage(people: Counts) -> dict[str, int]:
    """The number of records in each band of |ρ|.

    >>> coverage(np.array([0, 1, 1, 5, 6, 20, 21, 400]))
    {'0': 1, '1': 2, '2-5': 1, '6-20': 2, '>20': 2}
    """
    band = np.searchsorted(list(BANDS.values()), people, side="right") - 1
    return dict(zip(BANDS, np.bincount(band, minlength=len(BANDS)).tolist(), strict=True))
