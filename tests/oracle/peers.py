"""Risks that other programs report, measured on the released table; suppressed rows do not count."""

from collections.abc import Sequence

from tests.oracle.arithmetic import total
from tests.oracle.groups import keys, sizes
from tests.oracle.loss import chance
from tests.oracle.people import counts
from tests.oracle.problem import Dictionary, Problem
from tests.oracle.release import Released


def summary(chances: list[float], threshold: float) -> dict[str, float]:
    """The largest and the average chance, and the share of records above a threshold."""
    if not chances:
        return {"largest": 0.0, "average": 0.0, "share_above": 0.0}
    return {
        "largest": max(chances),
        "average": total(chances) / len(chances),
        "share_above": sum(value > threshold for value in chances) / len(chances),
    }


def prosecutor_chances(problem: Problem, rows: Sequence[Released]) -> list[float]:
    """One over the number of people in the record's group."""
    found = sizes(problem, rows)
    return [1 / found[key] for key in keys(problem, rows) if key is not None]


def journalist_chances(problem: Problem, dictionary: Dictionary, rows: Sequence[Released]) -> list[float]:
    """One over the number of people of a dictionary who are consistent with the record."""
    released = [row for row in rows if not row.suppressed]
    return [chance(count, problem.settings.uncovered) for count in counts(problem, dictionary, released)]


def prosecutor(problem: Problem, rows: Sequence[Released], threshold: float) -> dict[str, float]:
    """The attacker knows that the target is in the dataset."""
    return summary(prosecutor_chances(problem, rows), threshold)


def journalist(
    problem: Problem, dictionary: Dictionary, rows: Sequence[Released], threshold: float
) -> dict[str, float]:
    """The attacker does not know it and looks the target up in a dictionary."""
    return summary(journalist_chances(problem, dictionary, rows), threshold)


def marketer(problem: Problem, rows: Sequence[Released], dictionary: Dictionary | None = None) -> float:
    """The share of records the attacker is expected to name rightly when naming them all."""
    if dictionary is None:
        return prosecutor(problem, rows, 0.0)["average"]
    return journalist(problem, dictionary, rows, 0.0)["average"]


def sample_uniques(problem: Problem, rows: Sequence[Released]) -> int:
    """How many records are alone in their group: one person."""
    found = sizes(problem, rows)
    return sum(key is not None and found[key] == 1 for key in keys(problem, rows))
