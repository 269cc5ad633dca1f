"""The hierarchy of an attribute as the assessment file describes it, key by key."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from riskapp.core.table.build_dates import from_dates
from riskapp.core.table.build_file import from_text
from riskapp.core.table.build_groups import from_groups
from riskapp.core.table.build_intervals import from_intervals
from riskapp.core.table.build_masks import flat, from_masks
from riskapp.core.table.faults import BadHierarchy
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList

KEYS = {"file": {"header"}, "groups": set(), "intervals": set(), "dates": set(), "mask": {"from"}}
"""The five kinds, each with the keys that may stand beside it."""
INTERVALS = {"from", "widths", "unit"}

Text = Callable[[str], str]
Lists = Sequence[ValueList]


def build(attribute: str, wanted: Mapping[str, Any] | None, lists: Lists, *, text_of: Text) -> Hierarchy:
    """The hierarchy that the `hierarchy` key of an attribute describes.

    Parameters
    ----------
    attribute : the name of the attribute
    wanted : one of `{file, header}`, `{groups}`, `{intervals: {from, widths, unit}}`, `{dates}` and `{mask, from}`;
        with None every value has `*` above it
    lists : the value lists of the dataset and of all dictionaries that know the attribute
    text_of : gives the text of a file by the name in the description

    Raises
    ------
    BadHierarchy
        If a key is unknown or its value impossible; its `key` says which.
    OutsideHierarchy
        If masks, dates or intervals do not fit a value. Files and groups say so when a column is coded.

    Examples
    --------
    >>> zips = [ValueList.of(["47906", "47901"], column="zip")]
    >>> build("zip", {"mask": 2, "from": "left"}, zips, text_of=str).labels[1].to_pylist()
    [None, '*7906', '*7901']
    """
    if wanted is None:
        return flat(attribute, lists)
    kind = _kind(attribute, wanted)
    given = wanted[kind]
    if kind == "file":
        return _from_file(attribute, wanted, text_of)
    if kind == "groups":
        return from_groups(attribute, given)
    if kind == "intervals":
        return _from_intervals(attribute, given, lists)
    if kind == "dates":
        return from_dates(attribute, lists, _sequence(attribute, given, "dates"))
    return from_masks(attribute, lists, given, end=wanted.get("from", "right"))


def _kind(attribute: str, wanted: Any) -> str:
    if not isinstance(wanted, Mapping):
        raise BadHierarchy(attribute, f"Describe it by one of {', '.join(KEYS)}.")
    kinds = [kind for kind in KEYS if kind in wanted]
    if len(kinds) != 1:
        raise BadHierarchy(attribute, f"Describe it by exactly one of {', '.join(KEYS)}.")
    _check_keys(attribute, wanted, {kinds[0], *KEYS[kinds[0]]}, "")
    return kinds[0]


def _check_keys(attribute: str, given: Mapping[str, Any], known: set[str], before: str) -> None:
    for key in given:
        if key not in known:
            raise BadHierarchy(
                attribute, f"There is no such key. Known are {', '.join(sorted(known))}.", key=f"{before}{key}"
            )


def _from_file(attribute: str, wanted: Mapping[str, Any], text_of: Text) -> Hierarchy:
    header = wanted.get("header", False)
    if not isinstance(header, bool):
        raise BadHierarchy(attribute, "Say true or false.", key="header")
    if not isinstance(wanted["file"], str):
        raise BadHierarchy(attribute, "Give the name of a file.", key="file")
    return from_text(attribute, text_of(wanted["file"]), header=header)


def _from_intervals(attribute: str, given: Any, lists: Lists) -> Hierarchy:
    if not isinstance(given, Mapping):
        raise BadHierarchy(attribute, "Give from, widths and unit.", key="intervals")
    _check_keys(attribute, given, INTERVALS, "intervals.")
    widths = _sequence(attribute, given.get("widths"), "intervals.widths")
    return from_intervals(attribute, lists, widths, start=given.get("from", 0), unit=given.get("unit", 1))


def _sequence(attribute: str, given: Any, key: str) -> Sequence[Any]:
    if not isinstance(given, list | tuple):
        raise BadHierarchy(attribute, "Give a list.", key=key)
    return given
