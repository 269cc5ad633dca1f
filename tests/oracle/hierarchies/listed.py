"""Hierarchies that name every leaf: from a file, or from nested groups."""

from pathlib import Path
from typing import Any

from tests.oracle import reading
from tests.oracle.hierarchies.base import TOP_LABEL, Cell, Hierarchy
from tests.oracle.reading import Refused


class Listed(Hierarchy):
    """A hierarchy given as one row per leaf, from the leaf upwards.

    Short rows repeat their last value below the top; `*` is put on top unless every row ends in it. The leaves are
    exactly those listed.
    """

    def __init__(self, rows: list[list[str]], names: list[str]) -> None:
        super().__init__()
        paths = full_paths(rows)
        self._paths = {path[0]: path for path in paths}
        self.height = len(paths[0]) - 1
        self.level_names = {name: level for level, name in enumerate(names) if level <= self.height}
        self._parents = nested(paths)

    def labels_from(self, level: int, label: str) -> list[str]:
        if level == self.height:
            if label != TOP_LABEL:
                raise Refused("a value is not in the hierarchy")
            return [TOP_LABEL]
        if (level, label) not in self._parents:
            raise Refused("a value is not in the hierarchy")
        return [label, *self.labels_from(level + 1, self._parents[level, label])]

    def leaves(self, occurring: list[Cell]) -> list[str]:
        return list(self._paths)

    def level_of(self, label: str) -> int:
        if label == TOP_LABEL:
            return self.height
        return min((level for level, known in self._parents if known == label), default=self.height + 1)

    def some_leaf(self, level: int, label: str) -> str:
        return next(leaf for leaf, path in self._paths.items() if path[level] == label)


def full_paths(rows: list[list[str]]) -> list[list[str]]:
    """The rows padded to one length, with `*` on top of each."""
    if not rows:
        raise Refused("a hierarchy has no leaves")
    if all(row[-1] == TOP_LABEL and len(row) > 1 for row in rows):
        rows = [row[:-1] for row in rows]
    if any(TOP_LABEL in row for row in rows):
        raise Refused("* stands below the top")
    longest = max(len(row) for row in rows)
    return [row + [row[-1]] * (longest - len(row)) + [TOP_LABEL] for row in rows]


def nested(paths: list[list[str]]) -> dict[Cell, str]:
    """The label above each cell; refused when a leaf stands twice or a label has two parents."""
    if len({path[0] for path in paths}) < len(paths):
        raise Refused("a leaf stands twice in a hierarchy")
    parents: dict[Cell, str] = {}
    for path in paths:
        for level, label in enumerate(path[:-1]):
            if parents.setdefault((level, label), path[level + 1]) != path[level + 1]:
                raise Refused(f"a value of level {level} has two parents")
    return parents


def from_file(path: Path, header: bool) -> Listed:
    """One row per leaf; empty cells at the end of a row do not count."""
    rows = [without_empty_end(row) for row in reading.rows(path)]
    names = rows.pop(0) if header else []
    return Listed(rows, names)


def without_empty_end(row: list[str]) -> list[str]:
    """The row up to its last cell that holds something."""
    while len(row) > 1 and row[-1] == "":
        row = row[:-1]
    return row


def from_groups(groups: dict[object, Any]) -> Listed:
    """Nested maps whose innermost values are lists of leaves."""
    return Listed(group_rows(groups, []), [])


def group_rows(groups: Any, outer: list[str]) -> list[list[str]]:
    """One row per leaf: the leaf, its group, the group of its group, …"""
    if isinstance(groups, list):
        return [[reading.as_text(leaf), *outer] for leaf in groups]
    found = []
    for name, inner in groups.items():
        found += group_rows(inner, [reading.as_text(name), *outer])
    return found
