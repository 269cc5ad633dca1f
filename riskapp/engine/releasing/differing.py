"""Which figures differ: what was approved against what was found, beyond rounding."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from riskapp.core.errors import RiskappError
from riskapp.engine.outgoing.releasing import TOLERANCE


class FiguresDiffer(RiskappError):
    """The file does not have the figures that were approved, so it does not leave.

    >>> str(FiguresDiffer(["risk", "utility"]))
    'These figures of the file are not the approved ones: risk, utility. The release stays here.'
    """

    def __init__(self, names: list[str]) -> None:
        self.names = names
        listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        super().__init__(f"These figures of the file are not the approved ones: {listed}. The release stays here.")


def differing(approved: Any, found: Any, where: str = "") -> Iterator[str]:
    """The paths of the figures that were approved and are not found to be the same.

    >>> list(differing({"risk": 0.3, "people": [1, 2]}, {"risk": 0.1 + 0.2, "people": [1, 3], "more": 1}))
    ['people.1']
    """
    if isinstance(approved, Mapping) and isinstance(found, Mapping):
        for key in approved:
            path = f"{where}.{key}" if where else str(key)
            if key in found:
                yield from differing(approved[key], found[key], path)
            else:
                yield path
    elif isinstance(approved, list | tuple) and isinstance(found, list | tuple) and len(approved) == len(found):
        for place, (one, other) in enumerate(zip(approved, found, strict=True)):
            yield from differing(one, other, f"{where}.{place}" if where else str(place))
    elif not alike(approved, found):
        yield where


def alike(one: Any, other: Any) -> bool:
    """Whether two figures are equal up to rounding; infinite ones may be words.

    >>> alike(0.3, 0.1 + 0.2), alike("inf", float("inf")), alike(None, 0.0), alike(True, 1)
    (True, True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    try:
        first, second = float(one), float(other)
    except (TypeError, ValueError):
        return bool(one == other)
    return first == second or math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
