"""What each label of a release means, in a sentence; values of the data are in no sentence.

Groups that somebody set up are told with what belongs to them. What a mask or an interval holds follows from the label.
"""

from collections.abc import Callable

import numpy as np

from riskapp.core.table.hierarchy import TOP, Hierarchy
from riskapp.engine.assessment.growing import lists_its_leaves
from riskapp.engine.assessment.settings import AttributeKey
from riskapp.engine.releasing.bounds import shape_of

MOST = 40
"""Of a group with more values the others are counted."""
HIDDEN = "Hidden: it could be any value."
MISSING = "Missing in the data."
ITSELF = "The value itself, as it was."


def meaning(attribute: AttributeKey, hierarchy: Hierarchy, level: int, code: int) -> str:
    """What the label of a code at a level means.

    >>> from riskapp.core.table.build_groups import from_groups
    >>> race = from_groups("race", {"European": ["White"], "Asian": ["Chinese", "Japanese"]})
    >>> key = AttributeKey("race", {"groups": {}})
    >>> [meaning(key, race, level, code) for level, code in ((0, 1), (1, 2), (1, 0))]
    ['The value itself, as it was.', 'One of: Chinese, Japanese.', 'Missing in the data.']
    """
    if level == hierarchy.height:
        return HIDDEN
    if code == 0:
        return MISSING
    if level == 0:
        return ITSELF
    label: str = hierarchy.labels[level][code].as_py()
    if lists_its_leaves(attribute):
        return _of_group(hierarchy, level, code)
    return _OF_LABEL[_kind(attribute)](label)


def _kind(attribute: AttributeKey) -> str:
    wanted = attribute.hierarchy or {}
    return "left" if wanted.get("from") == "left" else shape_of(attribute)


def _of_group(hierarchy: Hierarchy, level: int, code: int) -> str:
    leaves = np.flatnonzero(hierarchy.ancestors[level] == code)
    names = [hierarchy.labels[0][int(leaf)].as_py() for leaf in leaves[:MOST]]
    more = f" and {len(leaves) - MOST} more" if len(leaves) > MOST else ""
    return f"One of: {', '.join(names)}{more}."


def _of_interval(label: str) -> str:
    """
    >>> _of_interval("[50,55)")
    'At least 50 and less than 55.'
    """
    low, high = label.strip("[)").split(",")
    return f"At least {low} and less than {high}."


def _of_date(label: str) -> str:
    return f"Some day of {'the year ' if len(label) == 4 else ''}{label}."


def _of_mask(label: str) -> str:
    """
    >>> _of_mask("479**"), _of_mask("***")
    ('Begins with 479; 2 signs are hidden.', '3 signs, all hidden.')
    """
    shown = label.rstrip(TOP)
    hidden = _signs(len(label) - len(shown))
    return f"Begins with {shown}; {hidden} hidden." if shown else _all_hidden(label)


def _of_left_mask(label: str) -> str:
    shown = label.lstrip(TOP)
    return f"Ends in {shown}; {_signs(len(label) - len(shown))} hidden." if shown else _all_hidden(label)


def _signs(number: int) -> str:
    return "1 sign is" if number == 1 else f"{number} signs are"


def _all_hidden(label: str) -> str:
    return f"{len(label)} signs, all hidden."


_OF_LABEL: dict[str, Callable[[str], str]] = {
    "intervals": _of_interval,
    "dates": _of_date,
    "mask": _of_mask,
    "left": _of_left_mask,
    "category": lambda label: ITSELF,
}
