"""How many people have too large a chance of being found."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.digits import told_apart
from riskapp.core.extended import Numbers
from riskapp.core.table.people import largest_each
from riskapp.core.watching import Stop
from riskapp.engine.assess import Prepared
from riskapp.engine.reporting import Report
from riskapp.engine.ruling.ruling import Attack, Named, Ruling, ruling

Flags = npt.NDArray[np.bool_]


def exposed(
    prepared: Prepared,
    rule: Named,
    chances: Iterable[float],
    *,
    progress: Report | None = None,
    stop: Stop | None = None,
) -> dict[float, int]:
    """For each chance how many people have a larger one, with any dictionary, by definition or by replay."""
    found = ruling(prepared, rule, progress, stop)
    each = [_chances(found, attack, name) for attack in found.attacks.values() if attack for name in attack.people]
    return {chance: int(np.any([above(some, chance) for some in each], axis=0).sum()) for chance in chances}


def people_above(found: Ruling, name: str, chance: float | None) -> dict[str, Any] | None:
    """How many people have a larger chance with one dictionary; None without a limit."""
    if chance is None:
        return None
    counted = {
        how: None if attack is None else int(above(_chances(found, attack, name), chance).sum())
        for how, attack in found.attacks.items()
    }
    return {"chance": chance, **counted}


def _chances(found: Ruling, attack: Attack, name: str) -> Numbers:
    """Of every person the largest chance of being found."""
    return largest_each(found.problem.loss.chances(attack.people[name]), found.problem.people)


def above(chances: Numbers, limit: float) -> Flags:
    """Which chances are above a limit, to twelve digits.

    >>> above(np.array([0.1 + 0.2, 0.5]), 0.3)
    array([False,  True])
    """
    different, kind = np.unique(chances, return_inverse=True)
    found: Flags = (told_apart(different) > told_apart([limit]))[kind]
    return found
