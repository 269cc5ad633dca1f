"""The hierarchy of a column: proposed, previewed, edited as a tree, read from a file and written to one.

What is told without a look: counts, names of groups, invented examples. What the hierarchy lists as leaves are values
of the column: they come out through `seen_…` only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from riskapp.bridge.documents import NotReady
from riskapp.bridge.holding import Holder
from riskapp.bridge.uploads import coded_table
from riskapp.core.bad_setting import BadSetting
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping import branches, csv_form, hierarchies, ordered, preview, tree
from riskapp.engine.shaping.fitting import Column, Fitted, Spec, build, column_at, commonest, fitted, lists_its_leaves
from riskapp.engine.shaping.opened import KEY, MOST_LEAVES, Opened, check_label, evened
from riskapp.engine.shaping.preview import Level, Preview
from riskapp.models import Attribute, UploadState

EXAMPLES = 3
AT_A_GLANCE = 2_000
MOST_HOMES = 2_000
"""More values than this are not compared with every group at once."""
TOO_MANY = {
    True: "Let them stand by themselves, or mend the hierarchy as a CSV file.",
    False: "Mend the hierarchy as a CSV file, or build it by a rule.",
}

Rows = dict[str, Any]
Step = Mapping[str, Any]
lists_values = lists_its_leaves


def table_of(attribute: Attribute) -> tuple[CodedTable, int]:
    """The table that the attribute is a column of, and where it is in it."""
    dataset = attribute.setup.dataset
    if dataset is None or dataset.state != UploadState.READY:
        raise NotReady("The dataset is being read again, or was shredded. Look at it on the Data page.")
    table = coded_table(dataset)
    if attribute.column not in table.names:
        raise NotReady("The dataset has no such column any more. Look at the Attributes page.")
    return table, table.names.index(attribute.column)


def column_of(attribute: Attribute) -> Column:
    return column_at(*table_of(attribute))


def glance(column: Column) -> Column:
    """The column with its commonest values only, where many hierarchies are tried on it at once."""
    return commonest(column, AT_A_GLANCE)


# Builders


def proposed(column: Column, kind: str) -> list[Spec]:
    """The specs of a kind that are worth offering for a column, the likeliest first."""
    return hierarchies.of_column(column, kind)


def merged(column: Column, by: int) -> Spec:
    """The column's values in their natural order, so many neighbours merged at every level."""
    return ordered.neighbours(column, by)


def shape_words(spec: Spec) -> str:
    """A proposal in a line: the steps of dates, or how many groups there are from level to level."""
    if spec and "dates" in spec:
        return " → ".join(["day", *spec["dates"], "*"])
    if spec and "rows" in spec:
        levels = list(zip(*spec["rows"], strict=False))[:-1]
        return " → ".join([*(f"{len(set(labels))}" for labels in levels), "*"])
    return "value → *"


# The preview


@dataclass(frozen=True)
class Shown:
    """A hierarchy over its column without a look at values: counts, and for every level a few labels.

    The labels are names of groups where it has been written out, and those of an invented value where a rule makes
    them.
    """

    preview: Preview
    labels: list[list[str]]
    invented: bool

    @property
    def levels(self) -> list[tuple[Level, list[str]]]:
        return list(zip(self.preview.levels, self.labels, strict=True))


def shown(column: Column, spec: Spec) -> Shown:
    fitting = fitted(column, spec)
    told = preview.of_fit(fitting)
    if lists_its_leaves(spec):
        return Shown(told, _group_names(fitting.hierarchy), invented=False)
    return Shown(told, _invented(column, spec), invented=True)


def _group_names(hierarchy: Hierarchy) -> list[list[str]]:
    """For every level a few names that are not those of values too."""
    leaves = set(hierarchy.labels[0].to_pylist())
    above = [[name for name in labels.to_pylist()[1:] if name not in leaves] for labels in hierarchy.labels[1:]]
    return [[], *(names[:EXAMPLES] for names in above)]


def _invented(column: Column, spec: Spec) -> list[list[str]]:
    """The labels of a value that nobody has."""
    with told_by(column.key):
        hierarchy = build(column.name, spec, [ValueList.of([_example(spec)], column=column.name)])
    return [[labels[1].as_py()] for labels in hierarchy.labels]


def _example(spec: Spec) -> str:
    if spec is None:
        return "value"
    if "dates" in spec:
        return "1975-05-10"
    if "mask" in spec:
        return str("1234567890" * (spec["mask"] // 10 + 1))[: int(spec["mask"])]
    start, first = (
        Decimal(str(number)) for number in (spec["intervals"].get("from", 0), spec["intervals"]["widths"][0])
    )
    unit = Decimal(str(spec["intervals"].get("unit", 1)))
    return str(start + first + first // 2 // unit * unit)


def seen_examples(attribute: Attribute, spec: Spec) -> list[list[dict[str, Any]]]:
    """The commonest values with their labels at every level. Values of people: only behind an audited click."""
    return preview.seen_examples(*table_of(attribute), spec)


# Values without a place


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
    level, most = _level_of(attribute, rows, of), MOST_HOMES if likeliest else MOST_LEAVES
    found = preview.seen_uncovered(*_source(attribute, of), rows, most + 1, level, offers=likeliest)
    if len(found) > most:
        raise BadSetting(KEY, f"More than {most} values have no place. {TOO_MANY[likeliest]}")
    groups = Opened(rows).labels(level + 1)
    homes = {each["value"]: _home(each, groups, likeliest) for each in found}
    return tree.add_values(rows, homes, level) if homes else rows


def _source(attribute: Attribute, of: Holder | None) -> tuple[CodedTable, int]:
    return of.opened() if of else table_of(attribute)


def _level_of(attribute: Attribute, rows: Rows, of: Holder | None) -> int:
    return build(attribute.column, rows).level(of.level) if of else 0


def _home(uncovered: Mapping[str, Any], groups: set[str], likeliest: bool) -> str | None:
    if uncovered["value"] in groups:
        return str(uncovered["value"])
    return uncovered["homes"][0]["group"] if likeliest and uncovered["homes"] else None


# The tree


def seen_rows(attribute: Attribute, spec: Spec) -> Rows:
    """The hierarchy written out value by value. Values of people: only behind an audited click."""
    return tree.from_spec(*table_of(attribute), spec)


def fit(attribute: Attribute, spec: Spec) -> Fitted:
    return fitted(column_of(attribute), spec)


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
    if len(labels) == 1:
        return tree.move(spec, labels[0], to, level)
    Opened(spec).check_there(level + 1, [to])
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


MOST_NAMED = 500


def grown(attribute: Attribute, rows: Rows, opened: Sequence[branches.Place] | None, sought: str, most: int) -> Grown:
    """The tree of rows over their column; with `opened` None, as it is shown at first."""
    fitting = fit(attribute, rows)
    at = list(branches.opened_at_first(fitting) if opened is None else opened)
    hierarchy = fitting.hierarchy
    names = list(enumerate(_level_names(hierarchy)))
    groups = [(level, hierarchy.labels[level][1 : MOST_NAMED + 1].to_pylist()) for level in range(1, hierarchy.height)]
    return Grown(names, branches.branches(fitting, at, sought, most), at, hierarchy.groups[0], groups)


def _level_names(hierarchy: Hierarchy) -> list[str]:
    return ["" if name == str(level) else name for level, name in enumerate(hierarchy.names)]


# Files


def from_csv(attribute: Attribute, text: str, header: bool | None) -> Rows:
    """The hierarchy in a CSV file; `header` None finds out whether its first line names the levels."""
    known = set(column_of(attribute).values.to_pylist())
    found = csv_form.read(text, column=attribute.column, header=header, known=known)
    return checked(found)


def as_csv(rows: Rows) -> str:
    return csv_form.write(rows)


def checked(spec: Any) -> Rows:
    """Rows that somebody sent, if they are a hierarchy that can be edited."""
    if not isinstance(spec, dict) or not isinstance(spec.get("rows"), list) or len(spec["rows"]) > MOST_LEAVES:
        raise BadSetting(KEY, f"A hierarchy is written out in at most {MOST_LEAVES} rows.")
    return evened({"rows": spec["rows"], "header": spec.get("header")})


# The shelf

MOST_TOLD = 30


def levels_in_words(spec: Spec) -> list[tuple[str, int | None, list[str]]]:
    """A hierarchy apart from any column: for every level its name, how many groups it has, and some of them.

    A rule has as many groups as it meets values; an invented one stands for them.
    """
    if not lists_its_leaves(spec):
        with told_by(KEY):
            hierarchy = build(KEY, spec, [ValueList.of([_example(spec)])])
        return [(name, None, [labels[1].as_py()]) for name, labels in _named(hierarchy)]
    with told_by(KEY):
        hierarchy = build(KEY, spec)
    return [(name, len(labels) - 1, labels[1 : MOST_TOLD + 1].to_pylist()) for name, labels in _named(hierarchy)]


def _named(hierarchy: Hierarchy) -> list[tuple[str, Any]]:
    return list(zip(_level_names(hierarchy), hierarchy.labels, strict=True))
