"""The attributes of an assessment, from its `attributes` and `sensitivity` keys."""

from pathlib import Path
from typing import Any

from tests.oracle import reading
from tests.oracle.arithmetic import at_least_zero
from tests.oracle.hierarchies import build
from tests.oracle.problem import Attribute
from tests.oracle.reading import Refused, as_text, only

KEYS = {"hierarchy", "weight", "weights", "fall", "personal_weight", "role", "sensitive", "order"}
FALLS = ("step", "harmonic")


def attribute(name: str, given: dict[str, Any], fall: str, folder: Path) -> Attribute:
    """One attribute; its weight is 1 and it falls like all others unless said otherwise."""
    only(given, KEYS, f"attributes.{name}")
    kept = given.get("role") == "keep"
    if given.get("role", "keep") != "keep" or (kept and "hierarchy" in given):
        raise Refused(f"attributes.{name}.role: keep is the only role, and a kept column has no hierarchy")
    return Attribute(
        name=name,
        hierarchy=build(given.get("hierarchy"), folder),
        kept=kept,
        weight=at_least_zero(given.get("weight", 1)),
        weights=leaf_weights(given.get("weights", {}), folder),
        fall=one_of(given.get("fall", fall), FALLS, f"attributes.{name}.fall"),
        sensitive=bool(given.get("sensitive", False)),
        order=[as_text(value) for value in given["order"]] if "order" in given else None,
    )


def one_of(value: Any, allowed: tuple[str, ...], where: str) -> str:
    """The value, refused unless it is one of those allowed."""
    if value not in allowed:
        raise Refused(f"{where}: one of {', '.join(allowed)} is needed")
    return str(value)


def leaf_weights(given: dict[object, Any], folder: Path) -> dict[str, float]:
    """The leaves that weigh something of their own: a map, or a file with a row value;weight for each.

    A first row whose weight is the word weight is a header.
    """
    if set(given) != {"file"} or not isinstance(given["file"], str):
        return {as_text(leaf): at_least_zero(weight) for leaf, weight in given.items()}
    rows = reading.rows(folder / given["file"])
    return {leaf: at_least_zero(weight) for leaf, weight in rows if weight != "weight"}


def attributes(given: dict[str, Any], sensitivity: dict[str, Any], folder: Path) -> dict[str, Attribute]:
    """All attributes, in the order of the release."""
    fall = one_of(sensitivity.get("fall", "step"), FALLS, "sensitivity.fall")
    if not given:
        raise Refused("attributes: at least one is needed")
    return {name: attribute(name, inner or {}, fall, folder) for name, inner in given.items()}


def check_covered(attribute: Attribute, values: list[str | None]) -> None:
    """Every value of the dataset, of `weights` and of the dataset against `order` has its place."""
    if not all(attribute.hierarchy.covers((0, value)) for value in [*values, *attribute.weights] if value is not None):
        raise Refused(f"attributes.{attribute.name}: the hierarchy does not cover every value")
    if attribute.order is not None and not {value for value in values if value is not None} <= set(attribute.order):
        raise Refused(f"attributes.{attribute.name}.order: a value is not in the order")
