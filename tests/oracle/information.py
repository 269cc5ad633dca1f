"""What a released table has lost, measured on the table."""

import math
from collections.abc import Sequence

from tests.oracle.arithmetic import total
from tests.oracle.consistency import comparable_cells
from tests.oracle.groups import members
from tests.oracle.problem import Attribute, Problem
from tests.oracle.release import Released


def non_uniform_entropy(problem: Problem, rows: Sequence[Released]) -> float:
    """Σ over records and attributes of −log₂ (records with the original value / records under the released value)."""
    return total(
        cell_entropy(problem, attribute, place, row)
        for place, row in enumerate(rows)
        for attribute in problem.generalised()
    )


def cell_entropy(problem: Problem, attribute: Attribute, place: int, row: Released) -> float:
    """How many bits it takes to name the original value among those it may have been; 0 for a missing one."""
    own = problem.records[place].values[attribute.name]
    if own is None:
        return 0.0
    column = [record.values[attribute.name] for record in problem.records]
    possible = [value for value in column if value is not None and lies_under(attribute, value, row)]
    return -math.log2(column.count(own) / len(possible))


def lies_under(attribute: Attribute, value: str, row: Released) -> bool:
    """Whether a leaf lies under what the row shows."""
    return comparable_cells(attribute.hierarchy, (0, value), row.cells[attribute.name])


def average_class_size(problem: Problem, rows: Sequence[Released]) -> float:
    """Released rows per group; 0 when every row is suppressed."""
    groups = members(problem, rows)
    return sum(len(places) for places in groups.values()) / len(groups) if groups else 0.0


def discernibility(problem: Problem, rows: Sequence[Released]) -> int:
    """Σ over groups of the square of their rows, and for each suppressed row the number of all rows."""
    hidden = sum(row.suppressed for row in rows)
    return sum(len(places) ** 2 for places in members(problem, rows).values()) + hidden * len(rows)


def column_loss(attribute: Attribute, rows: Sequence[Released]) -> float:
    """LM of a column: the mean of (n − 1)/(m − 1), 0 when m is 1; a suppressed row counts 1."""
    hierarchy = attribute.hierarchy

    def one(row: Released) -> float:
        cell = row.cells[attribute.name]
        under = hierarchy.size() if cell == hierarchy.top else hierarchy.leaves_under(cell)
        return 1.0 if row.suppressed else (under - 1) / (hierarchy.size() - 1) if hierarchy.size() > 1 else 0.0

    return total(one(row) for row in rows) / len(rows)


def arx_loss(problem: Problem, rows: Sequence[Released]) -> float:
    """The geometric mean over the columns that have a hierarchy of 1 + LM, less 1."""
    columns = problem.generalised()
    return math.prod(1 + column_loss(attribute, rows) for attribute in columns) ** (1 / len(columns)) - 1
