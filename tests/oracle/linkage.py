"""Linkage data: rows without names that make a released record finer before it is looked up."""

from tests.oracle.arithmetic import total
from tests.oracle.consistency import Cells, consistent
from tests.oracle.hierarchies import Cell
from tests.oracle.problem import Linkage, Problem

Linked = tuple[Cells, list[float]]


def join(cells: Cells, other: dict[str, Cell]) -> Cells:
    """y ∨ z: attribute by attribute the finer of the two cells, that of the lower level."""
    return {name: min(cell, other.get(name, cell), key=lambda one: one[0]) for name, cell in cells.items()}


def linked(problem: Problem, linkage: Linkage, cells: Cells) -> list[Linked]:
    """Every y ∨ z over the rows z consistent with y, with the weights gained; y alone if there is none."""
    found = [
        (join(cells, row), added)
        for row, added in zip(linkage.rows, linkage.added, strict=True)
        if consistent(problem.attributes, row, {}, cells)
    ]
    return found or [(cells, [])]


def expectation(losses: list[float]) -> float:
    """Each consistent row is as likely as the others."""
    return total(losses) / len(losses)
