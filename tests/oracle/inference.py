"""What a group betrays about a sensitive column of its members."""

import math
from collections.abc import Sequence

from tests.oracle.arithmetic import times, total
from tests.oracle.groups import keys, members, value_counts
from tests.oracle.problem import Problem
from tests.oracle.release import Released
from tests.oracle.sensitivity import leaf_weights


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


def weighted_inference(problem: Problem, rows: Sequence[Released], name: str) -> dict[str, float]:
    """By how much it hurts: the mean by the weight of each record's true value, and the largest weight × gain.

    A missing value weighs nothing. Beside a weight of ∞ all others are nothing.
    """
    each = list(zip(record_inferences(problem, rows, name), value_weights(problem, name), strict=True))
    worst = max(times(weight, gain) for gain, weight in each)
    if any(weight == math.inf for _, weight in each):
        each = [(gain, 1.0 if weight == math.inf else 0.0) for gain, weight in each]
    whole = total(weight for _, weight in each)
    return {"mean": total(gain * weight for gain, weight in each) / whole if whole else 0.0, "worst": worst}


def value_weights(problem: Problem, name: str) -> list[float]:
    """What each record's true value weighs for its person."""
    own = [(record, record.values[name]) for record in problem.records]
    attribute = problem.attributes[name]
    return [0.0 if value is None else leaf_weights(attribute, record)(value) for record, value in own]
