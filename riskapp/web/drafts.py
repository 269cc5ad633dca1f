"""Hierarchies that are not saved yet: they travel in the page's form until they are, and are kept nowhere else."""

import base64
import binascii
import json
import zlib
from typing import Any

from riskapp.bridge import trees
from riskapp.core.errors import RiskappError

MOST_BYTES = 50_000_000
"""What a draft may unpack to: more than the largest hierarchy that can be edited has."""


class LostDraft(RiskappError):
    """What came is no draft that we have sent."""


def packed(rows: dict[str, Any]) -> str:
    """Rows as a word that a form can carry."""
    return _packed([rows["header"], rows["rows"]])


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
