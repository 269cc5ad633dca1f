"""Which dictionary entries may be the person of a released record."""

from tests.oracle.hierarchies import Cell, Hierarchy
from tests.oracle.problem import Attribute, Dictionary, Entry, counted

Cells = dict[str, Cell]


def comparable_cells(hierarchy: Hierarchy, one: Cell, other: Cell) -> bool:
    """Two cells are comparable when they are the same at the coarser of their levels; ⊥ is so with all."""
    level = max(one[0], other[0])
    return hierarchy.above(one, level) == hierarchy.above(other, level)


def consistent(attributes: dict[str, Attribute], known: Cells, fuzzy: dict[str, list[Cell]], released: Cells) -> bool:
    """Every attribute that both sides know is comparable; by likeness, any of the cells a value stands for may be.

    A value that stands for no cell at all is consistent with nothing.
    """
    plain = all(comparable_cells(attributes[name].hierarchy, cell, released[name]) for name, cell in known.items())
    return plain and all(
        any(comparable_cells(attributes[name].hierarchy, cell, released[name]) for cell in cells)
        for name, cells in fuzzy.items()
    )


def consistent_entries(attributes: dict[str, Attribute], dictionary: Dictionary, released: Cells) -> list[Entry]:
    """ρ(y, θ): the entries consistent with a released record."""
    return [entry for entry in dictionary.entries if consistent(attributes, entry.known, entry.fuzzy, released)]


def consistent_people(attributes: dict[str, Attribute], dictionary: Dictionary, released: Cells) -> int:
    """|ρ(y, θ)|: how many people the consistent entries stand for."""
    return counted(consistent_entries(attributes, dictionary, released))
