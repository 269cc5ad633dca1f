"""What stands in an assessment file as JSON has it: words that are numbers, or yes and no, become such."""

import json
from typing import Any

from riskapp.bridge.documents import Mapped
from riskapp.engine.assessment.given import INFINITE, number_in
from riskapp.engine.assessment.tree import Plain, Tree


def as_mapping(tree: Tree) -> Any:
    """What stands in an assessment file as JSON has it: words that are numbers or yes and no become such.

    A number that would not be written in the same way again, as 1.50 or 010, stays a text.
    """
    if isinstance(tree, dict):
        return {key: as_mapping(inner) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [as_mapping(inner) for inner in tree]
    return _word(tree.text) if isinstance(tree, Plain) else tree


def _word(text: str) -> Any:
    if text in ("true", "false", "null"):
        return json.loads(text)
    if INFINITE.fullmatch(text):
        return "inf"
    try:
        number = json.loads(text)
    except ValueError:
        return text
    return number if isinstance(number, int | float) and json.dumps(number) == text else text


def with_numbers(told: Mapped) -> Mapped:
    """The same with numbers wherever only numbers can stand, and pages reckon with them."""
    found = dict(told)
    for section in ("search", "utility"):
        if section in found:
            found[section] = _amounts(found[section])
    sensitivity = dict(found.get("sensitivity") or {})
    for key, inner in sensitivity.items():
        if key == "pairs":
            sensitivity[key] = [{**pair, "weight": amount(pair["weight"])} for pair in inner]
        elif key in ("person_total", "unidentified"):
            sensitivity[key] = _amounts(inner)
    return found | ({"sensitivity": sensitivity} if sensitivity else {})


def _amounts(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _amounts(inner) for key, inner in told.items()}
    if isinstance(told, list):
        return [_amounts(inner) for inner in told]
    return amount(told)


def amount(told: Any) -> Any:
    """A number that was written as a text; anything else as it is.

    >>> amount("1.50"), amount(".inf"), amount(3), amount("full-domain")
    (1.5, 'inf', 3, 'full-domain')
    """
    number = number_in(told) if isinstance(told, str) else None
    if number is None:
        return told
    return "inf" if number == float("inf") else int(number) if number.is_integer() else number
