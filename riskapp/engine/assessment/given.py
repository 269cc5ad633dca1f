"""A value of the assessment together with its key's path: asked for as what it must be, or refused by that path."""

import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from riskapp.core.bad_setting import BadSetting, check_amount, check_choice
from riskapp.engine.assessment.tree import Plain, Tree

NUMBER = re.compile(r"[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d[\d_]*", re.ASCII)
INFINITE = re.compile(r"([+-]?)\.?inf(inity)?", re.IGNORECASE)
YES, NO = ("true", "yes", "on"), ("false", "no", "off")
NOTHING = ("", "~", "null", "Null", "NULL")
LONGEST_KEY = 60
MOST_DIGITS = 18
"""Whole numbers of so many digits fit into 64 bits."""


def number_in(text: str) -> float | None:
    """The number that a text is, ∞ as `inf`, `.inf` or `Infinity`; None for anything else, "not a number" included.

    >>> [number_in(text) for text in ("0.3", "1_000", "-.inf", "nan", "1:30", "1e999")]
    [0.3, 1000.0, -inf, None, None, None]
    """
    if endless := INFINITE.fullmatch(text):
        return -math.inf if endless[1] == "-" else math.inf
    if not NUMBER.fullmatch(text):
        return None
    number = float(text.replace("_", ""))
    return number if math.isfinite(number) else None


def step(path: str, key: str) -> str:
    """The path of a key below another, on one line whatever the key is.

    >>> step("attributes", "city"), step("", "a\\nb")
    ('attributes.city', 'a b')
    """
    plain = " ".join(key.split())
    plain = plain if len(plain) <= LONGEST_KEY else f"{plain[:LONGEST_KEY]}…"
    return f"{path}.{plain}" if path else plain


@dataclass(frozen=True)
class Given:
    """What the assessment says at a path.

    Parameters
    ----------
    path : of the key, parts apart by points; list items are counted from 0; empty for the whole assessment
    tree : what stands there
    """

    path: str
    tree: Tree

    def wrong(self, message: str) -> BadSetting:
        """The error at this key."""
        return BadSetting(self.path or "assessment", message)

    @property
    def nothing(self) -> bool:
        """Whether the key stands there with nothing after it."""
        return isinstance(self.tree, Plain) and self.tree.text in NOTHING

    def entries(self) -> dict[str, "Given"]:
        """The entries of a map with keys of any name; nothing at all is an empty map."""
        if self.nothing:
            return {}
        if not isinstance(self.tree, dict):
            raise self.wrong("Give a map of keys and values.")
        return {key: Given(step(self.path, key), inner) for key, inner in self.tree.items()}

    def keys(self, *known: str, needed: Collection[str] = ()) -> dict[str, "Given"]:
        """The entries of a map whose keys are known; some are needed."""
        found = self.entries()
        for key, inner in found.items():
            if key not in known:
                raise inner.wrong(f"There is no such key. Known are {', '.join(known)}.")
        for key in needed:
            if key not in found:
                raise BadSetting(step(self.path, key), "This is needed. Give it.")
        return found

    def items(self) -> list["Given"]:
        """The items of a list."""
        if not isinstance(self.tree, list):
            raise self.wrong("Give a list.")
        return [Given(step(self.path, str(place)), inner) for place, inner in enumerate(self.tree)]

    def text(self) -> str:
        """A text, exactly as it is written."""
        if isinstance(self.tree, str):
            return self.tree
        if isinstance(self.tree, Plain) and self.tree.text:
            return self.tree.text
        raise self.wrong("Give a text; an empty one in quotes.")

    def name(self) -> str:
        """A text that is not empty: the name of a file, a column, an attribute or a dictionary."""
        if not (text := self.text()).strip():
            raise self.wrong("Give a name.")
        return text

    def written_number(self) -> str:
        """A finite number as it is written."""
        text = self._word()
        number = number_in(text)
        if number is None or math.isinf(number):
            raise self.wrong("Give a number that is not infinite.")
        return text.replace("_", "")

    def number(self) -> float:
        """A number, finite or not."""
        if (number := number_in(self._word())) is None:
            raise self.wrong("Give a number.")
        return number

    def _word(self) -> str:
        return self.tree if isinstance(self.tree, str) else self.tree.text if isinstance(self.tree, Plain) else ""

    def amount(self, *, finite: bool = False) -> float:
        """A number that is not below 0."""
        number = self.number()
        check_amount(self.path, number, finite=finite)
        return number

    def share(self) -> float:
        """A number from 0 to 1."""
        number = self.number()
        if not 0 <= number <= 1:
            raise self.wrong("Give a number from 0 to 1.")
        return number

    def above_zero(self) -> float:
        """A finite number above 0."""
        number = self.number()
        if not 0 < number < math.inf:
            raise self.wrong("Give a finite number above 0.")
        return number

    def whole(self, least: int) -> int:
        """A whole number."""
        text = self._word().replace("_", "")
        digits = text.lstrip("+-").lstrip("0")
        if WHOLE.fullmatch(self._word()) and len(digits) > MOST_DIGITS and not text.startswith("-"):
            raise self.wrong(f"Give a whole number, at most {'9' * MOST_DIGITS}.")
        if not WHOLE.fullmatch(self._word()) or len(digits) > MOST_DIGITS or int(text) < least:
            raise self.wrong(f"Give a whole number, at least {least}.")
        return int(text)

    def flag(self) -> bool:
        """True or false, or one of the other words for them."""
        word = self.tree.text.lower() if isinstance(self.tree, Plain) else ""
        if word not in (*YES, *NO):
            raise self.wrong("Say true or false.")
        return word in YES

    def choice(self, *known: str) -> str:
        """One of some words."""
        chosen = self._word()
        check_choice(self.path, chosen, known)
        return chosen

    def distinct(self, read: Callable[["Given"], str]) -> tuple[str, ...]:
        """A list of texts that is not empty, each once."""
        found: list[str] = []
        for item in self.items():
            text = read(item)
            if text in found:
                raise item.wrong("This stands in the list already. Leave it out.")
            found.append(text)
        if not found:
            raise self.wrong("The list is empty. Name at least one.")
        return tuple(found)
