"""How much a release still says."""

import math

from tests.oracle.arithmetic import total
from tests.oracle.hierarchies import Cell, Hierarchy
from tests.oracle.problem import Problem
from tests.oracle.release import Released, suppressed

LOSSES = ("xiao-tao", "lm")


def cell_utility(measure: str, hierarchy: Hierarchy, cell: Cell) -> float:
    """One cell's share: depth h − level, 1/n, ln(m/n), −(n−1)/m, or −(n−1)/(m−1), the last 0 when m is 1."""
    under, size = hierarchy.leaves_under(cell), hierarchy.size()
    if cell == hierarchy.top:
        under = size
    if measure == "depth":
        return float(hierarchy.height - cell[0])
    if size == 0:
        return 0.0  # every cell of the column is missing and no file says what could stand there
    if measure == "inverse-leaves":
        return 1 / under
    if measure == "log-leaves":
        return math.log(size / under)
    return -(under - 1) / size if measure == "xiao-tao" else -(under - 1) / max(size - 1, 1)


def record_utility(problem: Problem, row: Released) -> float:
    """The weighted sum over the attributes that have a hierarchy."""
    settings = problem.settings
    return total(
        settings.utility_weights.get(attribute.name, 1.0)
        * cell_utility(settings.measure, attribute.hierarchy, row.cells[attribute.name])
        for attribute in problem.generalised()
    )


def utility(problem: Problem, rows: list[Released], how: str | None = None) -> float:
    """The mean, smallest or largest utility over the records."""
    each = [record_utility(problem, row) for row in rows]
    how = how or problem.settings.utility_over_records
    if how == "mean":
        return total(each) / len(each)
    return max(each) if how == "max" else min(each)


def utility_share(problem: Problem, value: float, unchanged: float) -> float:
    """The utility over that of the unchanged table; for the loss forms 1 − loss / largest loss. 0/0 is 1."""
    if problem.settings.measure in LOSSES:
        largest = -record_utility(problem, suppressed(problem))
        return 1 + value / largest if largest else 1.0
    return value / unchanged if unchanged else 1.0
