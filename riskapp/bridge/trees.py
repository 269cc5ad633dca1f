"""A hierarchy written out value by value: edited as a tree, read from a CSV file and written to one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from riskapp.bridge.shaping import Rows, column_of, level_names, table_of
from riskapp.core.bad_setting import BadSetting
from riskapp.engine.shaping import branches, csv_form, tree
from riskapp.engine.shaping.fitting import Spec, fitted
from riskapp.engine.shaping.opened import KEY, MOST_LEAVES, Opened, check_label, evened
from riskapp.models import Attribute

MOST_NAMED = 500

Step = Mapping[str, Any]


def seen_rows(attribute: Attribute, spec: Spec) -> Rows:
    """The hierarchy written out value by value. Values of people: only behind an audited click."""
    return tree.from_spec(*table_of(attribute), spec)


def edited(spec: Rows, step: Step) -> Rows:
    """The rows after one step of editing.

    Raises
    ------
    BadSetting
        If the step cannot be done; the message says why and what to do instead.
    """
    try:
        return STEPS[step["do"]](spec, step)
    except (KeyError, TypeError, ValueError):
        raise BadSetting(KEY, "This cannot be done here. Load the page anew.") from None


def _group(spec: Rows, step: Step) -> Rows:
    """A new group; where the chosen stand directly below the top, a level for it comes first."""
    labels, level, name = set(step["labels"]), int(step["level"]) + 1, str(step["name"]).strip()
    check_label(name)
    if Opened(spec).height == level:
        spec = tree.add_level(spec)
    opened = Opened(spec)
    # A group of which everything is chosen vanishes, and its name is free.
    left = {row[level] for row in opened.rows if row[level - 1] not in labels}
    if name in left:
        opened.check_new(level, name)
    return tree.group(spec, labels, name, level, under=step.get("under"))


def _move(spec: Rows, step: Step) -> Rows:
    labels, level, to = list(step["labels"]), int(step["level"]), str(step["to"])
    opened = Opened(spec)
    opened.check_groups(level + 1)
    if to not in opened.labels(level + 1):
        told = f"Level {level + 1} has no group of this name."
        raise BadSetting(KEY, f"{told} Choose one of its groups, or put the chosen into a new group.")
    if len(labels) == 1:
        return tree.move(spec, labels[0], to, level)
    return tree.group(spec, labels, to, level + 1)


def _split(spec: Rows, step: Step) -> Rows:
    for label in step["labels"]:
        spec = tree.split(spec, label, int(step["level"]))
    return spec


def _rename(spec: Rows, step: Step) -> Rows:
    return tree.rename(spec, int(step["level"]), step["labels"][0], str(step["name"]).strip())


STEPS: dict[str, Callable[[Rows, Step], Rows]] = {
    "group": _group,
    "move": _move,
    "split": _split,
    "rename": _rename,
    "add_level": lambda spec, step: tree.add_level(spec, str(step["name"]).strip(), int(step["level"])),
    "name_level": lambda spec, step: tree.name_level(spec, int(step["level"]), str(step["name"]).strip()),
    "remove_level": lambda spec, step: tree.remove_level(spec, int(step["level"])),
}


@dataclass(frozen=True)
class Grown:
    """The tree of a hierarchy as it is shown: its levels by number and name, its lines, what is open."""

    levels: list[tuple[int, str]]
    lines: list[branches.Line]
    opened: list[branches.Place]
    leaves: int
    groups: list[tuple[int, list[str]]]


def grown(attribute: Attribute, rows: Rows, opened: Sequence[branches.Place] | None, sought: str, most: int) -> Grown:
    """The tree of rows over their column; with `opened` None, as it is shown at first."""
    fitting = fitted(column_of(attribute), rows)
    at = list(branches.opened_at_first(fitting) if opened is None else opened)
    hierarchy = fitting.hierarchy
    names = list(enumerate(level_names(hierarchy)))
    groups = [(level, hierarchy.labels[level][1 : MOST_NAMED + 1].to_pylist()) for level in range(1, hierarchy.height)]
    return Grown(names, branches.branches(fitting, at, sought, most), at, hierarchy.groups[0], groups)


def from_csv(attribute: Attribute, text: str, header: bool | None) -> Rows:
    """The hierarchy in a CSV file; `header` None finds out whether its first line names the levels."""
    known = set(column_of(attribute).values.to_pylist())
    found = csv_form.read(text, column=attribute.column, header=header, known=known)
    return checked(found)


def as_csv(rows: Rows, names: bool) -> str:
    """The file of a hierarchy; with the names of its levels in the first line, which other tools take for a value."""
    return csv_form.write(rows, header=names)


def checked(spec: Any) -> Rows:
    """Rows that somebody sent, if they are a hierarchy that can be edited."""
    if not isinstance(spec, dict) or not isinstance(spec.get("rows"), list) or len(spec["rows"]) > MOST_LEAVES:
        raise BadSetting(KEY, f"A hierarchy is written out in at most {MOST_LEAVES} rows.")
    return evened({"rows": spec["rows"], "header": spec.get("header")})
