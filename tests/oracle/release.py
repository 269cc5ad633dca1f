"""A released table: one row per record, whatever rule it came from."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.consistency import Cells
from tests.oracle.hierarchies import TOP_LABEL
from tests.oracle.problem import Attribute, Problem, Values
from tests.oracle.reading import Refused

Node = tuple[int, ...]
Shown = tuple[str, ...]


@dataclass
class Released:
    """What is released of one record: the cells as the mathematics sees them, and the text as a reader sees it.

    A missing value is ⊥ to the mathematics; it is shown empty below the top level and `*` at the top.
    """

    cells: Cells
    shown: Shown
    suppressed: bool = False


def release_value(attribute: Attribute, value: str | None, level: int) -> tuple[tuple[int, str], str]:
    """The cell and the text of one value generalised to a level."""
    hierarchy = attribute.hierarchy
    if value is None:
        return hierarchy.top, TOP_LABEL if level == hierarchy.height else ""
    cell = hierarchy.above((0, value), level)
    return cell, cell[1]


def release_record(problem: Problem, values: Values, node: Node | None) -> Released:
    """One record released at a node; None suppresses it. Kept columns stay at level 0."""
    if node is None:
        return suppressed(problem)
    steps = iter(node)
    levels = {name: 0 if attribute.kept else next(steps) for name, attribute in problem.attributes.items()}
    parts = {name: release_value(problem.attributes[name], values[name], level) for name, level in levels.items()}
    return Released({name: cell for name, (cell, _) in parts.items()}, tuple(text for _, text in parts.values()))


def suppressed(problem: Problem) -> Released:
    """A row of `*`, kept columns too."""
    cells = {name: attribute.hierarchy.top for name, attribute in problem.attributes.items()}
    return Released(cells, (TOP_LABEL,) * len(cells), suppressed=True)


def from_nodes(problem: Problem, nodes: Sequence[Node | None]) -> list[Released]:
    """The release in which each record has a node of its own."""
    return [release_record(problem, record.values, node) for record, node in zip(problem.records, nodes, strict=True)]


def full_domain(problem: Problem, node: Node) -> list[Released]:
    """The release in which every record has the same node."""
    return from_nodes(problem, [node] * len(problem.records))


def from_labels(problem: Problem, rows: Sequence[Sequence[str]]) -> list[Released]:
    """A released table read back from its text, one row per record and one cell per attribute.

    An empty cell is missing. A label that several levels share is taken at the lowest. A row of `*` is suppressed.
    """
    return [read_back(problem, tuple(row)) for row in rows]


def read_back(problem: Problem, row: Shown) -> Released:
    """One row of text as cells."""
    if all(text == TOP_LABEL for text in row):
        return suppressed(problem)
    cells: Cells = {}
    for attribute, text in zip(problem.attributes.values(), row, strict=True):
        hierarchy = attribute.hierarchy
        cells[attribute.name] = hierarchy.top if text == "" else (hierarchy.level_of(text), text)
        if not hierarchy.covers(cells[attribute.name]):
            raise Refused("a label is not in the hierarchy")
    return Released(cells, row)
