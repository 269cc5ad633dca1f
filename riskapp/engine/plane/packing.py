"""Columns of numbers as short JSON: a table of the values that occur, or the bytes of small floats.

Bytes are little-endian and in base64. A float of three bytes is one of four without its last: 5 digits.
"""

import base64
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from riskapp.core.extended import Numbers
from riskapp.engine.plain_json import in_words


def packed(values: Numbers, size: int = 4) -> dict[str, Any]:
    """The shorter of the two forms.

    Parameters
    ----------
    values : may be infinite
    size : the bytes of a float, 3 or 4

    >>> packed(np.array([0.5, 1.0, 0.5]))
    {'table': [0.5, 1.0], 'codes': 'AAEA'}
    """
    forms = [form for form in (_by_table(values), _as_floats(values, size)) if form is not None]
    return min(forms, key=lambda form: len(json.dumps(form)))


def bits(flags: npt.NDArray[np.bool_]) -> str:
    """Eight flags in a byte, the first in its lowest bit.

    >>> bits(np.array([True, False, True]))
    'BQ=='
    """
    return _text(np.packbits(flags, bitorder="little"))


def _by_table(values: Numbers) -> dict[str, Any] | None:
    different, codes = np.unique(values, return_inverse=True)
    if len(different) > 1 << 16:
        return None
    kind = "<u1" if len(different) <= 1 << 8 else "<u2"
    return {"table": in_words(different.tolist()), "codes": _text(codes.astype(kind))}


def _as_floats(values: Numbers, size: int) -> dict[str, Any]:
    with np.errstate(over="ignore"):
        whole = values.astype("<f4").view("<u4")
    dropped = 4 - size
    rounded = whole + np.uint32((1 << (8 * dropped)) >> 1)
    return {"size": size, "floats": _text(rounded.view(np.uint8).reshape(-1, 4)[:, dropped:])}


def _text(array: npt.NDArray[Any]) -> str:
    return base64.b64encode(array.tobytes()).decode()
