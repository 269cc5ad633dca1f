"""Numbers as JSON can hold them."""

import json
import math
from collections.abc import Mapping
from typing import Any


def in_words(value: Any) -> Any:
    """The value as JSON can hold it: infinite numbers as words, keys as text, all the way down.

    >>> in_words({"risk": float("inf"), "bounds": (0.5, -float("inf"))})
    {'risk': 'inf', 'bounds': [0.5, '-inf']}
    """
    if isinstance(value, Mapping):
        return {str(key): in_words(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [in_words(inner) for inner in value]
    if isinstance(value, float):
        return ("inf" if value > 0 else "-inf") if math.isinf(value) else value + 0.0
    return value


def text(value: object) -> str:
    """One line of JSON.

    >>> text({"risk": float("inf")})
    '{"risk": "inf"}'
    """
    return json.dumps(in_words(value), ensure_ascii=False, allow_nan=False)
