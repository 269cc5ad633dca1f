"""Editing a hierarchy by hand: pure functions from a spec of rows to another one.

Level 0 holds the values of the file, the last level is the top; neither can be renamed or removed. A label names a
group within its level only, and every group has one parent. Undoing is going back to an earlier spec.
"""

from collections.abc import Collection, Mapping
from typing import Any

from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.hierarchy import TOP
from riskapp.engine.shaping.opened import KEY, Opened, RowsSpec, check_label, evened, from_spec, spec_of

__all__ = ["add_level", "add_values", "from_spec", "group", "move", "name_level", "remove_level", "rename", "split"]


def group(
    spec: Mapping[str, Any], values: Collection[str], name: str, level: int = 1, under: str | None = None
) -> RowsSpec:
    """Put values, or groups of the level below, into one group of a level: a new one, or one that is there.

    Parameters
    ----------
    spec : the rows
    values : labels of the level below
    name : the group
    level : where the group is
    under : for a new group its own group in the next level; that of the values where they agree

    Raises
    ------
    BadSetting
        If a value is not there, if there is no such level, or if the values belong to different groups of the next
        level and nobody says to which the new group shall belong.

    >>> race = {"rows": [["Chinese", "Chinese", "*"], ["Japanese", "Japanese", "*"], ["White", "White", "*"]]}
    >>> group(race, ["Chinese", "Japanese"], "Asian")["rows"]
    [['Chinese', 'Asian', '*'], ['Japanese', 'Asian', '*'], ['White', 'White', '*']]
    """
    opened = Opened(spec)
    opened.check_groups(level)
    check_label(name)
    opened.check_there(level - 1, values)
    above = opened.above(level, name) if name in opened.labels(level) else _parents(opened, values, level, under)
    return opened.changed(level - 1, values, lambda row: [*row[:level], name, *above])


def _parents(opened: Opened, values: Collection[str], level: int, under: str | None) -> list[str]:
    """What is above a new group."""
    if under is not None:
        opened.check_there(level + 1, [under])
        return [under, *opened.above(level + 1, under)]
    wanted = set(values)
    met = {tuple(row[level + 1 :]) for row in opened.rows if row[level - 1] in wanted}
    if len(met) > 1:
        told = f"The chosen belong to {len({above[0] for above in met})} different groups of level {level + 1}."
        raise BadSetting(KEY, f"{told} Say under which the new group shall be, or group those first.")
    return list(met.pop())


def rename(spec: Mapping[str, Any], level: int, old: str, new: str) -> RowsSpec:
    """Give a group another name.

    Raises
    ------
    BadSetting
        If it is not there, if the name is taken or impossible, or if the level holds the values or the top.
    """
    opened = Opened(spec)
    opened.check_groups(level)
    check_label(new)
    opened.check_there(level, [old])
    if new != old:
        opened.check_new(level, new)
    return opened.changed(level, [old], lambda row: [*row[:level], new, *row[level + 1 :]])


def move(spec: Mapping[str, Any], label: str, to: str, level: int = 0) -> RowsSpec:
    """Move a value, or a group with all that is in it, into another group of the next level.

    Raises
    ------
    BadSetting
        If one of them is not there, or if the group is at the top already.
    """
    opened = Opened(spec)
    opened.check_groups(level + 1)
    opened.check_there(level, [label])
    opened.check_there(level + 1, [to])
    above = [to, *opened.above(level + 1, to)]
    return opened.changed(level, [label], lambda row: [*row[: level + 1], *above])


def split(spec: Mapping[str, Any], label: str, level: int = 1) -> RowsSpec:
    """Undo a group: what is in it stands by itself in its level, under its own name.

    Raises
    ------
    BadSetting
        If the group is not there, or if something in it has the name of another group of the level.
    """
    opened = Opened(spec)
    opened.check_groups(level)
    opened.check_there(level, [label])
    members = {row[level - 1] for row in opened.rows if row[level] == label}
    if members & (opened.labels(level) - {label}):
        told = f"Something in the group has the name of another group of level {level}."
        raise BadSetting(KEY, f"{told} Rename that one first.")
    return opened.changed(level, [label], lambda row: [*row[:level], row[level - 1], *row[level + 1 :]])


def add_level(spec: Mapping[str, Any], name: str = "", at: int | None = None) -> RowsSpec:
    """Add a level, by default just below the top, in which everything stands by itself until it is grouped.

    Raises
    ------
    BadSetting
        If a level has this name already, if the name is a number, or if there is no such place.
    """
    opened = Opened(spec)
    place = opened.height if at is None else at
    if not 1 <= place <= opened.height:
        raise BadSetting(KEY, f"A level can be added as level 1 to {opened.height}. Choose one of them.")
    _check_level_name(opened, name)
    rows = [[*row[:place], row[place - 1], *row[place:]] for row in opened.rows]
    return evened(spec_of(rows, [*opened.names[:place], name, *opened.names[place:]]))


def name_level(spec: Mapping[str, Any], level: int, name: str) -> RowsSpec:
    """Give a level another name; "" takes its name away.

    Raises
    ------
    BadSetting
        If there is no such level, or as `add_level` does.
    """
    opened = Opened(spec)
    if not 0 <= level <= opened.height:
        raise BadSetting(KEY, f"There is no such level. Choose one from 0 to {opened.height}.")
    if name != opened.names[level]:
        _check_level_name(opened, name)
    return spec_of(opened.rows, [*opened.names[:level], name, *opened.names[level + 1 :]])


def _check_level_name(opened: Opened, name: str) -> None:
    if name and (not name.strip() or name.strip().isdigit()):
        raise BadSetting(KEY, "Levels are numbered anyway. Give a word for a name, or none.")
    if name and name in opened.names:
        raise BadSetting(KEY, f"Level {opened.names.index(name)} has this name already. Choose another one.")


def remove_level(spec: Mapping[str, Any], level: int) -> RowsSpec:
    """Remove a level; what was in its groups belongs to the groups above them.

    Raises
    ------
    BadSetting
        If the level holds the values or the top.
    """
    opened = Opened(spec)
    opened.check_groups(level)
    rows = [[*row[:level], *row[level + 1 :]] for row in opened.rows]
    return evened(spec_of(rows, [*opened.names[:level], *opened.names[level + 1 :]]))


def add_values(spec: Mapping[str, Any], homes: Mapping[str, str | None], level: int = 0) -> RowsSpec:
    """Add values, each to a group of the next level, or to none (None): then it stands by itself up to the top.

    Parameters
    ----------
    level : where the values are; a group that another table names and no value of ours belongs to is its own leaf

    Raises
    ------
    BadSetting
        If a value is there already, if a group is not, or if a value that stands by itself has the name of a group.
    """
    opened = Opened(spec)
    again = len(set(homes) & opened.labels(0))
    if again or not homes:
        told = f"{again} of the {len(homes)} values are in the hierarchy already." if homes else "No value was chosen."
        raise BadSetting(KEY, f"{told} Add values that are not covered; move the others.")
    if any(not isinstance(value, str) or not value for value in homes):
        raise BadSetting(KEY, "A value is empty. Empty cells are missing and need no place.")
    homed = [home for home in homes.values() if home is not None]
    if homed:
        opened.check_there(level + 1, homed)
    above = {home: [home, *opened.above(level + 1, home)] for home in set(homed)}
    _check_own_names(opened, homes, level)
    added = [
        [*[value] * opened.height, TOP] if home is None else [*[value] * (level + 1), *above[home]]
        for value, home in homes.items()
    ]
    return evened(spec_of([*opened.rows, *added], opened.names))


def _check_own_names(opened: Opened, homes: Mapping[str, str | None], level: int) -> None:
    """A value is its own group from its leaf to its home, and none of them may have its name already."""
    for between in range(1, opened.height):
        taken = opened.labels(between)
        for value, home in homes.items():
            if value in taken and (home is None or between <= level):
                opened.check_new(between, value)
