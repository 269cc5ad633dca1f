"""Weights as people write them: a number from 0 up, or never; one, or a value and its weight on each line."""

import csv
import io
from typing import Any

from django import forms

NEVER = ("never", "inf", "∞")
MOST_VALUES = 5000


def number(text: str) -> int | float | str:
    """A weight as it is kept: a number that is not below 0, or the word inf.

    Raises
    ------
    ValueError
        If it is none.
    """
    plain = text.strip().lower().replace(",", ".")
    if plain in NEVER:
        return "inf"
    found = float(plain)
    if not 0 <= found < float("inf"):
        raise ValueError
    return int(found) if found.is_integer() else found


def shown(weight: Any) -> str:
    """A weight as people write it."""
    return "never" if str(weight) == "inf" else f"{weight:.12g}"


class WeightField(forms.Field):
    """A number from 0 up, or *never*."""

    def __init__(self, *, finite: bool = False, **kwargs: Any) -> None:
        self.finite = finite
        super().__init__(widget=forms.TextInput(attrs={"maxlength": 30, "autocomplete": "off"}), **kwargs)

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        try:
            found: Any = number(text)
        except ValueError:
            found = None
        if found is None or (found == "inf" and self.finite):
            raise forms.ValidationError(f"Give a number from 0 up{'' if self.finite else ', or never'}.")
        return found

    def prepare_value(self, value: Any) -> Any:
        return value if value is None or (isinstance(value, str) and value != "inf") else shown(value)


def parsed(text: str, *, heading: bool = False) -> dict[str, Any]:
    """Values and their weights, one on each line, apart by semicolon, tab or comma; the first may be a heading."""
    lines = text.strip("\r\n").splitlines()
    sign = next((sign for sign in ";\t," if lines and sign in lines[0]), ";")
    found: dict[str, Any] = {}
    for place, row in enumerate(csv.reader(lines, delimiter=sign), start=1):
        if not row:
            continue
        value, weight = _row(row, place)
        if weight is None and place == 1 and heading:
            continue
        if weight is None:
            raise forms.ValidationError(f"Line {place}: the weight is neither a number from 0 up nor never.")
        found[value] = weight
    if len(found) > MOST_VALUES:
        raise forms.ValidationError(f"These are more than {MOST_VALUES} values. Leave out those that weigh the same.")
    return found


def _row(row: list[str], place: int) -> tuple[str, Any]:
    if len(row) != 2:
        raise forms.ValidationError(f"Line {place}: write value;weight, with one semicolon.")
    try:
        return row[0], number(row[1])
    except ValueError:
        return row[0], None


def written(weights: dict[str, Any]) -> str:
    """The lines that `parsed` reads."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(
        (value, shown(told)) for value, told in weights.items()
    )
    return text.getvalue()
