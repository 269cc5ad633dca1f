"""Values that several sets have in common, against the sets of Python."""

import random

import numpy as np
import pytest

from riskapp.core.table.in_common import in_common


@pytest.mark.parametrize("seed", range(40))
def test_sets_drawn_at_random_have_in_common_what_their_intersection_holds(seed: int) -> None:
    chance = random.Random(seed)
    sets = [chance.sample(range(9), chance.randint(0, 9)) for _ in range(chance.randint(1, 6))]
    starts = np.cumsum([0, *map(len, sets)])
    values = np.array([value for one in sets for value in sorted(one)], dtype=np.int32)
    width = chance.randint(1, 4)
    chosen = [[chance.randrange(len(sets)) for _ in range(width)] for _ in range(30)]
    found = in_common(starts, values, np.array(chosen, dtype=np.int64))
    assert found.tolist() == [len(set.intersection(*(set(sets[one]) for one in row))) for row in chosen]
