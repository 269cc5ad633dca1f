"""The key `attributes`: for each column its hierarchy or role, what it weighs, and whether it is sensitive."""

from collections.abc import Callable, Mapping
from typing import Any

from riskapp.core.table.build import INTERVALS, KEYS, build
from riskapp.core.table.build_masks import ENDS
from riskapp.core.table.fall import FALLS
from riskapp.engine.assessment.faults import told_by
from riskapp.engine.assessment.given import Given, number_in
from riskapp.engine.assessment.settings import AttributeKey, PersonalFile
from riskapp.engine.assessment.tree import Plain, Tree

ATTRIBUTE = ("hierarchy", "weight", "weights", "fall", "personal_weight", "role", "sensitive", "order")
TABLE = ("file", "key", "column")


def read_attributes(given: Given, fall: str) -> dict[str, AttributeKey]:
    """All attributes in the order of the release; `fall` is that of those that have none of their own.

    Raises
    ------
    BadSetting
        If there is none, if all are kept, or if one is described in an impossible way.
    """
    found = {name: _attribute(name, inner, fall) for name, inner in given.entries().items()}
    if not found:
        raise given.wrong("Name at least one column.")
    if all(attribute.kept for attribute in found.values()):
        raise given.wrong("Every column is kept. Leave at least one with a level to choose.")
    return found


def _attribute(name: str, given: Given, fall: str) -> AttributeKey:
    keys = given.keys(*ATTRIBUTE)
    kept = "role" in keys and bool(keys["role"].choice("keep"))
    if kept and "hierarchy" in keys:
        raise keys["hierarchy"].wrong("A kept column is released unchanged. Leave out its hierarchy, or its role.")
    return AttributeKey(
        name=name,
        hierarchy=_hierarchy(name, keys["hierarchy"]) if "hierarchy" in keys else None,
        weight=keys["weight"].amount() if "weight" in keys else 1.0,
        weights=_weights(keys["weights"]) if "weights" in keys else {},
        fall=keys["fall"].choice(*FALLS) if "fall" in keys else fall,
        personal_weight=_personal_weight(keys["personal_weight"]) if "personal_weight" in keys else None,
        kept=kept,
        sensitive="sensitive" in keys and keys["sensitive"].flag(),
        order=keys["order"].distinct(Given.text) if "order" in keys else None,
    )


def _weights(given: Given) -> Mapping[str, float] | str:
    """A map from leaf to weight, or the name of a file; a leaf may be called `file` too, and then it has a number."""
    entries = given.entries()
    if set(entries) == {"file"} and number_in(entries["file"].name()) is None:
        return entries["file"].name()
    # The leaves are values of the data, so their weights are told by the key of all.
    return {leaf: Given(given.path, inner.tree).amount() for leaf, inner in entries.items()}


def _personal_weight(given: Given) -> str | PersonalFile:
    if not isinstance(given.tree, dict):
        return given.name()
    keys = given.keys(*TABLE, needed=TABLE)
    return PersonalFile(*(keys[key].name() for key in TABLE))


# hierarchies, as the mathematics wants them described


def _hierarchy(name: str, given: Given) -> Mapping[str, Any]:
    kinds = [kind for kind in KEYS if kind in given.entries()]
    if len(kinds) != 1:
        given.keys(*KEYS)
        raise given.wrong(f"Describe it by one of {', '.join(KEYS)}.")
    kind = kinds[0]
    keys = given.keys(kind, *sorted(KEYS[kind]))
    wanted = {key: _part(kind, key)(inner) for key, inner in keys.items()}
    if kind != "file":
        with told_by(given.path):
            build(name, wanted, [], text_of=str)
    return wanted


def _part(kind: str, key: str) -> Callable[[Given], Any]:
    """How a key of a hierarchy is read."""
    if key == "from":
        return lambda given: given.choice(*ENDS)
    return {"header": Given.flag, "file": Given.name, "groups": _groups, "intervals": _intervals, "dates": _dates}.get(
        key, lambda given: given.whole(1)
    )


def _groups(given: Given) -> Any:
    return _labels(given, given.tree)


def _labels(given: Given, tree: Tree) -> Any:
    """Nested maps and lists of labels; a label is a value of the data, so it is not in the path."""
    if isinstance(tree, dict):
        return {label: _labels(given, inner) for label, inner in tree.items()}
    if isinstance(tree, list):
        return [_label(given, inner) for inner in tree]
    raise given.wrong("A group is a list of values or a map of groups. Write it as one of them.")


def _label(given: Given, tree: Tree) -> str:
    if isinstance(tree, str | Plain):
        return Given(given.path, tree).text()
    raise given.wrong("A value of a group is a text. Write groups of groups as maps.")


def _intervals(given: Given) -> dict[str, Any]:
    keys = given.keys(*sorted(INTERVALS), needed=("widths",))
    found: dict[str, Any] = {key: inner.written_number() for key, inner in keys.items() if key != "widths"}
    return {**found, "widths": [item.written_number() for item in keys["widths"].items()]}


def _dates(given: Given) -> list[str]:
    return [item.text() for item in given.items()]
