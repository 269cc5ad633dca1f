"""How alike the names of two columns are, whatever their case, accents, separators and common words."""

import re
from enum import IntEnum

from rapidfuzz.distance import Jaro

from riskapp.engine.profile.suggest.meanings import meanings, plain

NARROW = frozenset({"birth_date", "postcode", "age", "sex", "email", "phone", "address", "national_number"})
"""Two columns with one of these meanings say the same."""
BROAD = frozenset({"place", "trait", "sensitive", "amount", "coordinate", "date", "person_name"})
"""With one of these they say something of the same kind."""
EMPTY_WORDS = frozenset("a of the in code type group name value no nr id de la le der die das at".split())
SPELT_ALIKE = 0.9


class Likeness(IntEnum):
    """How alike two names are, the least first."""

    NONE = 0
    ALIKE = 1
    MEANS_THE_SAME = 2
    SAME = 3


WORDS = {
    Likeness.NONE: "the name says nothing",
    Likeness.ALIKE: "the name is alike",
    Likeness.MEANS_THE_SAME: "the name means the same",
    Likeness.SAME: "the name is the same",
}


def likeness(one: str, other: str) -> Likeness:
    """How alike two names are.

    >>> [likeness("Geschlecht", name).name for name in ("GESCHLECHT", "sex", "Geschlechte", "city")]
    ['SAME', 'MEANS_THE_SAME', 'ALIKE', 'NONE']
    """
    if not spelt(one) or not spelt(other):
        return Likeness.NONE
    if spelt(one) == spelt(other):
        return Likeness.SAME
    shared = meanings(one) & meanings(other)
    if shared & NARROW:
        return Likeness.MEANS_THE_SAME
    if shared & BROAD or _words(one) & _words(other):
        return Likeness.ALIKE
    return Likeness.ALIKE if Jaro.similarity(spelt(one), spelt(other)) >= SPELT_ALIKE else Likeness.NONE


def spelt(name: str) -> str:
    """A name without case, accents and separators.

    >>> spelt("Code postal 2"), spelt("CODE_POSTAL-2")
    ('codepostal2', 'codepostal2')
    """
    return plain(name).replace("_", "") + "".join(re.findall(r"\d", name))


def _words(name: str) -> frozenset[str]:
    return frozenset(plain(name).split("_")) - EMPTY_WORDS - {""}
