"""Values without a place in the hierarchy of their column, and the groups they are given as homes."""

from collections.abc import Mapping
from typing import Any

from riskapp.bridge.holding import Holder
from riskapp.bridge.shaping import Rows, table_of
from riskapp.core.bad_setting import BadSetting
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping import preview, tree
from riskapp.engine.shaping.fitting import Spec, build
from riskapp.engine.shaping.opened import KEY, MOST_LEAVES, Opened
from riskapp.models import Attribute

MOST_HOMES = 2_000
MOST_COMPARED = 10_000_000
"""More values than this are not compared with every group at once."""
TOO_MANY = {
    True: "Let them stand by themselves, or mend the hierarchy as a CSV file.",
    False: "Mend the hierarchy as a CSV file, or build it by a rule.",
}


def seen_uncovered(attribute: Attribute, spec: Spec, of: Holder | None = None) -> list[Mapping[str, Any]]:
    """The commonest values without a place, with homes. Values of people: only behind an audited click.

    Parameters
    ----------
    of : the column of another table whose values they are; None for the attribute's own
    """
    return preview.seen_uncovered(*_source(attribute, of), spec, level=of.level if of else 0)


def housed(attribute: Attribute, spec: Spec, homes: Mapping[str, str | None], of: Holder | None = None) -> Rows:
    """The hierarchy written out, in which values have been given a group, or (None) stand by themselves."""
    rows = tree.from_spec(*table_of(attribute), spec)
    return tree.add_values(rows, homes, _level_of(attribute, rows, of))


def all_housed(attribute: Attribute, spec: Spec, *, likeliest: bool, of: Holder | None = None) -> Rows:
    """The hierarchy written out, in which every value of the column has a place.

    Parameters
    ----------
    likeliest : each value goes to the group whose values are most like it, and stands by itself only where none is
    """
    rows = tree.from_spec(*table_of(attribute), spec)
    level = _level_of(attribute, rows, of)
    most = _most_homes(rows) if likeliest else MOST_LEAVES
    found = preview.seen_uncovered(*_source(attribute, of), rows, most + 1, level, offers=likeliest)
    if len(found) > most:
        raise BadSetting(KEY, f"More than {most} values have no place. {TOO_MANY[likeliest]}")
    groups = Opened(rows).labels(level + 1)
    homes = {each["value"]: _home(each, groups, likeliest) for each in found}
    return tree.add_values(rows, homes, level) if homes else rows


def _most_homes(rows: Rows) -> int:
    """How many values are compared with every leaf while somebody waits: many with few, and few with many."""
    return min(MOST_LEAVES, max(MOST_HOMES, MOST_COMPARED // len(rows["rows"])))


def _source(attribute: Attribute, of: Holder | None) -> tuple[CodedTable, int]:
    return of.opened() if of else table_of(attribute)


def _level_of(attribute: Attribute, rows: Rows, of: Holder | None) -> int:
    return build(attribute.column, rows).level(of.level) if of else 0


def _home(uncovered: Mapping[str, Any], groups: set[str], likeliest: bool) -> str | None:
    if uncovered["value"] in groups:
        return str(uncovered["value"])
    return uncovered["homes"][0]["group"] if likeliest and uncovered["homes"] else None
