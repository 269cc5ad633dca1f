"""What a group betrays about a sensitive column of its members."""

from collections.abc import Sequence

from tests.oracle.arithmetic import total
from tests.oracle.groups import keys, members, value_counts
from tests.oracle.problem import Problem
from tests.oracle.release import Released


def record_inferences(problem: Problem, rows: Sequence[Released], name: str) -> list[float]:
    """Per record: share of its true value in its group minus that in the table, never below 0; suppressed 0."""
    table = shares(value_counts(problem, range(len(rows)), name))
    groups = {key: shares(value_counts(problem, places, name)) for key, places in members(problem, rows).items()}
    found = []
    for record, key in zip(problem.records, keys(problem, rows), strict=True):
        value = record.values[name]
        found.append(0.0 if key is None else max(0.0, groups[key][value] - table[value]))
    return found


def shares(counts: dict[str | None, int]) -> dict[str | None, float]:
    """Each value's part of the whole."""
    whole = sum(counts.values())
    return {value: count / whole for value, count in counts.items()}


def inference(problem: Problem, rows: Sequence[Released], name: str) -> dict[str, float]:
    """The mean and the worst over the records."""
    each = record_inferences(problem, rows, name)
    return {"mean": total(each) / len(each), "worst": max(each)}
