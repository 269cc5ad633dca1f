"""Value generalisation hierarchies, one file for each way to give one."""

from pathlib import Path
from typing import Any

from tests.oracle.hierarchies.bare import Bare
from tests.oracle.hierarchies.base import TOP_LABEL, Cell, Hierarchy
from tests.oracle.hierarchies.dates import Dates
from tests.oracle.hierarchies.intervals import Intervals
from tests.oracle.hierarchies.listed import from_file, from_groups
from tests.oracle.hierarchies.masks import Mask
from tests.oracle.reading import Refused, only

__all__ = ["TOP_LABEL", "Cell", "Hierarchy", "build"]

KINDS: dict[str, set[str]] = {
    "file": {"file", "header"},
    "groups": {"groups"},
    "intervals": {"intervals"},
    "dates": {"dates"},
    "mask": {"mask", "from"},
}


def build(given: dict[str, Any] | None, folder: Path) -> Hierarchy:
    """The hierarchy that an assessment's `hierarchy` key describes; none given is value → `*`."""
    if given is None:
        return Bare()
    kind = next((kind for kind in KINDS if kind in given), None)
    if kind is None:
        raise Refused("hierarchy: one of file, groups, intervals, dates or mask is needed")
    only(given, KINDS[kind], "hierarchy")
    if kind == "file":
        return from_file(folder / given["file"], bool(given.get("header", False)))
    if kind == "groups":
        return from_groups(given["groups"])
    if kind == "intervals":
        return intervals(given["intervals"])
    return Dates(given["dates"]) if kind == "dates" else Mask(given["mask"], given.get("from", "right"))


def intervals(given: dict[str, Any]) -> Intervals:
    """Intervals from 0 in units of 1 unless said otherwise."""
    only(given, {"from", "widths", "unit"}, "hierarchy.intervals")
    return Intervals(given.get("from", 0), given["widths"], given.get("unit", 1))
