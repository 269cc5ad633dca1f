"""l and t of a released table: the worst group of each sensitive column."""

from collections.abc import Sequence

from tests.oracle import anonymity
from tests.oracle.groups import members, value_counts
from tests.oracle.problem import Attribute, Problem
from tests.oracle.release import Released

Counts = dict[str | None, int]


def group_counts(problem: Problem, rows: Sequence[Released], name: str) -> list[Counts]:
    """The counts of a column's values in every group."""
    return [value_counts(problem, places, name) for places in members(problem, rows).values()]


def closeness(attribute: Attribute, group: Counts, table: Counts) -> float:
    """t of one group: along the order where the column has one (missing comes last), else between categories."""
    if attribute.order is None:
        return anonymity.categorical_distance(group, table)
    order: list[str | None] = [*attribute.order, *([None] if None in table else [])]
    return anonymity.ordered_distance(group, table, order)


def largest_t(problem: Problem, rows: Sequence[Released], attribute: Attribute) -> float:
    """The largest distance of a group from the whole table."""
    table = value_counts(problem, range(len(rows)), attribute.name)
    return max(
        (closeness(attribute, group, table) for group in group_counts(problem, rows, attribute.name)), default=0.0
    )


def smallest_l(problem: Problem, rows: Sequence[Released], name: str) -> dict[str, float]:
    """Distinct, probabilistic and entropy l of the worst group; nothing when every row is suppressed."""
    groups = group_counts(problem, rows, name)
    if not groups:
        return {}
    return {
        "distinct": min(anonymity.distinct_l(group) for group in groups),
        "probabilistic": min(anonymity.probabilistic_l(group) for group in groups),
        "entropy": min(anonymity.entropy_l(group) for group in groups),
    }


def is_recursive(problem: Problem, rows: Sequence[Released], name: str, factor: float, least: int) -> bool:
    """Whether every group is recursive (c, l)."""
    return all(anonymity.recursive(group, factor, least) for group in group_counts(problem, rows, name))
