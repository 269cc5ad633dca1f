"""The hierarchy of a column: proposed, previewed and told in words.

What is told without a look: counts, names of groups, invented examples. What the hierarchy lists as leaves are values
of the column: they come out through `seen_…` only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from riskapp.bridge.documents import NotReady
from riskapp.bridge.uploads import coded_table
from riskapp.core.table.hierarchy import Hierarchy
from riskapp.core.table.value_list import ValueList
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.coded import CodedTable
from riskapp.engine.shaping import hierarchies, numbers, ordered, preview
from riskapp.engine.shaping.fitting import Column, Spec, build, column_at, commonest, fitted, lists_its_leaves
from riskapp.engine.shaping.opened import KEY
from riskapp.engine.shaping.preview import Level, Preview
from riskapp.models import Attribute, UploadState

EXAMPLES = 3
AT_A_GLANCE = 2_000
MOST_TOLD = 30

Rows = dict[str, Any]
"""A hierarchy written out value by value, with a header where its levels have names."""
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
    return arranged(column_at(*table_of(attribute)), attribute.order or ())


def arranged(column: Column, order: Sequence[str]) -> Column:
    """The column with another order of its values."""
    return replace(column, order=order)


def whole_order(column: Column) -> list[str]:
    """The column's order with all its values in it. Values of people: only behind an audited click."""
    return ordered.in_order(column.values.to_pylist(), column.order)


def without_place(column: Column) -> int:
    """How many values of the column are not in its order."""
    return len(set(column.values.to_pylist()).difference(column.order))


def glance(column: Column) -> Column:
    """The column with its commonest values only, where many hierarchies are tried on it at once."""
    return commonest(column, AT_A_GLANCE)


# Builders


def proposed(column: Column, kind: str) -> list[Spec]:
    """The specs of a kind that are worth offering for a column, the likeliest first; intervals as a rule."""
    return hierarchies.of_column(column, kind)


def ready(column: Column, rule: Spec) -> Spec:
    """A rule as the column can use it: written out where its numbers have a decimal comma or thousands apart."""
    return numbers.ready(column, rule)


def merged(column: Column, by: int) -> Spec:
    """The column's values in their order, so many neighbours merged at every level."""
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
    """For every level a few names that are not those of values too, nor of groups of one value, which nearly are."""
    leaves = set(hierarchy.labels[0].to_pylist())
    above = zip(hierarchy.labels[1:], hierarchy.leaf_counts[1:], strict=True)
    return [[], *(_shared(labels[1:].to_pylist(), counts[1:].tolist(), leaves) for labels, counts in above)]


def _shared(labels: Sequence[str], counts: Sequence[int], leaves: set[str]) -> list[str]:
    return [label for label, count in zip(labels, counts, strict=True) if count > 1 and label not in leaves][:EXAMPLES]


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


# In words


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
    return list(zip(level_names(hierarchy), hierarchy.labels, strict=True))


def level_names(hierarchy: Hierarchy) -> list[str]:
    """The names of the levels; one that has no name but its number has none."""
    return ["" if name == str(level) else name for level, name in enumerate(hierarchy.names)]
