"""A hierarchy from groups written out: a map from each group to its values, or to a map of smaller groups."""

from collections.abc import Iterator, Mapping
from typing import Any

from riskapp.core.table.build_rows import from_rows
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import Hierarchy

Path = tuple[int, ...]


def from_groups(attribute: str, groups: Mapping[Any, Any]) -> Hierarchy:
    """The hierarchy of nested groups, the largest outside; n(v) counts the values listed.

    Parameters
    ----------
    attribute : the name of the attribute
    groups : for each group either a list of values or a map of its own groups; shallow groups are repeated below `*`

    Raises
    ------
    BadHierarchy
        If a group is empty or neither list nor map, if a label is no text, or for what `from_rows` refuses. Lines are
        counted in values, in the order in which they are written.

    Examples
    --------
    >>> race = from_groups("race", {"European": ["White"], "Asian": {"East": ["Chinese", "Japanese"]}})
    >>> [labels.to_pylist()[1:] for labels in race.labels]
    [['White', 'Chinese', 'Japanese'], ['European', 'East'], ['European', 'Asian'], ['*']]
    """
    if not isinstance(groups, Mapping):
        raise _wrong(attribute, (), "Give a map from each group to its values.")
    return from_rows(attribute, [row[::-1] for row in _rows(attribute, groups, ())])


def _rows(attribute: str, inside: Any, path: Path) -> Iterator[list[str]]:
    """One row for each value below, from the largest group to the value."""
    if not isinstance(inside, Mapping | list | tuple) or not inside:
        raise _wrong(attribute, path, "A group is a list of values or a map of groups, and not empty.")
    for place, name in enumerate(inside, start=1):
        label = _label(attribute, name, (*path, place))
        if isinstance(inside, Mapping):
            yield from ([label, *row] for row in _rows(attribute, inside[name], (*path, place)))
        else:
            yield [label]


def _label(attribute: str, name: Any, path: Path) -> str:
    if isinstance(name, str):
        return name
    if isinstance(name, int) and not isinstance(name, bool):
        return str(name)
    raise _wrong(attribute, path, "This is not read as text. Write it in quotes.")


def _wrong(attribute: str, path: Path, message: str) -> BadHierarchy:
    """The place is told by counting: the labels may be values of the data."""
    return BadHierarchy(attribute, message, key="groups" + "".join(f"[{place}]" for place in path))
