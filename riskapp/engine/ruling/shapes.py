"""What a level does to a value, told without any value of the data: by an example made up, or by how many groups."""

from collections.abc import Mapping
from decimal import Decimal
from itertools import cycle, islice
from typing import Any

from riskapp.core.table.build import build
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList
from riskapp.engine.assessment.settings import AttributeKey

DAY = "1975-05-10"
DIGITS = "1234567890"
PART_WAY = Decimal("0.47")
"""So far into the first of the widest intervals the example lies: not at the edge of any."""


def shape(attribute: AttributeKey, hierarchy: Hierarchy, level: int) -> dict[str, Any]:
    """What a level shows of an attribute.

    `unchanged` and `nothing` need no more words; `example` has what a made-up value becomes; `groups` has their number.

    >>> from riskapp.core.table.build_dates import from_dates
    >>> born = AttributeKey("born", {"dates": ["year"]})
    >>> [shape(born, from_dates("born", [], ["year"]), level) for level in (0, 1)]
    [{'kind': 'unchanged'}, {'kind': 'example', 'before': '1975-05-10', 'after': '1975'}]
    """
    if level == 0:
        return {"kind": "unchanged"}
    if level == hierarchy.height:
        return {"kind": "nothing"}
    value = _made_up(attribute.hierarchy or {})
    if value is None:
        return {"kind": "groups", "level": level, "groups": hierarchy.groups[level]}
    example = build(attribute.name, attribute.hierarchy, [ValueList.of([value])], text_of=str)
    return {"kind": "example", "before": value, "after": example.labels[level][1].as_py()}


def _made_up(hierarchy: Mapping[str, Any]) -> str | None:
    """A value that the hierarchy covers whatever the data are; None where it lists its own."""
    if "dates" in hierarchy:
        return DAY
    if "mask" in hierarchy:
        return "".join(islice(cycle(DIGITS), int(hierarchy["mask"])))
    return _number(hierarchy["intervals"]) if "intervals" in hierarchy else None


def _number(intervals: Mapping[str, Any]) -> str:
    """
    >>> _number({"from": 0, "widths": [5, 20, 80]})
    '37'
    """
    start, unit = Decimal(str(intervals.get("from", 0))), Decimal(str(intervals.get("unit", 1)))
    widest = Decimal(str(intervals["widths"][-1]))
    return f"{start + unit * int(PART_WAY * widest / unit):f}"
