"""What of a column was changed, and a place of the tree, as templates need them."""

import json
from typing import Any

from django import template

register = template.Library()

WHAT = {
    "role": "its role",
    "knowable": "whether an attacker could know it",
    "hurts": "whether it hurts",
    "hierarchy": "its hierarchy",
    "weight": "its weight",
    "weights": "weights of its values",
    "fall": "how its weight falls",
    "personal": "people's own weights",
    "order": "the order of its values",
    "keep_reason": "the reason to release it",
}


def what_words(changed: list[str]) -> str:
    """What somebody changed about a column: "its role and its hierarchy"."""
    words = [WHAT.get(name, name) for name in changed]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@register.filter
def as_json(value: Any) -> str:
    """A value as JSON, to stand in an attribute."""
    return json.dumps(value, ensure_ascii=False)


@register.simple_tag
def house(value: str, home: str | None = None) -> str:
    """What a button says that gives a value its home."""
    return json.dumps({"value": value, "home": home}, ensure_ascii=False)
