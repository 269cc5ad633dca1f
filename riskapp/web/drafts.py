"""A hierarchy that is being edited: it travels in the page's form until it is saved, and is kept nowhere else."""

import base64
import binascii
import json
import zlib
from typing import Any

from riskapp.bridge import shaping
from riskapp.core.errors import RiskappError

MOST_BYTES = 50_000_000
"""What a draft may unpack to: more than the largest hierarchy that can be edited has."""


class LostDraft(RiskappError):
    """What came is no draft that we have sent."""


def packed(rows: dict[str, Any]) -> str:
    """Rows as a word that a form can carry."""
    text = json.dumps([rows["header"], rows["rows"]], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 6)).decode()


def unpacked(draft: str) -> dict[str, Any]:
    """The rows that a form carries, checked as whatever comes from outside."""
    try:
        opening = zlib.decompressobj()
        text = opening.decompress(base64.urlsafe_b64decode(draft), MOST_BYTES)
        if not opening.eof:
            raise LostDraft("The hierarchy is too large to be edited here. Edit it as a CSV file.")
        header, rows = json.loads(text)
    except (binascii.Error, zlib.error, ValueError, TypeError, RecursionError):
        raise LostDraft("What was edited did not come whole. Go back, and try once more.") from None
    return shaping.checked({"header": header, "rows": rows})
