"""The slow obvious twin of the preview: every record by itself, its label at each level worked out by hand."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

Spec = Mapping[str, Any] | None


def path(spec: Spec, value: str) -> list[str] | None:
    """The labels of a value from the leaf to the top; None if the hierarchy has no place for it."""
    if spec is None:
        return [value, "*"]
    if "rows" in spec:
        return next((list(row) for row in spec["rows"] if row[0] == value), None)
    if "dates" in spec:
        return _date(value, spec["dates"])
    if "intervals" in spec:
        return _interval(value, spec["intervals"])
    return _mask(value, spec["mask"], spec.get("from", "right"))


def _date(value: str, steps: Sequence[str]) -> list[str] | None:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return None
    if day.isoformat() != value:
        return None
    return [value, *(value[: {"month": 7, "year": 4}[step]] for step in steps), "*"]


def _interval(value: str, given: Mapping[str, Any]) -> list[str] | None:
    try:
        number = Fraction(value)
    except ValueError:
        return None
    if number < given["from"]:
        return None
    starts = [given["from"] + (number - given["from"]) // width * width for width in given["widths"]]
    ends = [f"[{low},{low + width})" for low, width in zip(starts, given["widths"], strict=True)]
    return [str(number), *ends, "*"]


def _mask(value: str, signs: int, end: str) -> list[str]:
    if end == "left":
        masked = ["*" * min(level, len(value)) + value[level:] for level in range(signs)]
    else:
        masked = [value[: max(len(value) - level, 0)] + "*" * min(level, len(value)) for level in range(signs)]
    return [*masked, "*"]


def levels(spec: Spec, cells: Sequence[str | None], height: int) -> list[tuple[int, int, int]]:
    """For each level the groups, the records of the smallest, and the records alone."""
    paths = [found for cell in cells if cell is not None and (found := path(spec, cell))]
    counted = [Counter(found[level] for found in paths) for level in range(height + 1)]
    return [
        (len(count), min(count.values(), default=0), sum(1 for times in count.values() if times == 1))
        for count in counted
    ]
