"""Hierarchies that are not saved yet: they travel in the page's form until they are, and are kept nowhere else."""

import base64
import binascii
import json
import zlib
from typing import Any

from riskapp.bridge import trees
from riskapp.core.bad_setting import BadSetting
from riskapp.core.errors import RiskappError

MOST_BYTES = 50_000_000
"""What a draft may unpack to: more than the largest hierarchy that can be edited has."""


ROOM = 2_000_000
"""So many signs of drafts a form may carry; Django refuses forms of more than 2.5 MB."""
TOO_LARGE = (
    "The hierarchy is too large for a page to carry: its values have too many signs in all. Build it by a rule, or "
    "put shorter codes into the file in their place."
)


class LostDraft(RiskappError):
    """What came is no draft that we have sent."""


def packed(rows: dict[str, Any]) -> str:
    """Rows as a word that a form can carry.

    Raises
    ------
    BadSetting
        If they are too large for that: said before anybody edits them, not when they are to be saved.
    """
    draft = _packed([rows["header"], rows["rows"]])
    if len(draft) > ROOM:
        raise BadSetting("hierarchy", TOO_LARGE)
    return draft


def unpacked(draft: str) -> dict[str, Any]:
    """The rows that a form carries, checked as whatever comes from outside."""
    header, rows = _unpacked(draft, 2)
    return trees.checked({"header": header, "rows": rows})


def packed_texts(*texts: str) -> str:
    """Texts, such as the name of a file and what stands in it, as a word that a form can carry."""
    return _packed(list(texts))


def unpacked_texts(draft: str, count: int) -> list[str]:
    """The texts that a form carries."""
    return [str(text) for text in _unpacked(draft, count)]


def _packed(parts: list[Any]) -> str:
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 6)).decode()


def _unpacked(draft: str, count: int) -> list[Any]:
    try:
        opening = zlib.decompressobj()
        text = opening.decompress(base64.urlsafe_b64decode(draft), MOST_BYTES)
        if opening.unconsumed_tail:
            raise LostDraft("The hierarchy is too large to be edited here. Edit it as a CSV file.")
        parts = list(json.loads(text))
        if len(parts) != count:
            raise ValueError(len(parts))
    except (binascii.Error, zlib.error, ValueError, TypeError, RecursionError):
        raise LostDraft("What was edited did not come whole. Go back, and try once more.") from None
    return parts
