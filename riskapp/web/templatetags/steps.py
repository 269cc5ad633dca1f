"""What of the set-up was changed, and a place of the tree, as templates need them."""

import json
from typing import Any

from django import template

register = template.Library()
BLANK = "␣"

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
    "name": "the name",
    "kind": "what they hold",
    "prior": "how likely they are",
    "upload": "the file",
    "knows": "the columns known",
    "match": "the matched columns",
    "fuzzy": "how alike spellings must be",
    "identity": "who an entry is",
    "count": "how many people an entry stands for",
    "source": "where it is from",
    "licence": "its licence",
    "as_of": "its date",
    "delete_after": "when it is to be deleted",
    "family": "how weights come together",
    "unidentified": "the harm if nobody is found",
    "person_total": "what a person's weights sum to",
    "pairs": "the pairs of columns",
}


def what_words(changed: list[str]) -> str:
    """What somebody changed about a part of the set-up: "its role and its hierarchy"."""
    words = [WHAT.get(name, name) for name in changed]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@register.filter
def as_json(value: Any) -> str:
    """A value as JSON, to stand in an attribute."""
    return json.dumps(value, ensure_ascii=False)


@register.filter
def edges(value: str) -> str:
    """A value with a sign for each blank at its ends, which nobody would see.

    >>> edges(" North"), edges("North  "), edges("North East")
    ('␣North', 'North␣␣', 'North East')
    """
    bare = value.strip()
    before = len(value) - len(value.lstrip())
    return BLANK * before + bare + BLANK * (len(value) - before - len(bare))


@register.simple_tag
def house(value: str, home: str | None = None) -> str:
    """What a button says that gives a value its home."""
    return json.dumps({"value": value, "home": home}, ensure_ascii=False)
